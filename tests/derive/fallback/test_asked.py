"""What a planner asks: a load that no arm ran, and a machine between two others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.cli import main
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.question import Question
from analysis.derive.fallback.transfer import transfer
from tests.derive.conftest import derive
from tests.derive.fallback.conftest import (
    HS_Z16,
    HS_Z17,
    ROWS,
    interactive,
    knowledge,
    study,
)

NAME = "RR10(1kB)"
OSH = {"cpc": "z17", "interface": "osh", "cps": 4, "mtu": 1500}
BETWEEN = HS_Z16.model_copy(update={"cpc": "z16-z17"})
RATES = [100_000.0 + 1000 * i for i in range(-3, 4)]


@pytest.fixture
def asked(world):
    """Both arms ran RR4 and RR40; the study asks for RR20 and RR60 as well."""
    world.campaign(
        configurations={
            id: {"label": id, "details": {}, "model": OSH} for id in ("A", "B")
        }
    )
    for arm, faster in (("A", 1.0), ("B", 1.2)):
        world.runs(arm, [r * faster / 2 for r in RATES], workload="RR4(1kB)")
        world.runs(arm, [r * faster for r in RATES], workload="RR40(1kB)")
    world.study(estimate={"workloads": ["RR20(1024B)", "RR60(1kB)"]})
    return derive(world)


def test_a_load_that_no_arm_ran_is_predicted_where_it_is_asked_for(asked) -> None:
    found = {f.key: f for f in asked.facts if f.workload == "RR20(1kB)"}
    for arm in "AB":
        rate = found[f"question.rr20-1kb.-.rate.{arm}"]
        assert (rate.n, rate.estimate.rung) == (0, "interpolation")
        assert rate.low < rate.value < rate.high
        roles = {f.role for f in found.values() if f.metric == "cpu_cost"}
        assert roles == {"client", "server"}
    change = found["question.rr20-1kb.-.rate.B.delta"]
    assert change.verdict is None and change.value == pytest.approx(20, abs=3)


def test_a_load_beyond_the_runs_is_a_gap(asked) -> None:
    assert not [f for f in asked.facts if f.workload == "RR60(1kB)"]
    (gap,) = {
        str(g.why)
        for g in asked.gaps
        if g.workload == "RR60(1kB)" and (g.metric, g.configuration) == ("rate", "A")
    }
    assert "60 clients are outside of the measured 4 to 40; measure 60" in gap


def test_a_name_that_is_no_workload_is_told(world, capsys) -> None:
    world.campaign()
    world.runs("A", RATES)
    world.study(estimate={"workloads": ["RR20"]})
    world.write()
    assert main(world.arguments()) == 2
    told = capsys.readouterr().err
    assert "study.yaml:18: estimate → workloads → entry 1: 'RR20' is not" in told


def test_of_two_machines_the_nearer_is_scaled() -> None:
    near = HS_Z17.model_copy(update={"cpc": "z15"})
    known = knowledge(
        study("A", ("B", "C")),
        interactive("A", NAME, 300_000, 7.0, 7.0),
        interactive("C", NAME, 400_000, 5.0, 5.0),
        setups={"A": near, "B": HS_Z16, "C": HS_Z17},
    )
    question = Question("B", parse_workload(NAME), "cpu_cost", "client", HS_Z16)
    found = transfer(question, known)
    assert found.reason.startswith("from runs of A on z15")
    assert found.prediction.value == pytest.approx(7.0 * 7467 / 8237)


def test_one_machine_alone_is_scaled_as_before() -> None:
    known = knowledge(
        study("A", ("B",)),
        interactive("A", NAME, 300_000, 7.0, 7.0),
        setups={"A": HS_Z16, "B": BETWEEN},
    )
    question = Question("B", parse_workload(NAME), "cpu_cost", "client", BETWEEN)
    found = transfer(question, known)
    assert found.prediction.value == pytest.approx(7.0 * 8237 / 8665)
    assert found.tested is None  # without published rows
    rated = transfer(question, replace(known, published=ROWS))
    assert (rated.tested.kind, rated.tested.n) == ("published", 11)
    assert rated.tested.error == pytest.approx(6.79, abs=0.01)
