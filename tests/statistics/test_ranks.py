"""The exact rank test against scipy's and against counting all ways."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, rankdata

from analysis.statistics.ranks import can_tell, doubled_ranks, least_runs, rank_test

SIDES = st.lists(st.integers(0, 6).map(float), min_size=2, max_size=5)


def counted(a: list[float], b: list[float]) -> float:
    """The p-value by looking at every way to deal the ranks out."""
    ranks = rankdata([*a, *b])
    least = ranks[: len(a)].sum() + 1e-9
    return float(np.mean([sum(c) <= least for c in combinations(ranks, len(a))]))


@given(SIDES, SIDES)
def test_ties_are_exact(a: list[float], b: list[float]) -> None:
    assert rank_test(np.array(a), np.array(b)) == pytest.approx(counted(a, b))


@given(st.integers(2, 12), st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_without_ties_it_is_scipys(n: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=n), rng.normal(0.5, size=m)
    expected = mannwhitneyu(a, b, alternative="less", method="exact").pvalue
    assert rank_test(a, b) == pytest.approx(expected)


def test_equal_values_are_no_difference() -> None:
    assert rank_test(np.full(6, 3.0), np.full(6, 3.0)) == 1.0


@pytest.mark.parametrize(("runs", "method"), [(50, "exact"), (51, "asymptotic")])
@pytest.mark.parametrize("short", [False, True])
def test_more_than_fifty_runs_of_a_side_are_taken_for_many(runs, method, short) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=runs), rng.normal(0.4, size=9 if short else runs)
    for sides in ((a, b), (b, a)):
        expected = mannwhitneyu(*sides, alternative="less", method=method).pvalue
        assert rank_test(*sides) == pytest.approx(expected, rel=1e-9)


def test_many_runs_that_are_all_equal_are_no_difference() -> None:
    assert rank_test(np.full(60, 3.0), np.full(70, 3.0)) == 1.0


def test_tied_values_share_their_mean_rank() -> None:
    values = np.array([5.0, 1.0, 5.0, 3.0])
    assert (doubled_ranks(values) == 2 * rankdata(values)).all()


@pytest.mark.parametrize(
    ("comparisons", "adjust", "least"),
    [
        (1, "holm", 4),
        (3, "holm", 4),
        (4, "holm", 5),
        (31, "holm", 6),
        (46, "holm", 6),
        (47, "holm", 7),
        (31, "benjamini-hochberg", 4),
        (0, "holm", 4),
    ],
)
def test_runs_needed_after_adjustment(
    comparisons: int, adjust: str, least: int
) -> None:
    assert least_runs(comparisons, adjust) == least  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("comparisons", "adjust", "told"),
    [
        (28, "holm", True),  # 28 of 560 ways are 0.05
        (29, "holm", False),
        (900, "benjamini-hochberg", True),
        (0, "holm", True),
    ],
)
def test_few_runs_of_one_side_can_tell_so_many_changes(comparisons, adjust, told):
    assert can_tell(3, 13, comparisons, adjust) is told
    assert can_tell(13, 3, comparisons, adjust) is told
