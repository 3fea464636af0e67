"""What the resolution of sources leaves of intervals, prints and verdicts."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.derive.samples import Sample
from analysis.derive.study import (
    Pair,
    change_text,
    resolution_alone,
    widen_by_resolution,
)
from analysis.facts.fact import Fact
from analysis.ingest.printed import Resolved
from analysis.statistics.median_change import Change
from tests.derive.conftest import derive, fact

KEY = "question.rr10-100b.-.latency.B"


def pair(before: float, after: float, *steps: float | None) -> Pair:
    sides = (
        Sample(np.array([value] * 6), (), (), ("measured",), (), resolution=step)
        for value, step in zip((before, after), steps, strict=True)
    )
    return Pair(*sides, ("A", "B"))


def alone(*values: float | None) -> Change:
    found = resolution_alone(pair(*values))
    assert found is not None
    return found


def test_the_half_steps_of_both_sides_become_a_percentage():
    found = alone(4.0, 5.0, 1.0, 2.0)
    assert (found.value, found.low) == pytest.approx((25, (4 / 4.5 - 1) * 100))
    assert found.high == pytest.approx((6 / 3.5 - 1) * 100)


def test_what_cannot_be_negative_falls_by_no_more_than_all():
    assert alone(4.0, 0.0, 1.0, 1.0).low == -100


@pytest.mark.parametrize(("before", "some"), [(0.5, False), (0.6, True)])
def test_a_baseline_that_may_be_zero_has_no_ratio(before, some):
    assert (resolution_alone(pair(before, 2.0, 1.0, 1.0)) is not None) == some


def test_the_interval_of_runs_is_widened_on_both_sides():
    change = Change(25.0, 20.0, 30.0, 0.01, 21.0, 29.0)
    found = widen_by_resolution(change, Change(25.0, 15.0, 45.0))
    assert found == Change(25.0, 10.0, 50.0, 0.01, 11.0, 49.0)
    assert widen_by_resolution(change, Change(25.0, 25.0, 25.0)) == change
    assert (
        widen_by_resolution(
            Change(-90.0, -99.0, -80.0, 0.01), Change(-90.0, -99.0, 0.0)
        ).low
        == -100
    )
    assert widen_by_resolution(Change(25.0), Change(25.0, 15.0, 45.0)) == Change(25.0)


def test_equal_runs_without_a_resolution_have_no_interval():
    assert widen_by_resolution(
        Change(5.0, 5.0, 5.0, 0.01), Change(5.0, 5.0, 5.0)
    ) == Change(5.0)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Change(0.0, -40.0, 66.7), "< 67%"),
        (Change(25.0, 0.0, 57.1), "< 57%"),
        (Change(25.0, 0.1, 57.1), "+20%"),
        (Change(0.0, -0.4, 0.4), "0.0%"),  # no digit of it is lost
        (Change(-37.2, -37.2, -37.2), "−37%"),
    ],
)
def test_a_change_that_the_resolution_hides_is_printed_as_less_than_that(change, text):
    assert change_text(change) == text


def latencies(world, a: list[float], b: list[float], step: float, **noise) -> Fact:
    """The change of latencies that are told in such steps."""
    for name, values in (("A", a), ("B", b)):
        for n, value in enumerate(values):
            begun = 20.0 * (len(world.rows["run"]) * 37 % 97)
            world.run(f"{name}{n}", name, latency=Resolved(value, step),
                      rate=1e7 / value, window=(begun, begun + 10))  # fmt: skip
    world.study(metrics=["latency"], noise={"floor": 5.0} | noise)
    facts = derive(world)
    assert fact(facts, KEY).resolution == (step or None)
    return fact(facts, f"{KEY}.delta")


def test_whole_milliseconds_are_never_comparable(world):
    found = latencies(world, [3000.0] * 6, [3000.0] * 6, 1000.0)
    assert (found.value, found.printed, found.verdict) == (0, "< 40%", "inconclusive")
    assert (found.low, found.high) == pytest.approx((-200 / 7, 40))
    assert found.resolution == pytest.approx(480 / 7)
    (told,) = [w for w in found.warnings if w.kind == "resolution"]
    assert told.words == (
        "latency is told in steps of 1,000 µs, so a change below 40% cannot be seen"
    )


def test_a_change_that_rounding_may_have_made_is_none(world):
    found = latencies(world, [3000.0] * 6, [4000.0] * 6, 1000.0)
    assert (found.verdict, found.printed) == ("inconclusive", "< 80%")
    assert found.p_adjusted <= 0.05
    assert [w.kind for w in found.warnings] == ["resolution"]


def test_a_change_beyond_the_resolution_is_one(world):
    found = latencies(world, [3000.0] * 6, [9000.0] * 6, 1000.0)
    assert (found.verdict, found.printed) == ("regressed", "+200%")
    assert found.low == pytest.approx((8.5 / 3.5 - 1) * 100)
    assert not found.warnings


def test_a_fine_resolution_lets_runs_be_comparable(world):
    found = latencies(world, [3000.0] * 6, [3000.0] * 6, 1.0)
    assert (found.verdict, found.printed) == ("comparable", "0.0%")
    assert found.low < 0 < found.high


def test_equal_values_of_no_known_resolution_are_not_tested(world):
    found = latencies(world, [3000.0] * 6, [3000.0] * 6, 0.0)
    assert (found.verdict, found.low, found.p_value) == (None, None, None)
    assert {w.kind for w in found.warnings} == {"equal"}


def test_the_coarsest_run_tells_the_resolution_of_a_value(world):
    for n, (more, step) in enumerate(
        ((3, 1), (1, 1000), (5, 10), (0, 0), (4, 0), (2, 0))
    ):
        latency = Resolved(3000.0 + more, step)
        world.run(f"A{n}", latency=latency, window=(10 * n, 10 * n + 10))
    world.study(metrics=["latency"], tests=["A2"])
    found = fact(derive(world), "question.rr10-100b.-.latency.A")
    assert (found.resolution, found.printed) == (1000, "3,000 µs")
    assert (found.low, found.high) == (2500, 3505)


def test_the_interval_of_zero_begins_there_and_is_a_step_long(world):
    for n in range(6):
        run = world.run(f"A{n}", workload="ECI10(100B)")
        source = world.rows["benchmark"][-1]["source"]
        told = {"run": run, "transactions": 9, "response_ms": Resolved(0, 1)}
        world.rows["gateway_interval"].append(told | {"source": source})
    world.study(metrics=["response_time"], tests=["A2"])
    found = fact(derive(world), "question.eci10-100b.-.response_time.A")
    assert (found.low, found.high, found.printed) == (0, 1, "< 1 ms")
