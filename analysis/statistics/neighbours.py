"""Whether runs resemble those before them, and what that costs a comparison.

Intervals and tests take runs for independent. A machine that drifts, warms up or fills
a cache makes a run resemble the one before it; where the runs of one configuration were
made in one go, such a stretch looks like a change between configurations. How alike
neighbours are is measured within each configuration, as a correlation of lag one over
all samples of a metric together: one sample of ten runs can hardly tell it.

Of n runs with correlation ρ only n (1 − ρ) / (1 + ρ) count: see W. A. Fuller,
Introduction to Statistical Time Series, section 6.1, for this, and M. G. Kendall, Note
on Bias in the Estimation of Autocorrelation, Biometrika 41 (1954), for the correction
of short series.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb

import numpy as np

from analysis.statistics.statistic import Values

SURE = 1.645  # one-sided, 5%
BLOCKS = 0.03  # the chance of shuffled runs to look like blocks
LEAST_RUNS = 4  # a shorter series tells nothing of its neighbours
_MOST = 0.95
_EQUAL = 1e-12  # a spread that is rounding


@dataclass(frozen=True)
class Likeness:
    """How alike neighbouring runs are: ``correlation`` of lag one, freed of its bias
    in short series, ``deviations`` from what independent runs show, in standard
    errors."""

    correlation: float = 0.0
    deviations: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether chance alone would hardly make neighbours as alike."""
        return self.deviations > SURE

    @property
    def runs_as_one(self) -> float:
        """How many runs tell as much as one independent run would; 1 or more."""
        correlation = min(max(self.correlation, 0.0), _MOST)
        return (1 + correlation) / (1 - correlation)


def likeness(samples: Sequence[Values]) -> Likeness:
    """Of runs in the order in which they were made, a series for each sample.

    Series with fewer than four runs or one value alone are left out.
    """
    logs = [_logs(sample) for sample in samples if len(sample) >= LEAST_RUNS]
    series = [(z - z.mean()) / z.std() for z in logs if z.std() > _EQUAL]
    if not series:
        return Likeness()
    pairs, runs = sum(len(z) - 1 for z in series), sum(map(len, series))
    products = sum(float(z[1:] @ z[:-1]) for z in series) / pairs
    correlation = products * runs / sum(float(z @ z) for z in series)
    mean = runs / len(series)
    above = correlation + 1 / (mean - 1)  # independent runs show −1/(n − 1)
    return Likeness(above / (1 - 3 / mean), above * math.sqrt(pairs))


def in_blocks(baseline: Sequence[float], test: Sequence[float]) -> bool:
    """Whether the runs of two sides came in blocks: by their starts, in seconds.

    Blocks are what three shuffled orders in a hundred reach at most: as few changes of
    sides, by the count of A. Wald and J. Wolfowitz (Ann. Math. Stat. 11, 1940).
    """
    if not baseline or not test:
        return False
    count = len(stretches(baseline, test))
    return _as_few(count, len(baseline), len(test)) <= BLOCKS


def stretches(
    baseline: Sequence[float], test: Sequence[float]
) -> list[tuple[bool, int]]:
    """Which side ran, True for the test, and how many runs until the other did."""
    marked = sorted([*((at, False) for at in baseline), *((at, True) for at in test)])
    sides = groupby(side for _, side in marked)
    return [(side, sum(1 for _ in runs)) for side, runs in sides]


def _as_few(stretches: int, first: int, second: int) -> float:
    """The chance that shuffled runs of two sides make so few stretches of one side."""
    most = stretches // 2 + 1
    one, other = _combs(first - 1, most), _combs(second - 1, most)
    ways = 0
    for count in range(2, stretches + 1):
        half, odd = divmod(count, 2)
        pairs = ((half + odd - 1, half - 1), (half - 1, half + odd - 1))
        ways += sum(one[a] * other[b] for a, b in pairs)
    return ways / comb(first + second, first)


def _combs(of: int, most: int) -> list[int]:
    """In how many ways 0, 1 and up to ``most`` of so many are chosen; each follows
    from the one before, which takes much less time than a factorial."""
    combs = [1]
    for chosen in range(most):
        combs.append(combs[-1] * (of - chosen) // (chosen + 1))
    return combs


def _logs(values: Values) -> Values:
    return np.log(values) if values.min() > 0 else values
