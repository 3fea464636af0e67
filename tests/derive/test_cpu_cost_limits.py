"""CPU cost from frames made by hand: what counts, what is taken off, what is null."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from analysis.declared.campaign import Rates
from analysis.declared.metrics import read_metrics
from analysis.derive.cpu_cost import derive_cpu_cost
from analysis.derive.samples import _split_thin, _stopped
from analysis.derive.values import derive_rates

METRICS = read_metrics()
RATES = {n: METRICS[n] for n in ("rate", "latency", "throughput", "transfer_time")}

RUN = {
    "id": "lab/r", "window_seconds": 10.0, "transactions": 1_000_000,
    "tran_bytes": 2_000.0, "rate": 125_000.0, "rate_resolution": None,
    "bytes_moved": None, "bytes_per_second": None,
}  # fmt: skip
CPU = {
    "id": "lab/r", "campaign": "lab", "role": "server", "system": "srv",
    "cpu_type": "CP", "method": "lpar_busy", "cpu_seconds": 10.0, "seconds": 10.0,
    "online_cpus": 4.0, "factor": None, "of_role": "", "cpu_seconds_resolution": None,
    "kernel_seconds": None,
}  # fmt: skip
TYPES = {"seconds": pl.Float64, "online_cpus": pl.Float64, "factor": pl.Float64,
         "transactions": pl.Int64, "rate": pl.Float64, "rate_resolution": pl.Float64,
         "cpu_seconds_resolution": pl.Float64, "bytes_moved": pl.Float64,
         "bytes_per_second": pl.Float64}  # fmt: skip


def campaign(idle: dict[str, float] | None = None, parts: tuple = ()) -> Any:
    systems = {"srv": SimpleNamespace(host=None, cps=8, assumed=Rates()),
               "cli": SimpleNamespace(host="box", cps=2, assumed=Rates())}  # fmt: skip
    cpu = SimpleNamespace(idle=idle or {}, minimum_coverage=0.8)
    return SimpleNamespace(
        systems=systems,
        cpu=cpu,
        cpu_of=lambda _: SimpleNamespace(counted=parts, parts={}),
    )


def costs(*rows: dict, run: dict | None = None, **declared: Any) -> list[dict]:
    runs = pl.DataFrame([RUN | (run or {})], schema_overrides=TYPES)
    cpu = pl.DataFrame([CPU | row for row in rows or ({},)], schema_overrides=TYPES)
    return derive_cpu_cost(runs, cpu, {"lab": campaign(**declared)}, METRICS).to_dicts()


def test_the_published_worked_example():
    (row,) = costs(run={"rate": 100_000.0})
    assert row["cpu_cost"] == pytest.approx(10)
    assert row["utilisation"] == pytest.approx(25)
    assert row["cpu_cost_per_mb"] == pytest.approx(10 / 2000 * 1e6)
    assert row["cpu_cost_ziip"] is None
    assert row["cpu_cost_equivalent"] is None
    assert (row["machine"], row["cps"]) == ("srv", 4.0)


def test_half_of_the_window_meets_half_of_the_transactions():
    (row,) = costs({"seconds": 5.0, "cpu_seconds": 5.0})
    assert row["cpu_cost"] == pytest.approx(10)
    assert row["utilisation"] == pytest.approx(100 * 5 / (4 * 4))


def test_utilisation_is_of_the_time_under_load_and_is_rate_times_cost():
    """The load ran for eight of the ten seconds that the interval covers."""
    (row,) = costs()
    assert row["utilisation"] == pytest.approx(100 * 10 / (4 * 8))
    assert row["utilisation"] == pytest.approx(125_000 * row["cpu_cost"] / 1e4 / 4)
    assert row["busy_pct"] == pytest.approx(25)


BESIDE = {
    "id": "lab/r", "role": "server", "system": "srv", "machine": "srv",
    "method": "lpar_busy", "workloads": ["RR20(1kB)"], "others": ["lab/s"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "told"), [("lpar_busy", [None, 8.0]), ("cgroup", [10.0, 40.0])]
)
def test_the_cpu_time_of_a_mix_is_told_once_and_is_of_all_transactions(method, told):
    runs = pl.DataFrame(
        [
            RUN | {"workload": "RR20(4kB)"},
            RUN | {"id": "lab/s", "workload": "RR20(1kB)", "transactions": 250_000},
        ],
        schema_overrides=TYPES,
    )
    cpu = pl.DataFrame([CPU, CPU | {"id": "lab/s"}], schema_overrides=TYPES)
    beside = pl.DataFrame(
        [
            BESIDE | {"method": method},
            BESIDE | {"id": "lab/s", "others": ["lab/r"], "method": method},
        ]
    )
    found = derive_cpu_cost(runs, cpu, {"lab": campaign()}, METRICS, beside)
    costs_of = {row["id"]: row["cpu_cost"] for row in found.to_dicts()}
    assert [costs_of.get(id) for id in ("lab/r", "lab/s")] == [
        wanted and pytest.approx(wanted) for wanted in told
    ]


def test_a_control_group_counts_the_whole_run_and_the_time_under_load():
    """A million transactions at 125,000 a second are eight seconds under load."""
    (row,) = costs({"seconds": None, "method": "cgroup"})
    assert row["cpu_cost"] == pytest.approx(10)
    assert row["utilisation"] == pytest.approx(100 * 10 / (4 * 8))


def test_an_idle_load_is_taken_off_for_the_span_counted():
    (row,) = costs(idle={"srv": 0.2})
    assert row["cpu_cost"] == pytest.approx(8)
    assert row["utilisation"] == pytest.approx(25)
    (row,) = costs({"seconds": None}, idle={"srv": 0.2})
    assert row["cpu_cost"] == pytest.approx(8)
    (row,) = costs(idle={"cli": 0.2})
    assert row["cpu_cost"] == pytest.approx(10)


def test_declared_cps_stand_in_where_none_were_counted():
    (row,) = costs({"online_cpus": None})
    assert row["cps"] == 8.0
    assert row["utilisation"] == pytest.approx(100 * 10 / (8 * 8))


@pytest.mark.parametrize("method", ["class", "address_space"])
def test_utilisation_of_a_part_of_a_system_is_of_one_cp(method):
    (row,) = costs({"method": method}, parts=("TCPIP",))
    assert row["utilisation"] == pytest.approx(100 * 10 / 8)  # s under load
    assert row["busy_pct"] is None
    assert row["wanted"] == ["TCPIP"]
    assert row["cpu_cost"] == pytest.approx(10)


@pytest.mark.parametrize("transactions", [0, None])
def test_without_transactions_there_is_no_cost(transactions):
    (row,) = costs(run={"transactions": transactions})
    assert row["counted"] is row["cpu_cost"] is None


def test_ziip_time_is_a_metric_of_its_own_and_counts_by_its_factor():
    ziip = {"cpu_type": "zIIP", "cpu_seconds": 2.0, "factor": 1.5}
    (row,) = costs({}, ziip)
    assert row["cpu_cost"] == pytest.approx(10)
    assert row["cpu_cost_ziip"] == pytest.approx(2)
    assert row["cpu_cost_equivalent"] == pytest.approx(13)
    assert row["other_types"] == "zIIP"


def test_an_unused_ziip_is_nothing_and_an_unused_type_is_not_named():
    (row,) = costs({}, {"cpu_type": "zIIP", "cpu_seconds": 0.0})
    assert (row["cpu_cost_ziip"], row["other_types"]) == (None, None)


def test_a_ziip_that_was_used_in_another_run_cost_nothing_in_this_one():
    used = {"id": "lab/s", "cpu_type": "zIIP", "cpu_seconds": 1.0}
    rows = costs({}, {"cpu_type": "zIIP", "cpu_seconds": 0.0}, used)
    assert [row["cpu_cost_ziip"] for row in rows] == [0.0]


def test_all_other_types_are_named_in_order():
    others = ({"cpu_type": "zIIP"}, {"cpu_type": "IFL"})
    (row,) = costs({}, *others)
    assert row["other_types"] == "IFL and zIIP"


@pytest.mark.parametrize(
    ("share", "enough"), [(0.79, False), (0.8, True), (1.0, True), (None, False)]
)
def test_thin_evidence_is_left_out_and_said(share, enough):
    cpu = pl.DataFrame(
        [CPU | {"coverage": share}], schema_overrides={"coverage": pl.Float64}
    )
    kept, thin = _split_thin(cpu, {"lab": campaign()})
    assert (kept.height, thin.height) == ((1, 0) if enough else (0, 1))
    said = _stopped(thin, {"lab": campaign()})
    words = (
        f"run lab/r: the CPU evidence of its server covers {share or 0:.2f} of it, "
        "less than the declared 0.8: no CPU cost from it"
    )
    assert said == (() if enough else (words,))


def test_thin_evidence_is_said_of_cps_alone():
    cpu = pl.DataFrame([CPU | {"coverage": 0.1, "cpu_type": "zIIP"}])
    assert _stopped(cpu, {"lab": campaign()}) == ()


@pytest.mark.parametrize("nothing", [0.0, -1.0, None])
def test_no_rate_or_time_of_a_run_that_worked_is_zero(nothing):
    columns = ("rate", "latency_mean_us", "bytes_per_second")
    runs = pl.DataFrame(
        [{"id": "r", "window_seconds": 10.0, **dict.fromkeys(columns, nothing)}],
        schema_overrides=dict.fromkeys(columns, pl.Float64),
    )
    (row,) = derive_rates(runs, RATES).to_dicts()
    assert row["rate"] is row["latency"] is row["throughput"] is None


def test_rates_are_in_their_units():
    told = {"rate": 0.5, "latency_mean_us": 0.5, "bytes_per_second": 500_000.0}
    runs = pl.DataFrame([{"id": "r", "window_seconds": 10.0} | told])
    (row,) = derive_rates(runs, RATES).to_dicts()
    assert (row["rate"], row["latency"], row["throughput"]) == (0.5, 0.5, 0.5)
    assert row["transfer_time"] == pytest.approx(0.0005)  # ms
