"""Which cells a study has, which runs count in it, what is said of the absent ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.declared.metrics import read_metrics
from analysis.derive.samples import Cell, Sample, _alone, _starts
from analysis.derive.scope import StudyScope, count_runs, study_runs, study_workloads
from analysis.derive.study import Pair, _absent, _complete, _delta, _pair_warnings
from analysis.derive.values import _described
from analysis.facts.fact import RunCount
from analysis.facts.remark import Remark
from analysis.statistics.median_change import Change
from tests.derive.fallback.conftest import study

METRICS = read_metrics()
RUN = {
    "campaign": "lab", "run": "r", "configuration": "A", "workload": "RR1(1kB)",
    "repetition": 1, "session": None, "used": True, "status": "ok", "reason": None,
}  # fmt: skip


def scope(*runs: dict[str, Any], **declared: Any) -> StudyScope:
    frame = pl.DataFrame(
        [RUN | run for run in runs], schema_overrides={"reason": pl.String}
    )
    asked = study(**declared)
    evidence: Any = SimpleNamespace(runs=frame)
    return StudyScope("paper", "speed", asked, METRICS, evidence)


def test_workloads_are_those_asked_for_that_ran_in_the_campaigns() -> None:
    runs = [
        {"workload": w} for w in ("RR40(1kB)", "RR1(1kB)", "STR1(1B/1MB)", "RR1(1kB)")
    ]
    found = scope(*runs, {"workload": "CRR1(1kB)", "campaign": "other"})
    assert study_workloads(found.evidence.runs, found.study) == [
        "RR1(1kB)", "RR40(1kB)", "STR1(1B/1MB)",
    ]  # fmt: skip
    few = study().model_copy(update={"workloads": ("RR*", "CRR*")})
    assert study_workloads(found.evidence.runs, few) == ["RR1(1kB)", "RR40(1kB)"]


def test_cells_come_by_workload_metric_role_and_configuration() -> None:
    found = scope(
        RUN, {"workload": "STR1(1B/1MB)"}, metrics=("throughput", "cpu_cost", "rate")
    )
    cells = list(found.cells())
    streams = [cell for cell in cells if cell.workload.startswith("STR")]
    assert [c for c in cells if c.workload == "RR1(1kB)" and c.role is None] == [
        Cell("A", "RR1(1kB)", "rate", None), Cell("B", "RR1(1kB)", "rate", None),
    ]  # fmt: skip
    assert streams[:2] == [
        Cell("A", "STR1(1B/1MB)", "throughput", None),
        Cell("B", "STR1(1B/1MB)", "throughput", None),
    ]
    assert {c.metric for c in streams} == {"throughput", "cpu_cost"}
    assert {c.role for c in streams if c.metric == "cpu_cost"} >= {"sender", "receiver"}
    in_rr = {id for id, metric in METRICS.items() if "RR" in metric.shapes}
    assert {c.metric for c in scope(RUN).cells()} == in_rr - {"response_time"}


def test_a_response_time_that_repeats_what_the_log_tells_is_there_if_it_is_named():
    runs = [{"workload": w} for w in ("RR1(1kB)", "STR1(1B/1MB)", "TN9(100B/800B)")]
    have = {c.workload for c in scope(*runs).cells() if c.metric == "response_time"}
    assert have == {"TN9(100B/800B)"}  # whose logs tell no latency beside it
    named = scope(*runs, metrics=("response_time",)).cells()
    assert {c.workload for c in named} == {run["workload"] for run in runs}


def test_a_cell_has_a_key_and_what_it_is_of() -> None:
    cell = Cell("B", "RR1(1kB)", "cpu_cost", "client")
    found = scope(RUN)
    assert found.key(cell) == "speed.rr1-1kb.client.cpu_cost.B"
    assert found.key(cell, delta=True) == "speed.rr1-1kb.client.cpu_cost.B.delta"
    assert found.about(cell) == cell._asdict() | {
        "edition": "paper", "study": "speed", "better": "lower",
    }  # fmt: skip


def test_runs_are_counted_with_their_reasons_and_gaps() -> None:
    failed = {"used": False, "repetition": 3}
    found = scope(
        {},
        failed | {"run": "x", "status": "degraded", "reason": "3 lines are odd"},
        failed | {"run": "y", "repetition": 6},
        {"configuration": "B", "repetition": 2},
        {"configuration": "C"},
        {"campaign": "other"},
        {"workload": "CRR1(1kB)", "campaign": "other"},
    )
    assert study_runs(found).height == 4
    assert count_runs(found) == {
        ("A", "RR1(1kB)"): RunCount(
            "paper", "speed", "A", "RR1(1kB)", 1, 2,
            (("x", "degraded: 3 lines are odd"), ("y", "failed: no benchmark result")),
            ("2", "4 to 5"),
        ),
        ("B", "RR1(1kB)"): RunCount(
            "paper", "speed", "B", "RR1(1kB)", 1, 0, (), ("1",)
        ),
    }  # fmt: skip


def sample(n: int = 3, *warnings: Remark, **about: Any) -> Sample:
    told = {"runs": ("r",), "files": ("f",), "origins": ("measured",)} | about
    return Sample(np.arange(1.0, n + 1), **told, warnings=warnings)


@pytest.mark.parametrize(
    ("used", "excluded", "said"),
    [
        (3, 0, []),
        (3, 2, [("excluded", {"excluded": 2, "total": 5})]),
        (4, 0, [("missing", {"missing": 1, "total": 4})]),
        (5, 1, [("excluded", {"excluded": 1, "total": 6}),
                ("missing", {"missing": 2, "total": 6})]),
    ],
)  # fmt: skip
def test_runs_that_are_not_in_a_sample_are_said(used, excluded, said) -> None:
    count = RunCount("paper", "speed", "A", "RR1(1kB)", used, excluded)
    found = _absent(count, sample())
    assert [(remark.kind, dict(remark.values)) for remark in found] == said
    cell = Cell("A", "RR1(1kB)", "rate", None)
    bimodal = Remark("order_unknown", values={})
    whole = _complete({cell: sample(3, bimodal)}, {cell[:2]: count})
    assert whole[cell].warnings == (bimodal, *found)
    assert _complete({cell: sample()}, {})[cell].warnings == ()


def test_a_change_is_of_both_sides() -> None:
    few, order = Remark("few", values={"n": 3, "least": 6}), Remark("order_unknown")
    sides = (
        sample(3, few, order, runs=("b", "a"), files=("y", "x")),
        sample(5, order, runs=("c",), files=("x", "z"), origins=("published",)),
    )
    pair = Pair(*sides, ("A", "B"))
    cell = Cell("B", "RR1(1kB)", "rate", None)
    alone = Change(5.2, 5.1, 5.3)
    found = _delta(scope(RUN), cell, Change(5.2, 1.0, 9.0, 0.01), alone, pair)
    assert (found.value, found.low, found.high, found.p_value) == (5.2, 1.0, 9.0, 0.01)
    assert (found.n, found.baseline, found.configuration) == (3, "A", "B")
    assert (found.unit, found.kind, found.printed) == ("%", "delta", "+5.2%")
    assert (found.confidence, found.origin) == (0.95, "published")
    assert found.resolution == pytest.approx(0.2)
    assert found.lineage.runs == ("b", "a", "c")
    assert found.lineage.files == ("x", "y", "z")
    assert [(w.kind, w.subject) for w in found.warnings] == [
        ("order_unknown", "A"), ("order_unknown", "B"),
    ]  # fmt: skip
    assert _pair_warnings(pair) == found.warnings
    assert _delta(scope(RUN), cell, Change(5.2), alone, pair).confidence == 0.0


@pytest.mark.parametrize(
    ("started", "known"),
    [([1.0, 2.0], (1.0, 2.0)), ([0.0, None], ()), ([None], ()), ([0.0], (0.0,))],
)
def test_starts_are_known_of_all_runs_or_of_none(started, known) -> None:
    assert _starts([{"started": at} for at in started]) == known


def test_a_shared_machine_has_no_clock_ticks_of_its_own() -> None:
    counted = {("r1", "m"): 1.0, ("r1", "n"): 2.0, ("r2", "m"): 3.0}
    beside = pl.DataFrame({"id": ["r1"], "machine": ["m"], "role": ["client"]})
    assert _alone(counted, beside) == {("r1", "n"): 2.0, ("r2", "m"): 3.0}


def test_each_system_says_where_its_cpu_time_comes_from() -> None:
    def cpu_of(id: str) -> Any:
        return SimpleNamespace(described=f"of {id}", parts={})

    told: Any = SimpleNamespace(systems={"b": 1, "a": 2}, cpu_of=cpu_of)
    found = _described({"lab": told}).rows()
    assert found == [("lab", "b", "", "of b"), ("lab", "a", "", "of a")]
