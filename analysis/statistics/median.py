"""The median of runs, and its confidence interval by order statistics.

The interval is a pair of observations, so it assumes nothing about the shape of the
distribution. See W. J. Conover, Practical Nonparametric Statistics, section 3.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice, takewhile

import numpy as np

from analysis.facts.remark import Remark
from analysis.statistics.statistic import CONFIDENCE, SampleRuns, Statistic, Values


@dataclass(frozen=True)
class Interval:
    """An interval and the confidence that it really has."""

    low: float
    high: float
    confidence: float


def median(values: Values) -> float:
    """The middle of the values."""
    return float(np.median(values))


def median_interval(values: Values) -> Interval | None:
    """The narrowest symmetric interval of at least 95%; None for fewer than six.

    ``confidence`` is what was reached: 0.979 for ten samples, 0.969 for six.
    """
    n = len(values)
    if not STATISTIC.enough(values):
        return None
    enough = list(takewhile(lambda chance: chance >= CONFIDENCE, _coverages(n)))
    rank, ordered = len(enough), np.sort(values)
    return Interval(float(ordered[rank - 1]), float(ordered[n - rank]), enough[-1])


def coverage(n: int, rank: int) -> float:
    """Chance that the ``rank``-th smallest and largest of ``n`` enclose the median."""
    return next(islice(_coverages(n), rank - 1, None))


def _coverages(n: int) -> Iterator[float]:
    """The coverage of each rank from 1 on, falling. Each binomial coefficient comes of
    the one before: to compute all of thousands of runs takes minutes otherwise."""
    below, ways = 0, 1
    for rank in count(1):
        below += ways
        yield 1 - 2 * below / 2**n
        ways = ways * (n - rank + 1) // rank


def _warn(sample: SampleRuns) -> Remark | None:
    if STATISTIC.enough(sample.values):
        return None
    return Remark("few", values={"n": len(sample.values), "least": STATISTIC.smallest})


STATISTIC = Statistic(
    id="median",
    smallest=6,  # of five samples even the full range covers it less than 95%
    measure=median,
    interval=median_interval,
    warn=_warn,
    words={
        "value": "the median over runs",
        "interval": "a pair of observations, chosen by their rank so that they enclose "
        f"the true median with at least {CONFIDENCE:.0%} confidence",
        "assumes": "The rule assumes nothing about the shape of the distribution",
    },
)
