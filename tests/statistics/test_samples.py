"""Modes, outliers and variation of one sample, from either side of their limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics import outliers, variation
from analysis.statistics.modes import mixed_modes, split_modes

SIGMA = 1.4826  # of a normal distribution over its median absolute deviation


def test_words_say_the_limits() -> None:
    assert "exceeds 20% of" in str(variation.STATISTIC.words["value"])
    assert "more than five scaled" in str(outliers.STATISTIC.words["value"])


def sizes(*values: float) -> tuple[int, int] | None:
    modes = split_modes(np.array(values, float))
    return modes and (len(modes[0]), len(modes[1]))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0, 3.0], np.sqrt(2) / 2),  # √2 over 2, not 1 over 2 as of a population
        ([8.0, 10.0, 12.0], 0.2),
        ([-1.0, -3.0], np.sqrt(2) / 2),
        ([-1.0, 1.0], 0.0),
        ([0.5, 1.5], np.sqrt(2) / 2),  # their mean is 1
        ([7.0], 0.0),
    ],
)
def test_variation_is_the_deviation_of_a_sample_over_its_mean(values, expected):
    assert variation.variation(np.array(values)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("distance", "found"), [(4.5, []), (5.0, []), (5.01, [6]), (-5.0, []), (-5.5, [6])]
)
def test_an_outlier_is_beyond_five_deviations(distance, found):
    """The others have the median 0 and the median deviation 1."""
    values = np.array([-1.0, -1, -1, 0, 1, 1, distance * SIGMA])
    values = values if distance > 0 else np.append(-values[:6], values[6])
    for centre in (0.0, 1024.0):
        told = outliers.outliers(centre + 8 * values)
        if distance not in (5.0, -5.0) or not centre:
            assert [index for index, _ in told] == found
            assert all(away == pytest.approx(abs(distance)) for _, away in told)


def test_six_runs_can_have_an_outlier_and_five_cannot():
    values = [-1.0, -1.0, 0.0, 1.0, 1.0, 99.0]
    assert len(outliers.outliers(np.array(values))) == 1
    assert outliers.outliers(np.array(values[1:])) == []


@pytest.mark.parametrize("last", [6.0, 7.0])
def test_equal_values_have_no_outliers(last):
    assert outliers.outliers(np.array([5.0] * 9 + [last])) == []


@pytest.mark.parametrize(
    ("lower", "upper", "split"),
    [
        (8, 2, (8, 2)),
        (9, 1, None),
        (9, 2, None),  # two of eleven are less than a fifth
        (9, 3, (9, 3)),
        (6, 2, (6, 2)),
        (7, 1, None),
        (5, 2, None),  # seven are too few
        (2, 8, (2, 8)),
        (1, 9, None),
    ],
)
def test_a_mode_has_a_fifth_of_the_runs_and_two_at_least(lower, upper, split):
    assert sizes(*[100.0] * lower, *[200.0] * upper) == split


@pytest.mark.parametrize(("gap", "split"), [(15.0, None), (15.5, (8, 2))])
def test_a_gap_is_half_as_wide_again_as_the_larger_mode(gap, split):
    lower = (100.0, 101, 102, 103, 107, 108, 109, 110)
    assert sizes(*lower, 110 + gap, 110 + gap) == split


@pytest.mark.parametrize(("gap", "split"), [(10.0, None), (10.5, (8, 2))])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_gap_is_a_tenth_of_the_median(gap, split, sign):
    found = sizes(*[sign * 100.0] * 8, *[sign * (100.0 + gap)] * 2)
    assert found == (split and split[::sign])


def test_of_two_equal_modes_the_lower_one_is_the_measure():
    upper = (130.0, 135, 140, 145, 150)
    assert sizes(*[100.0] * 5, *upper) == (5, 5)
    mirrored = tuple(-x for x in upper)
    assert sizes(*[-100.0] * 5, *mirrored) is None


def test_of_two_gaps_the_wider_one_parts_the_modes():
    assert sizes(*[100.0] * 4, *[120.0] * 3, *[160.0] * 3) == (7, 3)
    assert sizes(*[100.0] * 3, *[140.0] * 3, *[160.0] * 4) == (3, 7)


MIXED = [10, 10.1, 10.2, 10, 10, 20, 20.1, 20.2]
LOW, HIGH = [10.0] * 7 + [10.1], [20.0] * 7 + [20.1]


@pytest.mark.parametrize(
    ("baseline", "test", "counts"),
    [
        (MIXED, [20, 20.2, 20.1, 20, 20.3, 20, 20, 10.1], (3, 7)),
        (LOW, MIXED, (0, 3)),
        (MIXED, HIGH[:5], (3, 5)),
        (MIXED, MIXED[:7], None),  # in shares that are all but equal
        (MIXED, [30.0] * 8, None),  # elsewhere
        (MIXED, [11.5] * 8, None),
        (LOW, HIGH, None),
        ([*LOW[:7], 20.1], HIGH, None),  # one odd run is no mode
    ],
)
def test_mixtures_of_the_same_modes_in_other_shares(baseline, test, counts):
    found = mixed_modes(np.array(baseline), np.array(test))
    assert (found and found["counts"]) == counts
    if found:
        assert found["of"] == (len(baseline), len(test))
        assert (found["lower"], found["upper"]) == (10.0, 20.1)


def test_nothing_has_no_modes():
    assert sizes(*[0.0] * 8) is None


def test_one_normal_mode_rarely_looks_like_two():
    drawn = np.random.default_rng(3).normal(100, 4, size=(2000, 10))
    assert sum(split_modes(row) is not None for row in drawn) <= 4


@given(st.lists(st.floats(1, 1e6), min_size=8, max_size=30).map(np.array))
def test_modes_share_out_the_sample_and_scale(values):
    modes = split_modes(values)
    if modes is not None:
        assert np.array_equal(np.concatenate(modes), np.sort(values))
        assert min(map(len, modes)) >= 2
    assert (split_modes(values * 4) is None) == (modes is None)
