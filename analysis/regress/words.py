"""The cases as plain text, as Markdown for a pull request, and as JUnit XML for CI."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import groupby
from xml.etree import ElementTree as ET

from analysis.regress.outcome import ReleaseCase, Result

MARKS: dict[Result, str] = {"failed": "✗", "open": "?", "passed": "✓"}


def totals(cases: Sequence[ReleaseCase]) -> str:
    """``1 failed, 2 open, 9 passed``."""
    counts = Counter(case.result for case in cases)
    return ", ".join(f"{counts[result]} {result}" for result in MARKS)


def plain_text(edition: str, cases: Sequence[ReleaseCase]) -> str:
    """Two lines for each case that failed or is open, then how many there are."""
    lines = [
        f"{MARKS[case.result]} {case.fact.study}: {case.name}\n    {case.said}"
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
    for study, own in groupby(by_study, key=lambda case: case.fact.study):
        of_study = list(own)
        suite = ET.SubElement(root, "testsuite", {"name": study} | _counts(of_study))
        for case in of_study:
            about = {"classname": f"{edition}.{study}", "name": case.name, "time": "0"}
            node = ET.SubElement(suite, "testcase", about)
            if case.result == "failed":
                ET.SubElement(node, "failure", message=case.said).text = case.fact.key
            elif case.result == "open":
                ET.SubElement(node, "skipped", message=case.said)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _counts(cases: Sequence[ReleaseCase]) -> dict[str, str]:
    counts = Counter(case.result for case in cases)
    told = {"tests": len(cases), "failures": counts["failed"]}
    told |= {"errors": 0, "skipped": counts["open"]}
    return {name: str(count) for name, count in told.items()}


def _table(cases: Sequence[ReleaseCase]) -> str:
    cells = (
        (MARKS[case.result], *map(_cell, (case.fact.study, case.name, case.said)))
        for case in cases
    )
    rows = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join(["| | study | comparison | verdict |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    return escape(text, quote=False).replace("|", "\\|")
