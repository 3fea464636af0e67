"""Runs that resemble their neighbours: measured, and what they cost."""

import numpy as np
import pytest

from analysis.statistics.neighbours import (
    Likeness,
    in_blocks,
    likeness,
    stretches,
    thin_test,
    widen,
)
from analysis.statistics.ranks import rank_test


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
    significant change: by the rank test alone, and with alike runs honoured."""
    plain = thin = 0
    for table in range(100):
        pairs = [
            np.split(series(correlation, 20, 1000 * table + n), 2)
            for n in range(comparisons)
        ]
        alike = likeness([side for pair in pairs for side in pair]).runs_as_one
        ranks = [rank_test(a, b) for a, b in pairs]
        plain += min(ranks) * comparisons <= 0.05
        held = [max(p, thin_test(*q, alike)) for p, q in zip(ranks, pairs, strict=True)]
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
    seen = [thin_test(a, 0.5 * b, alike) <= 0.001 for a, b in pairs]
    assert np.mean(seen) > 0.95


def test_more_runs_as_one_never_make_a_change_surer() -> None:
    a, b = np.split(series(0.0, 20, 1), 2)
    found = [thin_test(a, 1.1 * b, count) for count in (1.0, 1.5, 3.0, 9.0, 39.0)]
    assert found == sorted(found)
    assert found[-1] <= 1.0
    assert Likeness(-0.3, -2.0).runs_as_one == 1.0


def test_constant_sides_differ_or_do_not() -> None:
    assert thin_test(np.full(5, 2.0), np.full(5, 2.0), 2.0) == 1.0
    assert thin_test(np.full(5, 2.0), np.full(5, 3.0), 2.0) == 0.0


def test_an_interval_grows_round_its_value() -> None:
    assert widen(-50.0, -40.0, 1.0) == pytest.approx(-40.0)
    assert widen(-50.0, -40.0, 4.0) == pytest.approx(100 * (0.5 * 1.2**2 - 1))
    assert widen(-50.0, -60.0, 4.0) == pytest.approx(100 * (0.5 * 0.8**2 - 1))


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


@pytest.mark.parametrize("test", [[0.0, 0.5, 0.6, 0.7], [-1.0, 2.0, 3.0, 4.0]])
def test_values_that_are_not_above_zero_are_no_ratio(test: list[float]) -> None:
    assert thin_test(np.array([1.0, 2.0, 3.0, 4.0]), np.array(test), 3.0) == 1.0
    assert widen(-60.0, -100.0, 3.0) == -100.0
    assert widen(-100.0, -50.0, 3.0) == -50.0
    assert widen(-110.0, -120.0, 3.0) == -120.0
