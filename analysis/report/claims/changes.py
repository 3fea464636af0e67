"""Evidence for claims about changes against the baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from analysis.facts.fact import Fact
from analysis.facts.units import format_percent
from analysis.report.claims.claim import Amount, Gets, Is, Moves, ShareIs
from analysis.report.claims.outcome import Evidence, for_each, narrowest
from analysis.report.language.printed import interval
from analysis.report.language.values import average_change

_COUNTED = ("improved", "regressed")


def weigh_moves(claim: Moves, facts: Sequence[Fact]) -> list[Evidence]:
    """Whether changes go one way: each of them, their average, or by how much."""
    if claim.average:
        return [_average(claim, facts)]
    if claim.amount and claim.amount.peak:
        peak = max(facts, key=lambda fact: claim.sign * fact.value)
        others = for_each(facts, lambda fact: _no_way_back(claim, fact))
        return [_move(claim, peak), *others]
    return for_each(facts, lambda fact: _move(claim, fact))


def weigh_gets(claim: Gets, facts: Sequence[Fact]) -> list[Evidence]:
    """Whether every change has the verdict that ``improves`` or ``worsens`` needs."""
    return for_each(facts, lambda fact: _gets(claim, fact))


def weigh_verdicts(claim: Is, facts: Sequence[Fact], floor: float) -> list[Evidence]:
    """Whether every change has the verdict; ``floor`` is the study's limit."""
    return for_each(facts, lambda fact: _is(claim, fact, floor))


def weigh_share(claim: ShareIs, facts: Sequence[Fact]) -> list[Evidence]:
    """Whether no, every, or more than half of the comparisons has one of the verdicts.

    Where it is wrong, those that are against it are named.
    """
    verdicts = " or ".join(claim.verdicts)
    has = tuple(fact for fact in facts if fact.verdict in claim.verdicts)
    lacks = tuple(fact for fact in facts if fact.verdict not in claim.verdicts)
    if claim.share == "most":
        said = f"{len(has)} of {len(facts)} comparisons"
        holds = 2 * len(has) > len(facts)
        return [Evidence(holds, said, f"most {verdicts}", facts=tuple(facts))]
    against = has if claim.share == "no" else lacks
    demanded = f"{'none' if claim.share == 'no' else 'every one'} {verdicts}"
    if not against:
        said = f"{len(has) or 'none'} of {len(facts)} comparisons"
        return [Evidence(True, said, demanded)]
    said = ", ".join(f"{named_fact(f)} {f.printed} ({f.verdict})" for f in against)
    return [Evidence(False, said, demanded, facts=against)]


def weigh_noise(facts: Sequence[Fact]) -> list[Evidence]:
    """Evidence against an order of medians that noise explains."""
    return [
        Evidence(False, _within(f), "a change beyond noise", 0.0, facts=(f,))
        for f in facts
        if not f.predicted and not counts(f)
    ]


def _average(claim: Moves, facts: Sequence[Fact]) -> Evidence:
    mean = average_change(facts)
    said = f"{format_percent(mean)} on average over {len(facts)} workloads"
    if not any(fact.predicted or counts(fact) for fact in facts):
        said += ", none of them beyond noise"
        return Evidence(False, said, "a change beyond noise", facts=tuple(facts))
    amount = claim.amount or Amount(0)
    return _amount(claim, amount, mean, said, tuple(facts))


def _move(claim: Moves, fact: Fact) -> Evidence:
    """One change: its direction, its amount, and that noise does not explain it."""
    amount = claim.amount or Amount(0)
    evidence = [_amount(claim, amount, fact.value, _said(fact), (fact,))]
    if claim.beyond_noise:
        evidence.append(_beyond(claim.sign, fact))
    elif not fact.predicted and not counts(fact):
        evidence.append(replace(_beyond(claim.sign, fact), left=_within(fact)))
    return replace(
        narrowest(evidence), weak=_weak(fact) or _far(claim.sign, amount, fact)
    )


def _far(sign: int, amount: Amount, fact: Fact) -> str:
    """Whether a change that is large, or small, enough may not be so: by the nearer end
    of its interval for ``at least``, by the farther one for ``at most``."""
    if fact.low is None or fact.high is None or amount.peak:
        return ""
    ends = sorted((sign * fact.low, sign * fact.high))
    least = amount.low > 0 and math.isinf(amount.high)
    most = amount.low == 0 and not math.isinf(amount.high)
    near = sign * (ends[0] if least else ends[1])
    beyond = (least and ends[0] < amount.low) or (most and ends[1] > amount.high)
    end = f"the interval of {fact.workload} reaches to {format_percent(near)}"
    return end if beyond else ""


def _weak(fact: Fact) -> str:
    """Why even the direction of a change is not sure, if it is not."""
    if fact.estimate is None:
        return ""
    sure = fact.low is not None and fact.high is not None and fact.low * fact.high > 0
    return "" if sure else f"the range predicted for {fact.workload} has both signs"


def _no_way_back(claim: Moves, fact: Fact) -> Evidence:
    """Beside the largest change, no other goes the other way beyond noise."""
    holds = not (counts(fact) and claim.sign * fact.value < 0)
    demanded = f"not clearly {_sense(-claim.sign)} 0%"
    return Evidence(holds, _said(fact), demanded, facts=(fact,))


def _amount(
    claim: Moves, amount: Amount, change: float, said: str, facts: tuple[Fact, ...]
) -> Evidence:
    size = claim.sign * change
    margin = min(size, size - amount.low, amount.high - size)
    return Evidence(
        holds=size > 0 and margin >= 0,
        left=said,
        right=_demand(claim.sign, amount),
        margin=margin,
        facts=facts,
    )


def _beyond(sign: int, fact: Fact) -> Evidence:
    """Beyond noise: direction, interval and limit agree, and so does the test."""
    size = sign * fact.value
    low, high = fact.low or 0.0, fact.high or 0.0
    near = low if sign > 0 else -high
    margin = min(size, near, size - (fact.threshold or 0.0))
    holds = counts(fact) and size > 0
    if not holds and margin > 0:
        margin = 0.0  # only the rank test is against it
    return Evidence(
        holds=holds,
        left=f"{_said(fact)}, {_spread(fact)}{_chance(fact)}",
        right=f"{_sense(sign)} {format_percent(sign * (fact.threshold or 0.0))},"
        " interval without 0, p at most 0.05",
        margin=margin,
        facts=(fact,),
    )


def counts(fact: Fact) -> bool:
    """Whether a change is more than noise explains.

    Its verdict says so; a metric without a better direction then has none.
    """
    if fact.better == "none":
        return fact.verdict is None and fact.p_adjusted is not None
    return fact.verdict in _COUNTED


def _gets(claim: Gets, fact: Fact) -> Evidence:
    up = (claim.verdict == "improved") == (fact.better == "higher")
    found = _beyond(+1 if up else -1, fact)
    holds = fact.verdict == claim.verdict
    return replace(found, holds=holds, right=f"{claim.verdict}: {found.right}")


def _is(claim: Is, fact: Fact, floor: float) -> Evidence:
    low, high = fact.low, fact.high
    margin: float | None = None
    demanded: str = claim.verdict
    if low is not None and high is not None:
        inside = min(floor - high, floor + low)
        if claim.verdict == "comparable":
            margin, demanded = inside, f"interval within ±{floor:g}%"
        elif claim.verdict == "inconclusive":
            margin, demanded = -inside, f"interval reaches beyond ±{floor:g}%"
        else:
            return _gets(Gets(claim.verdict), fact)
    holds = fact.verdict == claim.verdict
    if margin is not None and (margin >= 0) != holds:
        margin = 0.0 if holds else None  # another rule than the limit decides
    said = f"{_said(fact)}, {_spread(fact)}: {fact.verdict or 'changed'}"
    return Evidence(holds, said, demanded, margin, facts=(fact,))


def _demand(sign: int, amount: Amount) -> str:
    """``between −40% and −20%``, ``below 0%``."""
    near, far = sign * amount.low, sign * amount.high
    if math.isinf(amount.high):
        return f"{_sense(sign)} {format_percent(near)}"
    low, high = sorted((near, far))
    if amount.high - amount.low <= 1 and round(amount.low) != amount.low:
        return f"rounded {format_percent((low + high) / 2)}"
    return f"between {format_percent(low)} and {format_percent(high)}"


def _sense(sign: int) -> str:
    return "above" if sign > 0 else "below"


def _said(fact: Fact) -> str:
    return f"{fact.printed} for {fact.workload}"


def _within(fact: Fact) -> str:
    verdict = f" ({fact.verdict})" if fact.verdict else ""
    return f"{_said(fact)} is within noise{verdict}"


def named_fact(fact: Fact) -> str:
    """``cpu_cost of client for RR1(1kB)``: what a fact is of, for authors."""
    who = f" of {fact.role}" if fact.role else ""
    return f"{fact.metric}{who} for {fact.workload}"


def _spread(fact: Fact) -> str:
    return "no interval" if fact.low is None else interval(fact)


def _chance(fact: Fact) -> str:
    return "" if fact.p_adjusted is None else f", p {_p_value(fact.p_adjusted)}"


def _p_value(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"
