"""The limits of what is said of a sample, from either side."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.derive.samples import sample_warnings

RUNS = tuple(f"run-{i}" for i in range(12))
SIGMA = 1.4826  # of a normal distribution over its median absolute deviation


def said(*values: float) -> dict[str, dict]:
    found = sample_warnings(np.array(values, float), RUNS[: len(values)])
    return {remark.kind: dict(remark.values) for remark in found}


@pytest.mark.parametrize(("half", "noisy"), [(0.1414, False), (0.1415, True)])
def test_a_fifth_of_the_mean_is_noise(half, noisy):
    found = said(1 - half, 1 + half)
    assert ("noisy" in found) is noisy
    if noisy:
        assert found["noisy"] == {"variation": pytest.approx(half * np.sqrt(2))}


def test_an_outlier_is_told_with_its_run_and_the_median_without_it():
    found = said(99, 100, 101, 100.5, 99.5, 150, 100)
    assert found["outlier"]["named"] == ("run-5",)
    assert found["outlier"]["distances"] == (pytest.approx(50 / SIGMA / 0.5),)
    assert found["outlier"]["median_without"] == 100.0


@pytest.mark.parametrize(("n", "few"), [(5, {"n": 5, "least": 6}), (6, None)])
def test_an_interval_needs_six_runs(n, few):
    assert said(*[100.0] * n).get("few") == few


def test_two_modes_are_told_with_their_medians_and_no_outliers_beside():
    found = said(*[100.0, 101, 102] * 3, 200, 205, 203)
    assert found["bimodal"] == {
        "lower_runs": 9, "lower": 101.0, "upper_runs": 3, "upper": 203.0,
    }  # fmt: skip
    assert "outlier" not in found
