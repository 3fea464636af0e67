from __future__ import annotations

import polars as pl

from analysis.declared.figure import Figure
from analysis.figures.select import fact_frame, only, with_runs
from tests.figures.made import WORKLOADS, make_facts

FACTS = make_facts().of("linux-veth", "offload")


def figure(*metrics: str, workloads: str = "*") -> Figure:
    return Figure(
        id="x", kind="delta", question="?", metrics=metrics, workloads=workloads
    )


def test_rows_follow_shape_clients_and_payload_and_never_the_alphabet() -> None:
    frame = fact_frame(FACTS, figure("cpu_cost"), "delta", ("B",))

    assert frame["workload"].to_list() == [*WORKLOADS, *WORKLOADS]
    assert frame["role"].to_list() == ["client"] * 5 + ["server"] * 5


def test_metrics_and_configurations_keep_the_declared_order() -> None:
    frame = fact_frame(FACTS, figure("throughput", "latency"), "value", ("B", "A"))

    assert frame["metric"].unique(maintain_order=True).to_list() == [
        "throughput",
        "latency",
    ]
    assert frame["configuration"].to_list()[:2] == ["B", "A"]


def test_rr_does_not_select_crr() -> None:
    frame = fact_frame(FACTS, figure("latency", workloads="RR*"), "delta", ("B",))

    assert frame["workload"].to_list() == ["RR1(100B)", "RR10(100B)", "RR40(100B)"]


def test_every_run_follows_its_fact_with_its_full_value() -> None:
    chosen = figure("throughput")
    frame = with_runs(fact_frame(FACTS, chosen, "value", ("A", "B")), FACTS)

    assert frame["record"].to_list() == (["fact"] + ["run"] * 10) * 2
    fact = next(f for f in FACTS.facts if f.key == frame["key"][0])
    runs = only(frame, "run").filter(pl.col("configuration") == "A")
    assert runs["value"].to_list() == list(fact.samples)
    assert runs["run"].to_list() == list(fact.lineage.runs)
    assert runs["n"].null_count() == 10
