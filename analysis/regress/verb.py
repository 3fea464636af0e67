"""Test a release: do the verdicts of an edition fail it?

Ends with 0 where no comparison regressed, with 1 where one did, and with 2 where
nothing was compared or the facts are not of the files that are there. It reads the
facts of the last build and renders nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

from analysis.declared.edition import find_editions, read_edition, read_studies
from analysis.declared.metrics import METRICS_FILE, Metric, read_metrics
from analysis.declared.mistakes import nearest_of
from analysis.declared.vocabulary import part_words
from analysis.declared.workload import parse_workload
from analysis.errors import raise_if, user_error
from analysis.facts.evidence import check_digests
from analysis.facts.fact import FACTS, Fact, read_facts
from analysis.facts.sentences import detectable_text, inside, origin_text
from analysis.files.atomic import write_text

FAILING = ("regressed", "inconclusive", "improved")
Result = Literal["failed", "open", "passed"]
MARKS: dict[Result, str] = {"failed": "✗", "open": "?", "passed": "✓"}  # in this order


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("--edition", required=True, help="folder name below report/")
    parser.add_argument("--study", help="one study instead of all")
    parser.add_argument(
        "--fail-on", nargs="+", choices=FAILING, default=["regressed"],
        help="verdicts that fail the release (default: regressed)",
    )  # fmt: skip
    parser.add_argument("--junit", type=Path, help="write JUnit XML to this file")
    parser.add_argument("--markdown", type=Path, help="write Markdown to this file")
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))


def run(args: argparse.Namespace) -> int:
    """Print and write the cases; 1 where one failed."""
    cases = _cases(args)
    for path, write in ((args.junit, junit), (args.markdown, markdown)):
        if path:
            write_text(path, write(args.edition, cases) + "\n")
    print(plain_text(args.edition, cases))
    return int(any(case.result == "failed" for case in cases))


_SAID = ("exaggerated", "from_none")  # of warnings, as they change what a number means


def _cases(args: argparse.Namespace) -> list[ReleaseCase]:
    known = find_editions(args.report)
    if args.edition not in known:
        mend = nearest_of(args.edition, known)
        raise user_error(f"there is no edition {args.edition!r}", mend=mend)
    folder = args.report / args.edition
    edition = read_edition(folder)
    studies = read_studies(folder, edition)
    if args.study and args.study not in studies:
        mend = f"name one of: {', '.join(studies)}"
        raise user_error(f"there is no study {args.study!r}", folder, mend=mend)
    wanted = [args.study] if args.study else list(studies)
    names = {name for id in wanted for name in studies[id].campaigns}
    homes = edition.homes(args.edition)
    facts = read_facts(args.facts, homes.values()).of_homes(homes)
    chosen = facts.of_studies(wanted).of_campaigns(names)
    raise_if(check_digests(dict(chosen.digests), args.raw, args.facts))
    cases = cases_of(chosen.facts, read_metrics(METRICS_FILE), args.fail_on)
    if not cases:
        raise user_error(
            f"nothing of {args.edition} was compared and tested",
            args.facts,
            mend=f"make report EDITION={args.edition}, with four or more runs a side",
        )
    return cases


@dataclass(frozen=True)
class ReleaseCase:
    """One comparison: its fact, what it is called, and what became of it."""

    fact: Fact
    name: str
    result: Result

    @property
    def words(self) -> str:
        """The verdict and what it rests on."""
        fact = self.fact
        judged = fact.at_90 if fact.verdict == "comparable" else fact
        interval = f"interval {judged.low:+.1f} to {judged.high:+.1f}%"
        interval = interval.replace("-", "−") + " (90%)" * (judged is not fact)
        limit = f"a change counts from {fact.threshold or 0:.3g}%"
        p = fact.p_adjusted or 0.0
        test = f"adjusted p {p:.3f}" if p >= 0.001 else "adjusted p below 0.001"
        origin = [] if fact.origin == "measured" else [origin_text(fact)]
        head = f"{fact.verdict}: {fact.printed}"
        more = [w.words for w in fact.warnings if w.kind in _SAID]
        if fact.verdict == "inconclusive" and fact.detectable is not None:
            size = detectable_text(fact.detectable)
            more.append(f"such runs show a change from {size} on, with 80% power")
        return "; ".join([head, interval, limit, test, *more, *origin])


def cases_of(
    facts: Sequence[Fact], metrics: Mapping[str, Metric], failing: Collection[str]
) -> list[ReleaseCase]:
    """The tested comparisons, those that failed first.

    ``failing`` are the verdicts that fail. What was predicted, or has no better
    direction, is no test of a release.
    """
    tested = [
        fact
        for fact in facts
        if fact.kind == "delta" and fact.verdict and fact.estimate is None
        if not metrics[fact.metric].repeats
    ]
    cases = [ReleaseCase(f, _name(f, metrics), _result(f, failing)) for f in tested]
    return sorted(
        cases,
        key=lambda case: (
            list(MARKS).index(case.result),
            case.fact.study,
            parse_workload(case.fact.workload).order,
            case.name,
        ),
    )


def _result(fact: Fact, failing: Collection[str]) -> Result:
    if fact.verdict in failing:
        return "failed"
    return "open" if fact.verdict == "inconclusive" else "passed"


def _name(fact: Fact, metrics: Mapping[str, Metric]) -> str:
    metric = inside(metrics[fact.metric].label)
    role = f" of the {part_words(fact.role)}" if fact.role else ""
    sides = f"{fact.configuration} against {fact.baseline}"
    return f"{fact.workload}: {metric}{role}, {sides}"


def totals(cases: Sequence[ReleaseCase]) -> str:
    """``1 failed, 2 open, 9 passed``."""
    counts = Counter(case.result for case in cases)
    return ", ".join(f"{counts[result]} {result}" for result in MARKS)


def plain_text(edition: str, cases: Sequence[ReleaseCase]) -> str:
    """Two lines for each case that failed or is open, then how many there are."""
    lines = [
        f"{MARKS[case.result]} {case.fact.study}: {case.name}\n    {case.words}"
        for case in cases
        if case.result != "passed"
    ]
    return "\n".join([*lines, f"{edition}: {totals(cases)}"])


def markdown(edition: str, cases: Sequence[ReleaseCase]) -> str:
    """A table; what passed is folded."""
    shown = [case for case in cases if case.result != "passed"]
    passed = [case for case in cases if case.result == "passed"]
    parts = [f"## {_cell(edition)}: {totals(cases)}"]
    if shown:
        parts.append(_table(shown))
    if passed:
        head = f"<details><summary>{len(passed)} passed</summary>"
        parts += [head, _table(passed), "</details>"]
    return "\n\n".join(parts)


def junit(edition: str, cases: Sequence[ReleaseCase]) -> str:
    """JUnit XML: a suite for each study; what is open counts as skipped."""
    root = ET.Element("testsuites", {"name": edition} | _counts(cases))
    by_study = sorted(cases, key=lambda case: case.fact.study)
    for study, group in groupby(by_study, key=lambda case: case.fact.study):
        of_study = list(group)
        suite = ET.SubElement(root, "testsuite", {"name": study} | _counts(of_study))
        for case in of_study:
            about = {"classname": f"{edition}.{study}", "name": case.name, "time": "0"}
            node = ET.SubElement(suite, "testcase", about)
            if case.result == "failed":
                ET.SubElement(node, "failure", message=case.words).text = case.fact.key
            elif case.result == "open":
                ET.SubElement(node, "skipped", message=case.words)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _counts(cases: Sequence[ReleaseCase]) -> dict[str, str]:
    counts = Counter(case.result for case in cases)
    numbers = {"tests": len(cases), "failures": counts["failed"]}
    numbers |= {"errors": 0, "skipped": counts["open"]}
    return {name: str(number) for name, number in numbers.items()}


def _table(cases: Sequence[ReleaseCase]) -> str:
    cells = (
        (MARKS[case.result], *map(_cell, (case.fact.study, case.name, case.words)))
        for case in cases
    )
    rows = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join(["| | study | comparison | verdict |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    return escape(text, quote=False).replace("|", "\\|")
