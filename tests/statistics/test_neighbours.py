"""Runs that resemble their neighbours: measured, and what they cost."""

import numpy as np
import pytest

from analysis.statistics.median_change import measure_change
from analysis.statistics.neighbours import (
    Likeness,
    in_blocks,
    likeness,
    stretches,
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


def false_verdicts(correlation: float, comparisons: int) -> tuple[float, float]:
    """The share of tables of equal configurations, each measured in one go, with a
    significant change: with runs taken for independent, and with alike ones as such."""
    plain = thin = 0
    for table in range(100):
        pairs = [
            np.split(series(correlation, 20, 1000 * table + n), 2)
            for n in range(comparisons)
        ]
        alike = likeness([side for pair in pairs for side in pair]).runs_as_one
        plain += min(measure_change(*q).p_value for q in pairs) * comparisons <= 0.05
        held = [measure_change(*q, alike).p_value for q in pairs]
        thin += min(held) * comparisons <= 0.05
    return plain / 100, thin / 100


@pytest.mark.parametrize("comparisons", [1, 5])
def test_equal_configurations_measured_in_one_go_are_not_told_apart(comparisons):
    plain, thin = false_verdicts(0.8, comparisons)
    assert plain > 0.3
    assert thin <= 0.11


def test_a_large_change_is_seen_through_alike_runs() -> None:
    pairs = [np.split(series(0.3, 20, seed), 2) for seed in range(50)]
    alike = likeness([side for pair in pairs for side in pair]).runs_as_one
    seen = [measure_change(a, 0.5 * b, alike).p_value <= 0.001 for a, b in pairs]
    assert np.mean(seen) > 0.95


@pytest.mark.parametrize(
    ("order", "blocks"),
    [
        ("AAAABBBB", True),
        ("BBBBAAAA", True),
        ("AAABBB", False),  # of three a side no verdict is made
        ("AAAAABBBBB", True),
        ("AAABBBBBAA", False),  # four shuffled orders in a hundred look like that
        ("AAAAABBBBBAAAAABBBBB", True),
        ("ABABABABAB", False),
        ("ABBAABBAABBA", False),
    ],
)
def test_blocks_are_told_from_shuffled_runs(order: str, blocks: bool) -> None:
    starts = {side: [n for n, at in enumerate(order) if at == side] for side in "AB"}
    assert in_blocks(starts["A"], starts["B"]) == blocks


def test_stretches_say_who_ran_first_and_how_often() -> None:
    assert stretches([1, 2, 6], [3, 4]) == [(False, 2), (True, 2), (False, 1)]


def test_three_shuffled_orders_in_a_hundred_look_like_blocks() -> None:
    rng = np.random.default_rng(3)
    orders = [np.split(rng.permutation(16), 2) for _ in range(1000)]
    assert np.mean([in_blocks(list(a), list(b)) for a, b in orders]) < 0.04


def test_sides_that_ran_beside_each_other_are_no_blocks() -> None:
    assert not in_blocks([1, 2, 3, 4], [1, 2, 3, 4])
    assert in_blocks(
        [1, 2, 3, 4], [4, 5, 6, 7]
    )  # one start in common is no side by side
    assert not in_blocks([], [1])
