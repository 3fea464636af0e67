"""Runs that resemble their neighbours: measured, and what they cost."""

import numpy as np
import pytest

from analysis.derive.delta import rank_test
from analysis.derive.order import (
    Likeness,
    drift,
    in_one_go,
    likeness,
    thin_p_value,
    widen,
)


def series(correlation: float, runs: int, seed: int) -> np.ndarray:
    """Values of a machine whose state decays by ``correlation`` from run to run."""
    rng = np.random.default_rng(seed)
    state, found = rng.normal(), []
    for _ in range(runs):
        state = correlation * state + rng.normal() * np.sqrt(1 - correlation**2)
        found.append(100 + 3 * state)
    return np.array(found)


@pytest.mark.parametrize("correlation", [0.0, 0.4, 0.8])
def test_the_correlation_comes_back_from_many_short_series(correlation: float) -> None:
    found = likeness([series(correlation, 10, seed) for seed in range(400)])
    assert found.correlation == pytest.approx(correlation, abs=0.08)
    assert found.sure == (correlation > 0)


def test_independent_runs_are_called_alike_one_time_in_twenty() -> None:
    sure = [
        likeness([series(0.0, 10, 100 * table + n) for n in range(10)]).sure
        for table in range(300)
    ]
    assert np.mean(sure) < 0.08


def test_short_and_constant_series_tell_nothing() -> None:
    assert likeness([np.array([1.0, 2.0, 3.0]), np.full(9, 5.0)]) == Likeness()


def test_a_table_of_equal_configurations_has_no_false_verdict() -> None:
    false = before = 0
    for table in range(60):
        pairs = [np.split(series(0.8, 20, 50 * table + n), 2) for n in range(5)]
        alike = likeness([side for pair in pairs for side in pair])
        p_values = [rank_test(a, b) for a, b in pairs]
        thin = [thin_p_value(p, 20, alike.runs_as_one) for p in p_values]
        before += min(p_values) * 5 <= 0.05
        false += min(thin) * 5 <= 0.05
    assert before > 30
    assert false <= 5


def test_independent_runs_keep_their_p_value() -> None:
    assert thin_p_value(0.01, 20, 1.0) == 0.01
    assert Likeness(-0.3, -2.0).runs_as_one == 1.0


def test_more_runs_as_one_never_make_a_change_surer() -> None:
    found = [thin_p_value(0.001, 20, count) for count in (1.0, 1.5, 3.0, 9.0, 39.0)]
    assert found == sorted(found)
    assert found[-1] <= 1.0


def test_an_interval_grows_round_its_value() -> None:
    assert widen(-50.0, -40.0, 1.0) == pytest.approx(-40.0)
    assert widen(-50.0, -40.0, 4.0) == pytest.approx(100 * (0.5 * 1.2**2 - 1))
    assert widen(-50.0, -60.0, 4.0) == pytest.approx(100 * (0.5 * 0.8**2 - 1))


def test_the_order_of_two_sides() -> None:
    assert in_one_go([1, 2, 3], [4, 5])
    assert in_one_go([4, 5], [1, 2, 3])
    assert not in_one_go([1, 4], [2, 3])
    assert not in_one_go([], [1])


def test_a_drift_is_told_in_percent_of_the_median() -> None:
    started = [0.0, 60.0, 120.0, 180.0, 240.0]
    values = np.array([98.0, 99.0, 100.0, 101.0, 102.0])
    assert drift(started, values) == pytest.approx(4.0)
    assert drift(started[:3], values[:3]) == 0.0
