"""The ratio on logarithms, against scipy and against plain reckoning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, ttest_ind

from analysis.statistics.log_ratio import LogRatio, welch

FIRST = np.array([0.0, 1, 2, 3, 4])  # logs: their mean varies by 2.5 / 5
SECOND = np.array([6.0, 6, 6, 6, 6, 12])  # by 6 / 6, round 7
LEVEL = np.array([98.0, 99, 100, 101, 102, 97, 103, 100, 99, 101])
sides = st.lists(st.floats(1, 1e6), min_size=2, max_size=15).map(np.array)


def ratio(*args) -> LogRatio:
    found = welch(*args)
    assert found is not None
    return found


def percent(logs) -> tuple[float, float]:
    low, high = (100 * np.expm1(end) for end in logs)
    return low, high


@pytest.mark.parametrize(
    ("runs", "outlier"), [(4, 1), (10, 1), (9, 3), (10, 3), (25, 3)]
)
def test_interval_and_p_value_are_those_of_scipy(runs: int, outlier: float) -> None:
    """Of Welch, and of Yuen from ten runs on where one of them is an outlier."""
    rng = np.random.default_rng(3)
    first = np.linspace(1, 1.2, runs + 3) * rng.normal(1, 0.001, runs + 3)
    second = np.linspace(1.1, 1.4, runs) * rng.normal(1, 0.001, runs)
    second[0] *= outlier
    trim = 0.1 if outlier > 1 and runs >= 10 else 0.0
    logs = np.log(second), np.log(first)
    wanted = ttest_ind(*logs, equal_var=False, trim=trim)
    found = ratio(first, second)
    assert found.p_value == pytest.approx(wanted.pvalue)
    for confidence in (0.9, 0.95):
        ends = percent(wanted.confidence_interval(confidence))
        assert found.interval(confidence) == pytest.approx(ends)


@given(sides, sides)
def test_the_interval_leaves_out_zero_where_the_p_value_is_small(first, second) -> None:
    found = ratio(first, second)
    low, high = found.interval()
    if abs(found.p_value - 0.05) > 1e-9:
        assert (found.p_value < 0.05) == (low > 0 or high < 0)


@given(sides, sides)
def test_a_swap_turns_it_and_units_do_not_matter(first, second) -> None:
    there, back = ratio(first, second), ratio(second, first)
    assert back.estimate == pytest.approx(-there.estimate)
    assert back.error == pytest.approx(there.error)
    assert back.degrees == pytest.approx(there.degrees)
    assert ratio(4 * first, 4 * second) == there


def test_one_outlier_of_ten_runs_hides_no_change() -> None:
    runs = np.append(LEVEL[:9], 55)
    assert ratio(runs, 1.2 * LEVEL).p_value < 1e-6
    assert ratio(LEVEL, 1.2 * runs).p_value < 1e-6


def test_runs_that_are_equal_but_for_one_keep_their_spread() -> None:
    found = ratio(np.append(np.full(19, 5.0), 6), np.full(20, 5.0))
    assert found.error > 0


@pytest.mark.parametrize(
    ("runs_as_one", "kept", "left"),
    [
        (1.0, (1.0, 1.0), (4, 5)),
        (2.0, (1 - 1 / 4, 1 - 1 / 5), (1.5, 2)),
        (2.5, (1 - 1.5 / 4, 1 - 1.5 / 5), (1, 1.4)),
        (4.5, (0.2, 1 - 3.5 / 5), (0.5, 0.5)),
        (9.0, (0.2, 0.2), (0.5, 0.5)),
    ],
)
def test_alike_runs_are_welchs_with_fewer_runs(runs_as_one, kept, left) -> None:
    parts = 0.5 / kept[0] * runs_as_one, 1.0 / kept[1] * runs_as_one
    degrees = sum(parts) ** 2 / (parts[0] ** 2 / left[0] + parts[1] ** 2 / left[1])
    found = ratio(np.exp(FIRST), np.exp(SECOND), runs_as_one)
    assert found.estimate == pytest.approx(5)
    assert found.degrees == pytest.approx(degrees)
    expected = 2 * t.sf(5 / sum(parts) ** 0.5, degrees)
    assert found.p_value == pytest.approx(expected)


def test_more_runs_as_one_never_make_a_change_surer() -> None:
    found = [ratio(LEVEL, 1.1 * LEVEL, n).p_value for n in (1.0, 1.5, 3.0, 9.0, 39.0)]
    assert found == sorted(found)
    assert found[-1] <= 1.0


def test_an_interval_without_a_bound_is_a_number() -> None:
    low, high = LogRatio(1.0, 50.0, 0.5).interval()
    assert low == pytest.approx(-100)
    assert 1e200 < high < np.inf


@pytest.mark.parametrize(("factor", "p_value"), [(1.0, 1.0), (2.0, 0.0)])
def test_sides_without_spread_differ_or_do_not(factor: float, p_value: float) -> None:
    same = np.full(5, 2.0)
    found = ratio(same, factor * same)
    assert found.p_value == p_value
    assert found.interval() == pytest.approx((100 * (factor - 1),) * 2)


@pytest.mark.parametrize("least", [0.0, -0.5])
def test_a_value_that_is_not_above_zero_has_no_ratio(least: float) -> None:
    low = np.array([least, 2.0, 3.0, 4.0])
    assert welch(np.exp(FIRST), low) is None
    assert welch(low, np.exp(FIRST)) is None
    assert welch(np.exp(FIRST), low + 0.6) is not None
