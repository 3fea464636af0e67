from __future__ import annotations

import polars as pl

from analysis.figures.select import fact_frame, only, with_runs
from analysis.figures.setting import Setting
from tests.figures.drawn import make_setting
from tests.figures.made import WORKLOADS, make_facts

FACTS = make_facts().of("linux-veth", "offload")


def setting(*metrics: str, workloads: str = "*") -> Setting:
    return make_setting("delta", metrics, workloads)


def test_rows_follow_shape_clients_and_payload_and_never_the_alphabet() -> None:
    frame = fact_frame(FACTS, setting("cpu_cost"), "delta")

    assert frame["workload"].to_list() == [*WORKLOADS, *WORKLOADS]
    assert frame["role"].to_list() == ["client"] * 5 + ["server"] * 5


def test_metrics_and_configurations_keep_the_declared_order() -> None:
    frame = fact_frame(FACTS, setting("throughput", "latency"), "value")

    assert frame["metric"].unique(maintain_order=True).to_list() == [
        "throughput",
        "latency",
    ]
    assert frame["configuration"].to_list()[:2] == ["A", "B"]
    assert frame["name"].to_list()[:2] == ["Offload on", "Offload off"]


def test_rr_does_not_select_crr() -> None:
    frame = fact_frame(FACTS, setting("latency", workloads="RR*"), "delta")

    assert frame["workload"].to_list() == ["RR1(100B)", "RR10(100B)", "RR40(100B)"]


def test_every_run_follows_its_fact_with_its_full_value() -> None:
    frame = with_runs(fact_frame(FACTS, setting("throughput"), "value"), FACTS)

    assert frame["record"].to_list() == (["fact"] + ["run"] * 10) * 2
    fact = next(f for f in FACTS.facts if f.key == frame["key"][0])
    runs = only(frame, "run").filter(pl.col("configuration") == "A")
    assert runs["value"].to_list() == list(fact.samples)
    assert runs["run"].to_list() == list(fact.lineage.runs)
    assert runs["n"].null_count() == 10
