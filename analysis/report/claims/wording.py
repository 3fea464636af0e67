"""Outcomes of claims in words."""

from __future__ import annotations

from analysis.errors import Issue, Place
from analysis.report.claims.outcome import Evidence, Outcome


def failure(outcome: Outcome) -> Issue:
    """The issue that stops a build: the claim, both sides, margin, how to mend."""
    found = outcome.deciding
    off = f" (off by {size(found)})" if found.margin else ""
    return Issue(
        f"this claim is false: {outcome.claim.text}\n"
        f"  the data say: {found.left}\n"
        f"  the claim demands: {found.right}{off}",
        Place(outcome.claim.file, outcome.claim.line),
        "change the claim and the sentences that say so, or find why the data moved",
    )


def fragility(outcome: Outcome) -> Issue:
    """The warning that a claim holds, but only just."""
    found = outcome.deciding
    by = "" if found.margin is None else f" by {size(found)}"
    return Issue(
        f"this claim is fragile: {outcome.claim.text}\n"
        f"  it holds{by}, and {outcome.fragile}: {found.left}; "
        f"demanded: {found.right}",
        Place(outcome.claim.file, outcome.claim.line),
        "say less, or measure more runs",
    )


def margin(outcome: Outcome) -> str:
    """The margin for a table, an en dash where there is none."""
    return "–" if outcome.deciding.margin is None else size(outcome.deciding)


def size(found: Evidence) -> str:
    """The size of a margin with its unit: ``4.2 points``, ``12%``."""
    margin = abs(found.margin or 0.0)
    text = f"{margin:.2f}" if margin < 1 else f"{margin:,.1f}"
    return f"{text}%" if found.unit == "%" else f"{text} points"
