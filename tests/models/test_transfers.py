"""Generation transfer and published ratios."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.declared.published import read_published
from analysis.errors import UserError
from models.generation import (
    GenerationQuestion,
    GenerationTransfer,
    capacity,
    cpu_share,
)
from models.ratio import Ratio, RatioQuestion, RatioTransfer, ratio_of

MOVE = GenerationQuestion("cpu_cost", 100.0, "µs/tran", "z16", "z17", 4)


def moved(**changes):
    return GenerationTransfer().predict(dataclasses.replace(MOVE, **changes))


def times(ratio, qualifier, anchor=100.0, sigma=0.0):
    question = RatioQuestion(anchor, "µs", Ratio(ratio, qualifier), sigma)
    return RatioTransfer().predict(question)


def test_cpu_cost_scales_with_the_inverse_of_capacity():
    found = moved()
    assert found.value == pytest.approx(100 * 8237 / 9116)
    assert (found.low, found.high) == pytest.approx((78.4, 104.1), abs=0.1)
    assert "all nine" in found.notes[0]


def test_a_rate_scales_the_other_way_and_a_share_scales_in_part():
    assert moved(metric="rate").value == pytest.approx(100 * 9116 / 8237)
    half = moved(metric="latency", cpu_share=0.5)
    assert half.value == pytest.approx(100 * (1 + 8237 / 9116) / 2)


def test_there_and_back_is_where_it_was():
    back = moved(source="z17", target="z16", anchor=moved().value)
    assert back.value == pytest.approx(100)


def test_the_same_generation_changes_nothing():
    same = moved(target="z16", sigma=0.01)
    assert same.value == 100
    assert same.high / same.low == pytest.approx(math.exp(2 * 1.645 * 0.01), rel=1e-4)
    assert same.notes == ()


@given(st.floats(1, 4))
def test_capacity_grows_with_cps_but_less_than_in_proportion(cps):
    here, more = capacity("z17", cps), capacity("z17", cps * 1.01)
    assert here <= more <= here * 1.01 * (1 + 1e-9)


def test_without_queueing_the_share_of_the_cpu_is_its_part_of_the_latency():
    assert cpu_share(20_000, 1, [6, 7], 4, 1.1) == pytest.approx(13 / 50)


def test_a_saturated_cpu_makes_all_of_the_latency():
    assert cpu_share(1e6 / 10 * 0.9999, 500, [10, 1], 1, 1.1) > 0.9


@given(st.floats(1.01, 1.5), st.integers(1, 60))
def test_the_share_of_the_cpu_is_a_share(factor, clients):
    rate = min(1e6 * clients / 60, 350_000)
    assert 0 <= cpu_share(rate, clients, [6, 7], 4, factor) <= 1


def test_cps_outside_the_table_are_marked():
    assert moved(cps=12).outside == ("cps 12 is outside 1 to 4 CPs",)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": "z9"}, "no capacity of a 'z9'"),
        ({"anchor": 0.0}, "the anchor is 0"),
        ({"anchor": math.nan}, "the anchor is nan"),
        ({"cpu_share": 1.5}, "cpu_share is 1.5"),
        ({"cpu_share": -0.1}, "cpu_share is -0.1"),
    ],
)
def test_a_transfer_without_sense(changes, words):
    with pytest.raises(UserError, match=words):
        moved(**changes)


def test_an_exact_ratio_is_a_centre():
    found = times(0.4, "exact")
    assert found.value == pytest.approx(40, rel=0.005)
    assert found.high / found.low == pytest.approx(math.exp(2 * 1.645 * 0.03), rel=0.02)


@pytest.mark.parametrize("ratio", [0.4, 2.35])
def test_up_to_is_a_range_from_no_change_and_never_a_centre(ratio):
    found = times(ratio, "up to")
    assert found.value == pytest.approx(100 * math.sqrt(ratio), rel=0.005)
    ends = sorted((100 * ratio**0.05, 100 * ratio**0.95))
    assert [found.low, found.high] == pytest.approx(ends, rel=0.005)


def test_an_average_is_wider_the_larger_it_is():
    small, large = times(0.95, "average"), times(0.3, "average")
    assert large.high / large.low > small.high / small.low
    assert large.value == pytest.approx(30, rel=0.01)


def test_the_spread_of_the_baseline_comes_on_top():
    alone, both = times(0.4, "exact"), times(0.4, "exact", sigma=0.1)
    assert both.high / both.low > alone.high / alone.low


@pytest.mark.parametrize("qualifier", ["low end", "high end"])
def test_an_end_of_a_range_is_refused(qualifier):
    with pytest.raises(UserError, match="one end of a range"):
        times(0.9, qualifier)


def test_every_published_change_is_a_ratio_or_an_end():
    rows = {r.id: r for r in read_published()}
    assert ratio_of(rows["P010"]) == Ratio(0.4, "up to")
    assert ratio_of(rows["P077"]) == Ratio(20, "up to")
    assert ratio_of(rows["P058"]) == Ratio(1 / 42, "up to")
    changes = [r for r in rows.values() if r.kind not in ("value", "direction")]
    assert all(ratio_of(r).ratio > 0 for r in changes)
    with pytest.raises(UserError, match="P070 is a value"):
        ratio_of(rows["P070"])


def test_an_anchor_that_is_not_positive_is_refused():
    with pytest.raises(UserError, match="anchor is 0"):
        times(0.4, "exact", anchor=0.0)


@pytest.mark.parametrize(
    ("ratio", "marked"), [(0.0049, True), (0.005, False), (50, False), (50.1, True)]
)
def test_ratios_beyond_their_range_are_marked(ratio, marked):
    question = RatioQuestion(100.0, "µs", Ratio(ratio, "exact"), 0.01)
    assert bool(RatioTransfer().predict(question).outside) == marked
