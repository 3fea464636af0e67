"""The real campaign, whose truth is known, from its raw files to its facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.metrics import read_metrics
from analysis.facts.fact import Fact, Facts, read_facts
from tests.derive.conftest import fact

ROOT = Path(__file__).parents[2]
WORKLOADS = ["RR*", "CRR*", "STR*"]
NOISE = {"floor": 5.0, "control": "A2"}


CAMPAIGN = {"campaigns": ["linux-veth"], "workloads": WORKLOADS}
TOLD = [
    "rate", "latency", "latency_max", "throughput", "cpu_cost", "cpu_cost_per_mb",
]  # fmt: skip


@pytest.fixture(scope="module")
def facts(
    new_world, veth_tables: Path, tmp_path_factory: pytest.TempPathFactory
) -> Facts:
    world = new_world(tmp_path_factory.mktemp("campaign"))
    world.study("offload", **CAMPAIGN, noise=NOISE)
    world.study("noise", **CAMPAIGN, tests=["A2"])
    world.study("plain", edition="alone", **CAMPAIGN, metrics=TOLD, noise={})
    world.raw.symlink_to(ROOT / "raw")
    load = ["load", "--tables", str(veth_tables), "--out", str(world.database)]
    assert main(load) == 0
    assert main(world.arguments()) == 0
    return read_facts(world.root / "facts.json")


def deltas(facts: Facts, study: str, *workloads: str) -> list[Fact]:
    return [
        f
        for f in facts.of("paper", study).facts
        if f.kind == "delta" and (not workloads or f.workload in workloads)
    ]


def test_summary_of_the_folders_has_the_changes_of_a_report(facts, capsys):
    folders = [str(ROOT / "raw/linux-veth" / name) for name in "AB"]
    assert main(["summary", *folders, "--json"]) == 0
    metrics = read_metrics()
    told = {
        (row["workload"], row["quantity"], row["role"]): row
        for row in json.loads(capsys.readouterr().out)["rows"]
        if row["change"] is not None
    }
    found = {
        (f.workload, metrics[f.metric].label, f.role or ""): f
        for f in facts.of("alone", "plain").facts
        if f.kind == "delta"
    }
    assert told.keys() == found.keys()
    for key, delta in found.items():
        row = told[key]
        assert row["verdict"] == delta.verdict, key
        ends = (row["change"], row["change_low"], row["change_high"])
        assert ends == pytest.approx((delta.value, delta.low, delta.high)), key
    assert {delta.verdict for delta in found.values()} >= {"regressed", "inconclusive"}


def test_without_offload_streams_are_slower(facts):
    found = fact(facts, "offload.str3-1b-20mb.-.throughput.B.delta")
    assert found.value == pytest.approx(-37, abs=3)
    assert found.high < -25
    assert found.verdict == "regressed"


def test_without_offload_streams_cost_more(facts):
    found = fact(facts, "offload.str3-1b-20mb.client.cpu_cost.B.delta")
    assert found.value == pytest.approx(59, abs=5)
    assert found.verdict == "regressed"


def test_interactive_work_does_not_change(facts):
    found = deltas(facts, "offload", "RR10(100B)", "RR40(100B)")
    apart = ("response_time", "latency_max")
    assert len([f for f in found if f.metric not in apart]) == 12
    assert {f.verdict for f in found} <= {"comparable", "inconclusive"}


def test_the_control_does_not_change(facts):
    found = deltas(facts, "noise")
    apart = ("response_time", "latency_max")
    assert len([f for f in found if f.metric not in apart]) == 32
    assert {f.verdict for f in found} <= {"comparable", "inconclusive"}
    # ranks alone take two for apart before the adjustment: their spread is unequal
    assert min(f.p_value for f in found) > 0.05
    assert all(f.p_adjusted >= f.p_value for f in found)
    assert any(f.p_adjusted > f.p_value for f in found)


def test_rr1_is_bimodal_and_so_neither_changed_nor_comparable(facts):
    value = fact(facts, "offload.rr1-100b.-.latency.B")
    assert any(w.kind == "bimodal" for w in value.warnings)
    delta = fact(facts, "offload.rr1-100b.-.latency.B.delta")
    assert delta.verdict == "inconclusive"


def test_the_two_failed_runs_are_counted(facts):
    runs = facts.of("paper", "offload").runs
    failed = [r for r in runs if r.excluded]
    assert [(r.configuration, r.workload, r.used) for r in failed] == [
        ("B", "CRR10(64B/8kB)", 8)
    ]
    assert len(failed[0].reasons) == 2
    assert all("reset by peer" in reason for _, reason in failed[0].reasons)
    assert fact(facts, "offload.crr10-64b-8kb.-.rate.B").n == 8


def test_rr1_says_that_its_clock_ticks_are_incomplete(facts):
    found = fact(facts, "offload.rr1-100b.client.cpu_cost.A")
    assert any(str(w).startswith("tick coverage: 10 of 10") for w in found.warnings)


def test_every_fact_leads_back_to_runs_and_files(facts):
    assert len(facts.facts) > 150
    for found in facts.facts:
        assert found.n > 0
        assert found.lineage.rule
        assert found.lineage.runs
        assert all(len(sha) == 64 for sha in found.lineage.files)
        assert found.origin == "measured"
