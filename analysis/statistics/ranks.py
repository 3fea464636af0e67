"""The exact rank test of two samples, with ties, and how many runs it needs.

W. J. Conover, Practical Nonparametric Statistics, section 5.1: tied values share their
mean rank, and the rank sum is held against all ways to deal the same ranks out.
"""

from __future__ import annotations

from math import comb
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.statistics.statistic import Values

Ranks: TypeAlias = npt.NDArray[np.int64]
Adjustment = Literal["holm", "benjamini-hochberg"]

SIGNIFICANT = 0.05
FEWEST = 4  # runs a side: of three, one order in twenty is as clear as can be
EXACT = 50  # runs a side; beyond, the normal distribution differs in no digit shown


def rank_test(lower: Values, upper: Values) -> float:
    """One-sided Mann-Whitney p-value of ``upper`` being above ``lower``.

    Exact, with ties and without, up to 50 a side.
    """
    if max(len(lower), len(upper)) > EXACT:
        from scipy.stats import mannwhitneyu  # half a second that only this needs

        test = mannwhitneyu(lower, upper, alternative="less", method="asymptotic")
        return float(test.pvalue)
    ranks = doubled_ranks(np.concatenate([lower, upper]))
    ways = _sums(ranks, len(lower))
    return float(ways[: int(ranks[: len(lower)].sum()) + 1].sum() / ways.sum())


def doubled_ranks(values: Values) -> Ranks:
    """Twice the rank of each value, so that mean ranks of ties are whole numbers."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (2 * last - counts + 1)[place]


def least_runs(comparisons: int, adjust: Adjustment) -> int:
    """Runs a side from which a change can be called one among so many comparisons.

    Holm's procedure multiplies the least p-value by their number; that of Benjamini and
    Hochberg leaves it alone where all changes are as clear.
    """
    runs = FEWEST
    while not can_tell(runs, runs, comparisons, adjust):
        runs += 1
    return runs


def can_tell(first: int, second: int, comparisons: int, adjust: Adjustment) -> bool:
    """Whether so many runs of two sides can be called apart, as in ``least_runs``."""
    factor = max(comparisons, 1) if adjust == "holm" else 1
    return factor / comb(first + second, first) <= SIGNIFICANT


def _sums(ranks: Ranks, chosen: int) -> Values:
    """In how many ways so many of the ranks have each sum."""
    ways = np.zeros((chosen + 1, int(ranks.sum()) + 1))
    ways[0, 0] = 1
    for rank in ranks:
        for count in range(chosen, 0, -1):
            ways[count, rank:] += ways[count - 1, :-rank]
    return ways[chosen]
