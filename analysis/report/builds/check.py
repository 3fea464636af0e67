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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.declared.checks import check_declared_edition
from analysis.errors import NotBuiltError, UserError, raise_if
from analysis.report.checks.check import findings
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import composed
from analysis.report.finding import STOPS, Finding
from analysis.report.language.claim import Outcome
from analysis.report.material import Sources, read_material
from analysis.report.review.findings import doubts, unapproved
from analysis.report.review.state import Review, reviews
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


@dataclass(frozen=True)
class Checks:
    """The findings on one edition, its claims by their studies, and its reviews."""

    edition: str
    findings: tuple[Finding, ...]
    final: bool = False
    outcomes: tuple[tuple[str, Outcome], ...] = ()
    reviews: tuple[Review, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings are errors; in a final edition, what is held is one."""
        return sum(finding.stops(self.final) for finding in self.findings)

    @property
    def held(self) -> int:
        """How many findings a draft may have and a final edition may not."""
        return sum(f.severity == "held" for f in self.findings if not self.final)

    @property
    def warnings(self) -> int:
        """How many findings are for a person to look at."""
        return len(self.findings) - self.errors - self.held


def check_edition(edition: str, sources: Sources) -> Checks:
    """Everything there is to say of an edition's words.

    Mistakes in its texts are findings too; a missing edition, facts or figures are a
    :class:`UserError`.
    """
    material = read_material(edition, sources)
    final = material.edition.status == "final"
    try:
        checked = check_texts(material)
        states = reviews(checked)
        composed(checked, states, sources.templates)
    except UserError as error:
        mistakes = (Finding("error", "text", issue) for issue in error.issues)
        return Checks(edition, tuple(mistakes), final)
    every = findings(checked)
    every += [Finding("error", "claim", issue) for issue in checked.false_claims()]
    every += [Finding("warning", "claim", issue) for issue in checked.fragile_claims()]
    every += (*unapproved(states), *doubts(states))
    outcomes = ((s, outcome) for s, own in checked.outcomes.items() for outcome in own)
    return Checks(edition, tuple(every), final, tuple(outcomes), states.asked)


def as_text(found: Sequence[Checks]) -> str:
    """Each finding with its place and its mend, then one line an edition."""
    lines = [_line(one, checks.final) for checks in found for one in checks.findings]
    return "\n".join([*lines, *map(summary, found)])


def _line(finding: Finding, final: bool) -> str:
    issue = finding.issue
    where = f"{issue.where}: " if issue.where else ""
    mend = f"\n  mend: {issue.mend}" if issue.mend else ""
    return as_called(f"{where}{finding.prefix(final)}: {issue.what}{mend}")


def summary(checks: Checks) -> str:
    """``linux-veth: no errors, 1 held, 2 warnings; 12 claims; 0 of 2 approved``."""
    counts = [_count(checks.errors, "error"), _count(checks.warnings, "warning")]
    if checks.held:
        counts.insert(1, f"{checks.held} held")
    parts = [", ".join(counts)]
    if states := [outcome.state for _, outcome in checks.outcomes]:
        kinds = (("fragile", "fragile"), ("fails", "false"))
        some = [f"{states.count(s)} {word}" for s, word in kinds if s in states]
        parts.append(", ".join([_count(len(states), "claim"), *some]))
    if checks.reviews:
        others = [one for one in checks.reviews if one.matter or one.look]
        studies = checks.reviews[: len(checks.reviews) - len(others)]
        approved = sum(review.state == "approved" for review in studies)
        parts.append(f"{approved} of {len(studies)} studies approved")
        parts += [f"{review.name} {review.state}" for review in others]
    return f"{checks.edition}: {'; '.join(parts)}"


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def as_json(found: Sequence[Checks]) -> str:
    """A list with one object an edition."""
    data = [
        {
            "edition": checks.edition,
            "errors": checks.errors,
            "held": checks.held,
            "warnings": checks.warnings,
            "findings": [_finding(finding) for finding in checks.findings],
            "claims": [_claim(study, outcome) for study, outcome in checks.outcomes],
            "reviews": [_review(review) for review in checks.reviews],
        }
        for checks in found
    ]
    return json.dumps(data, ensure_ascii=False, indent=1)


def _finding(finding: Finding) -> dict[str, Any]:
    issue = finding.issue
    return {
        "severity": finding.severity,
        "check": finding.check,
        "file": issue.where.file if issue.where else None,
        "line": issue.where.line if issue.where else None,
        "what": issue.what,
        "mend": issue.mend,
    }


def _claim(study: str, outcome: Outcome) -> dict[str, Any]:
    decided = outcome.deciding
    return {
        "study": study,
        "line": outcome.claim.line,
        "claim": outcome.claim.text,
        "verdict": outcome.state,
        "fragile": outcome.fragile,
        "data": decided.left,
        "demanded": decided.right,
        "margin": decided.margin,
        "unit": decided.unit,
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


def as_markdown(found: Sequence[Checks]) -> str:
    """A section an edition: findings, claims with margins, reviews."""
    return "\n\n".join(map(_section, found))


def _section(checks: Checks) -> str:
    parts = [f"### {escape(summary(checks))}"]
    if checks.findings:
        parts.append("\n".join(_item(f, checks.final) for f in checks.findings))
    if checks.outcomes:
        rows = [
            f"| {escape(outcome.claim.text)} | {outcome.state} "
            f"| {escape(outcome.deciding.left)} | {outcome.margin} |"
            for _, outcome in checks.outcomes
        ]
        head = ["| Claim | Verdict | The data say | Margin |", "|---|---|---|---|"]
        claims = "\n".join([*head, *rows])
        folded = f"<summary>Claims</summary>\n\n{claims}\n\n"
        parts.append(f"<details>{folded}</details>")
    if checks.reviews:
        parts.append("\n".join(map(_state, checks.reviews)))
    return "\n\n".join(parts)


def _item(finding: Finding, final: bool) -> str:
    """A list item; the further lines of a finding are indented below the first."""
    issue = finding.issue
    mark = "❌" if finding.stops(final) else "⚠️"
    held = f" ({STOPS})" if finding.severity == "held" and not final else ""
    where = f"`{issue.where}` " if issue.where else ""
    first, *rest = map(escape, issue.what.splitlines())
    mend = [f"*mend:* {escape(issue.mend)}"] if issue.mend else []
    more = [f"  {line}  " for line in (*rest, *mend)]
    return "\n".join([f"- {mark} {where}{first}{held}  ", *more])


def _state(review: Review) -> str:
    who = f" by {escape(review.record.by)}" if review.record else ""
    return f"- {review.name}: {review.state}{who}"


FORMATS: dict[str, Callable[[Sequence[Checks]], str]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
}
