"""Straight lines between measured loads: values, ranges, and when there is none."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from models.loads import BetweenLoads, Reference, References, read_references
from models.prediction import REACH, spread_of

ELSEWHERE = References(
    apart=10,
    time=Reference(spread=0.2, mean_error=12, n=9),
    cpu_cost=Reference(spread=0.1, mean_error=5, n=18),
    utilisation=Reference(spread=0.3, mean_error=7, n=18),
    source="nobody",
)
# Waits of 40 + 2 clients µs, and one load that is off its line by 10%.
WAITS = {1: 42.0, 10: 60.0, 20: 80.0, 40: 120.0}
OFF = {**WAITS, 20: 88.0}


@pytest.mark.parametrize(
    ("metric", "few", "many", "between"),
    [
        ("latency", 42.0, 120.0, 60.0),
        ("rate", 1 / 42.0, 40 / 120.0, 10 / 60.0),
        ("throughput", 1 / 42.0, 40 / 120.0, 10 / 60.0),
        ("utilisation", 1 / 42.0, 40 / 120.0, 10 / 60.0),
        ("cpu_cost", 15.0, 5.25, 6.0),  # 5 µs each, and 10 µs that all share
        ("storage", 42.0, 120.0, 60.0),
    ],
)
def test_what_is_straight_is_met(metric, few, many, between):
    series = {1: few, 10: between, 40: many}
    rest = {n: v for n, v in series.items() if n != 10}
    found = BetweenLoads(metric, rest, (series,)).predict(10)
    assert found.value == pytest.approx(between)
    assert found.high / found.low == pytest.approx(1, abs=1e-6)


def test_a_load_left_out_tells_the_range():
    model = BetweenLoads("latency", OFF)
    chord = 42 + (88 - 42) * 9 / 19
    assert model.errors == pytest.approx([math.log(chord / 60), math.log(80 / 88)])
    found = model.predict(30)
    assert found.value == pytest.approx((88 + 120) / 2)
    reach = math.exp(REACH * spread_of(model.errors))
    assert (found.low, found.high) == pytest.approx(
        (found.value / reach, found.value * reach)
    )
    assert found.basis == "measured"


def test_other_payloads_tell_errors_and_no_value():
    alone, beside = (
        BetweenLoads("latency", WAITS, others).predict(30) for others in ((), (OFF,))
    )
    assert alone.value == beside.value
    assert alone.high == pytest.approx(alone.value)
    assert beside.high > beside.value


def test_the_noise_of_what_was_measured_is_the_least():
    found = BetweenLoads("latency", WAITS, sigma=0.1).predict(30)
    assert found.high / found.value == pytest.approx(math.exp(REACH * 0.1))


@pytest.mark.parametrize(
    ("metric", "spread"), [("latency", 0.2), ("cpu_cost", 0.1), ("utilisation", 0.3)]
)
def test_two_loads_have_the_errors_of_measured_loads_elsewhere(metric, spread):
    model = BetweenLoads(metric, {4: 50.0, 40: 50.0}, refer=ELSEWHERE)
    found = model.predict(10)
    assert model.reference(10) == ELSEWHERE.of(metric)
    assert found.high == pytest.approx(found.value * math.exp(REACH * spread))


def test_one_error_of_its_own_may_widen_that_range():
    model = BetweenLoads("latency", {4: 40.0, 20: 40.0, 40: 80.0}, refer=ELSEWHERE)
    (error,) = model.errors
    assert error > ELSEWHERE.time.spread
    found = model.predict(10)
    assert found.high / found.value == pytest.approx(math.exp(REACH * error))


def test_two_errors_of_its_own_are_enough():
    assert BetweenLoads("latency", WAITS, refer=ELSEWHERE).reference(30) is None


@pytest.mark.parametrize(
    ("series", "clients", "what", "mend"),
    [
        ({}, 3, "differs in its clients alone", "measure one with fewer and one"),
        (WAITS, 60, "60 clients are outside of the measured 1", "60 clients or more"),
        ({4: 1.0, 9: 1.0}, 2, "2 clients are outside", "measure 2 clients or fewer"),
        ({4: 1.0}, 4, "4 clients are outside", "or more"),
        ({1: 9.0, 40: 9.0}, 5, "fewer than three", "between 1 and 40 clients"),
        ({1: 9.0, 4: 2.0, 40: 9.0}, 5, "by up to 350%", "between 4 and 40 clients"),
    ],
)  # fmt: skip
def test_where_nothing_holds_it_says_what_to_measure(series, clients, what, mend):
    with pytest.raises(UserError, match=what) as caught:
        BetweenLoads("latency", series, refer=ELSEWHERE).predict(clients)
    assert mend in caught.value.issues[0].mend


def test_loads_far_apart_have_no_errors_elsewhere():
    near, far = (
        BetweenLoads("latency", {1: 40.0, most: 60.0}, refer=ELSEWHERE)
        for most in (10, 11)
    )
    assert near.predict(5).value > 40
    with pytest.raises(UserError, match="fewer than three"):
        far.predict(5)


@given(st.integers(2, 39), st.integers(2, 39))
def test_more_clients_wait_longer_and_get_no_less_done(one, other):
    fewer, more = sorted((one, other))
    waits = BetweenLoads("latency", WAITS)
    rates = BetweenLoads("rate", {n: n / wait for n, wait in WAITS.items()})
    assert waits.predict(fewer).value <= waits.predict(more).value
    assert rates.predict(fewer).value <= rates.predict(more).value * (1 + 1e-9)


def test_a_utilisation_has_no_more_than_all():
    series = {1: 50.0, 4: 99.0, 10: 99.0, 40: 99.0}
    found = BetweenLoads("utilisation", series, refer=ELSEWHERE).predict(20)
    assert found.value == pytest.approx(99) and found.high == 100


def test_the_declared_errors_are_read():
    known = read_references()
    assert known.of("rate") is known.of("latency") is known.time
    assert known.of("cpu_cost") is known.cpu_cost
