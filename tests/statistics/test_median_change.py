"""The change of a median: its interval and its tests, against plain reckoning."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t

from analysis.statistics.median_change import (
    Change,
    bootstrap_interval,
    change_interval,
    change_test,
    measure_change,
    percent,
    trimmed_test,
)
from analysis.statistics.ranks import rank_test

FOUR = np.array([10.0, 11.0, 12.0, 14.0])
FIVE = np.array([10.0, 11.0, 12.0, 14.0, 20.0])
SEEDED = np.array([100.0, 104, 95, 102, 99, 108, 93])


def plain(baseline, test, key: str, resamples: int, dtype) -> tuple[float, float]:
    """The bootstrap as books have it: medians of resampled values."""
    seed = int.from_bytes(sha256(key.encode()).digest()[:8], "big")
    rng = np.random.default_rng(seed)
    drawn = [_drawn(np.sort(side), rng, resamples, dtype) for side in (test, baseline)]
    low, high = np.quantile(drawn[0] / drawn[1], [0.025, 0.975])
    return (low - 1) * 100, (high - 1) * 100


def _drawn(side, rng, resamples: int, dtype) -> np.ndarray:
    chosen = rng.integers(len(side), size=(resamples, len(side)), dtype=dtype)
    return np.median(side[chosen], axis=1)


@pytest.mark.parametrize(
    ("first", "second", "resamples", "dtype"),
    [
        (5, 6, 10_000, np.uint8),
        (7, 5, 10_000, np.uint8),
        (256, 255, 40, np.uint8),
        (257, 258, 40, np.uint16),
    ],
)
def test_the_bootstrap_is_that_of_books(first, second, resamples, dtype) -> None:
    rng = np.random.default_rng(first)
    sides = rng.lognormal(5, 0.2, first), rng.lognormal(5.1, 0.3, second)
    found = bootstrap_interval(*sides, "a.key", resamples)
    assert found == pytest.approx(plain(*sides, "a.key", resamples, dtype))
    if resamples == 10_000:
        assert change_interval(*sides, "a.key") == found


@pytest.mark.parametrize(
    "sides", [(FOUR, FIVE * 2), (FIVE, FOUR * 2), (FOUR, FOUR * 2)]
)
def test_an_interval_of_four_runs_is_that_of_all_pairs(sides) -> None:
    ratios = np.outer(sides[1], 1 / sides[0])
    ends = 100 * (ratios.min() - 1), 100 * (ratios.max() - 1)
    assert change_interval(*sides, "key") == pytest.approx(ends)


def test_a_change_is_the_ratio_of_two_medians() -> None:
    found = measure_change(FOUR, FOUR * 1.5, "key")
    assert found is not None
    assert found.value == pytest.approx(50)
    assert found.interval == pytest.approx((100 * (15 / 14 - 1), 110))
    assert found.p_value == change_test(FOUR, FOUR * 1.5)
    assert percent(11, 8) == 37.5


@pytest.mark.parametrize(
    ("baseline", "test", "expected"),
    [
        (FOUR[:0], FOUR, None),
        (FOUR, FOUR[:0], None),
        (FOUR - 10, FOUR, None),  # a zero has no ratio
        (FOUR - 12, FOUR, None),
        (FOUR[:3] - 9.5, FOUR, Change((11.5 / 1.5 - 1) * 100)),
        (FOUR[:3], FOUR, Change((11.5 / 11 - 1) * 100)),
        (FOUR, FOUR[:3], Change((11 / 11.5 - 1) * 100)),
        (FOUR[:1], FOUR[3:], Change((1.4 - 1) * 100)),
    ],
)
def test_few_runs_give_a_bare_value_and_none_nothing(baseline, test, expected) -> None:
    found = measure_change(baseline, test, "key")
    assert (found and found.value) == pytest.approx(expected and expected.value)
    assert found is None or found.interval is found.p_value is None


@pytest.mark.parametrize(
    "change", [Change(1.0, 2.0), Change(1.0, None, 2.0), Change(1.0)]
)
def test_half_an_interval_is_none(change: Change) -> None:
    assert change.interval is None


def test_an_interval_may_begin_or_end_at_zero() -> None:
    assert Change(1.0, 0.0, 0.0).interval == (0.0, 0.0)


@pytest.mark.parametrize(("least", "spread"), [(60, 0.01), (21, 2.0)])
def test_the_larger_p_value_counts(least: float, spread: float) -> None:
    side = least * np.exp(np.array([0.0, 1, 2, 3, 4, 5]) * spread)
    p_values = rank_test(FIVE, side), trimmed_test(FIVE, side)
    assert change_test(FIVE, side) == max(p_values)
    assert (p_values[0] > p_values[1]) == (spread < 1)


def test_yuens_test_drops_a_tenth_at_either_end() -> None:
    """Ten logs, of which 0 and 90 count as their neighbours 1 and 8; five as they are.

    The mean of 1, …, 8 is 4.5; 1, 1, 2, …, 7, 8, 8 vary by 66.5 / 9, which counts
    9 / (8 × 7) times, with 7 degrees of freedom. The other side is 11, 12, …, 15.
    """
    first = np.exp(np.array([0.0, 1, 2, 3, 4, 5, 6, 7, 8, 90]))
    second = np.exp(np.array([11.0, 12, 13, 14, 15]))
    parts = 66.5 / 9 * 9 / 56, 2.5 / 5
    degrees = sum(parts) ** 2 / (parts[0] ** 2 / 7 + parts[1] ** 2 / 4)
    expected = 2 * t.sf((13 - 4.5) / sum(parts) ** 0.5, degrees)
    assert trimmed_test(first, second) == pytest.approx(expected)
    assert trimmed_test(second, first) == pytest.approx(expected)


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_the_interval_of_few_runs_is_that_of_all_resamples(size):
    """One side of equal runs, and every resample of the other: a known distribution."""
    values = np.array([100.0, 110, 120, 130, 140, 150, 160])[:size]
    grid = np.stack(np.meshgrid(*[values] * size)).reshape(size, -1)
    medians = np.median(grid, axis=0)
    low, high = bootstrap_interval(np.full(size, 100.0), values, "k", 40_000)
    assert low == pytest.approx(np.quantile(medians, 0.025) - 100, abs=5.1)
    assert high == pytest.approx(np.quantile(medians, 0.975) - 100, abs=5.1)


def test_an_interval_is_the_same_everywhere():
    """Pinned: equal inputs give equal digits on every machine and in every release."""
    found = bootstrap_interval(SEEDED, SEEDED * 1.2, "a.key")
    assert found == pytest.approx((11.764705882352944, 28.84210526315789))
    assert bootstrap_interval(SEEDED, SEEDED * 1.2, "b.key", 99) != found


def test_the_exact_test_counts_orders():
    """As many of the 70 ways to divide eight ranks as are no less extreme."""
    old, new = np.array([1.0, 2, 3, 6]), np.array([4.0, 5, 7, 8])
    sums = [sum(chosen) for chosen in combinations(range(1, 9), 4)]
    extreme = sum(abs(s - 18) >= abs(12 - 18) for s in sums)
    assert rank_test(old, new) == pytest.approx(extreme / 70)
