import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.derive.family import adjust, judge
from analysis.statistics.median_change import (
    Change,
    measure_change,
    percent,
)
from analysis.statistics.ranks import rank_test

LOW = np.array([97.0, 98, 99, 100, 101, 102, 103, 104, 96, 95])
HIGH = LOW * 1.5
p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_a_clear_change_has_value_interval_and_p():
    change = measure_change(LOW, HIGH)
    assert change.value == pytest.approx(50)
    assert 40 < change.low < 50 < change.high < 60
    assert change.p_value == pytest.approx(1 / 184756)  # 20 choose 10


def test_equal_samples_do_not_change():
    change = measure_change(LOW, LOW)
    assert change.value == 0
    assert change.low < 0 < change.high
    assert change.p_value == pytest.approx(1)


@pytest.mark.parametrize(("n", "tested"), [(3, False), (4, True)])
def test_three_runs_a_side_are_observed_and_not_tested(n, tested):
    change = measure_change(LOW, HIGH[:n])
    assert change.value > 0
    assert (change.interval is not None) == tested
    assert (change.p_value is not None) == tested


def test_four_runs_a_side_are_the_least_that_reach_significance():
    assert rank_test(LOW[:4], HIGH[:4]) == pytest.approx(1 / 70)
    assert rank_test(LOW[:3], HIGH[:3]) == pytest.approx(0.05)


@pytest.mark.parametrize("baseline", [np.array([]), np.array([0.0, 1, 2, 3])])
def test_no_ratio_to_nothing(baseline):
    assert measure_change(baseline, LOW) is None


def test_holm_gives_the_known_example():
    assert adjust([0.01, 0.04, 0.03, 0.005], "holm") == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )


def test_benjamini_hochberg_gives_the_known_example():
    found = adjust([0.01, 0.04, 0.03, 0.005], "benjamini-hochberg")
    assert found == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_an_empty_table_has_nothing_to_adjust():
    assert adjust([], "holm") == adjust([], "benjamini-hochberg") == []


@given(p_lists)
def test_holm_never_helps_and_keeps_the_order(p_values):
    adjusted = adjust(p_values, "holm")
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    assert adjusted[int(np.argmin(p_values))] == min(adjusted)
    order = np.argsort(p_values, kind="stable")
    assert np.all(np.diff(np.array(adjusted)[order]) >= 0)


@given(p_lists)
def test_holm_is_stricter_than_benjamini_hochberg(p_values):
    pairs = zip(
        adjust(p_values, "holm"), adjust(p_values, "benjamini-hochberg"), strict=True
    )
    assert all(strict >= loose - 1e-12 for strict, loose in pairs)


def verdict(value, low, high, p=0.001, better="higher", floor=5.0, threshold=5.0):
    change = Change(value, low - 1, high + 1, p, low, high)
    return judge(change, p, better, floor, threshold)


@pytest.mark.parametrize(
    ("better", "up", "down"),
    [
        ("higher", "improved", "regressed"),
        ("lower", "regressed", "improved"),
        ("none", None, None),
    ],
)
def test_direction_decides_what_a_change_is(better, up, down):
    assert verdict(30, 20, 40, better=better) == up
    assert verdict(-30, -40, -20, better=better) == down


def test_every_condition_of_a_change_is_needed():
    assert verdict(30, 20, 40) == "improved"
    assert verdict(30, 20, 40, p=0.051) == "inconclusive"
    assert verdict(30, -1, 60) == "inconclusive"
    assert verdict(30, 20, 40, threshold=31) == "inconclusive"


def test_comparable_needs_the_90_percent_interval_inside_the_declared_floor():
    assert verdict(1, -4.9, 4.9, p=0.5) == "comparable"
    assert verdict(1, -4.9, 5.1, p=0.5) == "inconclusive"
    assert verdict(1, -5.1, 4.9, p=0.5) == "inconclusive"
    assert verdict(1, -5, 5, p=0.5) == "comparable"
    assert verdict(4, 2, 5.1, p=0.5) == "inconclusive"
    assert verdict(-4, -5.1, -2, p=0.5) == "inconclusive"
    assert verdict(-4, -4.9, -2, p=0.001) == "comparable"
    assert verdict(3, 2, 4, p=0.001) == "comparable"  # real, but too small to count


@pytest.mark.parametrize(("low", "high"), [(-58, 4), (-4, 58)])
def test_a_noisy_control_makes_nothing_comparable(low, high):
    assert verdict(1, low, high, p=0.5, floor=5, threshold=60) == "inconclusive"


def test_an_untested_change_has_no_verdict():
    assert judge(Change(-37.0), None, "higher", 5, 5) is None


def test_a_change_is_of_the_baseline():
    assert percent(63, 100) == pytest.approx(-37)
