"""How small a change runs would show: the power of the rule that verdicts follow.

On logarithms a change is a shift, whose estimate has a standard error. The rule calls
it a change where Student's t is beyond the level that the family leaves it, and the
medians differ by the threshold. Without a threshold the chance of that is a noncentral
t (J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, section 2.5).
Here it is that integral over the spreads that so few runs may show, and over how far
medians lie from means, as a threshold bounds both. Of few runs in a large family the
rank test may be harder to pass: its power is that of a U with a beta distribution of
the moments of E. L. Lehmann, Nonparametrics (1975), section 2.3, which hangs together
with Student's t by a normal copula. Runs are taken for normal on logarithms.
``tests/statistics/test_power.py`` holds it against simulated verdicts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from analysis.statistics.statistic import Values

POWER = 0.8  # of five changes of that size, four are seen
_SPREADS, _MIDDLES, _POINTS = 48, 8, 40  # nodes of the integrals
_STEPS = 16  # halvings: to less than a digit that is shown
_FAR = 2.0**20
_RANKS = 10  # runs a side, beyond which ranks are never the harder test
_TOGETHER = 0.9  # correlation of both tests, as simulations have it


@dataclass(frozen=True)
class ChangeRule:
    """What a change has to pass: its p-value must not exceed ``level``, nor the
    logarithm of the medians' ratio fall below ``threshold``.

    ``error`` is the standard error of its logarithm, with ``degrees`` of freedom, and
    ``median`` how many times as large that of the medians is. ``runs`` are those of
    both sides that are ranked; zero where none are.
    """

    error: float
    degrees: float
    level: float
    threshold: float = 0.0
    median: float = 1.0
    runs: tuple[int, int] = (0, 0)

    def power(self, shift: float) -> float:
        """The chance that a change by this logarithm, above zero, is called one."""
        from scipy.special import ndtr

        reach = self.error * _reaches(self.degrees, self.level)
        if self.threshold:
            apart = self.error * math.sqrt(max(self.median**2 - 1, 0.0)) * _normal()
            reach = np.maximum(reach[:, None], self.threshold - apart)
        chance = float(ndtr((shift - reach) / self.error).mean())
        if not 0 < min(self.runs) <= _RANKS:
            return chance
        spread = self.error / math.hypot(*(n**-0.5 for n in self.runs))
        confirmed = _rank_power(shift / spread, *self.runs, self.level)
        return _both(chance, confirmed)

    def smallest_shift(self) -> float:
        """The smallest shift that has a power of four fifths; infinite where none."""
        low, high = 0.0, self.threshold + self.error
        while self.power(high) < POWER:
            if high > _FAR * (self.threshold + self.error):
                return math.inf
            low, high = high, 2 * high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.power(middle) < POWER else (low, middle)
        return high


def welch_degrees(runs: int) -> float:
    """The degrees of freedom that Welch's test has on average, of so many runs on each
    of two sides that scatter alike: 2 (n − 1) less what unequal estimates cost."""
    return (runs - 1) * (1 + (runs - 1) / (runs + 1))


def median_error(runs: int) -> float:
    """How many times the standard error of a mean that of a median is, of so many
    normal runs; √(π / 2) of many. To a hundredth from four on."""
    share = math.pi / 2 * runs / (runs + (0.57 if runs % 2 else 1.35))
    return math.sqrt(max(share, 1.0))


def _rank_power(shift: float, first: int, second: int, level: float) -> float:
    """The chance that ranks confirm a shift, in standard deviations of runs."""
    from scipy.special import betainc, ndtr

    least, pairs = _least_pairs(first, second, level), first * second
    if least > pairs:
        return 0.0
    points, weights = np.polynomial.hermite_e.hermegauss(_POINTS)
    above = float(ndtr(shift / math.sqrt(2)))
    both = float(weights @ ndtr(points + shift) ** 2 / weights.sum()) - above**2
    once = above * (1 - above)
    variance = (once + (first + second - 2) * both) / pairs
    if variance <= 0:
        return 1.0
    size = once / variance - 1
    return float(1 - betainc(above * size, (1 - above) * size, (least - 0.5) / pairs))


def _both(one: float, other: float) -> float:
    """The chance of two events of these chances together."""
    from scipy.special import ndtr, ndtri

    if not min(one, other):
        return 0.0
    shares = (np.arange(_SPREADS) + 0.5) / _SPREADS * one
    left = ndtri(other) - _TOGETHER * ndtri(shares)
    return one * float(ndtr(left / math.sqrt(1 - _TOGETHER**2)).mean())


@lru_cache(maxsize=64)
def _least_pairs(first: int, second: int, level: float) -> int:
    """Of how many pairs of runs at least the run of the upper side has to be above for
    a one-sided p-value of at most this level; more than there are where none has it.

    The ways to each number of pairs are the coefficients of a Gaussian binomial.
    """
    ways = [1] + [0] * (first * second)
    for n in range(1, first + 1):
        for at in range(first * second, second + n - 1, -1):
            ways[at] -= ways[at - second - n]
        for at in range(n, first * second + 1):
            ways[at] += ways[at - n]
    chances = np.cumsum(ways) / sum(ways)  # of so many pairs the other way round
    return first * second - int(np.searchsorted(chances, level, side="right")) + 1


@lru_cache(maxsize=64)
def _reaches(degrees: float, level: float) -> Values:
    """Beyond how many true standard errors the estimate has to be, for spreads that
    the runs may show, each as likely as the others."""
    from scipy.special import chdtri, stdtrit

    shares = (np.arange(_SPREADS) + 0.5) / _SPREADS
    seen: Values = np.sqrt(chdtri(degrees, shares) / degrees)
    return seen * float(stdtrit(degrees, 1 - level / 2))


@lru_cache(maxsize=1)
def _normal() -> Values:
    from scipy.special import ndtri

    deviates: Values = ndtri((np.arange(_MIDDLES) + 0.5) / _MIDDLES)
    return deviates
