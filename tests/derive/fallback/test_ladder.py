"""The ladder: which rung answers, with what, and why not the one before."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from analysis.declared.workload import parse_workload
from analysis.derive.fallback.point import LADDER, climb
from analysis.derive.fallback.question import Answer, Question
from analysis.facts.fact import RUNGS
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


def ask(known, arm, name, metric, role=None, setup=None):
    setup = setup or known.setups.get(arm)
    question = Question(arm, parse_workload(name), metric, role, setup)
    found = climb((question,), known)
    return found if isinstance(found, Answer) else str(found)


def answer(*asked, **changes) -> Answer:
    found = ask(*asked, **changes)
    assert isinstance(found, Answer), found
    return found


@pytest.fixture
def generations():
    """B on a z17 was measured with one payload, A on a z16 was not."""
    point = interactive("B", "RR10(1kB)", 400_000, 6.0, 7.0)
    return knowledge(study(), point, setups={"A": HS_Z16, "B": HS_Z17})


def test_another_load_of_the_same_arm_is_interpolated():
    known = knowledge(
        study(),
        modelled("B", "RR1(1kB)"),
        modelled("B", "RR40(1kB)"),
        setups={"B": OSH},
    )
    found = answer(known, "B", "RR10(1kB)", "rate")
    truth = modelled("B", "RR10(1kB)")
    (expected,) = [s.values.mean() for c, s in truth.items() if c.metric == "rate"]
    assert found.rung == "interpolation"
    assert found.prediction.value == pytest.approx(expected, rel=0.03)
    assert found.prediction.low < expected < found.prediction.high
    assert "RR1(1kB), RR40(1kB)" in found.reason
    assert (found.tested_by, found.prediction.basis) == (None, "measured")
    assert found.left_out == ()  # without either, the other one would extrapolate


def test_the_points_used_are_left_out_in_turn():
    loads = [f"RR{n}(1kB)" for n in (1, 5, 10, 20, 40)]
    points = [modelled("B", name) for name in loads]
    found = answer(
        knowledge(study(), *points, setups={"B": OSH}), "B", "RR30(1kB)", "rate"
    )
    assert len(found.left_out) == 3
    assert max(map(abs, found.left_out)) < 1
    assert found.tested_by == "gateway-left-out"
    fewer = knowledge(study(), *points[1:], setups={"B": OSH})
    assert answer(fewer, "B", "RR30(1kB)", "rate").tested_by is None
    two = OSH.model_copy(update={"cps": 2})
    known = knowledge(study(), *points, setups={"B": OSH})
    other = answer(known, "B", "RR30(1kB)", "rate", setup=two)
    assert other.tested_by is None


def test_other_cps_of_a_measured_load_are_interpolated():
    known = knowledge(study(), modelled("B", "RR60(4kB)"), setups={"B": OSH})
    two = OSH.model_copy(update={"cps": 2})
    found = answer(known, "B", "RR60(4kB)", "rate", setup=two)
    here = known.measured("B", "RR60(4kB)", "rate")
    assert found.rung == "interpolation"
    assert 0.4 * here.value < found.prediction.value < 0.9 * here.value


def test_streams_are_interpolated_too():
    known = knowledge(
        study(),
        stream("B", "STR1(1B/20MB)", 2800, 1500, 3000),
        stream("B", "STR4(1B/20MB)", 2900, 1500, 3000),
        setups={"B": OSH},
    )
    found = answer(known, "B", "STR2(1B/20MB)", "throughput")
    assert found.rung == "interpolation"
    assert found.prediction.value == pytest.approx(math.sqrt(2800 * 2900), rel=1e-6)


def test_beyond_its_measurements_an_arm_is_not_interpolated():
    known = knowledge(study(), modelled("B", "RR10(1kB)"), setups={"B": OSH})
    found = ask(known, "B", "RR60(1kB)", "rate")
    assert "it would extrapolate: clients 60 is outside 10 to 10" in found


def test_cpu_cost_is_moved_to_another_generation(generations):
    found = answer(generations, "A", "RR10(1kB)", "cpu_cost", "server")
    assert found.rung == "generation"
    assert found.prediction.value == pytest.approx(7 * 9116 / 8237)
    assert found.prediction.low < 7 < found.prediction.high
    assert "from runs of B on z17" in found.reason
    assert found.inputs[0].runs == ("r1", "r2", "r3", "r4")


def test_in_memory_all_of_the_latency_hangs_on_the_cpu(generations):
    found = answer(generations, "A", "RR10(1kB)", "latency")
    assert found.prediction.value == pytest.approx(25 * 9116 / 8237)


def test_over_a_network_only_the_cpu_s_part_of_it_does():
    setups = {"A": OSH.model_copy(update={"cpc": "z16"}), "B": OSH}
    point = interactive("B", "RR1(1kB)", 20_000, 6.0, 7.0)
    known = knowledge(study(), point, setups=setups)
    found = answer(known, "A", "RR1(1kB)", "latency")
    assert found.prediction.value == pytest.approx(50 + 13 * (9116 / 8237 - 1))
    assert "26% of the time" in found.reason


@pytest.mark.parametrize("lacking", ["rate", "cpu_cost"])
def test_the_cpu_s_part_of_a_time_needs_both_its_cost_and_the_rate(lacking):
    setups = {"A": OSH.model_copy(update={"cpc": "z16"}), "B": OSH}
    point = interactive("B", "RR1(1kB)", 20_000, 6.0, 7.0)
    left = {cell: of for cell, of in point.items() if cell.metric != lacking}
    found = ask(knowledge(study(), left, setups=setups), "A", "RR1(1kB)", "latency")
    assert "generation: the CPU cost of B is not known" in found


def test_the_busier_cpu_sets_the_pace_of_a_stream():
    setups = {"A": OSH.model_copy(update={"cpc": "z16"}), "B": OSH}
    point = stream("B", "STR1(1B/20MB)", 2800, 1500, 3000)
    known = knowledge(study(), point, setups=setups)
    found = answer(known, "A", "STR1(1B/20MB)", "throughput")
    share = 3000 * 2800 / (20 * 2**20 + 1)
    assert found.prediction.value == pytest.approx(
        2800 / (1 + share * (9116 / 8237 - 1))
    )


def test_another_interface_is_no_generation():
    point = interactive("A", "RR10(1kB)", 90_000, 6.0, 7.0)
    known = knowledge(study(), point, setups={"A": OSD, "B": OSH})
    found = ask(known, "B", "RR10(1kB)", "cpu_cost", "client")
    assert "generation: no configuration with osh differs in its CPC" in found


def test_own_hardware_is_interpolated_without_a_model():
    """Three loads of a lab with ids of its own; its CPs are told by the runs."""
    loads = [modelled("rack-7", f"RR{n}(1kB)", (8, 2)) for n in (1, 20, 40)]
    asked = study("rack-7", ("rack-8",))
    known = knowledge(asked, *loads)
    truth = modelled("rack-7", "RR30(1kB)", (8, 2))
    for metric, role in (("rate", None), ("cpu_cost", "server")):
        found = answer(known, "rack-7", "RR30(1kB)", metric, role)
        (expected,) = [
            float(np.median(s.values))
            for c, s in truth.items()
            if c[2:] == (metric, role)
        ]
        assert found.rung == "interpolation"
        assert found.prediction.value == pytest.approx(expected, rel=0.03)
        assert found.prediction.low < expected < found.prediction.high
        assert len(found.left_out) == 1


def test_without_utilisation_nothing_tells_the_cps_of_own_hardware():
    loads = [modelled("A", f"RR{n}(1kB)") for n in (1, 20)]
    left = {c: s for load in loads for c, s in load.items() if c[2] != "utilisation"}
    found = ask(knowledge(study(), left), "A", "RR10(1kB)", "rate")
    assert "interpolation: how many CPs A has is not known" in found


def test_without_runs_of_its_own_and_a_model_there_is_no_estimate():
    point = interactive("A", "RR10(1kB)", 90_000, 6.0, 7.0)
    found = ask(knowledge(study(), point), "B", "RR10(1kB)", "latency")
    assert "interpolation: no RR of B was run with its CPU cost known" in found
    assert "generation: campaign.yaml declares no model of B" in found


def test_the_control_of_a_study_is_no_source(generations):
    known = replace(generations, controls=frozenset({"B"}))
    assert "no configuration with hipersockets differs" in ask(
        known, "A", "RR10(1kB)", "latency"
    )


def test_workloads_that_run_at_the_same_time_are_not_interpolated():
    loads = [modelled("B", name) for name in ("RR1(1kB)", "RR40(1kB)")]
    beside = {("B", "RR10(1kB)"): ("STR1(5MB/1B)",)}
    known = knowledge(study(), *loads, setups={"B": OSH}, beside=beside)
    found = ask(known, "B", "RR10(1kB)", "rate")
    assert "no model tells apart workloads that run at the same time" in found


def test_the_ladder_has_the_rungs_that_facts_may_name_in_their_order() -> None:
    assert tuple(LADDER) == RUNGS
