"""The change of a median between two configurations, its interval and its test.

The habits are those of benchstat and of T. Kalibera and R. Jones, "Quantifying
Performance Changes with Effect Size Confidence Intervals" (arXiv:2007.10899): the
ratio gets the interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.random import Generator

from analysis.statistics.ranks import SIGNIFICANT, rank_test
from analysis.statistics.statistic import CONFIDENCE, Statistic, Values

RESAMPLES = 10_000
_TENTH = 10
_BOOTSTRAP = 5  # runs a side from which it covers what it says


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
    if not STATISTIC.enough(baseline, test):
        return Change(value)
    low, high = change_interval(baseline, test, key)
    return Change(value, low, high, change_test(baseline, test))


def change_test(baseline: Values, test: Values) -> float:
    """The p-value: the larger one of the rank test and of Yuen's test.

    Ranks ask for sides that differ in nothing but their place: of equal medians and
    unequal spread they part too many, most of all where the sides have unequal runs.
    """
    ranks = rank_test(baseline, test)
    return max(ranks, trimmed_test(baseline, test)) if test.min() > 0 else ranks


def trimmed_test(baseline: Values, test: Values) -> float:
    """Two-sided p-value of a ratio of trimmed means, for sides of unequal spread.

    K. K. Yuen, Biometrika 61 (1974), on logarithms of values above zero: Welch's test
    without the lowest and the highest tenth of ten runs and more.
    """
    from scipy.special import stdtr  # texts print words without it

    unit = baseline.min()  # so that no unit moves a rounding
    first, second = (_trimmed(np.log(side / unit)) for side in (baseline, test))
    apart, variance = abs(first[0] - second[0]), first[1] + second[1]
    if variance == 0:
        return float(apart == 0)
    parts = first[1] ** 2 / first[2] + second[1] ** 2 / second[2]
    return 2 * float(stdtr(variance**2 / parts, -apart / variance**0.5))


def _trimmed(values: Values) -> tuple[float, float, int]:
    """The trimmed mean, its variance and the degrees of freedom of that."""
    ordered, off = np.sort(values), len(values) // _TENTH
    kept = ordered[off : len(ordered) - off]
    spread = float(np.clip(ordered, kept[0], kept[-1]).var(ddof=1))
    degrees = len(kept) - 1
    return (
        float(kept.mean()),
        spread * (len(ordered) - 1) / len(kept) / degrees,
        degrees,
    )


def percent(test: float, baseline: float) -> float:
    """The change from ``baseline`` to ``test`` in percent of ``baseline``."""
    return (test / baseline - 1) * 100


def change_interval(baseline: Values, test: Values, key: str) -> tuple[float, float]:
    """95% interval of the change: by bootstrap or, of four runs, of all pairs.

    The bootstrap of four runs covers 90 to 94% (``tests/statistics/coverage.py``). The
    ratios of all pairs enclose a shift of ranks with 97%.
    """
    if min(len(baseline), len(test)) >= _BOOTSTRAP:
        return bootstrap_interval(baseline, test, key)
    low, high = test.min() / baseline.max(), test.max() / baseline.min()
    return percent(float(low), 1), percent(float(high), 1)


def bootstrap_interval(
    baseline: Values, test: Values, key: str, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95% percentile interval of the change of the median, in percent."""
    rng = np.random.default_rng(int.from_bytes(sha256(key.encode()).digest()[:8]))
    ratios = _medians(test, resamples, rng) / _medians(baseline, resamples, rng)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return percent(float(low), 1), percent(float(high), 1)


def _medians(values: Values, resamples: int, rng: Generator) -> Values:
    """Medians of resamples, by sorting ranks: processors sort many numbers of two bytes
    at once, but not of one."""
    n = len(values)
    ranks = rng.integers(n, size=(resamples, n), dtype=np.min_scalar_type(n - 1))
    ranks = ranks.astype(np.promote_types(ranks.dtype, np.uint16), copy=False)
    ranks.sort(axis=1)
    ordered = np.sort(values)
    middle = ordered[ranks[:, n // 2]]
    return middle if n % 2 else (ordered[ranks[:, n // 2 - 1]] + middle) / 2


STATISTIC = Statistic(
    id="median_change",
    smallest=4,  # of four runs a side the exact test can reach p ≤ 0.05, of three not
    measure=measure_change,
    interval=change_interval,
    test=change_test,
    words={
        "value": "the ratio of two medians, in percent",
        "interval": "bootstrap",
        "resamples": f"{RESAMPLES:,}",
        "kept": f"the middle {CONFIDENCE:.0%}",
        "seed": "The random numbers have a fixed seed, so that the same runs always "
        "give the same interval.",
        "test": "The Mann-Whitney test",
        "form": "in its exact form, says how easily chance alone would part the runs "
        "as far",
        "spread": "Yuen's test on logarithms must agree, as ranks alone take sides of "
        "unequal spread for apart too easily",
        "significant": f"at most {SIGNIFICANT:g}",
    },
)
