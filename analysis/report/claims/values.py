"""Evidence for claims about values: of two configurations, or against a limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analysis.facts.fact import Fact
from analysis.facts.units import format_value
from analysis.report.claims.claim import Modes, Order, Quantity
from analysis.report.claims.outcome import Evidence, for_each
from analysis.report.language.lookup import UnknownError
from analysis.report.language.printed import interval


class Side(NamedTuple):
    """One side of a comparison, with the words for it."""

    value: float
    words: str
    fact: Fact | None = None


def weigh_limit(order: Order, facts: Sequence[Fact]) -> list[Evidence]:
    """Whether each value is below or above the quantity that the claim names."""
    return for_each(
        facts, lambda fact: _compare(order, _side(fact), _limit(order, fact))
    )


def weigh_order(
    order: Order, left: Sequence[Fact], right: Sequence[Fact], share: float
) -> list[Evidence]:
    """Whether each left value is below or above the right one of the same workload,
    taken times ``share``."""
    if order.runs is not None:
        return [_runs(order, a, b) for a, b in pairs(left, right)]
    return [_compare(order, _side(a), _side(b, share)) for a, b in pairs(left, right)]


def weigh_modes(modes: Modes, facts: Sequence[Fact]) -> list[Evidence]:
    """Whether the runs fall into two groups, as the gate on samples found."""
    demanded = "two groups of runs" if modes.two else "one group of runs"
    evidence = []
    for fact in facts:
        found = [w for w in fact.warnings if w.kind == "bimodal"]
        said = found[0].words if found else "one group"
        holds = bool(found) == modes.two
        evidence.append(
            Evidence(holds, f"{said} for {fact.workload}", demanded, facts=(fact,))
        )
    return evidence


def weigh_scatter(wide: Sequence[Fact], narrow: Sequence[Fact]) -> list[Evidence]:
    """Whether the interval of each change is wider than that of each other one."""
    return [_wider(a, b) for a in wide for b in narrow]


def pairs(left: Sequence[Fact], right: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Facts of one workload side by side, which both sides must have."""
    others = {fact.workload: fact for fact in right}
    for fact in left:
        if fact.workload not in others:
            raise UnknownError(
                f"{fact.workload} was not measured on both sides",
                "choose workloads that both have",
            )
        yield fact, others[fact.workload]


def _side(fact: Fact, share: float = 1.0) -> Side:
    words = f"{fact.printed} for {fact.workload} on {fact.configuration}"
    if share != 1.0:
        words = (
            f"{format_value(share * fact.value, fact.unit)} ({share:.0%} of {words})"
        )
    return Side(share * fact.value, words, fact)


def _limit(order: Order, fact: Fact) -> Side:
    limit = order.right
    if not isinstance(limit, Quantity):
        raise TypeError(limit)
    unit = {"1/s": ("1/s", "trans/s")}.get(fact.unit, (fact.unit,))
    if limit.unit not in unit:
        raise UnknownError(
            f"{fact.metric} is not in {limit.unit!r}", f"its unit is {unit[-1]}"
        )
    return Side(limit.value, format_value(limit.value, fact.unit))


def _compare(order: Order, left: Side, right: Side) -> Evidence:
    holds = left.value > right.value if order.above else left.value < right.value
    sense = "above" if order.above else "below"
    facts = tuple(side.fact for side in (left, right) if side.fact)
    margin = excess(order.above, left.value, right.value)
    return Evidence(holds, left.words, f"{sense} {right.words}", margin, "%", facts)


def excess(above: bool, left: float, right: float) -> float | None:
    """By how many percent the larger side exceeds the other; negative if it is not."""
    high, low = (left, right) if above else (right, left)
    return (high / low - 1) * 100 if low > 0 else None


def _runs(order: Order, left: Fact, right: Fact) -> Evidence:
    """Whether all left runs but so many lie beyond every right run.

    The count must be met exactly: 'all but one' is wrong where none is out of line.
    """
    for fact in (left, right):
        if not fact.samples:
            raise UnknownError(
                f"{fact.workload} on {fact.configuration} has no runs to compare",
                "compare the values: leave out 'in …'",
            )
    sign = 1 if order.above else -1
    edge = max(sign * sample for sample in right.samples)
    runs = sorted(sign * sample for sample in left.samples)
    out, allowed = sum(run <= edge for run in runs), order.runs or 0
    near = min(runs, key=lambda run: abs(run - edge))
    margin = abs(near - edge) / abs(edge) * 100 if edge else 0.0
    sense = "above" if order.above else "below"
    count = f"{len(runs) - out} of {len(runs)} runs on {left.configuration}"
    every = f"every run on {right.configuration} for {left.workload}"
    return Evidence(
        holds=out == allowed,
        left=f"{count} are {sense} {every}",
        right=f"{len(runs) - allowed} of {len(runs)}",
        margin=margin if out == allowed else -margin,
        unit="%",
        facts=(left, right),
    )


def _wider(wide: Fact, narrow: Fact) -> Evidence:
    left, right = _width(wide), _width(narrow)
    return Evidence(
        holds=left > right,
        left=f"{interval(wide)} for {wide.workload}",
        right=f"wider than {interval(narrow)} for {narrow.workload}",
        margin=left - right,
        facts=(wide, narrow),
    )


def _width(fact: Fact) -> float:
    if fact.low is None or fact.high is None:
        raise UnknownError(
            f"{fact.workload} has no interval ({fact.n} runs)", "leave it out"
        )
    return fact.high - fact.low
