"""How well the models meet published numbers; these are limits, not wishes."""

from __future__ import annotations

import math

import pytest

from analysis.declared.published import read_published
from models.backtest import BacktestPoint, backtest, backtests, made_of
from models.generation import read_capacities
from models.prediction import spread_of

ROWS = read_published()


@pytest.fixture(scope="module")
def found():
    return {test.id: test for test in backtests(ROWS)}


# id: points, refused, mean error at most, farthest error at most
LIMITS = {
    "gateway": (44, 0, 0.012, 0.093),
    "storage": (56, 4, 0.028, 0.48),
    "generation": (11, 0, 0.068, 0.174),
}


@pytest.mark.parametrize("id", LIMITS)
def test_errors_stay_within_what_was_seen(found, id):
    count, refused, mean, worst = LIMITS[id]
    test = found[id]
    assert (len(test.points), test.refused, test.data) == (count, refused, "published")
    assert test.mean_error <= mean
    assert abs(test.worst_error) <= worst


@pytest.mark.parametrize("id", ["gateway", "storage"])
def test_ranges_of_90_percent_hold_on_published_loads(found, id):
    assert 0.80 <= found[id].coverage <= 0.97


def test_generations_are_predicted_too_timidly_where_they_changed(found):
    test = found["generation"]
    gains = [(p.predicted - 1, p.actual - 1) for p in test.points]
    changed = [pair for pair in gains if pair[1]]
    assert len(changed) == 9
    assert all(abs(predicted) <= abs(published) for predicted, published in changed)
    assert test.coverage == 1.0


def test_the_declared_spread_of_a_transfer_is_that_of_its_back_test(found):
    errors = [math.log1p(p.error) for p in found["generation"].points]
    assert read_capacities().spread.value == pytest.approx(spread_of(errors), abs=5e-4)


def test_a_generation_is_held_against_a_range_that_others_gave(found):
    moved = [
        row.model_copy(update={"value": -50.0}) if row.id == "P044" else row
        for row in ROWS
    ]
    before, after = found["generation"].points, backtest("generation", moved).points
    wider = {
        b.label.partition(",")[0]: a.high / a.low > 1.5 * b.high / b.low
        for a, b in zip(after, before, strict=True)
    }
    assert wider == {"hipersockets-z17": True, "smcd-z17": False}


def test_a_hidden_number_does_not_bear_on_its_prediction(found):
    point = found["gateway"].points[0]
    (hidden,) = point.rows
    changed = [
        row.model_copy(update={"value": 700.0}) if row.id == hidden else row
        for row in ROWS
    ]
    after = backtest("gateway", changed).points[0]
    assert (after.predicted, after.low) == (point.predicted, point.low)
    assert after.error != point.error


def test_what_was_published_as_no_change_is_held_against_the_model(found):
    unchanged = [p for p in found["generation"].points if p.rows == ("P042",)]
    assert [p.actual for p in unchanged] == [1.0]


def test_each_back_test_can_be_run_by_its_id():
    rows = read_published()
    for test in backtests(rows):
        assert backtest(test.id, rows) == test


@pytest.mark.parametrize(
    ("actual", "inside"), [(2.0, 1.0), (3.0, 1.0), (1.999, 0.0), (3.001, 0.0)]
)
def test_the_ends_of_a_range_belong_to_it(actual, inside):
    point = BacktestPoint("a point", actual, 2.5, 2.0, 3.0)
    assert made_of("id", "measured", ("model", "question"), [point]).coverage == inside


def test_what_is_refused_is_counted_and_has_no_error():
    test = made_of("id", "measured", ("model", "question"), [None, None])
    assert (test.refused, test.points) == (2, ())
    assert test.coverage is test.mean_error is test.worst_error is test.bias is None
