"""The change of a product, and what each of its factors has of it.

On logarithms the change of a product is the sum of those of its factors. That is exact
for means over the same runs, and not for medians, nor for means that leave outliers
out: so these are means of all runs, whose ratio is that of geometric means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from analysis.declared.metrics import COST_PARTS
from analysis.facts.fact import Fact

DIVIDES = "cpu_frequency"  # a higher one lowers the cost
_NEARLY_ALL, _MOST = 0.8, 0.5  # of a change, from which on a part is called that
_ADDS_UP = 1e-6  # of a logarithm: parts of other work than the cost do not
Runs = dict[str, float]  # values by run


class Factor(NamedTuple):
    """A factor's values of both sides by run; one that ``divides`` counts inverted."""

    baseline: Runs
    test: Runs
    divides: bool = False


def log_parts(factors: Sequence[Factor]) -> list[float] | None:
    """The change of the logarithm that each factor brings, over the runs that have all
    of them; None where a side has none, or a value that is not above zero."""
    before = _mean_logs([factor.baseline for factor in factors])
    after = _mean_logs([factor.test for factor in factors])
    if before is None or after is None:
        return None
    return [
        (then - now) * (1 if factor.divides else -1)
        for now, then, factor in zip(after, before, factors, strict=True)
    ]


def _mean_logs(factors: Sequence[Runs]) -> list[float] | None:
    """Of each factor the mean of the logarithms over the runs that all have."""
    shared = sorted(set.intersection(*({*runs} for runs in factors)))
    values = [[runs[run] for run in shared] for runs in factors]
    if not shared or min(map(min, values)) <= 0:
        return None
    return [fmean(map(math.log, each)) for each in values]


class CostPart(NamedTuple):
    """What one part does to a cost: the change of its logarithm, the same in percent,
    and the 95% interval of its metric's change about that; of the whole, the whole."""

    metric: str
    log: float
    change: float
    low: float | None
    high: float | None
    fact: Fact | None


def cost_parts(change: Fact, facts: Mapping[str, Fact]) -> list[CostPart]:
    """The parts of a change of cost, which add up, and it itself as the last; none
    where a part was not counted on both sides, or counted of other work."""
    metrics = (change.metric, *COST_PARTS.get(change.metric, ()))
    ends = [f".{change.configuration}", f".{change.baseline}"]
    place = change.key.removesuffix(f"{change.metric}{ends[0]}.delta")
    keys = [place + metric for metric in metrics]
    sides = [[facts.get(key + end) for end in ends] for key in keys]
    if len(sides) == 1 or any(None in both for both in sides):
        return []
    runs = [[dict(zip(f.lineage.runs, f.samples, strict=False)) for f in both if f]
            for both in sides]  # fmt: skip
    whole, *logs = log_parts(
        [Factor(then, now, one == DIVIDES)
         for one, (now, then) in zip(metrics, runs, strict=True)]
    ) or (math.nan,)  # fmt: skip
    if not abs(sum(logs) - whole) < _ADDS_UP:
        return []
    deltas = [facts.get(f"{key}{ends[0]}.delta") for key in (*keys[1:], keys[0])]
    steps = zip((*metrics[1:], metrics[0]), (*logs, sum(logs)), deltas, strict=True)
    return [_part(metric, log, fact) for metric, log, fact in steps]


def _part(metric: str, log: float, fact: Fact | None) -> CostPart:
    change = math.expm1(log) * 100
    low, high = (fact.low, fact.high) if fact else (None, None)
    if metric == DIVIDES and low is not None and high is not None and low > -100:
        low, high = ((100 / (100 + end) - 1) * 100 for end in (high, low))
    low = None if low is None else min(low, change)
    high = None if high is None else max(high, change)
    return CostPart(metric, log, change, low, high, fact)


def reason(logs: Sequence[float], names: Sequence[str]) -> str:
    """``nearly all of it is cycles per instruction``, of parts that add up."""
    total = sum(logs)
    shares = [log / total if abs(total) > 1e-9 else 0.0 for log in logs]
    share = max(shares)
    name, others = names[shares.index(share)], sum(map(abs, shares)) - abs(share)
    if share >= _NEARLY_ALL and others <= 2 * (1 - _NEARLY_ALL):
        return f"nearly all of it is {name}"
    if share >= _MOST and others <= 2 * _MOST:
        return f"most of it is {name}"
    return f"several parts, the largest is {name}"
