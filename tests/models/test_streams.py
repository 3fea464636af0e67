from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.declared.workload import Workload, parse_workload
from analysis.errors import UserError
from models.interpolate import StreamAnchor, StreamInterpolation, away

MEGA = 2**20
ANCHORS = tuple(
    StreamAnchor(Workload("STR", n, 1, size * MEGA), rate, 90.0 * size, 140.0 * size)
    for n, size, rate in ((1, 1, 800.0), (4, 1, 2000.0), (1, 20, 1200.0))
)
MODEL = StreamInterpolation(ANCHORS)


def ask(work, metric="throughput", role=None, model=MODEL):
    return model.predict(work, metric, role)


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda a: a.workload.name)
def test_a_measured_point_gives_what_was_measured(anchor):
    assert ask(anchor.workload).value == pytest.approx(anchor.throughput)
    found = ask(anchor.workload, "cpu_cost", "receiver")
    assert found.value == pytest.approx(anchor.receiver)


def test_between_two_points_lies_their_mean_with_a_wider_range():
    between = ask(parse_workload("STR2(1B/1MB)"))
    assert between.value == pytest.approx((800 * 2000) ** 0.5)
    known = ask(parse_workload("STR1(1B/1MB)"))
    assert between.high / between.low > known.high / known.low


def test_cost_in_proportion_to_payload_stays_so():
    found = ask(Workload("STR", 1, 1, 5 * MEGA), "cpu_cost", "sender")
    assert found.value == pytest.approx(450)


@given(st.integers(MEGA, 20 * MEGA - 1))
def test_one_byte_more_changes_next_to_nothing(size):
    here, beyond = (ask(Workload("STR", 1, 1, n)).value for n in (size, size + 1))
    assert beyond == pytest.approx(here, rel=1e-5)


def test_points_outside_are_marked():
    marks = ask(parse_workload("STR9(1B/40MB)")).outside
    assert [mark.split()[0] for mark in marks] == ["clients", "payload"]


@pytest.mark.parametrize(
    ("name", "metric", "role", "anchors", "words"),
    [
        ("STR1(20MB/1B)", "throughput", None, ANCHORS, "cannot be interpolated"),
        ("RR1(1MB)", "throughput", None, ANCHORS, "cannot be interpolated"),
        ("STR1(1B/20MB)", "cpu_cost", None, ANCHORS, "cpu_cost of role None"),
        ("STR1(1B/20MB)", "throughput", None, (), "nothing was measured"),
    ],
)
def test_a_question_without_sense(name, metric, role, anchors, words):
    model = dataclasses.replace(MODEL, anchors=anchors)
    with pytest.raises(UserError, match=words):
        ask(parse_workload(name), metric, role, model)


@pytest.mark.parametrize(
    ("work", "sends"),
    [("STR1(1MB/1B)", True), ("STR1(1MB)", True), ("STR1(1B/1MB)", False)],
)
def test_the_client_sends_a_stream_unless_it_receives_more(work, sends):
    assert away(parse_workload(work)) == sends
