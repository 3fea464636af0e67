"""The ratio of two sides on logarithms: an estimate, its interval and its test.

Interval and test are one computation: p is at most 5% where, and only where, the
interval of 95% leaves out zero. Who knows more of the runs than that they are
independent (their order, their sessions) makes another :class:`LogRatio`, and
:func:`analysis.statistics.median_change.measure_change` holds a change against all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.statistics.outliers import outliers
from analysis.statistics.statistic import CONFIDENCE, Values

TENTH = 10  # runs from which an outlier and its like are left out
_ROUNDING = 1e-12  # an error that is that of floating point
_LARGEST = 690.0  # a larger exponential is no number


@dataclass(frozen=True)
class LogRatio:
    """The logarithm of a ratio: ``estimate``, its standard ``error`` and the
    ``degrees`` of freedom with which that is known."""

    estimate: float
    error: float
    degrees: float

    @property
    def p_value(self) -> float:
        """Two-sided, by Student's t: how easily chance alone moves as far from zero."""
        from scipy.special import stdtr  # texts print words without it

        if self.error < _ROUNDING:
            return float(abs(self.estimate) < _ROUNDING)
        return 2 * float(stdtr(self.degrees, -abs(self.estimate) / self.error))

    def reach(self, confidence: float = CONFIDENCE) -> float:
        """Half the length of the interval."""
        from scipy.special import stdtrit

        return float(stdtrit(self.degrees, (1 + confidence) / 2)) * self.error

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Both ends of the interval, as changes in percent."""
        reach = self.reach(confidence)
        low, high = (
            math.expm1(min(self.estimate + side * reach, _LARGEST)) * 100
            for side in (-1, 1)
        )
        return low, high


def welch(baseline: Values, test: Values, runs_as_one: float = 1.0) -> LogRatio | None:
    """The ratio of geometric means of sides that may scatter unequally; two runs each.

    B. L. Welch, Biometrika 34 (1947). Where a side of ten runs or more has an outlier,
    both sides lose the lowest and the highest tenth (K. K. Yuen, Biometrika 61, 1974).
    Where ``runs_as_one`` of alike runs count as one, the variance of a mean grows by
    that, and the degrees of freedom are those of the runs that remain (F. E.
    Satterthwaite, Biometrics Bulletin 2, 1946). None where a value that counts is not
    above zero.
    """
    sides, unit = (baseline, test), baseline.min()  # no unit moves a rounding
    trims = any(len(side) >= TENTH and outliers(side) for side in sides)
    before = _mean_of_logs(baseline, unit, runs_as_one, trims)
    after = before and _mean_of_logs(test, unit, runs_as_one, trims)
    if before is None or after is None:
        return None
    variance = before.variance + after.variance
    if not variance:
        return LogRatio(after.mean - before.mean, 0.0, before.degrees + after.degrees)
    parts = (before.variance**2 / before.degrees) + after.variance**2 / after.degrees
    return LogRatio(after.mean - before.mean, variance**0.5, variance**2 / parts)


class _Mean(NamedTuple):
    mean: float
    variance: float
    degrees: float


def _mean_of_logs(
    values: Values, unit: float, runs_as_one: float, trims: bool
) -> _Mean | None:
    """The mean of logarithms; a trimmed one has its variance of the clipped values.

    The variance within alike runs is too small; of few, no more than four fifths is
    taken for lost.
    """
    n, ordered = len(values), np.sort(values)
    off = n // TENTH if trims else 0
    if ordered[off] == ordered[n - off - 1]:
        off = 0  # what is left would have no spread, and the runs have some
    if ordered[off] <= 0:
        return None
    logs = np.log(np.clip(ordered, ordered[off], ordered[n - off - 1]) / unit)
    kept = n - 2 * off
    left = max(0.2, 1 - (runs_as_one - 1) / (n - 1))
    variance = float(logs.var(ddof=1)) * (n - 1) / (kept - 1) / kept
    return _Mean(
        float(logs[off : n - off].mean()),
        variance * runs_as_one / left,
        max(0.5, kept / runs_as_one - 1),
    )
