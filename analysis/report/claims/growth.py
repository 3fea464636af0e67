"""Evidence for claims about growth: with payload or clients, and along an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact
from analysis.facts.units import format_percent
from analysis.report.claims.claim import (
    Axis,
    Crosses,
    Differs,
    Grows,
    InOrder,
    Proportion,
    Stops,
    payload,
)
from analysis.report.claims.outcome import Evidence
from analysis.report.claims.values import excess, pairs
from analysis.report.language.lookup import UnknownError


def weigh_growth(
    grows: Grows, facts: Sequence[Fact], derived: str | None
) -> list[Evidence]:
    """Whether a value, a saving or a gain grows at every step of payload or clients."""
    sign = -1 if derived == "saving" else 1
    evidence = [
        _step(grows, first, second, sign, derived)
        for series in _series(grows.axis, facts)
        for first, second in pairwise(series)
    ]
    return evidence or _nothing(grows.axis, facts)


def weigh_proportion(claim: Proportion, facts: Sequence[Fact]) -> list[Evidence]:
    """Whether each value is as many times that of the fewest clients as there are
    times the clients."""
    found = []
    for series in _series(claim.axis, facts):
        first, *others = [f for f in series if _at(claim.axis, f) <= claim.most]
        each = first.value / _at(claim.axis, first)
        for fact in others:
            off = abs(fact.value / _at(claim.axis, fact) / each - 1) * 100
            told = f"{fact.printed} for {fact.workload} is {off:.1f}% off proportion"
            right = f"within {claim.within:g}% of {first.printed} for {first.workload}"
            margin = claim.within - off
            holds = margin >= 0
            found.append(Evidence(holds, told, f"{right}, times", margin, "%",
                                  (fact, first)))  # fmt: skip
    return found or _nothing(claim.axis, facts)


def weigh_stop(claim: Stops, facts: Sequence[Fact]) -> list[Evidence]:
    """Whether each step up to a number of clients grows by more than the tolerance,
    and no value beyond it is above the one there by more than that."""
    found = []
    for series in _series(claim.axis, facts):
        at = [_at(claim.axis, fact) for fact in series]
        if claim.start not in at[:-1]:
            raise UnknownError(
                f"no {claim.axis} of {claim.start} with more of them after it",
                f"there are {', '.join(map(str, at))}",
            )
        turn = at.index(claim.start)
        for before, after in pairwise(series[: turn + 1]):
            found.append(_grown(before, after, claim.within, True))
        found += [
            _grown(series[turn], later, claim.within, False)
            for later in series[turn + 1 :]
        ]
    return found or _nothing(claim.axis, facts)


def _grown(before: Fact, after: Fact, within: float, more: bool) -> Evidence:
    growth = (after.value / before.value - 1) * 100
    margin = growth - within if more else within - growth
    sense = "more than" if more else "at most"
    return Evidence(
        margin > 0 if more else margin >= 0,
        f"{after.printed} for {after.workload}, {format_percent(growth)}",
        f"{sense} {within:g}% above {before.printed} for {before.workload}",
        margin,
        facts=(after, before),
    )


def weigh_in_order(
    claim: InOrder, facts: Mapping[str, Sequence[Fact]]
) -> list[Evidence]:
    """Whether each configuration's value is beyond the one before, by workload."""
    found = []
    for one, other in pairwise(claim.names):
        for second, first in pairs(facts[other], facts[one]):
            rises = claim.sign > 0
            margin = excess(rises, second.value, first.value)
            sense = "more" if rises else "less"
            found.append(
                Evidence(
                    claim.sign * (second.value - first.value) > 0,
                    f"{second.printed} for {second.workload} on {other}",
                    f"{sense} than {first.printed} on {one}",
                    margin,
                    "%",
                    (second, first),
                )
            )
    return found


def weigh_difference(
    claim: Differs, facts: Mapping[str, Sequence[Fact]]
) -> list[Evidence]:
    """Whether values of all workloads, or of two configurations, are so close."""
    if claim.names:
        one, other = claim.names
        return [_close(a, b, claim.most) for a, b in pairs(facts[one], facts[other])]
    (own,) = facts.values()
    if len(own) < 2:
        raise UnknownError("one value differs from none", "name several workloads")
    ordered = sorted(own, key=lambda fact: fact.value)
    return [_close(ordered[-1], ordered[0], claim.most)]


def _close(one: Fact, other: Fact, most: float) -> Evidence:
    high, low = sorted((one.value, other.value), reverse=True)
    off = (high / low - 1) * 100 if low > 0 else float("inf")
    names = [f"{f.printed} for {f.workload} on {f.configuration}" for f in (one, other)]
    return Evidence(
        off <= most,
        f"{names[0]} and {names[1]} differ by {off:.1f}%",
        f"at most {most:g}%",
        most - off,
        facts=(one, other),
    )


def weigh_crossing(
    claim: Crosses, left: Sequence[Fact], right: Sequence[Fact]
) -> list[Evidence]:
    """Whether one side is above the other at one end, and below it at the other."""
    found = []
    matched = {fact.key: (fact, other) for fact, other in pairs(left, right)}
    for series in _series(claim.axis, left):
        ends = [
            matched[fact.key]
            for end in (claim.low, claim.high)
            for fact in series
            if _at(claim.axis, fact) == end
        ]
        if len(ends) == 2:
            found.append(_crossed(ends))
    return found or _nothing(claim.axis, left)


def _crossed(ends: Sequence[tuple[Fact, Fact]]) -> Evidence:
    gaps = [(x.value / y.value - 1) * 100 for x, y in ends]
    told = " and ".join(
        f"{x.printed} against {y.printed} for {x.workload}" for x, y in ends
    )
    holds = gaps[0] * gaps[1] < 0
    least = min(map(abs, gaps))
    return Evidence(
        holds,
        told,
        "one above the other at one end, and below it at the other",
        least if holds else -least,
        "%",
        tuple(fact for end in ends for fact in end),
    )


def _nothing(axis: Axis, facts: Sequence[Fact]) -> list[Evidence]:
    raise UnknownError(
        f"nothing to compare: {len(facts)} workloads, none alike but for {axis}",
        "choose workloads of one shape, such as RR60(4kB..32kB)",
    )


def _series(axis: Axis, facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    """Facts that differ in payload, or in clients, alone; in that order."""
    for _, group in groupby(
        sorted(facts, key=lambda f: (_alike(axis, f), _at(axis, f))),
        lambda f: _alike(axis, f),
    ):
        yield list(group)


def _alike(axis: Axis, fact: Fact) -> tuple[str, int, int]:
    """What is alike in a series."""
    workload = parse_workload(fact.workload)
    if axis == "payload":
        return workload.shape, workload.clients, 0
    return workload.shape, workload.request_bytes, workload.response_bytes


def _at(axis: Axis, fact: Fact) -> int:
    """The place in a series: bytes, or clients."""
    workload = parse_workload(fact.workload)
    return payload(workload) if axis == "payload" else workload.clients


def _step(
    grows: Grows, first: Fact, second: Fact, sign: int, derived: str | None
) -> Evidence:
    change = sign * (second.value - first.value)
    margin: float | None = grows.sign * change
    if derived is None:
        margin = excess(grows.sign > 0, second.value, first.value)
    word = "more" if grows.sign > 0 else "less"
    return Evidence(
        holds=grows.sign * change > 0,
        left=f"{_amount(second, sign, derived)} for {second.workload}",
        right=f"{word} than {_amount(first, sign, derived)} for {first.workload}",
        margin=margin,
        unit="%" if derived is None else "points",
        facts=(second, first),
    )


def _amount(fact: Fact, sign: int, derived: str | None) -> str:
    if derived is None:
        return fact.printed
    return f"{format_percent(sign * fact.value).lstrip('+')} {derived}"
