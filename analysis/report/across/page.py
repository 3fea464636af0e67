"""The page ``across.html``: questions that several editions answer, side by side,
with how far each side's changes reach.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from analysis.declared.questions import SharedQuestion, read_questions
from analysis.errors import Issue, raise_if
from analysis.facts.sentences import origin_text
from analysis.files.atomic import write_all
from analysis.report.across.answers import SharedAnswer, answer
from analysis.report.across.library import Library
from analysis.report.language.printed import known_interval
from analysis.report.pages.html_page import Filters, html_page

PAGE = "across.html"
TEMPLATE = "across.html.j2"


def all_answers(library: Library, only: tuple[str, ...] = ()) -> list[SharedAnswer]:
    """The answers to the questions that two editions or more, of ``only``, answer."""
    questions, node = read_questions(library.report)
    raise_if([i for n, q in enumerate(questions) for i in library.mistakes(q, n, node)])
    return _answers(library, questions, only)


def _answers(
    library: Library, questions: Iterable[SharedQuestion], only: tuple[str, ...] = ()
) -> list[SharedAnswer]:
    answers = [answer(library, question, only) for question in questions]
    return [one for one in answers if len({s.edition for s in one.sides}) > 1]


def across_page(answers: list[SharedAnswer], templates: Path, nothing: str = "") -> str:
    """The page as HTML; it asks the network for nothing. It says ``nothing`` where
    there are no answers."""
    known = {"answers": answers, "nothing": nothing}
    filters: Filters = {
        "origin": origin_text,
        "interval": known_interval,
    }
    return html_page(templates, TEMPLATE, known, filters)


def write_across(folder: Path, library: Library, templates: Path) -> list[Issue]:
    """Write the page into the folder of the builds, or take it away if it is empty.

    Questions with mistakes are left out, and these returned; one about an edition that
    is gone is left out in silence, as a report must not fail for it.
    """
    questions, node = read_questions(library.report)
    wrong = {q.id: list(library.mistakes(q, n, node)) for n, q in enumerate(questions)}
    if answers := _answers(library, [q for q in questions if not wrong[q.id]]):
        write_all(folder, {PAGE: across_page(answers, templates).encode()})
    else:
        (folder / PAGE).unlink(missing_ok=True)
    known = {
        q.id for q in questions if {o.edition for o in q.of} <= {*library.editions}
    }
    return [issue for id in sorted(known) for issue in wrong[id]]
