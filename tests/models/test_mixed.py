"""The event simulation, and interactive work beside a stream."""

from __future__ import annotations

import pytest

from analysis.declared.workload import parse_workload
from analysis.errors import UserError
from models.mixed import MixedModel, MixedQuestion
from models.queueing import QueueingModel, QueueingQuestion, Setup
from models.simulate import FlowKind, Visit, simulate


def setup(interface="osd", name="RR10(4kB)"):
    return Setup(parse_workload(name), interface)


def ask(interface="osd", metric="latency", stream="STR1(5MB/1B)", **more):
    question = MixedQuestion(setup(interface), parse_workload(stream), metric, **more)
    return MixedModel().predict(question)


def test_equal_seeds_give_equal_answers():
    kinds = [FlowKind(5, (Visit(0, 1.0), Visit(None, 2.0)))]
    assert simulate(kinds, [1], 1000, 1) == simulate(kinds, [1], 1000, 1)
    assert simulate(kinds, [1], 1000, 1) != simulate(kinds, [1], 1000, 2)


def test_fixed_times_without_queues_are_exact():
    kinds = [FlowKind(1, (Visit(0, 3.0), Visit(None, 2.0)))]
    assert simulate(kinds, [1], 1000, 1, "fixed")[0] == pytest.approx(0.2, rel=0.01)


def test_the_order_in_a_queue_is_that_of_arrival_within_a_priority():
    short, long = (Visit(0, 1.0), Visit(None, 5.0)), (Visit(0, 20.0),)
    alike = simulate([FlowKind(1, short), FlowKind(4, long)], [1], 5000, 1, "fixed")
    later = simulate([FlowKind(1, short), FlowKind(4, long, 1)], [1], 5000, 1, "fixed")
    assert alike[0] == pytest.approx(1 / 80, rel=0.05)
    assert later[0] > 2.5 * alike[0]


def test_a_visit_of_no_time_takes_none_by_any_law():
    kinds = [FlowKind(1, (Visit(0, 0.0), Visit(None, 2.0)))]
    assert simulate(kinds, [1], 20_000, 1)[0] == pytest.approx(0.5, rel=0.03)


def test_who_came_first_is_served_first_whatever_its_kind():
    often, seldom = (Visit(0, 9.0), Visit(None, 9.0)), (Visit(0, 1.0), Visit(None, 7.0))
    rates = simulate([FlowKind(2, often), FlowKind(1, seldom)], [1], 1000, 1, "fixed")
    assert rates == pytest.approx((0.1, 0.1))


@pytest.mark.parametrize(
    ("kinds", "servers", "words"),
    [
        ([FlowKind(0, (Visit(0, 1.0),))], [1], "customers with visits"),
        ([FlowKind(1, (Visit(3, 1.0),))], [1], "names no station"),
        ([FlowKind(1, (Visit(0, 0.0),))], [1], "takes no time"),
    ],
)
def test_a_network_without_sense(kinds, servers, words):
    with pytest.raises(UserError, match=words):
        simulate(kinds, servers, 1000, 1)


@pytest.mark.parametrize("interface", ["osd", "osh"])
def test_a_stream_in_the_same_queue_is_no_small_thing(interface):
    alone = QueueingModel().predict(QueueingQuestion(setup(interface), "latency"))
    beside = ask(interface, window=8)
    assert beside.value > 2.5 * alone.value
    assert ask(interface).value > beside.value


def test_separate_queues_take_most_of_the_wait_away():
    assert ask(queues="separate").value < ask(queues="one").value / 3


def test_littles_law_holds():
    rate, latency = ask(metric="rate").value, ask().value
    assert rate * latency / 1e6 == pytest.approx(10, rel=0.02)


def test_the_stream_stays_below_its_fabric():
    assert 0 < ask(metric="throughput").value <= 1207 * 1.02


def test_a_load_outside_the_range_is_marked_and_two_streams_are_no_mix():
    assert ask(stream="STR9(5MB/1B)").outside == ("streams 9 is outside 1 to 4",)
    with pytest.raises(UserError, match="no mix of RR and STR"):
        ask(stream="RR1(1kB)")
