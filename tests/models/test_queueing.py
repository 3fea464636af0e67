from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.declared.published import read_published
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import UserError
from models.queueing import QueueingModel, QueueingQuestion, Setup

MODEL = QueueingModel()
NAMES = ("osd", "osh", "osd-shared", "osh-shared", "hipersockets", "smcd", "smcr")
interfaces = st.sampled_from(NAMES)


def setup(name, interface="osd", **more):
    return Setup(parse_workload(name), interface, **more)


def ask(given_setup, metric, role=None):
    return MODEL.predict(QueueingQuestion(given_setup, metric, role))


def middle(clients, size, interface, metric="rate", role=None):
    work = Workload("RR", clients, size, size)
    return ask(Setup(work, interface), metric, role).value


@pytest.mark.parametrize(
    ("name", "rate", "latency"),
    [
        ("RR1(1kB)", 9535, 104.9),
        ("RR10(1kB)", 95191, 105.1),
        ("RR10(4kB)", 80335, 124.5),
    ],
)
def test_the_anchor_of_osd(name, rate, latency):
    assert ask(setup(name), "rate").value == pytest.approx(rate, rel=0.01)
    assert ask(setup(name), "latency").value == pytest.approx(latency, rel=0.01)


PUBLISHED = {
    "P010": ("RR10(1kB)", "osd", "osh", "latency"),
    "P013": ("RR10(1kB)", "hipersockets", "osd-shared", "latency"),
    "P014": ("RR10(4kB)", "hipersockets", "osd-shared", "latency"),
    "P015": ("RR10(32kB)", "hipersockets", "osd-shared", "latency"),
    "P016": ("RR10(1kB)", "hipersockets", "osh-shared", "latency"),
    "P017": ("RR10(4kB)", "hipersockets", "osh-shared", "latency"),
    "P018": ("RR10(32kB)", "hipersockets", "osh-shared", "latency"),
    "P051": ("RR10(4kB)", "hipersockets", "smcd", "latency"),
    "P052": ("RR10(4kB)", "hipersockets", "smcd", "cpu_cost"),
    "P053": ("RR10(32kB)", "hipersockets", "smcd", "latency"),
    "P054": ("RR10(32kB)", "hipersockets", "smcd", "cpu_cost"),
}


@pytest.mark.parametrize("id", PUBLISHED)
def test_the_ratios_that_parameters_were_calibrated_to(id):
    row = next(r for r in read_published() if r.id == id)
    name, base, test, metric = PUBLISHED[id]
    role = "client" if metric == "cpu_cost" else None
    assert (row.baseline, row.test, row.metric) == (base, test, metric)
    question = QueueingQuestion(setup(name, base), metric, role)
    found = MODEL.predict_change(question, setup(name, test))
    published = 1 + row.value / 100
    assert 1 + found.value / 100 == pytest.approx(published, rel=0.03)
    assert found.low < row.value < found.high


@pytest.mark.parametrize(
    ("handshake", "rate", "client", "server"),
    [("tls13-1301", 3067, 282, 261), ("tls13-1301-audited", 691, 5790, 3260)],
)
def test_tls_has_the_published_rate_and_cost(handshake, rate, client, server):
    tls = setup("CRR40(64B/8kB)", handshake=handshake)
    # close to saturation the structure can only err to the slow side
    assert ask(tls, "rate").value == pytest.approx(rate, rel=0.03)
    assert ask(tls, "cpu_cost", "client").value == pytest.approx(client, rel=0.01)
    assert ask(tls, "cpu_cost", "server").value == pytest.approx(server, rel=0.01)


@settings(max_examples=40, deadline=None)
@given(interfaces, st.integers(1, 150), st.sampled_from([100, 1024, 4096, 32768]))
def test_more_clients_never_lower_the_rate(interface, clients, size):
    few = middle(clients, size, interface)
    assert middle(clients + 5, size, interface) >= few * (1 - 1e-6)


@settings(max_examples=60, deadline=None)
@given(
    interfaces,
    st.sampled_from([1, 10, 60]),
    st.integers(1, 40_000),
    st.sampled_from([("rate", None), ("latency", None), ("cpu_cost", "server")]),
)
def test_one_byte_more_changes_next_to_nothing(interface, clients, size, quantity):
    before = middle(clients, size, interface, *quantity)
    after = middle(clients, size + 1, interface, *quantity)
    assert after == pytest.approx(before, rel=2e-3)


@settings(max_examples=30, deadline=None)
@given(interfaces, st.integers(1, 200), st.integers(1, 32_768))
def test_both_directions_stay_below_the_line_rate(interface, clients, size):
    work = Workload("RR", clients, size, size)
    high = ask(Setup(work, interface), "rate").high
    if interface in ("osd", "osh"):
        assert high * size * 8 / 1e9 <= 25


@settings(max_examples=20, deadline=None)
@given(interfaces, st.integers(1, 60), st.integers(1, 4))
def test_little_and_the_utilisation_law_hold(interface, clients, cps):
    work = Workload("RR", clients, 1024, 1024)
    each = Setup(work, interface, cps=cps)
    rate, latency = ask(each, "rate").value, ask(each, "latency").value
    assert rate * latency / 1e6 == pytest.approx(clients, rel=0.01)
    busy, cost = ask(each, "utilisation", "client"), ask(each, "cpu_cost", "client")
    assert rate * cost.value / 1e6 / cps == pytest.approx(busy.value / 100, rel=0.05)
    assert busy.high <= 100 + 1e-9


def test_a_change_is_tighter_than_its_parts():
    question = QueueingQuestion(setup("RR10(4kB)"), "cpu_cost", "client")
    change = MODEL.predict_change(question, setup("RR10(4kB)", "osh"))
    parts = [ask(setup("RR10(4kB)", i), "cpu_cost", "client") for i in ("osd", "osh")]
    reach = parts[1].high / parts[0].low / (parts[1].low / parts[0].high)
    assert (1 + change.high / 100) / (1 + change.low / 100) < reach


def test_an_older_processor_costs_more_cpu_time():
    new = ask(setup("RR10(4kB)"), "cpu_cost", "client").value
    old = ask(setup("RR10(4kB)", cpc="z16"), "cpu_cost", "client").value
    assert old / new == pytest.approx(9116 / 8237)


def test_a_load_outside_the_range_is_marked():
    assert ask(setup("RR10(4kB)"), "rate").in_range
    assert ask(setup("RR700(4kB)"), "rate").outside == (
        "clients 700 is outside 1 to 600",
    )
    wide = QueueingQuestion(setup("RR10(4kB)"), "rate")
    change = MODEL.predict_change(wide, setup("RR10(64kB)", cps=8))
    assert [mark.split()[0] for mark in change.outside] == ["cps", "payload"]


def test_assumed_parameters_are_said():
    assert ask(setup("RR10(4kB)"), "rate").basis == "assumed"


@pytest.mark.parametrize(
    ("given_setup", "metric", "role", "words"),
    [
        (setup("RR10(4kB)", "token-ring"), "rate", None, "no interface 'token-ring'"),
        (setup("RR10(4kB)", cpc="z9"), "rate", None, "no capacity of a 'z9'"),
        (setup("CRR10(4kB)", handshake="ssl2"), "rate", None, "no handshake 'ssl2'"),
        (setup("STR1(1B/20MB)"), "rate", None, "is a stream"),
        (setup("RR10(4kB)", "smcd", mtu=1500), "rate", None, "smcd has no MTU"),
        (setup("RR10(4kB)"), "cpu_cost", None, "cpu_cost of role None"),
        (setup("RR10(4kB)", cps=0), "rate", None, "cps is 0"),
    ],
)
def test_a_question_without_sense(given_setup, metric, role, words):
    with pytest.raises(UserError, match=words):
        ask(given_setup, metric, role)
