"""A question that editions of several years share, as the project declares it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis.ask.rank import fits, fold, known_words, words_of
from analysis.declared.questions import SharedQuestion, read_questions
from analysis.report.across.answers import SharedAnswer, answer
from analysis.report.across.library import Library
from analysis.report.language.printed import known_interval

_ALIKE = 0.8  # of the words of what is asked


def shared_question(
    report: Path, facts: Path, asked: str, place: tuple[str, str]
) -> dict[str, Any] | None:
    """The declared question that has most words of what is asked, or else the one that
    a study (``place``: edition and id) answers, with what each edition says of it.

    ``continued`` has the values of a configuration that two editions share: with the
    ``change`` and its interval where systems allow it, else with the ``reason`` why
    not. None where there is no such question, or one edition alone has facts.
    """
    questions, node = read_questions(report)
    library = Library(report, facts)
    words = words_of(fold(asked))

    def share(question: SharedQuestion) -> float:
        known = known_words(f"{question.title} {question.text}")
        return sum(fits(word, known) for word in words) / len(words)

    # The likest first; one that is hardly like it counts by its studies alone.
    for question in sorted(questions, key=share, reverse=True):
        of = {(one.edition, one.study) for one in question.of}
        if share(question) < _ALIKE and place not in of:
            continue
        if any(library.mistakes(question, questions.index(question), node)):
            continue  # a build tells of them
        told = answer(library, question)
        if len({side.edition for side in told.sides}) > 1:
            return _told(question, told)
    return None


def _told(question: SharedQuestion, told: SharedAnswer) -> dict[str, Any]:
    return {
        "question": question.title,
        "text": question.text,
        "editions": [
            {"edition": side.edition, "name": side.name, "answer": words}
            for side, words in told.findings.items()
        ],
        "continued": [
            {
                "of": label,
                "sides": [f"{same.names[n]}: {same.labels[n]}" for n in (0, 1)],
                "values": [earlier.printed, later.printed],
                "intervals": [known_interval(earlier), known_interval(later)],
                "change": same.changes[at] if same.changes else "",
                "reason": same.reason,
            }
            for same in told.same
            for at, (label, earlier, later) in enumerate(same.rows)
        ],
    }


def as_lines(told: dict[str, Any]) -> list[str]:
    """The same for a terminal, a reason once; nothing where no value is continued."""
    lines = [f"The question that they share: {told['question']}", told["text"].strip()]
    lines += [f"  {one['name']}: {one['answer']}" for one in told["editions"]]
    for one in told["continued"]:
        values = " → ".join(one["values"])
        lines.append(
            "; ".join(filter(None, (f"  {one['of']}: {values}", one["change"])))
        )
    reasons = dict.fromkeys(one["reason"] for one in told["continued"] if one["reason"])
    lines += [f"  not compared: {reason}" for reason in reasons]
    return [line for line in lines if line]
