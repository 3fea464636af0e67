import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.derive.noise import change_threshold, sample_warnings
from analysis.statistics.modes import split_modes
from analysis.statistics.outliers import outliers
from analysis.statistics.variation import variation

QUIET = np.array([98.0, 99, 99, 100, 100, 101, 101, 102, 103, 100])
TWO = np.array([16.1, 15.2, 16.3, 15.5, 16.2, 16.8, 15.9, 38.5, 70.1, 91.3])
RUNS = tuple(f"run-{i}" for i in range(10))


def kinds(values):
    found = sample_warnings(np.asarray(values), RUNS[: len(values)])
    return [warning.kind for warning in found]


def test_a_quiet_sample_needs_no_warning():
    assert kinds(QUIET) == []


def test_two_modes_are_named_with_their_sizes():
    lower, upper = split_modes(TWO)
    assert (len(lower), len(upper)) == (7, 3)
    found = sample_warnings(TWO, RUNS)
    assert str(found[0]) == "bimodal: 7 runs near 16.1, 3 runs near 70.1"


def test_one_straggler_is_no_mode():
    assert split_modes(np.append(QUIET[:9], 200.0)) is None


def test_a_gap_that_is_small_against_the_median_does_not_matter():
    assert split_modes(np.array([100.0] * 5 + [101.0] * 5)) is None


def test_seven_runs_are_too_few_to_see_modes():
    assert split_modes(TWO[-7:]) is None


def test_one_normal_mode_rarely_looks_like_two():
    drawn = np.random.default_rng(3).normal(100, 4, size=(2000, 10))
    assert sum(split_modes(row) is not None for row in drawn) <= 4


def test_a_wide_single_mode_is_noisy():
    assert kinds([60, 75, 90, 100, 115, 130, 150, 165]) == ["noisy"]


def test_an_outlier_is_named_and_stays():
    values = np.append(QUIET[:9], 160.0)
    (warning,) = sample_warnings(values, RUNS)
    assert str(warning).startswith("outlier: run-9 (")
    assert warning.words.endswith("the median without would be 100")
    assert len(values) == 10


def test_equal_values_have_no_outliers_and_no_variation():
    assert outliers(np.array([5.0] * 9 + [6.0])) == []
    assert variation(np.array([5.0])) == 0


@pytest.mark.parametrize(("distance", "found"), [(4.9, []), (5.1, [6])])
def test_an_outlier_lies_beyond_five_scaled_deviations(distance, found):
    middle = [99.0, 99.0, 100.0, 101.0, 101.0, 100.0]  # their scaled MAD is 1.4826
    values = np.array([*middle, 100 + 1.4826 * distance])
    assert [index for index, _ in outliers(values)] == found


def test_variation_is_of_a_sample():
    assert variation(np.array([1.0, 3.0])) == pytest.approx(2**0.5 / 2)
    assert variation(np.array([8.0, 10.0, 12.0])) == pytest.approx(0.2)


def test_few_runs_are_said():
    assert kinds([1.0, 1.01, 1.02]) == ["few"]


@pytest.mark.parametrize(
    ("floor", "control", "threshold"),
    [(5, None, 5), (5, (-2, 3), 5), (5, (-1, 14), 14), (5, (-60, 8), 60)],
)
def test_the_control_can_only_raise_the_threshold(floor, control, threshold):
    assert change_threshold(floor, control) == threshold


@given(st.lists(st.floats(1, 1e6), min_size=8, max_size=30).map(np.array))
def test_modes_share_out_the_sample_and_scale(values):
    modes = split_modes(values)
    if modes is not None:
        assert np.array_equal(np.concatenate(modes), np.sort(values))
        assert min(map(len, modes)) >= 2
    assert (split_modes(values * 4) is None) == (modes is None)
