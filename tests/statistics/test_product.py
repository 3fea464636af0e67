"""The parts of a product: worked out by hand, exact, and covered by their intervals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.statistics.product import Factor, log_parts
from tests.statistics.parts import simulate


def test_parts_worked_out_by_hand():
    """Twice, and a clock of half the speed: four times."""
    work = Factor({"a": 1.0, "b": 4.0}, {"c": 2.0, "d": 8.0})
    clock = Factor({"a": 3.0, "b": 3.0}, {"c": 1.5, "d": 1.5}, divides=True)
    assert log_parts([work, clock]) == pytest.approx([math.log(2), math.log(2)])


def test_only_runs_count_that_have_all_factors():
    work = Factor({"a": 1.0, "b": 1000.0}, {"c": 2.0})
    clock = Factor({"a": 3.0}, {"c": 3.0, "d": 9.0}, divides=True)
    assert log_parts([work, clock]) == pytest.approx([math.log(2), 0])


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_what_has_no_logarithm_has_no_parts(value):
    assert log_parts([Factor({"a": value}, {"b": 1.0})]) is None
    assert log_parts([Factor({}, {"b": 1.0})]) is None


positive = st.floats(1e-6, 1e12)
triples = st.lists(st.tuples(positive, positive, positive), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(triples, triples)
def test_the_parts_add_up_to_the_change_of_the_product(before, after):
    def by_run(values):
        return {str(nth): value for nth, value in enumerate(values)}

    sides = [
        [
            by_run(each)
            for each in ([i * c / f for i, c, f in runs], *zip(*runs, strict=True))
        ]
        for runs in (before, after)
    ]
    factors = [
        Factor(now, then, nth == 3)
        for nth, (now, then) in enumerate(zip(*sides, strict=True))
    ]
    whole, *parts = log_parts(factors)
    assert sum(parts) == pytest.approx(whole, abs=1e-9)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """Of 300 tables; five standard errors below 95% are 88.7%."""
    shares, apart = simulate(10, 0.8, 300)
    assert all(share >= 0.887 for share in shares.values())
    assert apart < 1e-12
