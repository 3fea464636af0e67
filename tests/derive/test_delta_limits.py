"""The limits of a change, and one bootstrap interval that is known to the digit."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from analysis.derive.delta import adjust, holm, judge
from analysis.statistics.median_change import (
    Change,
    bootstrap_interval,
    measure_change,
    rank_test,
)

OLD = np.array([100.0, 101, 102, 104])
NEW = np.array([90.0, 92, 93, 97])
SEEDED = np.array([100.0, 104, 95, 102, 99, 108, 93])


def verdict(value, low, high, p=0.001, better="higher", floor=5.0, threshold=5.0):
    return judge(Change(value, low, high, p), p, better, floor, threshold)


def test_four_runs_a_side_are_tested_and_three_are_not():
    whole = measure_change(OLD, NEW, "k")
    assert whole.value == pytest.approx((92.5 / 101.5 - 1) * 100)
    assert whole.p_value == pytest.approx(2 / 70)
    assert whole.low < whole.value < whole.high < 0
    assert whole.interval == (whole.low, whole.high)
    for old, new in ((OLD[1:], NEW), (OLD, NEW[1:])):
        assert measure_change(old, new, "k").interval is None
        assert measure_change(old, new, "k").p_value is None
    for half in (Change(1.0, low=1.0), Change(1.0, high=1.0)):
        assert half.interval is None


@pytest.mark.parametrize(
    ("old", "new", "meant"),
    [([], [1.0], False), ([1.0], [], False), ([1.0], [1.0], True),
     ([0.0, 1.0], [1.0], False), ([-1.0], [1.0], False), ([0.5], [0.0], True)],
)  # fmt: skip
def test_a_ratio_needs_a_baseline_above_zero(old, new, meant):
    found = measure_change(np.array(old), np.array(new), "k")
    assert (found is not None) is meant


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_the_interval_of_few_runs_is_that_of_all_resamples(size):
    """One side of equal runs, and every resample of the other: a known distribution."""
    values = np.array([100.0, 110, 120, 130, 140, 150, 160])[:size]
    grid = np.stack(np.meshgrid(*[values] * size)).reshape(size, -1)
    medians = np.median(grid, axis=0)
    low, high = bootstrap_interval(np.full(size, 100.0), values, "k", 40_000)
    assert low == pytest.approx(np.quantile(medians, 0.025) - 100, abs=5.1)
    assert high == pytest.approx(np.quantile(medians, 0.975) - 100, abs=5.1)


def test_an_interval_is_the_same_everywhere():
    """Pinned: equal inputs give equal digits on every machine and in every release."""
    found = bootstrap_interval(SEEDED, SEEDED * 1.2, "a.key")
    assert found == pytest.approx((11.764705882352944, 28.84210526315789))
    assert bootstrap_interval(SEEDED, SEEDED * 1.2, "b.key", 99) != found


def test_the_exact_test_counts_orders():
    """As many of the 70 ways to divide eight ranks as are no less extreme."""
    old, new = np.array([1.0, 2, 3, 6]), np.array([4.0, 5, 7, 8])
    sums = [sum(chosen) for chosen in combinations(range(1, 9), 4)]
    extreme = sum(abs(s - 18) >= abs(12 - 18) for s in sums)
    assert rank_test(old, new) == pytest.approx(extreme / 70)


def test_adjusted_p_values_end_at_one():
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert adjust([0.01, 0.04, 0.03, 0.005], "holm") == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ((30, 20, 40, 0.05), "improved"),
        ((30, 20, 40, 0.0501), "inconclusive"),
        ((30, 0.0, 40), "inconclusive"),
        ((30, 0.01, 40), "improved"),
        ((-30, -40, 0.0), "inconclusive"),
        ((-30, -40, -0.01), "regressed"),
        ((5, 1, 9), "improved"),
        ((4.99, 1, 9), "inconclusive"),
        ((-5, -9, -1), "regressed"),
        ((0, -5, 5, 0.5), "comparable"),
        ((0, -5.01, 5, 0.5), "inconclusive"),
        ((0, -5, 5.01, 0.5), "inconclusive"),
        ((2, 1, 9, 0.5), "inconclusive"),
        ((-2, -9, -1, 0.5), "inconclusive"),
        ((30, None, 40), None),
        ((30, 20, None), None),
    ],
)
def test_the_limits_of_a_verdict(change, wanted):
    assert verdict(*change) == wanted


def test_the_floor_and_the_threshold_are_two_limits():
    assert verdict(8, 7, 9, floor=5, threshold=10) == "inconclusive"
    assert verdict(8, 7, 9, floor=10, threshold=9) == "comparable"
    assert verdict(0, -1, 1, floor=0.5, threshold=9) == "inconclusive"
