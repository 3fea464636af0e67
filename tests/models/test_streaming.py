from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.declared.workload import Workload, parse_workload
from analysis.errors import UserError
from models.queueing import Setup
from models.streaming import StreamingModel, StreamingQuestion, goodput, window_bound

MODEL = StreamingModel()
interfaces = st.sampled_from(["osd", "osh", "hipersockets", "smcd", "smcr"])
MEGA = 2**20


def ask(name, interface, metric="throughput", role=None, **more):
    each = Setup(parse_workload(name), interface, **more)
    return MODEL.predict(StreamingQuestion(each, metric, role))


def test_goodput_takes_headers_off():
    assert goodput(25, 1500) == pytest.approx(2942, abs=1)
    assert goodput(25, 9000) == pytest.approx(3094, abs=1)
    assert goodput(25, 9000) < 25e3 / 8


def test_the_window_bounds_one_connection():
    assert window_bound(65_536, 100) == pytest.approx(655.36)


@pytest.mark.parametrize(
    ("interface", "throughput", "sender", "receiver"),
    [("osd", 1200, 1997, 4828), ("osh", 2819, 1557, 3004)],
)
def test_the_anchors_of_one_stream(interface, throughput, sender, receiver):
    found = ask("STR1(20MB/1B)", interface)
    assert found.value == pytest.approx(throughput, rel=0.02)
    for role, cost in (("sender", sender), ("receiver", receiver)):
        found = ask("STR1(20MB/1B)", interface, "cpu_cost", role)
        assert found.value == pytest.approx(cost, rel=0.02)


@pytest.mark.parametrize(
    ("base", "test", "metric", "role", "published"),
    [
        ("osd", "osh", "throughput", None, 135),
        ("hipersockets", "smcd", "throughput", None, 567),
        ("hipersockets", "smcd", "cpu_cost", "sender", -86),
    ],
)
def test_the_ratios_that_parameters_were_calibrated_to(
    base, test, metric, role, published
):
    work = parse_workload("STR1(20MB/1B)")
    question = StreamingQuestion(Setup(work, base), metric, role)
    found = MODEL.predict_change(question, Setup(work, test))
    assert 1 + found.value / 100 == pytest.approx(1 + published / 100, rel=0.03)
    assert found.low < published < found.high


@settings(max_examples=40, deadline=None)
@given(
    interfaces,
    st.integers(1, 16),
    st.integers(MEGA, 64 * MEGA),
    st.sampled_from([1500, 9000]),
)
def test_a_stream_stays_below_the_line_rate(interface, clients, size, mtu):
    mtu = mtu if interface in ("osd", "osh") else None
    work = Workload("STR", clients, 1, size)
    question = StreamingQuestion(Setup(work, interface, mtu=mtu), "throughput")
    found = MODEL.predict(question)
    assert 0 < found.low <= found.value <= found.high
    if interface in ("osd", "osh"):
        assert found.high <= goodput(25, mtu)


@settings(max_examples=30, deadline=None)
@given(interfaces, st.integers(1, 8), st.integers(MEGA, 64 * MEGA))
def test_more_streams_and_larger_ones_never_carry_less(interface, clients, size):
    def throughput(n, amount):
        each = Setup(Workload("STR", n, 1, amount), interface)
        return MODEL.predict(StreamingQuestion(each, "throughput")).value

    here = throughput(clients, size)
    assert throughput(clients + 1, size) >= here * (1 - 0.005)
    assert throughput(clients, size + 1) == pytest.approx(here, rel=1e-4)
    assert throughput(clients, 2 * size) >= here * (1 - 1e-9)


def test_time_and_throughput_obey_littles_law():
    through, time = (ask("STR3(1B/20MB)", "osd", m) for m in ("throughput", "latency"))
    assert through.value * time.value == pytest.approx(3 * 20 * MEGA, rel=0.01)


def test_a_load_outside_the_range_is_marked():
    assert ask("STR1(1B/1kB)", "osd").outside[0].startswith("payload 1,024 is outside")
    assert ask("STR1(1B/20MB)", "osd").in_range
    [payload] = [i for i in StreamingModel().inputs if i.name == "payload"]
    assert (payload.low, payload.high) == (2**20, 64 * 2**20)


@pytest.mark.parametrize(("link", "mtu"), [(0, 1500), (-1, 1500), (25, 40)])
def test_a_line_that_carries_nothing_is_refused(link, mtu):
    with pytest.raises(UserError, match="carries nothing"):
        goodput(link, mtu)


@pytest.mark.parametrize(
    ("name", "metric", "role", "words"),
    [
        ("RR1(1kB)", "throughput", None, "is no stream"),
        ("STR1(1B/20MB)", "cpu_cost", None, "cpu_cost of role None"),
    ],
)
def test_a_question_without_sense(name, metric, role, words):
    with pytest.raises(UserError, match=words):
        ask(name, "osd", metric, role)


def test_bounds_refuse_what_carries_nothing():
    with pytest.raises(UserError, match="carries nothing"):
        goodput(25, 40)
    with pytest.raises(UserError, match="give no bound"):
        window_bound(65_536, 0)


@pytest.mark.parametrize(("window", "trip"), [(0, 100), (-0.5, 100), (65_536, -1)])
def test_a_window_and_a_round_trip_are_more_than_nothing(window, trip):
    with pytest.raises(UserError):
        window_bound(window, trip)
    assert window_bound(0.5, 0.5) == 1.0


def test_a_line_in_memory_goes_with_the_processor():
    """A fabric in memory is as fast as the CPU that moves the data; a line is not."""
    old = {"cpc": "z16", "cps": 4}
    new = {"cpc": "z17", "cps": 4}
    work = parse_workload("STR3(1B/20MB)")
    for name, depends in (("hipersockets", True), ("osd", False)):
        rates = [
            StreamingModel()
            .predict(StreamingQuestion(Setup(work, name, **cpc), "throughput"))
            .value
            for cpc in (old, new)
        ]
        assert (rates[0] < 0.99 * rates[1]) is depends
