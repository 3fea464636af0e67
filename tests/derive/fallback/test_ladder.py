"""The ladder: which rung answers, with what, and why not the one before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.point import LADDER, climb
from analysis.derive.fallback.question import Accuracy, Answer, Question
from analysis.facts.fact import RUNGS
from models.loads import read_references
from tests.derive.fallback.conftest import (
    HS_Z16,
    HS_Z17,
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


def test_another_load_of_the_same_arm_lies_between_its_neighbours():
    loads = [modelled("B", f"RR{n}(1kB)") for n in (4, 20, 40)]
    known = knowledge(study(), *loads, setups={"B": OSH})
    truth = modelled("B", "RR10(1kB)")
    for metric, role in (("rate", None), ("latency", None), ("cpu_cost", "server")):
        found = answer(known, "B", "RR10(1kB)", metric, role)
        (expected,) = [s for c, s in truth.items() if c[2:] == (metric, role)]
        assert found.rung == "interpolation"
        assert found.prediction.value == pytest.approx(np.median(expected.values))
        assert found.prediction.low < found.prediction.value < found.prediction.high
        assert "RR4(1kB), RR20(1kB), RR40(1kB)" in found.reason
        assert found.prediction.basis == "measured"


def test_loads_of_all_payloads_are_left_out_in_turn():
    loads = [modelled("B", f"RR{n}(1kB)") for n in (1, 10, 20, 40)]
    more = [modelled("B", f"RR{n}(4kB)") for n in (1, 10, 40)]
    few, many = (
        answer(knowledge(study(), *each), "B", "RR30(1kB)", "rate")
        for each in (loads, [*loads, *more])
    )
    assert (few.tested.n, many.tested.n) == (2, 3)
    assert few.tested.kind == "left out" and few.tested.error < 1e-6
    assert many.prediction.value == few.prediction.value
    assert few.prediction.notes == ()


def test_two_loads_have_the_errors_of_measured_loads_elsewhere():
    loads = [modelled("B", f"RR{n}(1kB)") for n in (10, 60)]
    known = knowledge(study(), *loads)
    for metric, role, seen in (
        ("rate", None, read_references().time),
        ("cpu_cost", "client", read_references().cpu_cost),
        ("utilisation", "client", read_references().utilisation),
    ):
        found = answer(known, "B", "RR30(1kB)", metric, role)
        assert found.tested == Accuracy(seen.mean_error, seen.n, "measured")
        assert "the range is that of loads left out" in found.prediction.notes[0]


def test_streams_have_none_elsewhere():
    loads = [stream("B", f"STR{n}(1B/20MB)", 2800, 1500, 3000) for n in (1, 4)]
    found = ask(knowledge(study(), *loads), "B", "STR2(1B/20MB)", "throughput")
    assert "fewer than three measured loads tell no error; measure another" in found


def test_streams_are_interpolated_too():
    loads = [
        stream("B", f"STR{n}(1B/20MB)", 2800, 1500 / n, 3000 / n) for n in (1, 2, 4)
    ]
    found = answer(knowledge(study(), *loads), "B", "STR3(1B/20MB)", "throughput")
    assert found.prediction.value == pytest.approx(2800)


def test_beyond_its_measurements_an_arm_is_not_interpolated():
    known = knowledge(study(), modelled("B", "RR10(1kB)"), setups={"B": OSH})
    found = ask(known, "B", "RR60(1kB)", "rate")
    assert "60 clients are outside of the measured 10 to 10; measure 60" in found


def test_another_payload_is_not_interpolated():
    loads = [
        modelled("B", f"RR{n}({size})") for n in (1, 10) for size in ("1kB", "4kB")
    ]
    found = ask(knowledge(study(), *loads), "B", "RR5(2kB)", "rate")
    assert (
        "no load was measured that differs in its clients alone; measure one" in found
    )


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


def test_over_a_network_nothing_published_tells_of_another_cpc():
    setups = {"A": OSH.model_copy(update={"cpc": "z16"}), "B": OSH}
    known = knowledge(study(), modelled("B", "RR1(1kB)"), setups=setups)
    for metric, role in (("latency", None), ("cpu_cost", "server")):
        found = ask(known, "A", "RR1(1kB)", metric, role)
        assert (
            "nothing published tells how osh does on another CPC; measure it on z16"
            in found
        )


def test_the_utilisation_on_another_cpc_is_not_predicted(generations):
    found = ask(generations, "A", "RR10(1kB)", "utilisation", "server")
    assert "generation: nothing published tells how the utilisation" in found


def test_another_interface_is_no_generation():
    point = interactive("A", "RR10(1kB)", 90_000, 6.0, 7.0)
    smcd = HS_Z17.model_copy(update={"interface": "smcd"})
    known = knowledge(study(), point, setups={"A": smcd, "B": HS_Z17})
    found = ask(known, "B", "RR10(1kB)", "cpu_cost", "client")
    assert "generation: no configuration with hipersockets differs in its CPC" in found


def test_a_machine_of_which_no_capacity_is_known_is_measured(generations):
    xeon = HS_Z17.model_copy(update={"cpc": "xeon"})
    known = replace(generations, setups={"A": xeon, "B": HS_Z17})
    found = ask(known, "A", "RR10(1kB)", "cpu_cost", "client")
    assert "generation: no capacity of a 'xeon' is known; use one of z15" in found


@pytest.mark.parametrize("declared", [False, True])
def test_own_hardware_is_interpolated_with_ids_of_its_own(declared):
    loads = [modelled("rack-7", f"RR{n}(1kB)", (8, 2)) for n in (1, 10, 20, 40)]
    veth = ModelSetup(cpc="xeon", interface="veth", cps=8)
    setups = {"rack-7": veth} if declared else {}
    known = knowledge(study("rack-7", ("rack-8",)), *loads, setups=setups)
    found = answer(known, "rack-7", "RR30(1kB)", "rate")
    assert found.rung == "interpolation"
    assert found.prediction.value == pytest.approx(0.3e6)


def test_without_runs_of_its_own_and_a_model_there_is_no_estimate():
    point = interactive("A", "RR10(1kB)", 90_000, 6.0, 7.0)
    found = ask(knowledge(study(), point), "B", "RR10(1kB)", "latency")
    assert "interpolation: no load was measured that differs" in found
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
