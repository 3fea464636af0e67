"""Runs that rise or fall with time, and what a drift leaves of a comparison."""

import numpy as np
import pytest
from scipy.stats import t

from analysis.statistics.drift import Drift, drift, without_drift

STARTS = [60.0 * n for n in range(10)]
RISING = np.array([95.0, 96.0, 97.0, 98.0, 99.0, 101.0, 102.0, 103.0, 104.0, 105.0])


def test_a_drift_is_told_in_percent_of_the_median() -> None:
    found = drift(STARTS, 91.0 + 2.0 * np.arange(10))
    assert found is not None
    assert found.percent == pytest.approx(18.0)  # from 91 to 109, of 100
    assert found.deviations == pytest.approx(3.0)  # all in a row: √(10 − 1)
    assert found.sure


def test_a_fall_is_below_zero_in_whatever_order_the_runs_are_given() -> None:
    found = drift(STARTS[::-1], RISING)
    assert found is not None
    assert found.percent == pytest.approx(-10.125)  # 1 1/8 a run, of 100
    assert found.deviations == pytest.approx(-3.0)


@pytest.mark.parametrize(
    ("started", "values"),
    [
        (STARTS[:6], RISING[:6]),  # too few
        (STARTS[:9] + STARTS[:1], RISING),  # two at once
        ([], RISING),  # no starts
        (STARTS, np.full(10, 5.0)),
        (STARTS, RISING - 100.0),  # of no median
    ],
)
def test_a_drift_that_cannot_be_told_is_none(started, values) -> None:
    assert drift(started, values) is None


@pytest.mark.parametrize("runs", [10, 20])
def test_one_shuffled_sample_in_a_hundred_seems_to_drift(runs: int) -> None:
    rng = np.random.default_rng(7)
    starts = [60.0 * n for n in range(runs)]
    found = [drift(starts, rng.normal(100, 3, runs)) for _ in range(1500)]
    share = np.mean([one is not None and one.sure for one in found])
    assert 0 < share <= 0.02


def pair(slope: float, change: float, seed: int, runs: int = 10):
    """Two sides that ran one after the other on a machine that drifts."""
    noise = np.random.default_rng(seed).normal(0, 0.03, 2 * runs)
    found = 100 * np.exp(noise + slope * np.arange(2 * runs))
    return found[:runs], found[runs:] * change


PLACES = (np.arange(10.0), np.arange(10.0, 20.0))


@pytest.mark.parametrize("slope", [0.0, 0.01, 0.05])
def test_equal_sides_of_a_drifting_machine_are_equal_19_times_in_20(slope) -> None:
    found = [without_drift(*pair(slope, 1.0, seed), PLACES) for seed in range(300)]
    assert all(found)
    ends = [one.interval() for one in found]
    assert np.mean([low <= 0 <= high for low, high in ends]) > 0.92
    assert np.mean([one.p_value <= 0.05 for one in found]) < 0.08


def test_a_large_change_is_seen_beside_a_drift() -> None:
    found = without_drift(*pair(0.01, 1.5, 1), PLACES)
    assert found is not None
    assert found.p_value < 0.001
    low, high = found.interval()
    assert low < 50 < high


def test_ratio_and_p_value_are_those_of_least_squares() -> None:
    logs = np.array([0.0, 1.0, 0.0]), np.array([2.0, 3.0, 3.0])
    places = np.array([0.0, 1.0, 2.0]), np.array([3.0, 4.0, 5.0])
    found = without_drift(np.exp(logs[0]), np.exp(logs[1]), places)
    assert found is not None
    # The sides are 2 1/3 apart and drift by 1/4 a place, over 3 places. What is left is
    # 4/3 - 1/4 of three degrees, and the error of the change is that × (2/3 + 9/4).
    change, error = 7 / 3 - 3 / 4, ((4 / 3 - 1 / 4) / 3 * (2 / 3 + 9 / 4)) ** 0.5
    assert (found.estimate, found.error) == pytest.approx((change, error))
    assert found.degrees == 3
    assert found.p_value == pytest.approx(2 * t.sf(change / error, 3))


@pytest.mark.parametrize(("change", "p_value"), [(1.0, 1.0), (1.5, 0.0)])
def test_constant_sides_differ_or_do_not(change: float, p_value: float) -> None:
    sides = np.full(10, 2.0), np.full(10, 2.0 * change)
    found = without_drift(*sides, PLACES)
    assert found is not None
    assert found.p_value == p_value
    assert found.interval() == pytest.approx((100 * (change - 1),) * 2)


@pytest.mark.parametrize("off", [94.5, 95.0, 95.5, 97.0])
def test_values_that_are_not_above_zero_are_no_ratio(off: float) -> None:
    for sides in ((RISING, RISING - off), (RISING - off, RISING)):
        assert (without_drift(*sides, PLACES) is None) == (off >= 95)


@pytest.mark.parametrize("deviations", [2.39, 2.4, 2.41])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_drift_is_sure_from_so_many_standard_errors(deviations, sign) -> None:
    assert Drift(0.0, sign * deviations).sure == (deviations >= 2.4)


def test_seven_runs_tell_a_drift_by_the_median_of_all_slopes() -> None:
    """Runs of 1, 2, 4, …, 64 a second apart: half of 21 slopes are below 7.75."""
    values = 2.0 ** np.arange(7)
    slopes = [
        (values[j] - values[i]) / (j - i) for i in range(7) for j in range(i + 1, 7)
    ]
    found = drift(list(range(7)), values)
    assert found is not None
    assert found.percent == pytest.approx(sorted(slopes)[10] * 6 / 8 * 100)
    assert found.deviations == pytest.approx(6**0.5)
