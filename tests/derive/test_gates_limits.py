"""The limits of the gates, from either side, and whom each flag is about."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from analysis.declared.metrics import read_metrics
from analysis.derive import gates
from analysis.derive.gates import (
    Flag,
    describe_flags,
    flag_cpu,
    flag_runs,
)

TIMES = {
    *("rate", "latency", "throughput", "transfer_time", "delay", "duration"),
    *(f"latency_{what}" for what in ("p50", "p90", "p99", "p999", "max", "deviation")),
    *("jitter", "retransmits", "datagrams_lost", "datagrams_late"),
}
COUNTERS = ("instructions_per_transaction", "cycles_per_instruction", "cpu_frequency")
MONEY = ("msu_per_million", "price_per_million")
CPU_METRICS = {
    "cpu_cost", "cpu_cost_ms", "cpu_cost_per_mb", "cpu_cost_ziip",
    "cpu_cost_equivalent",
    "utilisation", "ziip_share", "cpu_cost_zaap", "utilisation_zaap", "offload",
    "offload_potential", "work_per_cpu", "cpu_cost_kernel", *MONEY, *COUNTERS,
}  # fmt: skip
OF_CP = {
    "cpu_cost", "cpu_cost_ms", "cpu_cost_per_mb", "utilisation", "work_per_cpu",
    "cpu_cost_kernel", *MONEY, *COUNTERS,
}  # fmt: skip
OF_ENERGY = {"energy_per_transaction", "energy_per_gb"}
WITH_CP = CPU_METRICS - {
    "cpu_cost_ziip",
    "cpu_cost_zaap",
    "utilisation_zaap",
    "offload",
}
METRICS = read_metrics()
GATES = SimpleNamespace(little=0.05, idle_before=0.9, utilisation=0.1)
CAMPAIGNS: Any = {"lab": SimpleNamespace(gates=GATES, think_of=lambda *_: 0)}
RUN = {
    "id": "lab/r", "campaign": "lab", "status": "ok", "reason": "", "rate": 100_000.0,
    "latency_mean_us": 100.0, "clients": 10, "idle_before": 1.0, "tick_coverage": 1.0,
    "workload": "RR10(100B)", "configuration": "A", "latency_mean_us_resolution": None,
}  # fmt: skip
ROW = {
    "id": "lab/r", "campaign": "lab", "role": "server", "machine": "m",
    "method": "lpar_busy", "cpu_seconds": 10.0, "seconds": 10.0, "rate": 100_000.0,
    "cpu_cost": 10.0, "cps": 4.0, "busy_pct": 25.0, "wanted": [], "parts": [""],
    "ziip_seconds": None, "factor": None, "overlap": False, "coverage": 1.0,
    "other_types": None, "idle": 0.0, "waits": False, "uneven": False,
}  # fmt: skip
TYPES = {
    "ziip_seconds": pl.Float64, "factor": pl.Float64, "other_types": pl.String,
    "wanted": pl.List(pl.String), "parts": pl.List(pl.String),
    "seconds": pl.Float64, "idle_before": pl.Float64, "tick_coverage": pl.Float64,
    "latency_mean_us_resolution": pl.Float64,
    "rate": pl.Float64, "latency_mean_us": pl.Float64, "clients": pl.Int64,
    "busy_pct": pl.Float64, "cpu_cost": pl.Float64,
}  # fmt: skip


def about(flag: Flag) -> set[str]:
    return {id for id, metric in METRICS.items() if flag.concerns(metric)}


def of_run(**columns: Any) -> list[Flag]:
    frame = pl.DataFrame([RUN | columns], schema_overrides=TYPES)
    return flag_runs(frame, CAMPAIGNS)


def of_cpu(*rows: dict, counted: dict | None = None) -> list[Flag]:
    frame = pl.DataFrame([ROW | row for row in rows], schema_overrides=TYPES)
    return flag_cpu(frame, counted or {}, CAMPAIGNS)


def test_a_sound_run_passes_every_gate():
    assert of_run() == of_cpu({}) == []


@pytest.mark.parametrize(
    ("share", "kind", "bound"),
    [
        (0.949, "few_ticks", {"least": 0.95}),
        (0.95, "", {}),
        (1.05, "", {}),
        (1.051, "many_ticks", {"most": 1.05}),
        (0.0, "few_ticks", {"least": 0.95}),
        (2.0, "many_ticks", {"most": 1.05}),
        (None, "", {}),
    ],
)
def test_ticks_are_about_as_much_as_the_time(share, kind, bound):
    found = of_run(tick_coverage=share)
    wanted = [Flag("lab/r", kind, gates.CPU, bound, share)]
    assert found == (wanted if kind else [])


@pytest.mark.parametrize(("idle", "flagged"), [(0.9, False), (0.89, True), (0, True)])
def test_the_machine_was_idle_before(idle, flagged):
    found = of_run(idle_before=idle)
    wanted = [Flag("lab/r", "idle_before", gates.ANY, {"least": 0.9}, idle)]
    assert found == (wanted if flagged else [])


@pytest.mark.parametrize(
    ("latency", "ratio"),
    [(94.9, 0.949), (95.1, None), (104.9, None), (105.1, 1.051), (0, None)],
)  # fmt: skip
def test_littles_law_within_its_tolerance(latency, ratio):
    found = of_run(latency_mean_us=latency)
    assert [flag.value for flag in found] == ([pytest.approx(ratio)] if ratio else [])
    for flag in found:
        assert (flag.kind, about(flag)) == ("little", TIMES)
        assert flag.values == {"tolerance": 0.05}


@pytest.mark.parametrize("column", ["rate", "latency_mean_us", "clients"])
def test_littles_law_needs_all_three(column):
    assert of_run(**{column: None}) == of_run(**{column: 0}) == []


def test_a_degraded_run_taints_all_its_metrics():
    (flag,) = of_run(status="degraded", reason="3 lines are odd")
    assert (flag.kind, flag.values) == ("degraded", {"reason": "3 lines are odd"})
    assert about(flag) == TIMES | CPU_METRICS | OF_ENERGY | {
        *("storage", "storage_per_user", "response_time", "io_rate")
    }
    assert flag.role is None


@pytest.mark.parametrize(
    ("cost", "flagged"), [(9.01, False), (8.99, True), (10.99, False), (11.01, True)]
)
def test_the_utilisation_law_within_its_tolerance(cost, flagged):
    found = of_cpu({"cpu_cost": cost})
    values = {"tolerance": 0.1}
    kind, ratio = "against_utilisation", pytest.approx(cost / 10)
    wanted = [Flag("lab/r", kind, gates.CPU, values, ratio, "server")]
    assert found == (wanted if flagged else [])


@pytest.mark.parametrize("column", ["seconds", "rate", "cpu_cost", "busy_pct"])
def test_the_utilisation_law_needs_all_four(column):
    assert of_cpu({"cpu_cost": 20.0, column: None}) == []
    assert len(of_cpu({"cpu_cost": 20.0})) == 1


def test_control_groups_of_one_machine_count_together():
    sides = ({"role": "client"}, {"role": "server"})
    group = {"method": "cgroup", "cpu_seconds": 2.0, "seconds": None}
    rows = [group | side for side in sides]
    assert of_cpu(*rows, counted={("lab/r", "m"): 4.1}) == []
    (flag,) = of_cpu(*rows, counted={("lab/r", "m"): 8.0})
    assert (flag.kind, flag.value, flag.role) == ("against_ticks", 0.5, None)
    assert of_cpu(*rows, counted={("lab/r", "other"): 8.0}) == []
    assert of_cpu(*rows, counted={("lab/r", "m"): 0.0}) == []
    (one,) = of_cpu(rows[0], {**rows[1], "method": "procstat"},
                    counted={("lab/r", "m"): 8.0})  # fmt: skip
    assert one.value == 0.25


@pytest.mark.parametrize(
    ("columns", "kind", "values", "metrics", "value"),
    [
        ({"overlap": True, "coverage": 0.7}, "overlap", {}, CPU_METRICS, 0.7),
        ({"other_types": "zIIP"}, "types", {"types": "zIIP"},
         OF_CP, None),
        ({"ziip_seconds": 1.0}, "normalisation", {}, {"cpu_cost_ziip"}, None),
        ({"idle": 0.1}, "idle", {"cpus": 0.1}, WITH_CP, None),
        ({"waits": True}, "waits", {}, CPU_METRICS, None),
        ({"wanted": ["B", "A", "C"], "parts": ["C"]}, "absent",
         {"parts": ("A", "B")}, CPU_METRICS, None),
        ({"uneven": True, "parts": ["A", "B"]}, "uneven", {"parts": ("A", "B")},
         CPU_METRICS, None),
    ],
)  # fmt: skip
def test_what_is_said_of_the_evidence_itself(columns, kind, values, metrics, value):
    (flag,) = of_cpu(columns)
    assert (flag.kind, flag.values, flag.value) == (kind, values, value)
    assert about(flag) == metrics
    assert flag.role == "server"


def test_a_known_factor_and_an_unused_ziip_need_no_word():
    assert of_cpu({"ziip_seconds": 1.0, "factor": 1.2}) == []
    assert of_cpu({"ziip_seconds": 0.0}) == []
    assert of_cpu({"wanted": None}) == []


def test_flags_of_one_kind_are_one_remark_with_its_range():
    kind = ("few_ticks", gates.CPU, {"least": 0.95})
    flags = [Flag(run, *kind, value) for run, value in (("a", 0.5), ("b", 0.8))]
    other = Flag("c", kind[0], kind[1], {"least": 0.9}, 0.7)
    (one, two) = describe_flags([*flags, other], 10)
    found = sorted((dict(r.values) for r in (one, two)), key=lambda v: v["least"])
    assert found == [
        {"runs": 1, "of": 10, "low": 0.7, "high": 0.7, "least": 0.9},
        {"runs": 2, "of": 10, "low": 0.5, "high": 0.8, "least": 0.95},
    ]
