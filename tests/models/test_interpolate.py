from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.declared.workload import Workload, parse_workload
from analysis.errors import UserError
from models.interpolate import Interpolation, fit_network, left_out
from tests.models.path import OSA

LOADS = "RR1(1kB) RR10(1kB) RR60(1kB) RR1(4kB) RR10(4kB) RR60(4kB) RR1(32kB) RR10(32kB)"


def truth(work, cps=4):
    return OSA.point(work, (cps, cps))


def model(loads=LOADS, **more):
    anchors = tuple(truth(parse_workload(name)) for name in loads.split())
    return Interpolation(anchors, (4, 4), 1500, **more)


def ask(work, metric="rate", role=None, of=None, cps=None):
    return (of or model()).predict(work, metric, role, cps and (cps, cps))


@pytest.mark.parametrize("name", LOADS.split())
def test_a_measured_load_gives_what_was_measured(name):
    work = parse_workload(name)
    measured = truth(work)
    assert ask(work).value == pytest.approx(measured.rate, rel=1e-4)
    assert ask(work, "cpu_cost", "server").value == pytest.approx(measured.server)


@pytest.mark.parametrize("name", ["RR30(1kB)", "RR40(4kB)", "RR10(2kB)", "RR10(16kB)"])
def test_loads_between_are_those_of_the_network_behind_them(name):
    work = parse_workload(name)
    measured = truth(work)
    found = ask(work)
    assert found.value == pytest.approx(measured.rate, rel=0.02)
    assert found.low < measured.rate < found.high
    cost = ask(work, "cpu_cost", "client").value
    assert cost == pytest.approx(measured.client, rel=0.02)
    assert found.basis == "measured"


def test_other_numbers_of_cps_are_predicted():
    work = parse_workload("RR60(4kB)")
    assert ask(work, cps=1).value == pytest.approx(truth(work, 1).rate, rel=0.02)
    assert ask(work, cps=1).value < ask(work, cps=4).value


@given(st.integers(1, 59), st.integers(1024, 32 * 1024))
def test_more_clients_never_lower_the_rate_and_one_byte_changes_little(clients, size):
    here = ask(Workload("RR", clients, size, size)).value
    assert ask(Workload("RR", clients + 1, size, size)).value >= here * (1 - 1e-6)
    assert ask(Workload("RR", clients, size + 1, size + 1)).value == pytest.approx(
        here, rel=2e-3
    )


def test_each_side_has_cps_of_its_own():
    """A client of 8 CPs and a server of 2: the server is what fills first."""
    cps = (8, 2)
    loads = [OSA.point(parse_workload(name), cps) for name in LOADS.split()]
    of = Interpolation(tuple(loads), cps, 1500)
    work = parse_workload("RR40(4kB)")
    known = OSA.point(work, cps)
    found = of.predict(work, "rate")
    assert found.value == pytest.approx(known.rate, rel=0.02)
    client, server = (
        of.predict(work, "utilisation", role).value for role in ("client", "server")
    )
    assert server == pytest.approx(4 * client, rel=0.01)


def test_little_and_the_utilisation_law_hold():
    work = parse_workload("RR40(8kB)")
    rate, latency = ask(work).value, ask(work, "latency").value
    assert rate * latency == pytest.approx(40e6)
    busy, cost = (ask(work, m, "client").value for m in ("utilisation", "cpu_cost"))
    assert rate * cost / 4 / 1e6 == pytest.approx(busy / 100)


def rms(of):
    return float(np.sqrt(np.mean(np.square(left_out(of, "rate", None)))))


def test_the_errors_are_those_of_leaving_one_out():
    error = rms(model())
    assert len(left_out(model(), "rate", None)) == 8
    worse = model()
    first = worse.anchors[4]
    spoilt = dataclasses.replace(first, rate=first.rate * 1.3)
    anchors = (*worse.anchors[:4], spoilt, *worse.anchors[5:])
    assert rms(Interpolation(anchors, (4, 4), 1500)) > error
    assert left_out(model("RR1(1kB) RR9(4kB)"), "rate", None) == ()


def test_another_payload_tells_what_a_left_out_point_leaves_open():
    few = model("RR1(1kB) RR10(1kB) RR10(4kB) RR60(4kB) RR10(32kB)")
    errors = left_out(few, "rate", None)
    assert len(errors) == 2
    assert max(map(abs, errors)) < 0.02  # by one payload at a time it was 0.5


def test_two_points_that_fit_by_luck_do_not_make_a_range_narrow():
    few = model("RR1(1kB) RR10(1kB) RR10(4kB) RR60(4kB) RR10(32kB)")
    found = ask(parse_workload("RR5(1kB)"), of=few)
    assert found.high / found.value > np.exp(1.645 * 0.05 / np.sqrt(3))


def test_one_number_of_clients_tells_nothing_of_the_adapter():
    loads = [truth(parse_workload(f"RR10({n}kB)")) for n in (1, 4, 32)]
    assert fit_network(tuple(loads), (4, 4), 1500).adapter == (0.0, 0.0, 0.0)


def test_as_many_points_as_delays_leave_none_for_the_adapter():
    loads = (truth(parse_workload("RR1(1kB)")), truth(parse_workload("RR10(4kB)")))
    assert fit_network(loads, (4, 4), 1500).adapter == (0.0, 0.0)


def test_terms_that_the_payloads_do_not_tell_are_nothing():
    for loads, known in (("RR1(1kB) RR10(1kB)", 1), ("RR1(1kB) RR10(4kB)", 2)):
        anchors = tuple(truth(parse_workload(name)) for name in loads.split())
        for demand in fit_network(anchors, (4, 4), 1500).demands.values():
            assert len(demand) == 3
            assert not demand[known:].any()


@pytest.mark.parametrize(("cps", "inside"), [(1, True), (16, True), (17, False)])
def test_up_to_16_cps_are_predicted(cps, inside):
    assert bool(ask(parse_workload("RR10(2kB)"), cps=cps).outside) != inside


def test_loads_outside_are_marked():
    assert not ask(parse_workload("RR10(2kB)")).outside
    marks = ask(parse_workload("RR100(64kB)")).outside
    assert [mark.split()[0] for mark in marks] == ["clients", "payload"]


@pytest.mark.parametrize(
    ("name", "metric", "role", "of", "words"),
    [
        ("CRR10(1kB)", "rate", None, model(), "cannot be interpolated from RR"),
        ("RR10(1kB)", "cpu_cost", None, model(), "cpu_cost of role None"),
        ("RR10(1kB)", "rate", None, Interpolation((), (4, 4)), "nothing was measured"),
    ],
)
def test_a_question_without_sense(name, metric, role, of, words):
    with pytest.raises(UserError, match=words):
        ask(parse_workload(name), metric, role, of)
