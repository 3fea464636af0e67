"""True figures of a run, and logs that say the same."""

from __future__ import annotations

from statistics import median

import pytest

from analysis.ingest.bench import netperf_omni, uperf
from synthetic.network.generator import log
from synthetic.network.plan import planned
from synthetic.network.runs import Run, minutes
from tests.synthetic.conftest import OF

PLANNED = planned(OF)
WORKLOADS = [
    ("osh-osd", "RR1(1kB)"),
    ("osh-osd", "RR60(4kB)"),
    ("icsf-audit", "CRR40(64B/8kB)"),
    ("osh-osd", "STR1(20MB/1B)"),
    ("osh-osd", "STR3(1B/20MB)"),
    ("linux-sharing", "STR1(1B/20MB)"),
]


def run_of(study: str, workload: str) -> Run:
    found = (
        run for minute in minutes(PLANNED[study], OF.making) for run in minute.runs
    )
    return next(run for run in found if run.workload.name == workload)


def check(row: dict, run: Run) -> None:
    assert row["transactions"] == run.transactions
    assert row["rate"] == pytest.approx(run.rate, rel=1e-3)
    assert row["latency_mean_us"] == pytest.approx(run.latency, rel=2e-3)
    assert (row["shape"], row["clients"]) == (
        run.workload.shape, run.workload.clients,
    )  # fmt: skip
    size = run.workload.request_bytes + run.workload.response_bytes
    assert row["bytes_per_second"] == pytest.approx(run.rate * size, rel=1e-3)


@pytest.mark.parametrize(("study", "workload"), WORKLOADS)
def test_a_log_of_uperf_tells_the_figures_of_its_run(tmp_path, study, workload):
    run = run_of(study, workload)
    (tmp_path / "log.txt").write_bytes(log(run, netperf=False))
    reading = uperf.read(tmp_path / "log.txt")
    assert (reading.status, reading.problems) == ("ok", [])
    check(reading.results[0], run)


@pytest.mark.parametrize("workload", ["RR10(1kB)", "STR1(1B/20MB)"])
def test_a_log_of_netperf_tells_the_figures_of_its_run(tmp_path, workload):
    run = run_of("linux-sharing", workload)
    (tmp_path / "log.txt").write_bytes(log(run, netperf=True))
    reading = netperf_omni.read(tmp_path / "log.txt")
    assert (reading.status, reading.problems) == ("ok", [])
    check(reading.results[0], run)


def test_a_run_that_breaks_off_is_known_by_its_log(tmp_path):
    turns = PLANNED["osh-osd"]
    made = (run for minute in minutes(turns, OF.making) for run in minute.runs)
    run = next(run for run in made if run.failed)
    (tmp_path / "log.txt").write_bytes(log(run, netperf=False))
    reading = uperf.read(tmp_path / "log.txt")
    assert reading.status == "failed"
    assert "Slave aborted" in str(reading.reason)


def test_the_router_has_the_cost_of_the_transactions_of_both_loads():
    turns = [s for s in PLANNED["router-queue"] if s.arm.configuration == "mix-on"]
    for minute in minutes(turns, OF.making):
        forwarded, local = minute.runs
        cost = forwarded.arm.costs["router"].value
        asked = (forwarded.transactions + local.transactions) * cost / 1e6
        assert minute.busy["SYNB"] == pytest.approx(asked, rel=0.04)


def test_medians_are_those_of_the_levels():
    found: dict[str, list[Run]] = {}
    for minute in minutes(PLANNED["icsf-audit"], OF.making):
        for run in minute.runs:
            found.setdefault(run.arm.key, []).append(run)
    for made in found.values():
        middle = median(run.rate for run in made)
        assert middle == pytest.approx(made[0].arm.rate.value)
