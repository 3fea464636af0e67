"""Test a release: do the verdicts of an edition, or changes of level, fail it?

Ends with 0 where nothing regressed, with 1 where something did that nobody
acknowledged, and with 2 where nothing was compared or the facts are not of the files
that are there. It reads the facts and the database of the last build and renders
nothing. A change of level lies near a campaign: nothing says what caused it.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

from analysis.catalogue.catalogue import Places, gather
from analysis.catalogue.trends import Trend, TrendChange
from analysis.declared.acknowledged import (
    ACKNOWLEDGED_FILE,
    Acknowledged,
    read_acknowledged,
)
from analysis.declared.edition import find_editions, read_edition, read_studies
from analysis.declared.metrics import METRICS_FILE, Metric, read_metrics
from analysis.declared.mistakes import nearest_of
from analysis.declared.study import Noise, Study
from analysis.declared.vocabulary import part_words
from analysis.declared.workload import parse_workload
from analysis.errors import UserError, raise_if, user_error
from analysis.facts.evidence import check_digests
from analysis.facts.fact import FACTS, Fact, read_facts
from analysis.facts.sentences import detectable_text, inside, listed, origin_text
from analysis.facts.units import format_percent, format_percent_interval
from analysis.files.atomic import write_text
from analysis.statistics.levels import SMALLEST

FAILING = ("regressed", "inconclusive", "improved")
Result = Literal["failed", "acknowledged", "open", "passed"]
MARKS: dict[Result, str] = {  # in this order
    "failed": "✗",
    "acknowledged": "!",
    "open": "?",
    "passed": "✓",
}
TRENDS = "trends"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("--edition", help="folder name below report/")
    parser.add_argument("--study", help="one study instead of all")
    parser.add_argument(
        "--trends", action="store_true",
        help="test changes of level over campaigns too, or alone without --edition",
    )  # fmt: skip
    parser.add_argument(
        "--limit", type=float, default=Noise().floor, metavar="PERCENT",
        help="from which size a change of level counts (default: %(default)g)",
    )  # fmt: skip
    parser.add_argument(
        "--fail-on", nargs="+", choices=FAILING, default=["regressed"],
        help="verdicts that fail the release (default: regressed)",
    )  # fmt: skip
    parser.add_argument(
        "--acknowledged", type=Path, default=ACKNOWLEDGED_FILE,
        help="what is known, why and until when (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--junit", type=Path, help="write JUnit XML to this file")
    parser.add_argument("--markdown", type=Path, help="write Markdown to this file")
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--database", type=Path, default=Places().database)
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))


def run(args: argparse.Namespace) -> int:
    """Print and write the cases; 1 where one failed."""
    if not (args.edition or args.trends):
        mend = "name one: --edition NAME, or test changes over campaigns: --trends"
        raise user_error("nothing is asked for", mend=mend)
    known = read_acknowledged(args.acknowledged)
    metrics = read_metrics(METRICS_FILE)
    cases = list[ReleaseCase]()
    campaigns: set[str] | None = None
    if args.edition:
        studies = _studies(args)
        campaigns = {name for study in studies.values() for name in study.campaigns}
        cases += _compared(args, studies, campaigns, metrics)
    if args.trends:
        trends = _trends(args, campaigns)
        cases += [c for t in trends for c in trend_cases(t, metrics, args)]
    if not cases:
        raise _nothing(args)
    today = dt.date.today()
    cases = in_order(acknowledge(case, known, today) for case in cases)
    name = args.edition or TRENDS
    for path, write in ((args.junit, junit), (args.markdown, markdown)):
        if path:
            write_text(path, write(name, cases) + "\n")
    print(plain_text(name, cases))
    for entry in known:
        # of other studies or editions it says nothing
        if not (args.study or any(entry.covers(c.key, c.near) for c in cases)):
            print(f"note: {args.acknowledged}: {entry.case} is no case of these")
    return int(any(case.result == "failed" for case in cases))


def _studies(args: argparse.Namespace) -> dict[str, Study]:
    """The studies that are asked for."""
    known = find_editions(args.report)
    if args.edition not in known:
        mend = nearest_of(args.edition, known)
        raise user_error(f"there is no edition {args.edition!r}", mend=mend)
    folder = args.report / args.edition
    studies = read_studies(folder, read_edition(folder))
    if args.study and args.study not in studies:
        mend = f"name one of: {', '.join(studies)}"
        raise user_error(f"there is no study {args.study!r}", folder, mend=mend)
    return {id: s for id, s in studies.items() if args.study in (None, id)}


def _compared(
    args: argparse.Namespace,
    studies: Collection[str],
    campaigns: set[str],
    metrics: Mapping[str, Metric],
) -> list[ReleaseCase]:
    homes = read_edition(args.report / args.edition).homes(args.edition)
    facts = read_facts(args.facts, homes.values()).of_homes(homes)
    chosen = facts.of_studies(list(studies)).of_campaigns(campaigns)
    raise_if(check_digests(dict(chosen.digests), args.raw, args.facts))
    return cases_of(chosen.facts, metrics, args.fail_on)


def _trends(args: argparse.Namespace, campaigns: set[str] | None) -> list[Trend]:
    """All trends, or those that one of these campaigns is part of."""
    places = Places(args.raw, args.report, args.database, METRICS_FILE)
    catalogue, errors = gather(places)
    raise_if([issue for error in errors for issue in error.issues])
    return [
        trend
        for trend in catalogue.trends
        if campaigns is None or campaigns & {p.campaign for p in trend.points}
    ]


def _nothing(args: argparse.Namespace) -> UserError:
    if args.edition:
        what = f"nothing of {args.edition} was compared and tested"
        mend = f"make report EDITION={args.edition}, with four or more runs a side"
        return user_error(what, args.facts, mend=mend)
    what = "no two campaigns have the same workload on configurations called alike"
    mend = "call a configuration alike in each campaign, and run: make report"
    return user_error(what, args.database, mend=mend)


@dataclass(frozen=True)
class ReleaseCase:
    """One comparison or trend: its key, what it is called, and what became of it.

    ``near`` are the campaign that a change of level begins with and its neighbours.
    """

    key: str
    group: str
    workload: str
    name: str
    words: str
    result: Result
    near: tuple[str, ...] = ()


def acknowledge(
    case: ReleaseCase, known: Sequence[Acknowledged], today: dt.date
) -> ReleaseCase:
    """A case that failed, as what is acknowledged leaves it; others stay."""
    entries = [entry for entry in known if entry.covers(case.key, case.near)]
    if case.result != "failed" or not entries:
        return case
    last = max(entries, key=lambda entry: entry.until)
    if last.until < today:
        words = f"acknowledged until {last.until}, which is over: {last.reason}"
        return replace(case, words=f"{case.words}; {words}")
    words = f"acknowledged until {last.until}: {last.reason}"
    return replace(case, words=f"{case.words}; {words}", result="acknowledged")


def in_order(cases: Iterator[ReleaseCase]) -> list[ReleaseCase]:
    """Those that failed first."""
    return sorted(
        cases,
        key=lambda case: (
            list(MARKS).index(case.result),
            case.group,
            parse_workload(case.workload).order,
            case.name,
        ),
    )


def cases_of(
    facts: Sequence[Fact], metrics: Mapping[str, Metric], failing: Collection[str]
) -> list[ReleaseCase]:
    """The tested comparisons, as many as the page counts, those that failed first.

    ``failing`` are the verdicts that fail. What was predicted, or has no better
    direction, is no test of a release.
    """
    tested = [
        fact
        for fact in facts
        if fact.kind == "delta" and fact.verdict and fact.estimate is None
        if fact.better != "none"
    ]
    return in_order(
        ReleaseCase(
            fact.key, fact.study, fact.workload, _name(fact, metrics), _words(fact),
            _result(fact.verdict, failing),
        )
        for fact in tested
    )  # fmt: skip


_SAID = ("exaggerated", "from_none")  # of warnings, as they change what a number means


def _words(fact: Fact) -> str:
    """The verdict of a comparison and what it rests on."""
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


def _result(verdict: str | None, failing: Collection[str]) -> Result:
    if verdict in failing:
        return "failed"
    return "open" if verdict == "inconclusive" else "passed"


def _name(fact: Fact, metrics: Mapping[str, Metric]) -> str:
    metric = inside(metrics[fact.metric].label)
    role = f" of the {part_words(fact.role)}" if fact.role else ""
    sides = f"{fact.configuration} against {fact.baseline}"
    return f"{fact.workload}: {metric}{role}, {sides}"


def trend_cases(
    trend: Trend, metrics: Mapping[str, Metric], args: argparse.Namespace
) -> Iterator[ReleaseCase]:
    """The changes of level that still last, from ``args.limit`` percent on; one case
    that passed where there is none, and one that is open where too little is known."""
    role = f" of the {trend.role}" if trend.role else ""
    campaigns = [point.campaign for point in trend.points]
    parts = (trend.metric, trend.role or "-", trend.workload, trend.configuration)
    key = ".".join(re.sub(r"[^a-z0-9_]+", "-", p.lower()).strip("-") or "-"
                   for p in (TRENDS, *parts))  # fmt: skip
    name = f"{trend.workload}: {inside(trend.label)}{role}, {trend.configuration}"
    origin = "" if trend.origin == "measured" else f"; {trend.origin}"
    case = ReleaseCase(key, TRENDS, trend.workload, name, "", "passed")
    if not trend.tested:
        words = f"{len(campaigns)} campaigns; a change of level needs {SMALLEST}, "
        words += f"with repeated runs{origin}"
        yield replace(case, words=words, result=_result("inconclusive", args.fail_on))
        return
    lasting = [
        change
        for change in trend.changes
        if abs(change.percent) >= args.limit and _lasts(trend, change)
    ]
    for change in lasting:
        better = metrics[trend.metric].better
        gained = (change.percent > 0) == (better == "higher")
        verdict = "improved" if gained else "regressed"
        at = campaigns.index(change.campaign)
        words = (
            f"{verdict}: {format_percent(change.percent)}; interval "
            f"{format_percent_interval(change.low, change.high)}; near "
            f"{change.campaign}, campaign {at + 1} of {len(campaigns)}"
        )
        if change.differs:
            words += f"; declared otherwise there: {listed(change.differs)}"
        yield replace(
            case, name=f"{name}, near {change.campaign}", words=words + origin,
            result=_result(verdict, args.fail_on),
            near=tuple(campaigns[max(at - 1, 0) : at + 2]),
        )  # fmt: skip
    if not lasting:
        words = f"no change of level from {args.limit:g}% on lasts; "
        yield replace(case, words=f"{words}{len(campaigns)} campaigns{origin}")


def _lasts(trend: Trend, change: TrendChange) -> bool:
    """Whether the last level is nearer to that after a change than to that before."""
    at = [point.campaign for point in trend.points].index(change.campaign)
    before, after, last = trend.levels[at - 1], trend.levels[at], trend.levels[-1]
    return abs(last - after) < abs(last - before)


def totals(cases: Sequence[ReleaseCase]) -> str:
    """``1 failed, 2 open, 9 passed``, and how many are acknowledged if any is."""
    counts = Counter(case.result for case in cases)
    shown = [r for r in MARKS if counts[r] or r != "acknowledged"]
    return ", ".join(f"{counts[result]} {result}" for result in shown)


def plain_text(edition: str, cases: Sequence[ReleaseCase]) -> str:
    """Lines for each case that did not pass, with its key if it failed; then how many
    there are."""
    lines = [
        f"{MARKS[case.result]} {case.group}: {case.name}\n    {case.words}"
        + f"\n    key: {case.key}" * (case.result == "failed")
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
    """JUnit XML: a suite for each study; what is open or acknowledged counts as
    skipped."""
    root = ET.Element("testsuites", {"name": edition} | _counts(cases))
    by_study = sorted(cases, key=lambda case: case.group)
    for study, group in groupby(by_study, key=lambda case: case.group):
        of_study = list(group)
        suite = ET.SubElement(root, "testsuite", {"name": study} | _counts(of_study))
        for case in of_study:
            about = {"classname": f"{edition}.{study}", "name": case.name, "time": "0"}
            node = ET.SubElement(suite, "testcase", about)
            if case.result == "failed":
                ET.SubElement(node, "failure", message=case.words).text = case.key
            elif case.result != "passed":
                ET.SubElement(node, "skipped", message=case.words)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _counts(cases: Sequence[ReleaseCase]) -> dict[str, str]:
    counts = Counter(case.result for case in cases)
    numbers = {"tests": len(cases), "failures": counts["failed"]}
    numbers |= {"errors": 0, "skipped": counts["open"] + counts["acknowledged"]}
    return {name: str(number) for name, number in numbers.items()}


def _table(cases: Sequence[ReleaseCase]) -> str:
    cells = (
        (MARKS[case.result], *map(_cell, (case.group, case.name, case.words)))
        for case in cases
    )
    rows = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join(["| | study | comparison | verdict |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    return escape(text, quote=False).replace("|", "\\|")
