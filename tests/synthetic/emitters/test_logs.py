"""Logs: what was measured is what is read of them, and they look like real ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.emitters.contract import contract_result, contract_storage
from synthetic.emitters.ctg_statistics import ctg_statistics
from synthetic.emitters.h2load import h2load_log
from synthetic.emitters.netperf import netperf_log
from synthetic.emitters.procstat import procstat
from synthetic.emitters.uperf import UperfLog
from tests.ingest.logs import GOLDEN
from tests.synthetic.emitters.examples import EXAMPLES, RUN, START, WEB
from tests.synthetic.emitters.reading import FEW, read_back, rows, utc

RATES = st.floats(2000, 1e6)
SIZES = st.integers(1, 2**25)
COUNT = st.integers(1, 10**12)
NUMBER = re.compile(r"\d+(?:\.\d+)*(?:us|ms|[KMG]?B|s|%)?")


@pytest.mark.parametrize("format", EXAMPLES)
def test_what_an_emitter_writes_is_read_whole(format):
    reading = read_back(format, EXAMPLES[format])
    assert (reading.status, reading.problems) == ("ok", [])


@st.composite
def runs(draw) -> dict:
    """A closed loop of 59 s: the clients wait all the time."""
    rate, number = draw(RATES), draw(st.integers(1, 60))
    return {
        "seed": draw(st.text("abc-", max_size=9)),
        "clients": number,
        "request_bytes": draw(SIZES),
        "response_bytes": draw(SIZES),
        "transactions": max(round(rate * 59), 2 * number),
        "rate": rate,
        "latency_us": number / rate * 1e6,
    }


@FEW
@given(runs(), st.sampled_from(["RR", "CRR"]))
def test_a_log_of_uperf_is_read_as_it_was_made(run, shape):
    log = UperfLog(**run, shape=shape, start=START)
    (row,) = rows(read_back("uperf", log.write()))
    assert (row["shape"], row["clients"]) == (shape, run["clients"])
    assert row["transactions"] == run["transactions"]
    assert row["rate"] == pytest.approx(run["rate"], rel=0.006)  # by a rounded mean
    assert row["latency_mean_us"] == pytest.approx(run["latency_us"], rel=0.006)
    both = run["request_bytes"] + run["response_bytes"]
    assert row["bytes_per_second"] == pytest.approx(both * run["rate"], rel=0.02)
    assert row["errors"] == 0


def test_a_run_of_uperf_whose_server_went_away_has_no_rate():
    log = UperfLog(**RUN, shape="CRR", start=START, aborted=True)
    reading = read_back("uperf", log.write())
    (row,) = rows(reading)
    assert (reading.status, row["rate"]) == ("failed", None)


def test_a_log_of_uperf_has_its_tables():
    real = (GOLDEN / "uperf" / "rr-raw.txt").read_text(encoding="utf-8")
    made = UperfLog(**RUN, shape="RR", start=START).write().decode()
    for heading in ("Txn ", "Flowop ", "Run Statistics", "Hostname ", "Strand Details"):
        of_tool = next(x for x in real.splitlines() if x.startswith(heading))
        assert of_tool.rstrip() in [line.rstrip() for line in made.splitlines()]


@FEW
@given(runs())
def test_a_log_of_netperf_is_read_as_it_was_made(run):
    (row,) = rows(read_back("netperf_omni", netperf_log(**run)))
    for name in ("clients", "request_bytes", "response_bytes"):
        assert row[name] == run[name]
    assert row["rate"] == pytest.approx(run["rate"], rel=1e-4)
    assert row["latency_mean_us"] == pytest.approx(run["latency_us"], abs=0.006)
    assert row["transactions"] == pytest.approx(run["transactions"], rel=1e-3)


def test_counters_of_all_cpus_are_read_as_they_were_made():
    cpus = [{"user": 1, "system": 2, "idle": 30, "iowait": 4, "irq": 5, "softirq": 6}]
    found = rows(read_back("procstat", procstat("", cpus * 2)), "cpu_counter")
    whole = next(row for row in found if row["cpu"] == "all")
    assert (whole["busy_ticks"], whole["idle_ticks"]) == (28, 68)
    assert len(found) == 3


@FEW
@given(st.integers(1, 500), RATES, st.integers(0, 99), st.integers(1, 10**5))
def test_a_log_of_h2load_is_read_as_it_was_made(clients, rate, failed, size):
    requests, latency = round(rate * 60), clients / rate * 1e6
    log = h2load_log("", clients, requests, failed, rate, latency, size)
    (row,) = rows(read_back("h2load", log))
    assert (row["clients"], row["errors"]) == (clients, failed)
    assert row["transactions"] == requests - failed
    assert row["rate"] == pytest.approx(rate * (requests - failed) / requests, rel=1e-3)
    assert row["latency_mean_us"] == pytest.approx(latency, rel=0.01, abs=1)
    assert row["bytes_per_second"] == pytest.approx((size + 237) * rate, rel=1e-3)


def test_every_line_of_h2load_is_one_that_it_prints():
    def skeletons(text: str) -> set[str]:
        """Lines without their numbers and the width of blanks."""
        return {" ".join(NUMBER.sub("0", x).split()) for x in text.splitlines()}

    names = ("https.txt", "timed.txt")
    real = [(GOLDEN / "h2load" / name).read_text(encoding="utf-8") for name in names]
    made = skeletons(h2load_log(**WEB).decode())
    assert made <= {line for text in real for line in skeletons(text)}
    lost = {line for line in skeletons(real[0]) - made if "TLS" not in line}
    assert {line for line in lost if not line.startswith(("Server Temp", "Ciph"))} == (
        set()
    )


@FEW
@given(st.integers(1, 500), RATES, st.integers(0, 99))
def test_a_result_by_the_contract_is_read_as_it_was_made(clients, rate, errors):
    result = {
        "tool": "AWM", "seconds": 200.0, "transactions": round(rate * 200),
        "errors": errors,
    }  # fmt: skip
    latency, workload = clients / rate * 1000, f"RR{clients}(200B/1000B)"
    made = contract_result(START, **result, workload=workload, latency_mean_ms=latency)
    (row,) = rows(read_back("contract", made))
    assert {name: row[name] for name in result} == result
    assert (row["shape"], row["clients"]) == ("RR", clients)
    assert (row["request_bytes"], row["response_bytes"]) == (200, 1000)
    assert row["start_utc"] == utc(START)
    assert row["rate"] == pytest.approx(rate, rel=1e-3)
    assert row["latency_mean_us"] == pytest.approx(latency * 1000)


def test_a_storage_report_that_is_cut_is_known():
    made = contract_storage("SYNS", "TN4(100B/800B)", START, {"csm": 7}, cut=True)
    assert read_back("storage_contract", made).status == "truncated"


@FEW
@given(COUNT, st.integers(0, 10**5), st.integers(1, 3600))
def test_an_interval_of_a_gateway(requests, response, seconds):
    made = ctg_statistics("SYNCTG", START, seconds, requests, response, 1, 2, -5)
    (row,) = rows(read_back("ctg_statistics", made), "gateway_interval")
    assert (row["gateway"], row["basis"]) == ("SYNCTG", "interval")
    assert (row["transactions"], row["response_ms"]) == (requests, response)
    assert (row["start_utc"], row["seconds"]) == (utc(START), seconds)
