"""The limits of what is said of a sample, from either side."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.derive.noise import sample_warnings
from analysis.statistics.modes import split_modes
from analysis.statistics.outliers import outliers
from analysis.statistics.variation import variation

RUNS = tuple(f"run-{i}" for i in range(12))
SIGMA = 1.4826  # of a normal distribution over its median absolute deviation


def said(*values: float) -> dict[str, dict]:
    found = sample_warnings(np.array(values, float), RUNS[: len(values)])
    return {remark.kind: dict(remark.values) for remark in found}


def sizes(*values: float) -> tuple[int, int] | None:
    modes = split_modes(np.array(values, float))
    return modes and (len(modes[0]), len(modes[1]))


def test_the_deviation_is_that_of_a_sample():
    """Of 1 and 3: √2 over 2, not 1 over 2 as of a whole population."""
    assert variation(np.array([1.0, 3.0])) == pytest.approx(np.sqrt(2) / 2)
    assert variation(np.array([-1.0, -3.0])) == pytest.approx(np.sqrt(2) / 2)
    assert variation(np.array([-1.0, 1.0])) == 0.0
    assert variation(np.array([7.0])) == 0.0


@pytest.mark.parametrize(("half", "noisy"), [(0.1414, False), (0.1415, True)])
def test_a_fifth_of_the_mean_is_noise(half, noisy):
    found = said(1 - half, 1 + half)
    assert ("noisy" in found) is noisy
    if noisy:
        assert found["noisy"] == {"variation": pytest.approx(half * np.sqrt(2))}


@pytest.mark.parametrize(
    ("distance", "found"), [(4.5, []), (5.0, []), (5.01, [6]), (-5.0, []), (-5.5, [6])]
)
def test_an_outlier_is_beyond_five_deviations(distance, found):
    """The others have the median 0 and the median deviation 1."""
    values = np.array([-1.0, -1, -1, 0, 1, 1, distance * SIGMA])
    values = values if distance > 0 else np.append(-values[:6], values[6])
    assert [index for index, _ in outliers(values)] == found
    assert all(d == pytest.approx(abs(distance)) for _, d in outliers(values))


def test_six_runs_can_have_an_outlier_and_five_cannot():
    values = [-1.0, -1.0, 0.0, 1.0, 1.0, 99.0]
    assert len(outliers(np.array(values))) == 1
    assert outliers(np.array(values[1:])) == []


def test_an_outlier_is_told_with_its_run_and_the_median_without_it():
    found = said(99, 100, 101, 100.5, 99.5, 150, 100)
    assert found["outlier"]["named"] == ("run-5",)
    assert found["outlier"]["distances"] == (pytest.approx(50 / SIGMA / 0.5),)
    assert found["outlier"]["median_without"] == 100.0


@pytest.mark.parametrize(("n", "few"), [(5, {"n": 5, "least": 6}), (6, None)])
def test_an_interval_needs_six_runs(n, few):
    assert said(*[100.0] * n).get("few") == few


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


def test_nothing_has_no_modes():
    assert sizes(*[0.0] * 8) is None


def test_two_modes_are_told_with_their_medians_and_no_outliers_beside():
    found = said(*[100.0, 101, 102] * 3, 200, 205, 203)
    assert found["bimodal"] == {
        "lower_runs": 9, "lower": 101.0, "upper_runs": 3, "upper": 203.0,
    }  # fmt: skip
    assert "outlier" not in found
