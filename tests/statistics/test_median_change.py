"""The change of a median: its interval, its p-value, and that the two agree."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics.log_ratio import LogRatio, welch
from analysis.statistics.median_change import Change, measure_change, percent
from analysis.statistics.ranks import rank_test

FOUR = np.array([10.0, 11.0, 12.0, 14.0])
FIVE = np.array([10.0, 11.0, 12.0, 14.0, 20.0])
LOW = np.array([97.0, 98, 99, 100, 101, 102, 103, 104, 96, 95])
sides = st.lists(st.floats(1, 1e6), min_size=4, max_size=15).map(np.array)


def changed(*args) -> Change:
    found = measure_change(*args)
    assert found is not None
    assert found.interval is not None
    return found


def test_a_change_is_the_ratio_of_two_medians_with_welchs_intervals() -> None:
    found, ratio = changed(FOUR, FOUR * 1.5), welch(FOUR, FOUR * 1.5)
    assert found.value == pytest.approx(50)
    assert found.interval == ratio.interval()
    assert (found.low_90, found.high_90) == ratio.interval(0.9)
    assert found.p_value == 1 / 70 > ratio.p_value  # of 70 orders one is as far
    assert percent(11, 8) == 37.5


@pytest.mark.parametrize(
    ("baseline", "test", "expected"),
    [
        (FOUR[:0], FOUR, None),
        (FOUR, FOUR[:0], None),
        (FOUR - 10, FOUR, None),  # a zero has no ratio
        (FOUR - 12, FOUR, None),
        (FOUR[:3] - 9.5, FOUR, Change((11.5 / 1.5 - 1) * 100)),
        (FOUR[:3], FOUR, Change((11.5 / 11 - 1) * 100)),
        (FOUR, FOUR[:3], Change((11 / 11.5 - 1) * 100)),
        (FOUR[:1], FOUR[3:], Change((1.4 - 1) * 100)),
    ],
)
def test_few_runs_give_a_bare_value_and_none_nothing(baseline, test, expected) -> None:
    found = measure_change(baseline, test)
    assert (found and found.value) == pytest.approx(expected and expected.value)
    assert found is None or found.interval is found.p_value is found.low_90 is None


@pytest.mark.parametrize(
    "change", [Change(1.0, 2.0), Change(1.0, None, 2.0), Change(1.0)]
)
def test_half_an_interval_is_none(change: Change) -> None:
    assert change.interval is None


def test_an_interval_may_begin_or_end_at_zero() -> None:
    assert Change(1.0, 0.0, 0.0).interval == (0.0, 0.0)


def test_the_larger_p_value_counts() -> None:
    apart = changed(FIVE, 3 * FIVE)
    assert apart.p_value == rank_test(FIVE, 3 * FIVE) == pytest.approx(1 / 252)
    assert welch(FIVE, 3 * FIVE).p_value < 1 / 252
    wide = FIVE * np.exp([1.0, 1, 2, 5, 9])
    assert changed(FIVE, wide).p_value == welch(FIVE, wide).p_value > 1 / 252


@given(sides, sides)
def test_a_small_p_value_goes_with_an_interval_without_zero(baseline, test) -> None:
    found = changed(baseline, test)
    assert found.low <= found.low_90 <= found.value <= found.high_90 <= found.high
    if found.p_value < 0.05 - 1e-9:
        assert found.low > 0 or found.high < 0


@given(sides, sides)
def test_units_do_not_matter_and_a_swap_turns_it(baseline, test) -> None:
    there, back = changed(baseline, test), changed(test, baseline)
    assert changed(baseline * 4, test * 4) == there
    assert (1 + there.value / 100) * (1 + back.value / 100) == pytest.approx(1)
    assert (1 + there.low / 100) * (1 + back.high / 100) == pytest.approx(1)
    assert back.p_value == pytest.approx(there.p_value)


def test_a_median_beyond_the_interval_of_means_extends_it() -> None:
    """Two modes: the means hardly move, and the medians from one to the other."""
    before, after = (np.repeat([100.0, 120], runs) for runs in ((11, 9), (9, 11)))
    ratio, found = welch(before, after), changed(before, after)
    assert ratio.interval()[1] < 20 == pytest.approx(found.value)
    assert (found.low, found.high) == (ratio.interval()[0], found.value)


def test_what_else_is_known_of_the_runs_widens_the_interval_and_counts() -> None:
    plain = changed(LOW, 1.5 * LOW)
    beside = LogRatio(np.log(1.4), 0.2, 5)
    found = changed(LOW, 1.5 * LOW, 1.0, [beside])
    assert (found.low, found.high) == beside.interval()
    assert (found.low_90, found.high_90) == beside.interval(0.9)
    assert found.p_value == beside.p_value > plain.p_value
    against = changed(LOW, 1.5 * LOW, 1.0, [LogRatio(-0.4, 0.01, 5)])
    assert against.p_value == 1.0
    assert against.low < 0 < against.high


def test_alike_runs_leave_a_wider_interval() -> None:
    plain, alike = changed(LOW, 1.1 * LOW), changed(LOW, 1.1 * LOW, 3.0)
    assert (alike.low, alike.high) == welch(LOW, 1.1 * LOW, 3.0).interval()
    assert alike.low < plain.low < plain.high < alike.high
    assert alike.p_value > plain.p_value


@pytest.mark.parametrize(
    ("test", "p_value"), [([0.0, 1, 2, 3], 1 / 70), ([0.0, 3, 9, 16], 1.0)]
)
def test_zeros_leave_the_ranks_and_the_interval_of_all_pairs(test, p_value) -> None:
    found = changed(FOUR, np.array(test))
    assert found.interval == pytest.approx((-100, 10 * test[-1] - 100))
    assert found.interval == (found.low_90, found.high_90)
    assert found.p_value == pytest.approx(p_value)


@pytest.mark.parametrize("n", [6, 24])
def test_equal_medians_of_unequal_spread_are_not_told_apart(n: int) -> None:
    rng = np.random.default_rng(11)
    pairs = [(rng.normal(100, 8, 6), rng.normal(100, 2, n)) for _ in range(600)]
    assert np.mean([changed(*pair).p_value <= 0.01 for pair in pairs]) < 0.025


def test_the_exact_test_counts_orders() -> None:
    """As many of the 70 ways to divide eight ranks as are no less extreme."""
    old, new = np.array([1.0, 2, 3, 6]), np.array([4.0, 5, 7, 8])
    sums = [sum(chosen) for chosen in combinations(range(1, 9), 4)]
    extreme = sum(s <= 12 for s in sums)
    assert rank_test(old, new) == pytest.approx(extreme / 70)
