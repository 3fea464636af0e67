"""Sessions: values worked out by hand, and what luck of a session does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.statistics.log_ratio import welch
from analysis.statistics.sessions import (
    session_change,
    session_interval,
    session_medians,
    session_ratio,
)
from tests.statistics.coverage import Sessions, simulate_sessions

T1, T2 = 12.7062, 4.3027  # of Student, 97.5%, with one and two degrees of freedom


def test_a_session_counts_once_by_the_median_of_its_runs():
    values = np.array([5.0, 1.0, 9.0, 2.0, 4.0])
    assert session_medians(values, ["b", "a", "b", "a", "b"]) == {"b": 5.0, "a": 1.5}


def test_the_same_sessions_are_compared_within_each():
    before, after = {"1": 100.0, "2": 400.0}, {"1": 100 * math.e**0.1}
    ratio = session_ratio(before, after | {"2": 400 * math.e**0.3})
    assert (ratio.estimate, ratio.error, ratio.degrees) == pytest.approx((0.2, 0.1, 1))
    assert ratio.p_value == pytest.approx(1 - 2 * math.atan(2) / math.pi)
    ends = (math.expm1(0.2 + side * T1 * 0.1) * 100 for side in (-1, 1))
    assert ratio.interval() == pytest.approx(tuple(ends), rel=1e-4)


def test_other_sessions_are_compared_by_the_ratio_of_welch():
    before, after = {"1": 100.0, "2": 110.0, "3": 95.0}, {"4": 130.0, "5": 121.0}
    held = welch(np.array([100.0, 110, 95]), np.array([130.0, 121]))
    assert session_ratio(before, after) == held
    assert session_ratio(before, {**after, "1": 0.0}) is None


def test_the_interval_of_a_value_is_that_of_its_sessions_and_encloses_it():
    medians = {str(n): 10 * math.e**x for n, x in enumerate((-0.1, 0.0, 0.1))}
    reach = T2 * 0.1 / math.sqrt(3)
    low, high = session_interval(medians, 10.0)
    assert (low, high) == pytest.approx(
        (10 * math.exp(-reach), 10 * math.exp(reach)), rel=1e-4
    )
    assert session_interval(medians, 20.0) == pytest.approx((low, 20.0))
    assert session_interval({"1": 0.0, "2": 1.0}, 1.0) is None


def test_a_change_has_the_value_of_the_runs_and_the_interval_of_sessions():
    before, after = np.array([100.0, 120, 140]), np.array([115.0, 131, 160])
    medians = (
        {"1": 100.0, "2": 120.0, "3": 140.0},
        {"1": 115.0, "2": 131.0, "3": 160.0},
    )
    change = session_change(before, after, *medians)
    assert change.value == pytest.approx(131 / 1.2 - 100)
    assert (change.low, change.high) == session_ratio(*medians).interval()
    assert change.low < change.low_90 < change.value < change.high_90 < change.high
    assert change.p_value == session_ratio(*medians).p_value < 0.05


def test_sessions_that_deny_the_direction_of_the_runs_show_nothing():
    before, after = np.array([100.0, 100, 200]), np.array([150.0, 90, 180])
    medians = {"1": 100.0, "2": 200.0}, {"1": 90.0, "2": 180.0}
    change = session_change(before, after, *medians)
    assert change.value == pytest.approx(50)
    assert change.low < 0 < change.high
    assert change.p_value == 1


def test_zero_has_no_ratio():
    zero, one = {"1": 0.0, "2": 0.0}, {"1": 1.0, "2": 1.0}
    assert session_change(np.zeros(2), np.ones(2), zero, one) is None
    change = session_change(np.ones(2), np.zeros(2), one, zero)
    assert (change.value, change.interval, change.p_value) == (-100, None, None)


@pytest.mark.parametrize("same", [False, True])
def test_five_sessions_cover_what_runs_of_one_do_not(same):
    covers, false = simulate_sessions(Sessions(5, 4, same), tables=60)
    assert covers >= 0.93
    assert false <= 0.1
    covers, _ = simulate_sessions(Sessions(1, 10, told=False), tables=20)
    assert covers < 0.65
