"""How well the models meet published numbers; these are limits, not wishes."""

from __future__ import annotations

import pytest

from analysis.declared.published import read_published
from analysis.errors import UserError
from models.backtest import backtest, backtests

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
    "generation": (9, 0.063, 0.18),
    "one-cp-streams": (3, 0.04, 0.072),
    "little": (6, 0.014, 0.054),
}


@pytest.mark.parametrize("id", LIMITS)
def test_errors_stay_within_what_was_seen(found, id):
    count, mean, worst = LIMITS[id]
    test = found[id]
    assert len(test.points) == count
    assert test.mean_error <= mean
    assert abs(test.worst_error) <= worst


def test_the_model_beats_the_rule_of_three(found):
    rule = found["gateway-proportional"].mean_error
    assert found["gateway-left-out"].mean_error < rule / 10


def test_generations_are_predicted_too_timidly_every_time(found):
    test = found["generation"]
    gains = [(p.predicted - 1, p.published - 1) for p in test.points]
    assert all(abs(predicted) <= abs(published) for predicted, published in gains)
    assert test.coverage == pytest.approx(8 / 9)


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


def test_comparable_rows_are_no_back_test():
    assert all(
        "P042" not in point.rows for point in backtest("generation", ROWS).points
    )


def test_each_back_test_can_be_run_by_its_id():
    rows = read_published()
    for test in backtests(rows):
        assert backtest(test.id, rows) == test
