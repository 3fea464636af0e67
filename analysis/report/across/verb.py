"""Compare editions: what each answers to the same question, as report/questions.yaml
asks it, and what a later one says of where an earlier one ended.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from analysis.declared.mistakes import did_you_mean
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.facts.fact import FACTS, Fact
from analysis.facts.sentences import origin_text
from analysis.files.atomic import write_text
from analysis.report.across.answers import Continued, SharedAnswer
from analysis.report.across.library import Library
from analysis.report.across.page import across_page, all_answers
from analysis.report.language.printed import known_interval


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis compare``."""
    parser.add_argument("editions", nargs="*", help="two or more; all if none is named")
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument("--format", choices=("text", "html"), default="text")
    parser.add_argument("--out", type=Path, help="write to this file, not the terminal")


def run(args: argparse.Namespace) -> int:
    """Print or write what the editions say; 0 also where they share no question."""
    library = Library(args.report, args.facts)
    named = tuple(dict.fromkeys(args.editions))
    if len(named) == 1:
        mend = "name two editions, or none for all"
        raise user_error("one edition is compared with nothing", args.report, mend=mend)
    for id in named:
        if id not in library.editions:
            what, mend = (
                f"there is no edition {id!r}",
                did_you_mean(id, library.editions),
            )
            raise user_error(what, args.report, mend=mend)
    _check_built(library, named)
    answers = all_answers(library, named)
    nothing = "" if answers else _nothing(named, library)
    if args.format == "html":
        text = across_page(answers, args.templates, nothing=nothing)
    else:
        text = as_text(answers) or nothing
    if args.out:
        write_text(args.out, text + "\n")
        print(args.out)
    else:
        print(text)
    return 0


def _check_built(library: Library, named: tuple[str, ...]) -> None:
    """Refuse editions that have studies of their own and no facts of them."""
    where = Place(str(library.facts_file))
    raise_if(
        [
            Issue(
                f"edition {id!r} has no facts yet",
                where,
                f"run 'make report EDITION={id}' first",
            )
            for id in named
            if library.editions[id].own_studies and id not in library.built
        ]
    )


def _nothing(named: tuple[str, ...], library: Library) -> str:
    if len(library.built) < 2 and not named:
        has = " and ".join(sorted(library.built)) or "no edition"
        return f"{has} alone has facts: build another edition to compare"
    who = " and ".join(named or sorted(library.built))
    lent = sorted(
        f"{study} of {lender}"
        for id in named
        for study, lender in library.editions[id].borrowed.items()
        if lender in named
    )
    if lent:
        return f"{who} show the same: {', '.join(lent)}"
    return f"no question of report/questions.yaml is asked by {who}"


def as_text(answers: list[SharedAnswer]) -> str:
    """All answers, one below the other."""
    return "\n\n".join("\n".join(_lines(one)) for one in answers)


def _lines(answer: SharedAnswer) -> Iterator[str]:
    yield answer.question.title
    if answer.question.text:
        yield answer.question.text.strip()
    for number, side in enumerate(answer.sides, 1):
        yield f"  [{number}] {side.edition}, {side.study}: {side.pair}"
        yield f"      declared in {side.place}"
    for side, words in answer.findings.items():
        yield f"  {side.edition}: {words}"
    for one in answer.omitted:
        yield f"  not here: {one.name}, {one.title} ({one.verdicts}): {one.why}"
    for edition in answer.absent:
        yield f"  {edition} has no facts yet: run 'make report'"
    for row in answer.rows:
        yield f"  {row.label}"
        for number, fact in enumerate(row.facts, 1):
            if fact:
                yield f"    [{number}] {_words(fact)}"
    for same in answer.same:
        yield from _continued(same)


def _words(fact: Fact) -> str:
    between = f" ({spread})" if (spread := known_interval(fact)) else ""
    verdict = fact.verdict or "predicted"
    return f"{fact.printed}{between}, {verdict}; {origin_text(fact)}"


def _continued(same: Continued) -> Iterator[str]:
    earlier, later = same.arms
    yield (
        f"  {earlier.configuration} of {earlier.edition} should be "
        f"{later.configuration} of {later.edition}, its baseline"
    )
    yield from (f"    differs in {words}" for words in same.differs)
    if same.rows:
        yield f"    values rest on: {' → '.join(same.origins)}"
    if same.rows and same.reason:
        yield f"    not compared: {same.reason}"
    changes = same.changes or [""] * len(same.rows)
    for (label, before, after), change in zip(same.rows, changes, strict=True):
        ends = f"; {change}" if change else ""
        yield f"    {label}: {before.printed} → {after.printed}{ends}"
    if not same.rows:
        yield "    no workload has values in both"
