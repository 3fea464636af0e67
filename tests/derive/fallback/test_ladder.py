"""The ladder: which rung answers, with what, and why not the one before."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from analysis.declared.study import Published
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.ladder import LADDER, climb
from analysis.derive.fallback.question import Answer, Question
from analysis.facts.estimate import RUNGS
from tests.derive.fallback.conftest import (
    HS_Z16,
    HS_Z17,
    OSD,
    OSH,
    ROWS,
    interactive,
    knowledge,
    modelled,
    stream,
    study,
)

SHARED = Published(
    study="shared-osh", configurations={"A": "hipersockets", "B": "osd-shared"}
)
GRE = Published(study="gre-iwq", configurations={"A": "osd", "B": "osh"})


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
        modelled("B", "RR1(1kB)", OSH),
        modelled("B", "RR40(1kB)", OSH),
        setups={"B": OSH},
    )
    found = answer(known, "B", "RR10(1kB)", "rate")
    truth = modelled("B", "RR10(1kB)", OSH)
    (expected,) = [s.values.mean() for c, s in truth.items() if c.metric == "rate"]
    assert found.rung == "interpolation"
    assert found.prediction.value == pytest.approx(expected, rel=0.03)
    assert found.prediction.low < expected < found.prediction.high
    assert "RR1(1kB), RR40(1kB)" in found.reason
    assert (found.tested_by, found.prediction.basis) == (None, "measured")
    assert found.left_out == ()  # without either, the other one would extrapolate


def test_the_points_used_are_left_out_in_turn():
    loads = [f"RR{n}(1kB)" for n in (1, 5, 10, 20, 40)]
    points = [modelled("B", name, OSH) for name in loads]
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
    known = knowledge(study(), modelled("B", "RR60(4kB)", OSH), setups={"B": OSH})
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
    known = knowledge(study(), modelled("B", "RR10(1kB)", OSH), setups={"B": OSH})
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


def test_a_published_change_multiplies_the_measured_baseline():
    point = interactive("A", "RR10(4kB)", 263_000, 8.4, 8.4)
    known = knowledge(study(published=SHARED), point, published=ROWS)
    found = answer(known, "B", "RR10(4kB)", "latency")
    assert found.rung == "published ratio"
    assert found.prediction.value == pytest.approx(10 / 0.263 * 4.66, rel=0.005)
    assert "the published change of +366% (exact; ibm-share2026" in found.reason


def test_a_missing_baseline_is_the_test_divided_by_the_change():
    point = interactive("B", "RR10(4kB)", 60_000, 8.4, 8.4)
    known = knowledge(study(published=SHARED), point, published=ROWS)
    found = answer(known, "A", "RR10(4kB)", "latency")
    assert found.prediction.value == pytest.approx(10 / 0.06 / 4.66, rel=0.005)
    assert "divided by the published change of +366%" in found.reason


def test_a_change_of_a_mix_holds_for_that_mix_alone():
    cost = interactive("A", "RR10(4kB)", 60_000, 6.0, 20.0)
    cost = {c._replace(role="target") if c.role == "server" else c: s
            for c, s in cost.items()}  # fmt: skip
    alone = knowledge(study(published=GRE), cost, published=ROWS)
    assert "no such change is published" in ask(
        alone, "B", "RR10(4kB)", "cpu_cost", "target"
    )
    beside = {("A", "RR10(4kB)"): ("STR1(5MB/1B)",)}
    mixed = knowledge(study(published=GRE), cost, published=ROWS, beside=beside)
    found = answer(mixed, "B", "RR10(4kB)", "cpu_cost", "target")
    assert found.prediction.value == pytest.approx(20 * 0.91, rel=0.005)


def test_a_what_if_has_no_published_change():
    point = interactive("A", "RR10(4kB)", 263_000, 8.4, 8.4)
    known = knowledge(study(published=SHARED), point, published=ROWS)
    found = ask(known, "B", "RR10(4kB)", "latency", setup=OSH)
    assert "holds for the declared setup alone" in found


def test_assumed_parameters_need_leave():
    point = interactive("A", "RR10(1kB)", 90_000, 6.0, 7.0)
    setups = {"A": OSD, "B": OSH}
    no = knowledge(study(), point, setups=setups)
    assert "does not allow them" in ask(no, "B", "RR10(1kB)", "latency")
    yes = knowledge(study(allow_assumed=True), point, setups=setups)
    found = answer(yes, "B", "RR10(1kB)", "latency")
    assert found.rung == "assumed parameters"
    assert "from runs of A, times" in found.reason
    assert 0.3 < found.prediction.value / (10 / 0.09) < 0.5  # about −60%
    assert found.prediction.basis == "assumed"


def test_an_assumed_value_without_a_measured_one_says_so():
    known = knowledge(study(allow_assumed=True), setups={"A": OSD, "B": OSH})
    found = answer(known, "B", "STR1(1B/20MB)", "throughput")
    assert found.prediction.value == pytest.approx(2819, rel=0.02)
    assert found.prediction.notes == ("no measured value stands beside it",)


def test_interactive_work_beside_a_stream_is_simulated():
    beside = {("A", "RR10(4kB)"): ("STR1(5MB/1B)",)}
    point = interactive("A", "RR10(4kB)", 20_000, 6.0, 7.0)
    known = knowledge(
        study(allow_assumed=True), point, setups={"A": OSD, "B": OSH}, beside=beside
    )
    found = answer(known, "B", "RR10(4kB)", "latency")
    assert found.prediction.model == "mixed simulation"
    assert found.prediction.value < 500
    cost = ask(known, "B", "RR10(4kB)", "cpu_cost", "client")
    assert "flows of one RR beside one STR alone" in cost


def test_without_a_model_and_publications_there_is_no_estimate():
    point = interactive("A", "RR10(1kB)", 90_000, 6.0, 7.0)
    found = ask(knowledge(study(), point), "B", "RR10(1kB)", "latency")
    for rung in ("interpolation", "generation"):
        assert f"{rung}: campaign.yaml declares no model of B" in found
    assert "published ratio: no such change is published" in found
    of_two = study(baseline="B", tests=["A", "C"])
    found = ask(knowledge(of_two, point), "B", "RR10(1kB)", "latency")
    assert found.count("no such change is published") == 1, "of either test"


def test_the_control_of_a_study_is_no_source(generations):
    known = replace(generations, controls=frozenset({"B"}))
    assert "no configuration with hipersockets differs" in ask(
        known, "A", "RR10(1kB)", "latency"
    )


def test_the_ladder_has_the_rungs_that_facts_may_name() -> None:
    assert set(LADDER) == set(RUNGS)
    assert len(RUNGS) > 3
