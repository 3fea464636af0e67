"""Runs that resemble their neighbours: numbers worked out by hand."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from analysis.statistics.neighbours import (
    Likeness,
    _as_few,
    in_blocks,
    likeness,
    stretches,
)

ZIGZAG = np.exp(np.array([1.0, -1, 1, -1]))
STEP = np.exp(np.array([-1.0] * 4 + [1] * 4))


def test_one_series_is_freed_of_its_bias() -> None:
    """Products −1 by 3 pairs; independent runs of four show −1/3; × 1 / (1 − 3/4)."""
    found = likeness([ZIGZAG])
    assert found.correlation == pytest.approx((-1 + 1 / 3) * 4)
    assert found.deviations == pytest.approx((-1 + 1 / 3) * 3**0.5)


def test_series_count_by_their_pairs() -> None:
    """−3 of 3 pairs and 5 of 7 are 2 of 10; six runs a series show −1/5 by chance."""
    found = likeness([ZIGZAG, STEP, ZIGZAG[:3]])
    assert found.correlation == pytest.approx((0.2 + 0.2) / (1 - 3 / 6))
    assert found.deviations == pytest.approx(0.4 * 10**0.5)


@pytest.mark.parametrize("least", [1.0, 0.5, 1e-3])
def test_values_above_zero_are_taken_by_their_ratios(least: float) -> None:
    ratios = np.array([1.0, 2, 4, 8, 2])
    logs = np.array([0.0, 1, 2, 3, 1])
    z = (logs - 1.4) / np.std(logs)
    expected = (float(z[1:] @ z[:-1]) / 4 + 1 / 4) / (1 - 3 / 5)
    assert likeness([least * ratios]).correlation == pytest.approx(expected)


@pytest.mark.parametrize("least", [0.0, -0.5, -1.0, -7.0])
def test_values_that_are_not_above_zero_are_taken_as_they_are(least: float) -> None:
    values = np.array([0.0, 1, 2, 3, 1])
    z = (values - 1.4) / np.std(values)
    expected = (float(z[1:] @ z[:-1]) / 4 + 1 / 4) / (1 - 3 / 5)
    assert likeness([values + least]).correlation == pytest.approx(expected)


def test_a_spread_that_is_rounding_tells_nothing() -> None:
    assert likeness([np.array([0.1 + 0.2, 0.3, 0.1 + 0.2, 0.3])]) == Likeness(0.0, 0.0)
    assert likeness([]) == Likeness(0.0, 0.0)


@pytest.mark.parametrize(
    ("correlation", "runs"),
    [(-0.3, 1), (0, 1), (0.5, 3), (0.9, 19), (0.99, 39), (2, 39)],
)
def test_runs_that_tell_as_much_as_one(correlation: float, runs: float) -> None:
    assert Likeness(correlation, 0.0).runs_as_one == pytest.approx(runs)


@pytest.mark.parametrize(("deviations", "sure"), [(1.645, False), (1.646, True)])
def test_one_side_of_chance_is_sure(deviations: float, sure: bool) -> None:
    assert Likeness(0.5, deviations).sure == sure
    assert not Likeness(0.5, -deviations).sure


@pytest.mark.parametrize("sides", [([], [1.0]), ([1.0], []), ([], [])])
def test_a_side_without_starts_has_no_blocks(sides) -> None:
    assert in_blocks(*sides) is False


def test_of_equal_starts_the_baseline_comes_first() -> None:
    assert stretches([1, 2], [1, 3]) == [(False, 1), (True, 1), (False, 1), (True, 1)]


@pytest.mark.parametrize(("first", "second"), [(4, 5), (5, 4), (2, 6), (3, 3), (1, 4)])
def test_stretches_are_as_few_as_in_a_count_of_all_orders(first, second) -> None:
    places = range(first + second)
    found = []
    for chosen in combinations(places, first):
        sides = [place in chosen for place in places]
        found.append(1 + sum(a != b for a, b in pairwise(sides)))
    for most in range(2, first + second + 1):
        expected = sum(count <= most for count in found) / len(found)
        assert _as_few(most, first, second) == pytest.approx(expected)
