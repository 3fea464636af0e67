"""The limits of a verdict, from either side."""

from __future__ import annotations

import pytest

from analysis.derive.family import adjust, judge
from analysis.statistics.median_change import Change


def verdict(value, low, high, p=0.001, better="higher", floor=5.0, threshold=5.0):
    change = Change(value, low, high, p, low, high)
    return judge(change, p, better, floor, threshold)


def test_adjusted_p_values_end_at_one():
    assert adjust([0.9, 0.8], "holm") == [1.0, 1.0]
    assert adjust([0.02], "holm") == [0.02]
    assert adjust([0.01, 0.04, 0.03, 0.005], "holm") == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ((30, 20, 40, 0.05), "improved"),
        ((30, 20, 40, 0.0501), "inconclusive"),
        ((30, 0.0, 40), "inconclusive"),
        ((30, 0.01, 40), "improved"),
        ((-30, -40, 0.0), "inconclusive"),
        ((-30, -40, -0.01), "regressed"),
        ((5, 1, 9), "improved"),
        ((4.99, 1, 9), "inconclusive"),
        ((-5, -9, -1), "regressed"),
        ((0, -5, 5, 0.5), "comparable"),
        ((0, -5.01, 5, 0.5), "inconclusive"),
        ((0, -5, 5.01, 0.5), "inconclusive"),
        ((2, 1, 9, 0.5), "inconclusive"),
        ((-2, -9, -1, 0.5), "inconclusive"),
        ((30, None, 40), None),
        ((30, 20, None), None),
    ],
)
def test_the_limits_of_a_verdict(change, wanted):
    assert verdict(*change) == wanted


def test_the_interval_of_90_percent_decides_what_is_comparable():
    for ends, wanted in (((-5, 5), "comparable"), ((-5.01, 5), "inconclusive")):
        change = Change(0, -6, 6, 0.5, *ends)
        assert judge(change, 0.5, "higher", 5, 5) == wanted


def test_the_floor_and_the_threshold_are_two_limits():
    assert verdict(8, 7, 9, floor=5, threshold=10) == "inconclusive"
    assert verdict(8, 7, 9, floor=10, threshold=9) == "comparable"
    assert verdict(0, -1, 1, floor=0.5, threshold=9) == "inconclusive"
