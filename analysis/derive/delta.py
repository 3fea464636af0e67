"""The change of a median between two configurations, its interval, test and verdict.

The habits are those of benchstat and of T. Kalibera and R. Jones, "Quantifying
Performance Changes with Effect Size Confidence Intervals" (arXiv:2007.10899): the
ratio gets the interval, and a change is only called one where interval, test and size
agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import numpy as np

from analysis.derive.interval import CONFIDENCE, Values
from analysis.fact import Verdict

RESAMPLES = 10_000
SIGNIFICANT = 0.05
MINIMUM = 4  # of four runs a side the exact test can reach p ≤ 0.05, of three not


@dataclass(frozen=True)
class Change:
    """A change in percent, with its interval and p-value where it could be tested."""

    value: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends of the interval, or None where nothing was tested."""
        if self.low is None or self.high is None:
            return None
        return self.low, self.high


def measure_change(baseline: Values, test: Values, key: str) -> Change | None:
    """The change from ``baseline`` to ``test``; None where a ratio has no meaning.

    ``key`` seeds the resampling, so one change's interval does not depend on what
    else is derived. Fewer than four runs a side give the bare value.
    """
    if not len(baseline) or not len(test) or baseline.min() <= 0:
        return None
    value = percent(float(np.median(test)), float(np.median(baseline)))
    if min(len(baseline), len(test)) < MINIMUM:
        return Change(value)
    low, high = bootstrap_interval(baseline, test, key)
    return Change(value, low, high, rank_test(baseline, test))


def percent(test: float, baseline: float) -> float:
    """The change from ``baseline`` to ``test`` in percent of ``baseline``."""
    return (test / baseline - 1) * 100


def bootstrap_interval(
    baseline: Values, test: Values, key: str, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95% percentile interval of the change of the median, in percent."""
    rng = np.random.default_rng(int.from_bytes(sha256(key.encode()).digest()[:8]))
    ratios = _medians(test, resamples, rng) / _medians(baseline, resamples, rng)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return percent(float(low), 1), percent(float(high), 1)


def rank_test(baseline: Values, test: Values) -> float:
    """Two-sided Mann-Whitney p-value: exact, or corrected for ties where there are."""
    from scipy.stats import mannwhitneyu  # half a second that only this needs

    both = np.concatenate([baseline, test])
    method = "exact" if len(np.unique(both)) == len(both) else "asymptotic"
    return float(mannwhitneyu(baseline, test, method=method).pvalue)


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


def _medians(values: Values, resamples: int, rng: np.random.Generator) -> Values:
    """Medians of resamples, by sorting ranks, which as bytes sort fast."""
    n = len(values)
    ranks = rng.integers(n, size=(resamples, n), dtype=np.min_scalar_type(n - 1))
    ranks.sort(axis=1)
    ordered = np.sort(values)
    middle = ordered[ranks[:, n // 2]]
    return middle if n % 2 else (ordered[ranks[:, n // 2 - 1]] + middle) / 2
