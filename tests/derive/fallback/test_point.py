"""Predicted quantities of one point agree with each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.declared.workload import Workload, parse_workload
from analysis.derive.fallback.point import (
    ABSENT,
    Point,
    _by_little,
    predict_point,
)
from analysis.derive.fallback.question import Answer
from analysis.derive.samples import Cell
from models.prediction import Prediction
from tests.derive.fallback.conftest import (
    HS_Z16,
    HS_Z17,
    OSD,
    OSH,
    interactive,
    knowledge,
    modelled,
    stream,
    study,
)

RR = [
    ("rate", None), ("latency", None), ("cpu_cost", "client"),
    ("cpu_cost", "server"), ("utilisation", "client"), ("utilisation", "server"),
]  # fmt: skip
STR = [
    ("throughput", None), ("cpu_cost", "sender"), ("cpu_cost_per_mb", "sender"),
    ("cpu_cost", "receiver"), ("utilisation", "receiver"),
]  # fmt: skip
NAME = "RR10(4kB)"


def predict(known, arm, name, wanted, setup=None):
    setup = setup or known.setups.get(arm)
    return predict_point(Point(arm, parse_workload(name), setup), wanted, known)


def values(answers):
    bad = [a for a in answers.values() if not isinstance(a, Answer)]
    assert not bad, bad
    return {key: a.prediction.value for key, a in answers.items()}


@pytest.fixture
def generations():
    point = interactive("B", NAME, 250_000, 8.0, 9.0)
    return knowledge(study(), point, setups={"A": HS_Z16, "B": HS_Z17})


def test_rate_and_latency_keep_little_s_law(generations):
    answers = predict(generations, "A", NAME, RR)
    found = values(answers)
    assert found["rate", None] * found["latency", None] == pytest.approx(10e6)
    rate, latency = (answers[m, None].prediction for m in ("rate", "latency"))
    assert rate.low * latency.high == pytest.approx(10e6)
    assert "by Little's law" in answers["rate", None].reason


def test_utilisation_keeps_its_law(generations):
    found = values(predict(generations, "A", NAME, RR))
    for role in ("client", "server"):
        busy = found["rate", None] * found["cpu_cost", role] / 4 / 1e4
        assert found["utilisation", role] == pytest.approx(busy)


def test_cps_are_those_that_the_measured_arm_had():
    point = interactive("B", NAME, 100_000, 8.0, 9.0, cps=(2, 2))
    known = knowledge(study(), point, setups={"A": HS_Z16, "B": HS_Z17})
    found = values(predict(known, "A", NAME, RR))
    busy = found["rate", None] * found["cpu_cost", "server"] / 2 / 1e4
    assert found["utilisation", "server"] == pytest.approx(busy)


def test_cost_per_mb_is_the_cost_over_the_payload():
    setups = {"A": OSH.model_copy(update={"cpc": "z16"}), "B": OSH}
    point = stream("B", "STR1(1B/20MB)", 2800, 1500, 3000)
    known = knowledge(study(), point, setups=setups)
    found = values(predict(known, "A", "STR1(1B/20MB)", STR))
    size = (20 * 2**20 + 1) / 1e6
    cost = found["cpu_cost", "sender"]
    assert found["cpu_cost_per_mb", "sender"] == pytest.approx(cost / size)
    busy = found["throughput", None] / size * found["cpu_cost", "receiver"] / 4 / 1e4
    assert found["utilisation", "receiver"] == pytest.approx(busy)


def test_a_measured_rate_is_never_predicted():
    cells = interactive("A", NAME, 200_000, 8.0, 9.0)
    measured = {c: s for c, s in cells.items() if c.metric in ("rate", "latency")}
    known = knowledge(
        study(),
        measured,
        interactive("B", NAME, 250_000, 8.0, 9.0),
        setups={"A": HS_Z16, "B": HS_Z17},
    )
    wanted = [("cpu_cost", "client"), ("utilisation", "client")]
    found = values(predict(known, "A", NAME, wanted))
    busy = 200_000 * found["cpu_cost", "client"] / 4 / 1e4
    assert found["utilisation", "client"] == pytest.approx(busy, rel=1e-6)


def test_a_measured_point_without_its_latency_stays_without():
    cells = interactive("A", NAME, 200_000, 8.0, 9.0)
    measured = {c: s for c, s in cells.items() if c.metric != "latency"}
    known = knowledge(study(), measured)
    assert predict(known, "A", NAME, [("latency", None)]) == {("latency", None): ABSENT}


def test_more_than_all_cps_is_refused():
    cells = interactive("A", NAME, 400_000, 8.0, 9.0)
    cells = {c: s for c, s in cells.items() if c.metric in ("rate", "latency")}
    cost = interactive("B", NAME, 250_000, 8.0, 15.9)
    known = knowledge(study(), cells, cost, setups={"A": HS_Z16, "B": HS_Z17})
    found = predict(known, "A", NAME, [("utilisation", "server")])
    assert "would need 176% of the CPs" in str(found["utilisation", "server"])


def test_a_metric_without_a_model_says_so(generations):
    wanted = [("cpu_cost_ziip", "client")]
    (found,) = predict(generations, "A", NAME, wanted).values()
    assert str(found) == "no model answers cpu_cost_ziip"


@pytest.fixture(scope="module")
def loads():
    """B, measured at both ends of clients and payload."""
    points = [
        modelled("B", f"RR{clients}({size})")
        for clients in (1, 60)
        for size in ("1kB", "32kB")
    ]
    return knowledge(study(), *points, setups={"B": OSD})


def rate(known, clients, size):
    work = Workload("RR", clients, size, size)
    point = Point("B", work, known.setups["B"])
    return predict_point(point, [("rate", None)], known)["rate", None]


@given(clients=st.integers(2, 58), size=st.integers(1025, 32_000))
@settings(max_examples=12, deadline=None)
def test_predictions_grow_with_clients_and_do_not_jump(loads, clients, size):
    here = rate(loads, clients, size)
    more = rate(loads, clients + 1, size)
    near = rate(loads, clients, size + 1)
    assert here.rung == "interpolation"
    assert more.prediction.value >= here.prediction.value * (1 - 1e-9)
    assert near.prediction.value == pytest.approx(here.prediction.value, rel=0.005)
    for found in (here, more, near):
        assert found.prediction.low <= found.prediction.value <= found.prediction.high


def test_the_inputs_of_a_product_are_those_of_both(generations):
    answers = predict(generations, "A", NAME, RR)
    busy = answers["utilisation", "client"]
    assert len(busy.inputs) == 2
    assert Cell("B", NAME, "latency", None) in generations.samples
    assert busy.prediction.unit == "%"


def test_errors_of_a_latency_become_those_of_its_rate():
    point = Point("B", parse_workload(NAME), None)
    prediction = Prediction(100.0, 90.0, 110.0, "µs", "model", "1", "measured")
    found = Answer("interpolation", prediction, "so", left_out=(25.0, -20.0))
    rate = _by_little(found, point.workload.clients, "1/s")
    assert rate.prediction.value == pytest.approx(10 / 100e-6)
    assert (rate.prediction.low, rate.prediction.high) == pytest.approx(
        (10 / 110e-6, 10 / 90e-6)
    )
    assert rate.left_out == pytest.approx((-20.0, 25.0))
