"""Evidence for claims that set some workloads, or a role, before others."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.facts.fact import Fact
from analysis.report.claims.changes import counts
from analysis.report.claims.claim import Ranks, Subject, Workloads
from analysis.report.claims.outcome import Evidence
from analysis.report.claims.select import select
from analysis.report.language.lookup import Kind, Scope, UnknownError

Found = tuple[list[Evidence], tuple[Fact, ...]]
_SIGNS = {"value": 1, "rise": 1, "fall": -1}


def weigh_rank(
    claim: Ranks, subject: Subject, workloads: Workloads, scope: Scope
) -> Found:
    """Whether every one of some values or changes is beyond every one of others.

    Workloads that are compared with all others are not compared with themselves.
    Changes have to be beyond noise to be set before others.
    """
    kind: Kind = "value" if claim.measure == "value" else "delta"
    own = select(scope, subject, workloads, kind)
    if claim.other is not None:
        others = select(scope, claim.other, workloads, kind)
        pairs = [(a, b) for a in own for b in others if a.workload == b.workload]
    else:
        names = {fact.workload for fact in own}
        wanted = claim.than or Workloads()
        others = tuple(
            f for f in select(scope, subject, wanted, kind) if f.workload not in names
        )
        pairs = [(a, b) for a in own for b in others]
    if not pairs:
        raise UnknownError(
            "there is nothing else to compare with", "name other workloads"
        )
    evidence = [_compare(claim, a, b) for a, b in pairs]
    return evidence, own + others


def _compare(claim: Ranks, own: Fact, other: Fact) -> Evidence:
    sign = _SIGNS[claim.measure]
    left, right = sign * own.value, sign * other.value
    gap = (left - right) * (1 if claim.more else -1)
    noise = [
        f for f in _leading(claim, own, other) if not f.predicted and not counts(f)
    ]
    said = f"{_said(own)} and {_said(other)}"
    if claim.measure != "value" and noise:
        said += f", and {noise[0].printed} is within noise"
    unit = "%" if own.kind == "value" else "points"
    margin = gap / abs(right) * 100 if own.kind == "value" and right else gap
    demanded = f"the {'larger' if claim.more else 'smaller'} {claim.measure} first"
    holds = gap > 0 and not (claim.measure != "value" and noise)
    margin = margin if holds == (margin > 0) else 0.0
    return Evidence(holds, said, demanded, margin, unit, (own, other))  # type: ignore[arg-type]


def _leading(claim: Ranks, own: Fact, other: Fact) -> Sequence[Fact]:
    return (own,) if claim.more else (other,)


def _said(fact: Fact) -> str:
    role = f" of {fact.role}" if fact.role else ""
    return f"{fact.printed}{role} for {fact.workload}"
