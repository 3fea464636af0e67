"""Counts of rare events: values worked out by hand, and what bursts do."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.statistics.counts import (
    STATISTIC,
    count_change,
    count_interval,
    count_rate,
    count_ratio,
    count_warnings,
    dispersion,
)

ONES = np.ones(4)


def side(*events: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array(events), np.ones(len(events))


def test_a_rate_is_of_all_events_and_no_median():
    events, exposures = np.array([0.0, 0, 6]), np.array([1.0, 1, 2])
    assert count_rate(events, exposures) == 1.5


def test_dispersion_is_pearsons_and_never_less_than_that_of_independent_events():
    assert dispersion(*side(0, 10)) == pytest.approx(10)  # (25 + 25) / 5 / 1
    assert dispersion(*side(5, 5, 5)) == 1
    assert dispersion(*side(0, 0)) == 1


def test_independent_events_have_the_exact_interval_of_a_count():
    """40 events: 28.577 to 54.469, as tables of Poisson's distribution have it."""
    interval = count_interval(*side(10, 10, 10, 10))
    assert interval.low == pytest.approx(28.577 / 4, rel=1e-4)
    assert interval.high == pytest.approx(54.469 / 4, rel=1e-4)


def test_no_event_leaves_what_so_much_exposure_would_miss():
    """No event in 8: up to ln(40) / 8, which 2.5% would miss."""
    interval = count_interval(*side(0, 0, 0, 0, 0, 0, 0, 0))
    assert (interval.low, interval.high) == pytest.approx((0, math.log(40) / 8))


def test_bursts_widen_the_interval():
    even, bursts = count_interval(*side(5, 5, 5, 5)), count_interval(*side(0, 0, 0, 20))
    assert bursts.low < even.low / 2 and bursts.high > 2 * even.high
    assert count_interval(*side(20)) is None


def test_half_an_event_a_side_gives_a_ratio_to_nothing():
    ratio = count_ratio(side(0, 0, 0, 0), side(3, 4, 2, 3))
    assert ratio.estimate == pytest.approx(math.log(25))
    assert ratio.error == pytest.approx(math.sqrt(1 / 12.5 + 2))


def test_a_rise_from_nothing_is_a_change_that_ranks_confirm():
    change = count_change(side(0, 0, 0, 0, 0, 0), side(30, 41, 22, 35, 28, 33))
    assert change.value == pytest.approx((189.5 / 0.5 - 1) * 100)
    assert change.p_value < 0.05 and change.low > 0
    assert count_change(side(0, 0, 0), side(30, 41, 22)).interval is None


def test_a_single_burst_is_no_change():
    change = count_change(side(0, 1, 0, 1, 0, 1), side(0, 1, 0, 90, 1, 0))
    assert change.value == pytest.approx((92 / 3 - 1) * 100)
    assert change.p_value > 0.05 and change.low == 0


def test_without_any_event_nothing_is_tested():
    change = count_change(side(0, 0, 0, 0), side(0, 0, 0, 0))
    assert (change.value, change.interval, change.p_value) == (0, None, None)


def test_an_end_of_all_events_is_a_fall_by_all_of_them():
    change = count_change(side(30, 41, 22, 35, 28, 33), side(*[0] * 6))
    assert change.value == change.low == -100
    assert change.high < 0


def test_bursts_alone_seldom_look_like_a_change():
    rng = np.random.default_rng(7)
    alarms = 0
    for _ in range(400):
        sides = [rng.poisson(rng.gamma(0.7, 8.0, 8)).astype(float) for _ in range(2)]
        change = count_change(*((events, np.ones(8)) for events in sides))
        alarms += change.p_value is not None and change.p_value <= 0.05
    assert alarms <= 0.07 * 400


def test_runs_without_events_and_single_runs_are_told():
    assert [w.kind for w in count_warnings(np.zeros(5))] == ["none_at_all"]
    assert "0 in all 5 runs" in count_warnings(np.zeros(5))[0].words
    assert [w.kind for w in count_warnings(np.ones(1))] == ["few"]
    assert STATISTIC.smallest == 2
