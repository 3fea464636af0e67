"""Check the words of the reports: lint, claims and review.

What is declared comes first, and needs no build: a mistake in it ends with 2. Then it
prints every finding and ends with 1 where one is an error, or where one stops a final
edition and the edition is final. It reads facts and figures
as they were last built, and renders nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from analysis.declared.checks import check_declared_edition
from analysis.errors import NotBuiltError, raise_if
from analysis.report.builds.check_edition import Checks, check_edition
from analysis.report.claims.outcome import Outcome
from analysis.report.claims.wording import margin
from analysis.report.finding import STOPS, Finding
from analysis.report.review.state import Review
from analysis.report.source_options import add_sources, each_edition, editions_of
from analysis.report.table import escape
from analysis.usage import as_called, build_command

_UNBUILT = (
    "note: no mistake in what is declared; words are checked against numbers, which a "
    "build makes: {}"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis check``."""
    parser.add_argument("--edition", help="one edition instead of all")
    parser.add_argument("--format", choices=sorted(FORMATS), default="text")
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 where there are errors."""
    folders = [args.report / edition for edition in editions_of(args)]
    raise_if([issue for one in folders for issue in check_declared_edition(one)])
    try:
        found: list[Checks] = each_edition(args, check_edition)
    except NotBuiltError:
        print(_UNBUILT.format(build_command(args.edition)), file=sys.stderr)
        if args.format == "text":
            return 0
        found = []
    print(FORMATS[args.format](found))
    return 1 if any(checks.errors for checks in found) else 0


def as_text(found: Sequence[Checks]) -> str:
    """Each finding with its place and its mend, then one line an edition."""
    lines = [_line(f, checks.final) for checks in found for f in checks.findings]
    return "\n".join([*lines, *map(summary, found)])


def as_json(found: Sequence[Checks]) -> str:
    """A list with one object an edition."""
    return json.dumps(
        [_edition(checks) for checks in found], ensure_ascii=False, indent=1
    )


def as_markdown(found: Sequence[Checks]) -> str:
    """A section an edition: findings, claims with margins, reviews."""
    return "\n\n".join(_section(checks) for checks in found)


FORMATS: dict[str, Callable[[Sequence[Checks]], str]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
}


def summary(checks: Checks) -> str:
    """``linux-veth: no errors, 1 held, 2 warnings; 12 claims; 0 of 2 approved``."""
    states = [outcome.state for _, outcome in checks.outcomes]
    counts = [_count(checks.errors, "error"), _count(_warnings(checks), "warning")]
    if checks.held:
        counts.insert(1, f"{checks.held} held")
    parts = [", ".join(counts)]
    if states:
        kinds = [f"{states.count(s)} {word}" for s, word in _STATES if s in states]
        parts.append(", ".join([_count(len(states), "claim"), *kinds]))
    if checks.reviews:
        others = [one for one in checks.reviews if one.matter or one.look]
        studies = checks.reviews[: len(checks.reviews) - len(others)]
        approved = sum(review.state == "approved" for review in studies)
        parts.append(f"{approved} of {len(studies)} studies approved")
        parts += [f"{review.name} {review.state}" for review in others]
    return f"{checks.edition}: {'; '.join(parts)}"


_STATES = (("fragile", "fragile"), ("fails", "false"))


def _warnings(checks: Checks) -> int:
    return len(checks.findings) - checks.errors - checks.held


def _line(finding: Finding, final: bool) -> str:
    where = f"{finding.issue.where}: " if finding.issue.where else ""
    mend = f"\n  mend: {finding.issue.mend}" if finding.issue.mend else ""
    return as_called(f"{where}{finding.prefix(final)}: {finding.issue.what}{mend}")


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def _edition(checks: Checks) -> dict[str, Any]:
    return {
        "edition": checks.edition,
        "errors": checks.errors,
        "held": checks.held,
        "warnings": _warnings(checks),
        "findings": [_finding(finding) for finding in checks.findings],
        "claims": [_claim(study, outcome) for study, outcome in checks.outcomes],
        "reviews": [_review(review) for review in checks.reviews],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    where = finding.issue.where
    return {
        "severity": finding.severity,
        "check": finding.check,
        "file": where.file if where else None,
        "line": where.line if where else None,
        "what": finding.issue.what,
        "mend": finding.issue.mend,
    }


def _claim(study: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "study": study,
        "line": outcome.claim.line,
        "claim": outcome.claim.text,
        "verdict": outcome.state,
        "fragile": outcome.fragile,
        "data": outcome.deciding.left,
        "demanded": outcome.deciding.right,
        "margin": outcome.deciding.margin,
        "unit": outcome.deciding.unit,
    }


def _review(review: Review) -> dict[str, Any]:
    record = review.record
    return {
        "study": None if review.matter or review.look else review.id,
        "of": review.called,
        "state": review.state,
        "by": record.by if record else None,
        "date": record.date.isoformat() if record else None,
        "stamp": review.now.stamp,
        "moved": list(review.moved),
    }


def _section(checks: Checks) -> str:
    parts = [f"### {escape(summary(checks))}"]
    if checks.findings:
        parts.append("\n".join(_item(f, checks.final) for f in checks.findings))
    if checks.outcomes:
        parts.append(_folded("Claims", _claims(checks.outcomes)))
    if checks.reviews:
        parts.append("\n".join(f"- {_state(review)}" for review in checks.reviews))
    return "\n\n".join(parts)


def _item(finding: Finding, final: bool) -> str:
    """A list item; the further lines of a finding are indented below the first."""
    mark = "❌" if finding.stops(final) else "⚠️"
    held = f" ({STOPS})" if finding.severity == "held" and not final else ""
    where = f"`{finding.issue.where}` " if finding.issue.where else ""
    first, *rest = finding.issue.what.splitlines()
    mend = [f"*mend:* {escape(finding.issue.mend)}"] if finding.issue.mend else []
    more = [f"  {line}  " for line in [*(escape(r.strip()) for r in rest), *mend]]
    return "\n".join([f"- {mark} {where}{escape(first)}{held}  ", *more])


def _claims(outcomes: Iterable[tuple[str, Outcome]]) -> str:
    rows = [
        f"| {escape(outcome.claim.text)} | {outcome.state} "
        f"| {escape(outcome.deciding.left)} | {margin(outcome)} |"
        for _, outcome in outcomes
    ]
    head = ["| Claim | Verdict | The data say | Margin |", "|---|---|---|---|"]
    return "\n".join([*head, *rows])


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _state(review: Review) -> str:
    who = f" by {escape(review.record.by)}" if review.record else ""
    return f"{review.name}: {review.state}{who}"
