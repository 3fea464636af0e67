"""What all statistics have: a measure, a smallest number of runs, and words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from analysis.statistics import median, median_change
from analysis.statistics.ranks import SIGNIFICANT
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
        change = median_change.measure_change(RUNS[:n], RUNS[:n] * 2, "key")
        assert change is not None
        assert (change.interval is not None) == told
        p = median_change.rank_test(RUNS[:n], RUNS[:n] + 100)
        assert (p <= SIGNIFICANT) == told


def test_words_follow_the_numbers_that_decide() -> None:
    said = STATISTICS["median_change"].printed
    assert (said["resamples"], said["kept"]) == ("10,000", "the middle 95%")
    assert said["significant"] == "at most 0.05"
    assert "exceeds 20% of" in str(STATISTICS["variation"].printed["value"])
    assert "more than five scaled" in str(STATISTICS["outliers"].printed["value"])


@pytest.mark.parametrize("runs", [4, 9, 10, 25])
def test_yuens_test_is_that_of_scipy(runs: int) -> None:
    rng = np.random.default_rng(runs)
    first, second = rng.lognormal(0, 0.1, runs), rng.lognormal(0.1, 0.4, runs + 3)
    logs = np.log(first), np.log(second)
    wanted = ttest_ind(*logs, equal_var=False, trim=0.1).pvalue
    assert median_change.trimmed_test(first, second) == pytest.approx(wanted)


@pytest.mark.parametrize(("factor", "p_value"), [(1.0, 1.0), (2.0, 0.0)])
def test_sides_without_spread_differ_or_do_not(factor: float, p_value: float) -> None:
    same = np.full(5, 2.0)
    assert median_change.trimmed_test(same, factor * same) == p_value


def test_equal_medians_of_unequal_spread_are_not_told_apart() -> None:
    rng = np.random.default_rng(11)
    pairs = [(rng.normal(100, 8, 6), rng.normal(100, 2, 24)) for _ in range(600)]
    ranks = np.mean([median_change.rank_test(*pair) <= 0.01 for pair in pairs])
    both = np.mean([median_change.change_test(*pair) <= 0.01 for pair in pairs])
    assert ranks > 0.04
    assert both < 0.03


def test_one_outlier_of_ten_runs_hides_no_change() -> None:
    runs = np.array([98.0, 99, 100, 101, 102, 97, 103, 100, 99, 55])
    assert median_change.change_test(runs, 1.2 * runs) < 0.01


def test_a_value_of_zero_leaves_the_rank_test() -> None:
    for low in (0.0, -0.5):
        side = np.full(5, low)
        with np.errstate(all="raise"):
            found = median_change.change_test(RUNS[:5], side)
        assert found == pytest.approx(2 / 252)
