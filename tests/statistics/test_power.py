"""Power: what books say, and what verdicts that are simulated do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import nct, t

from analysis.derive.family import judge
from analysis.statistics.median_change import measure_change
from analysis.statistics.power import (
    POWER,
    ChangeRule,
    median_error,
    welch_degrees,
)


@pytest.mark.parametrize("degrees", [4, 18, 60])
@pytest.mark.parametrize("level", [0.05, 0.001])
@pytest.mark.parametrize("shift", [1.0, 3.0, 6.0])
def test_without_a_limit_it_is_the_noncentral_t(degrees, level, shift) -> None:
    beyond = t.isf(level / 2, degrees)
    expected = nct.sf(beyond, degrees, shift)
    assert ChangeRule(1.0, degrees, level).power(shift) == pytest.approx(
        expected, abs=0.006
    )


def test_the_unit_of_the_shift_is_that_of_the_error() -> None:
    first = ChangeRule(0.02, 9, 0.01, 0.03, 1.2, (5, 6)).power(0.05)
    second = ChangeRule(2, 9, 0.01, 3, 1.2, (5, 6)).power(5)
    assert first == pytest.approx(second)


def test_a_change_at_the_limit_is_seen_every_other_time() -> None:
    for median in (1.0, 1.25):
        rule = ChangeRule(0.001, 18, 0.01, 0.05, median)
        assert rule.power(0.05) == pytest.approx(0.5)


@pytest.mark.parametrize("limit", [0.0, 0.05])
def test_the_smallest_shift_has_four_fifths(limit) -> None:
    rule = ChangeRule(0.02, 12, 0.01, limit, 1.2)
    found = rule.smallest_shift()
    assert rule.power(found) == pytest.approx(POWER, abs=0.002)
    assert found > limit


def test_of_too_few_runs_for_a_family_no_change_is_seen() -> None:
    rule = ChangeRule(0.02, 4.8, 0.01, runs=(4, 4))  # the ranks reach 1 in 70
    assert rule.power(10.0) == 0
    assert rule.smallest_shift() == math.inf
    assert ChangeRule(0.02, 4.8, 0.02, runs=(4, 4)).smallest_shift() < 0.3


@pytest.mark.parametrize("runs", [4, 5, 6, 7, 10, 15, 40])
def test_the_error_of_medians_and_the_degrees_of_welch(runs) -> None:
    drawn = np.random.default_rng(runs).normal(size=(2, 20_000, runs))
    ratio = np.median(drawn[0], axis=1).std() * math.sqrt(runs)
    assert median_error(runs) == pytest.approx(ratio, rel=0.025)
    first, second = drawn.var(axis=2, ddof=1)
    degrees = (runs - 1) * (first + second) ** 2 / (first**2 + second**2)
    assert welch_degrees(runs) == pytest.approx(degrees.mean(), rel=0.05)


@pytest.mark.parametrize("runs", [5, 6, 10, 20])
@pytest.mark.parametrize("family", [1, 12])
@pytest.mark.parametrize("floor", [0.0, 5.0])
def test_predicted_power_is_the_share_of_simulated_verdicts(
    runs, family, floor
) -> None:
    """Predicted within seven points of 400 simulated verdicts, whose own standard error
    is two points, at a change that is seen about two times in three."""
    spread, level = 0.04, 0.05 / family
    error, limit = spread * math.sqrt(2 / runs), math.log1p(floor / 100)
    more = limit, median_error(runs), (runs, runs)
    rule = ChangeRule(error, welch_degrees(runs), level, *more)
    shift = 0.9 * rule.smallest_shift()
    rng, seen = np.random.default_rng(runs), 0
    for _ in range(400):
        sides = (
            np.exp(rng.normal(0, spread, runs)),
            np.exp(rng.normal(shift, spread, runs)),
        )
        change = measure_change(*sides)
        assert change is not None
        adjusted = min(1.0, (change.p_value or 0.0) * family)
        seen += judge(change, adjusted, "higher", floor, floor) == "improved"
    assert seen / 400 == pytest.approx(rule.power(shift), abs=0.07)
