"""The change of a median between two configurations, its interval and its test.

The habits are those of benchstat and of T. Kalibera and R. Jones, "Quantifying
Performance Changes with Effect Size Confidence Intervals" (arXiv:2007.10899): the
ratio gets the interval, and the interval decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.statistics.log_ratio import LogRatio, welch
from analysis.statistics.ranks import FEWEST, SIGNIFICANT, rank_test
from analysis.statistics.statistic import CONFIDENCE, Statistic, Values

EQUIVALENCE = 1 - 2 * SIGNIFICANT  # the interval of two one-sided tests at 5%


@dataclass(frozen=True)
class Change:
    """A change in percent, with its interval and p-value where it could be tested.

    ``low`` and ``high`` are the interval of 95%, which decides whether it is a change;
    ``low_90`` and ``high_90`` that of 90%, which decides whether two are comparable.
    ``ratio`` is that with the widest interval, by which the change is hardest to see.
    """

    value: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    low_90: float | None = None
    high_90: float | None = None
    ratio: LogRatio | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends of the interval, or None where nothing was tested."""
        if self.low is None or self.high is None:
            return None
        return self.low, self.high


def measure_change(
    baseline: Values,
    test: Values,
    runs_as_one: float = 1.0,
    beside: Sequence[LogRatio] = (),
) -> Change | None:
    """The change from ``baseline`` to ``test``; None where a ratio has no meaning.

    Its value is what a reader computes from the two medians. Its interval encloses it
    and the intervals of Welch's ratio, in which ``runs_as_one`` alike runs count as
    one, and of each ratio in ``beside``. Its p-value is the largest of theirs and of
    the ranks, and 1 where they disagree about the direction, so that it is at most 0.05
    only where the interval leaves out zero. Fewer than four runs a side give the bare
    value.
    """
    if not len(baseline) or not len(test) or baseline.min() <= 0:
        return None
    value = percent(float(np.median(test)), float(np.median(baseline)))
    if not STATISTIC.enough(baseline, test):
        return Change(value)
    ratio = welch(baseline, test, runs_as_one)
    ratios = [*([ratio] if ratio else []), *beside]
    lower, upper = (baseline, test) if value > 0 else (test, baseline)
    low, high = _enclosing(value, ratios, baseline, test, CONFIDENCE)
    chances = [r.p_value if r.estimate * value > 0 else 1.0 for r in ratios]
    p_value = max(rank_test(lower, upper), *chances or [float(low <= 0 <= high)])
    low_90, high_90 = _enclosing(value, ratios, baseline, test, EQUIVALENCE)
    widest = max(ratios, key=lambda ratio: ratio.reach(CONFIDENCE), default=None)
    return Change(value, low, high, p_value, low_90, high_90, widest)


def _enclosing(
    value: float,
    ratios: Sequence[LogRatio],
    baseline: Values,
    test: Values,
    confidence: float,
) -> tuple[float, float]:
    """The interval of all ratios; that of all pairs of runs where values have none."""
    ends = [ratio.interval(confidence) for ratio in ratios] or [
        (
            percent(float(test.min()), float(baseline.max())),
            percent(float(test.max()), float(baseline.min())),
        )
    ]
    lows, highs = zip(*ends, strict=True)
    return min(value, *lows), max(value, *highs)


def percent(test: float, baseline: float) -> float:
    """The change from ``baseline`` to ``test`` in percent of ``baseline``."""
    return (test / baseline - 1) * 100


STATISTIC = Statistic(
    id="median_change",
    smallest=FEWEST,
    measure=measure_change,
    interval=welch,
    test=rank_test,
    words={
        "value": "the ratio of two medians, in percent",
        "interval": f"a {CONFIDENCE:.0%} interval by Welch's method, on logarithms and "
        "for sides that may scatter unequally",
        "outliers": "Where a side of ten or more runs has an outlier, Yuen's method "
        "leaves out the lowest and the highest tenth of both",
        "encloses": "The interval is never narrower than what encloses the change, "
        "which a reader can compute from the two medians",
        "test": "The p-value is the larger one of two: that of Welch's test, which is "
        f"at most {SIGNIFICANT:g} only where the interval leaves out zero, and that of "
        "the exact rank test of Mann and Whitney, which must confirm the direction",
        "significant": f"at most {SIGNIFICANT:g}",
        "comparable": f"two one-sided tests at {SIGNIFICANT:.0%} place it inside the "
        f"limit: its interval of {EQUIVALENCE:.0%} lies inside",
    },
)
