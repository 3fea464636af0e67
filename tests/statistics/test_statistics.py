"""What all statistics have: a measure, a smallest number of runs, and words."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics import median, median_change
from analysis.statistics.ranks import SIGNIFICANT, rank_test
from analysis.statistics.statistic import STATISTICS

RUNS = np.array([9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])


@pytest.mark.parametrize("id", STATISTICS)
def test_a_statistic_has_words_and_a_smallest_number_of_runs(id: str) -> None:
    found = STATISTICS[id]
    assert found.printed["value"]
    assert found.printed["smallest"] == found.smallest > 1
    assert found.enough(RUNS[: found.smallest])
    assert not found.enough(RUNS, RUNS[: found.smallest - 1])


def test_the_smallest_numbers_of_runs_are_where_the_statistics_begin() -> None:
    needed = median.STATISTIC.smallest
    assert median.coverage(needed, 1) >= 0.95 > median.coverage(needed - 1, 1)
    for n, told in ((median_change.STATISTIC.smallest, True), (3, False)):
        change = median_change.measure_change(RUNS[:n], RUNS[:n] * 2)
        assert change is not None
        assert (change.interval is not None) == told
        p = rank_test(RUNS[:n], RUNS[:n] + 100)
        assert (p < SIGNIFICANT) == told


def test_words_follow_the_numbers_that_decide() -> None:
    said = STATISTICS["median_change"].printed
    assert str(said["interval"]).startswith("a 95% interval")
    assert "its interval of 90%" in str(said["comparable"])
    assert said["significant"] == "at most 0.05"
    assert "exceeds 20% of" in str(STATISTICS["variation"].printed["value"])
    assert "more than five scaled" in str(STATISTICS["outliers"].printed["value"])
