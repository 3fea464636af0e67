"""Change points of campaigns: known ones are found where they are, and none is seen
where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.levels import level_within, levels, warm_up_within


def campaigns(means, runs=6, spread=0.02, between=0.0, seed=1):
    draw = np.random.default_rng(seed)
    return [
        mean * np.exp(draw.normal(0, between) + draw.normal(0, spread, runs))
        for mean in means
    ]


@pytest.mark.parametrize(("first", "factor"), [(3, 1.1), (6, 0.9), (11, 1.2)])
def test_a_shift_is_found_where_it_is(first, factor):
    found = levels(campaigns([100] * first + [100 * factor] * (12 - first)))
    [change] = found.changes
    assert change.at == first
    assert change.low < (factor - 1) * 100 < change.high
    assert found.levels[1].value == pytest.approx(100 * factor, rel=0.03)


def test_two_shifts_and_the_way_back():
    found = levels(campaigns([100] * 4 + [120] * 4 + [100] * 4))
    assert [c.at for c in found.changes] == [4, 8]
    assert [level.end for level in found.levels] == [4, 8, 12]


@pytest.mark.parametrize(
    ("count", "runs", "between"),
    [(3, 3, 0), (6, 5, 0), (12, 10, 0), (24, 5, 0), (6, 5, 0.02), (12, 10, 0.02)],
)
def test_of_series_without_a_shift_few_have_one(count, runs, between):
    series = (
        campaigns([100] * count, runs, 0.02, between, seed) for seed in range(200)
    )
    false = sum(bool(levels(one).changes) for one in series)
    assert false <= (0.12 if between else 0.06) * 200


def test_campaigns_of_equal_runs_are_one_level():
    assert levels([np.array([5.0, 5.0, 5.0])] * 5).changes == ()


@pytest.mark.parametrize(
    "samples",
    [
        campaigns([100, 120]),
        [np.array([1.0])] * 5,
        [np.array([1.0, 2.0]), np.array([]), np.array([1.0])],
        [np.array([1.0, 0.0])] * 4,
    ],
)
def test_what_has_no_answer_gets_none(samples):
    assert levels(samples) is None


@pytest.mark.parametrize(
    ("values", "change"),
    [
        ([100.0, 101, 99, 100, 102, 98, 60, 61, 59, 60, 62, 58], (6, 0.6)),
        ([1.0, 1.1, 1.2, 1.3, 1.4, 2.1, 2.2, 2.3, 2.4, 2.5], (5, 2.3 / 1.2)),
        ([100.0, 101, 99, 100, 102, 98, 90, 91, 89, 90, 92, 88], None),  # a tenth
        ([100.0] * 5 + [1.0] + [100.0] * 6, None),  # one interval is no level
        ([100.0] * 3 + [10.0] * 3, None),  # six may come so by chance
        ([0.0] * 6 + [5.0] * 6, None),  # of nothing there is no ratio
        ([], None),
    ],
)
def test_the_level_of_a_run_changes_inside_it_for_good(values, change) -> None:
    found = level_within(np.array(values))
    assert found == (change and (change[0], pytest.approx(change[1], rel=0.01)))


def test_steady_runs_seldom_seem_to_change_their_level() -> None:
    rng = np.random.default_rng(5)
    runs = rng.lognormal(0, 0.3, (300, 12))
    assert sum(level_within(run) is not None for run in runs) <= 0.05 * 300


@pytest.mark.parametrize(
    ("values", "intervals"),
    [
        ([50.0, 80, *[100.0, 101, 99, 100] * 2], 2),
        ([50.0, *[100.0, 101, 99, 100] * 2], 1),
        ([150.0, *[100.0, 101, 99, 100] * 2], 1),  # a burst is a warm-up, too
        ([85.0, *[100.0, 101, 99, 100] * 2], 0),  # less than a fifth
        ([*[100.0, 101, 99, 100] * 2, 50.0], 0),  # its end is no beginning
        ([60.0] * 5 + [100.0] * 5, 0),  # longer than a third: another level
        ([50.0, 100, 100, 100, 100], 0),  # of five nobody knows
        ([50.0, *[0.0] * 8], 0),
        ([], 0),
    ],
)
def test_a_warm_up_is_a_beginning_that_differs_from_the_rest(values, intervals) -> None:
    assert warm_up_within(np.array(values)) == intervals


def test_steady_runs_seldom_seem_to_warm_up() -> None:
    """By a tenth of scatter, next to none."""
    rng = np.random.default_rng(5)
    runs = rng.lognormal(0, 0.1, (300, 12))
    assert sum(warm_up_within(run) > 0 for run in runs) <= 0.03 * 300
