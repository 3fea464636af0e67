"""Predicted quantities of one point agree with each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.declared.workload import parse_workload
from analysis.derive.fallback.point import (
    ABSENT,
    Point,
    _by_little,
    predict_point,
)
from analysis.derive.fallback.question import Answer
from models.prediction import Prediction
from tests.derive.fallback.conftest import (
    HS_Z16,
    HS_Z17,
    interactive,
    knowledge,
    stream,
    study,
)

RR = [
    ("rate", None), ("latency", None), ("cpu_cost", "client"),
    ("cpu_cost", "server"),
]  # fmt: skip
STR = [
    ("throughput", None), ("cpu_cost", "sender"), ("cpu_cost_per_mb", "sender"),
    ("cpu_cost", "receiver"),
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


def test_cost_per_mb_is_the_cost_over_the_payload():
    setups = {"A": HS_Z16, "B": HS_Z17}
    point = stream("B", "STR1(1B/20MB)", 2800, 1500, 3000)
    known = knowledge(study(), point, setups=setups)
    found = values(predict(known, "A", "STR1(1B/20MB)", STR))
    size = (20 * 2**20 + 1) / 1e6
    cost = found["cpu_cost", "sender"]
    assert found["cpu_cost_per_mb", "sender"] == pytest.approx(cost / size)


def test_what_was_measured_is_never_predicted(generations):
    cells = interactive("A", NAME, 200_000, 8.0, 9.0)
    measured = {c: s for c, s in cells.items() if c.metric in ("rate", "latency")}
    known = replace(generations, samples={**generations.samples, **measured})
    answers = predict(known, "A", NAME, RR)
    assert answers["rate", None].rung is None
    assert answers["rate", None].prediction.value == pytest.approx(200_000)
    assert answers["cpu_cost", "client"].rung == "generation"


def test_a_measured_point_without_its_latency_stays_without():
    cells = interactive("A", NAME, 200_000, 8.0, 9.0)
    measured = {c: s for c, s in cells.items() if c.metric != "latency"}
    known = knowledge(study(), measured)
    assert predict(known, "A", NAME, [("latency", None)]) == {("latency", None): ABSENT}


def test_a_metric_without_a_model_says_so(generations):
    wanted = [("cpu_cost_ziip", "client")]
    (found,) = predict(generations, "A", NAME, wanted).values()
    assert str(found) == "no model answers cpu_cost_ziip"


def test_the_range_of_a_latency_becomes_that_of_its_rate():
    point = Point("B", parse_workload(NAME), None)
    prediction = Prediction(100.0, 90.0, 110.0, "µs", "model", "1", "measured")
    found = Answer("interpolation", prediction, "so")
    rate = _by_little(found, point.workload.clients, "1/s")
    assert rate.prediction.value == pytest.approx(10 / 100e-6)
    assert (rate.prediction.low, rate.prediction.high) == pytest.approx(
        (10 / 110e-6, 10 / 90e-6)
    )
