"""How well the models meet published numbers; these are limits, not wishes."""

from __future__ import annotations

import math

import pytest

from analysis.declared.published import read_published
from analysis.errors import UserError
from models.backtest import BackTest, BacktestPoint, backtest, backtests
from models.generation import read_capacities, spread_of

ROWS = read_published()


@pytest.fixture(scope="module")
def found():
    return {test.id: test for test in backtests(ROWS)}


# id: points, mean error at most, farthest error at most
LIMITS = {
    "audit": (1, 0.08, 0.08),
    "gateway-left-out": (42, 0.006, 0.022),
    "gateway-beyond-400": (14, 0.013, 0.046),
    "gateway-beyond-300": (21, 0.052, 0.25),
    "generation": (11, 0.068, 0.174),
}


@pytest.mark.parametrize("id", LIMITS)
def test_errors_stay_within_what_was_seen(found, id):
    count, mean, worst = LIMITS[id]
    test = found[id]
    assert len(test.points) == count
    assert test.mean_error <= mean
    assert abs(test.worst_error) <= worst


def test_generations_are_predicted_too_timidly_where_they_changed(found):
    test = found["generation"]
    gains = [(p.predicted - 1, p.published - 1) for p in test.points]
    changed = [pair for pair in gains if pair[1]]
    assert len(changed) == 9
    assert all(abs(predicted) <= abs(published) for predicted, published in changed)
    assert test.coverage == 1.0


def test_the_declared_spread_of_a_transfer_is_that_of_its_back_test(found):
    errors = [math.log1p(p.error) for p in found["generation"].points]
    assert read_capacities().spread.value == pytest.approx(spread_of(errors), abs=5e-4)


def test_a_few_errors_are_taken_for_more_than_their_size():
    # The 95% points of Student's t with 2 degrees and of the normal distribution.
    assert spread_of([0.1, -0.1]) == pytest.approx(0.1 * 2.919986 / 1.644854)
    assert spread_of([0.3] * 5000) == pytest.approx(0.3, rel=1e-3)


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


def test_a_hidden_number_does_not_bear_on_its_prediction():
    hidden = "P073"
    changed = [
        row.model_copy(update={"value": 700.0}) if row.id == hidden else row
        for row in ROWS
    ]
    before, after = (backtest("audit", rows).points[0] for rows in (ROWS, changed))
    assert after.predicted == before.predicted
    assert after.error != before.error


def test_a_published_number_that_is_missing_is_named():
    with pytest.raises(UserError, match="0 published rows have"):
        backtest("audit", [row for row in ROWS if row.id != "P073"])


def test_what_was_published_as_no_change_is_held_against_the_model(found):
    unchanged = [p for p in found["generation"].points if p.rows == ("P042",)]
    assert [p.published for p in unchanged] == [1.0]


def test_each_back_test_can_be_run_by_its_id():
    rows = read_published()
    for test in backtests(rows):
        assert backtest(test.id, rows) == test


@pytest.mark.parametrize(
    ("published", "inside"), [(2.0, 1.0), (3.0, 1.0), (1.999, 0.0), (3.001, 0.0)]
)
def test_the_ends_of_a_range_belong_to_it(published, inside):
    point = BacktestPoint("a point", published, 2.5, (), 2.0, 3.0)
    assert BackTest("id", "model", "question", (point,)).coverage == inside
