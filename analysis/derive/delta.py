"""The verdict on a change, among all changes of one table.

A change is only called one where interval, test and size agree, as benchstat has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from analysis.facts.fact import Verdict
from analysis.statistics.median_change import Change
from analysis.statistics.ranks import SIGNIFICANT


def adjust(
    p_values: Sequence[float], method: Literal["holm", "benjamini-hochberg"]
) -> list[float]:
    """The p-values of one table, adjusted for their number, in the given order."""
    if not p_values:
        return []
    if method == "holm":
        return holm(p_values)
    from scipy.stats import false_discovery_control

    return [float(p) for p in false_discovery_control(p_values, method="bh")]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment (S. Holm, Scand. J. Statist. 6, 1979, 65-70)."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p))))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1)
    return [float(x) for x in adjusted]


def judge(
    change: Change,
    p_adjusted: float | None,
    better: Literal["lower", "higher", "none"],
    floor: float,
    threshold: float,
) -> Verdict | None:
    """The verdict on a change; ``floor`` and ``threshold`` in percent.

    A change counts where the adjusted p-value is at most 0.05, the interval leaves
    out zero and the value reaches ``threshold``. It is comparable where the interval
    lies inside the declared ``floor``: noise may raise the bar for a change, but it
    must not make two things equal. Anything else is inconclusive. None: not tested, or
    a clear change of a metric of which neither direction is better.
    """
    if change.low is None or change.high is None or p_adjusted is None:
        return None
    apart = change.low > 0 or change.high < 0
    if p_adjusted <= SIGNIFICANT and apart and abs(change.value) >= threshold:
        if better == "none":
            return None
        gained = (change.value > 0) == (better == "higher")
        return "improved" if gained else "regressed"
    inside = -floor <= change.low and change.high <= floor
    return "comparable" if inside else "inconclusive"
