import numpy as np

from analysis.derive.samples import sample_warnings
from analysis.statistics.modes import split_modes

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


def test_a_wide_single_mode_is_noisy():
    assert kinds([60, 75, 90, 100, 115, 130, 150, 165]) == ["noisy"]


def test_an_outlier_is_named_and_stays():
    values = np.append(QUIET[:9], 160.0)
    (warning,) = sample_warnings(values, RUNS)
    assert str(warning).startswith("outlier: run-9 (")
    assert warning.words.endswith("the median without would be 100")
    assert len(values) == 10


def test_few_runs_are_said():
    assert kinds([1.0, 1.01, 1.02]) == ["few"]
