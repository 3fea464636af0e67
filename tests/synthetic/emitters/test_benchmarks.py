"""Logs of benchmarks: what was measured is what is read of the log."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.synthetic.emitters.examples import EXAMPLES, RUN, START
from tests.synthetic.emitters.reading import FEW, read_back, rows, utc

RATES = st.floats(2000, 1e6)
SIZES = st.integers(1, 2**25)


@st.composite
def runs(draw, clients: st.SearchStrategy[int]) -> dict:
    """A closed loop of 59 s: the clients wait all the time."""
    rate, number = draw(RATES), draw(clients)
    return RUN | {
        "seed": draw(st.text("abc-", max_size=9)),
        "clients": number,
        "request_bytes": draw(SIZES),
        "response_bytes": draw(SIZES),
        "transactions": max(round(rate * 59), 2 * number),
        "rate": rate,
        "latency_us": number / rate * 1e6,
    }


@FEW
@given(runs(st.integers(1, 60)), st.sampled_from(["RR", "CRR"]))
def test_uperf(run, shape):
    (row,) = rows(read_back("uperf", run | {"shape": shape, "start": START}))
    assert (row["shape"], row["clients"]) == (shape, run["clients"])
    assert row["transactions"] == run["transactions"]
    assert row["rate"] == pytest.approx(run["rate"], rel=0.006)  # by a rounded mean
    assert row["latency_mean_us"] == pytest.approx(run["latency_us"], rel=0.006)
    both = run["request_bytes"] + run["response_bytes"]
    assert row["bytes_per_second"] == pytest.approx(both * run["rate"], rel=0.02)
    assert row["errors"] == 0


def test_a_run_of_uperf_whose_server_went_away_has_no_rate():
    values = EXAMPLES["uperf"] | {"aborted": True}
    reading = read_back("uperf", values)
    (row,) = rows(reading)
    assert (reading.status, row["rate"]) == ("failed", None)


@FEW
@given(runs(st.integers(1, 60)))
def test_netperf(run):
    (row,) = rows(read_back("netperf", run))
    for name in ("clients", "request_bytes", "response_bytes"):
        assert row[name] == run[name]
    assert row["rate"] == pytest.approx(run["rate"], rel=1e-4)
    assert row["latency_mean_us"] == pytest.approx(run["latency_us"], abs=0.006)
    assert row["transactions"] == pytest.approx(run["transactions"], rel=1e-3)


def test_procstat():
    cpus = [{"user": 1, "system": 2, "idle": 30, "iowait": 4, "irq": 5, "softirq": 6}]
    found = rows(read_back("procstat", {"seed": "", "cpus": cpus * 2}), "cpu_counter")
    whole = next(row for row in found if row["cpu"] == "all")
    assert (whole["busy_ticks"], whole["idle_ticks"]) == (28, 68)
    assert len(found) == 3


@FEW
@given(st.integers(1, 50), st.integers(10**6, 10**15), st.floats(0.5, 1000),
       st.integers(0, 10**6), st.booleans())  # fmt: skip
def test_iperf3(clients, size, seconds, retransmits, reverse):
    values = EXAMPLES["iperf3"] | {
        "clients": clients, "bytes": size, "seconds": seconds, "reverse": reverse,
        "retransmits": retransmits,
    }  # fmt: skip
    reading = read_back("iperf3", values)
    (row,) = rows(reading)
    assert (row["shape"], row["clients"]) == ("STR", clients)
    assert row["start_utc"] == utc(START)
    assert row["bytes_per_second"] == pytest.approx(size / seconds)
    assert row["seconds"] == pytest.approx(seconds)
    told = reading.details
    assert told.get("retransmissions") == retransmits
    way = "server to client" if reverse else "client to server"
    assert told["direction"] == way
    assert told["cpu_pct_of_one_cpu"] == {"host_total": 180.5, "remote_total": 97.25}


@FEW
@given(
    st.integers(1, 500), RATES, st.integers(0, 99), st.integers(1, 10**5), st.booleans()
)
def test_ab(clients, rate, errors, size, kept):
    values = EXAMPLES["ab"] | {
        "clients": clients, "rate": rate, "requests": round(rate * 60),
        "errors": errors, "document_bytes": size, "keep_alive": kept,
    }  # fmt: skip
    (row,) = rows(read_back("ab", values))
    assert (row["clients"], row["errors"]) == (clients, errors)
    assert row["transactions"] == values["requests"] - errors
    assert row["rate"] == pytest.approx(rate, rel=1e-3)
    assert row["response_bytes"] == size
    assert row["shape"] == ("RR" if kept else "CRR")
    assert row["latency_mean_us"] == pytest.approx(clients / rate * 1e6, rel=1e-3)
    assert row["bytes_per_second"] == pytest.approx((size + 233) * rate, rel=1e-3)
    if (median := row["latency_p50_us"]) is not None:
        assert median == pytest.approx(0.96 * clients / rate * 1e6, abs=500)


@FEW
@given(st.integers(1, 500), RATES, st.integers(0, 99), st.integers(1, 10**5))
def test_h2load(clients, rate, failed, size):
    values = EXAMPLES["h2load"] | {
        "clients": clients, "rate": rate, "requests": round(rate * 60),
        "failed": failed, "document_bytes": size, "latency_us": clients / rate * 1e6,
    }  # fmt: skip
    (row,) = rows(read_back("h2load", values))
    requests = values["requests"]
    assert (row["clients"], row["errors"]) == (clients, failed)
    assert row["transactions"] == requests - failed
    assert row["rate"] == pytest.approx(rate * (requests - failed) / requests, rel=1e-3)
    assert row["latency_mean_us"] == pytest.approx(
        values["latency_us"], rel=0.01, abs=1
    )
    assert row["bytes_per_second"] == pytest.approx((size + 237) * rate, rel=1e-3)


@FEW
@given(st.integers(1, 500), RATES, st.integers(0, 99), st.sampled_from(["csv", "json"]))
def test_contract(clients, rate, errors, form):
    seconds, latency = 200.0, clients / rate * 1000
    result = {
        "tool": "AWM", "workload": f"RR{clients}(200B/1000B)", "start": START,
        "seconds": seconds, "transactions": round(rate * seconds), "errors": errors,
        "latency_ms": latency, "p99_ms": latency * 3,
    }  # fmt: skip
    (row,) = rows(read_back("contract", {"results": [result], "form": form}))
    same = ("tool", "seconds", "transactions", "errors")
    assert {name: row[name] for name in same} == {name: result[name] for name in same}
    assert (row["shape"], row["clients"]) == ("RR", clients)
    assert (row["request_bytes"], row["response_bytes"]) == (200, 1000)
    assert row["start_utc"] == utc(START)
    assert row["rate"] == pytest.approx(rate, rel=1e-3)
    assert row["latency_mean_us"] == pytest.approx(latency * 1000)
    assert row["latency_p99_us"] == pytest.approx(latency * 3000)


def test_several_results_by_the_contract_are_told_apart():
    each = [{"tool": "TPNS", "test": f"{n} terminals", "seconds": 600.0,
             "transactions": 6 * n} for n in (500, 1000)]  # fmt: skip
    found = rows(read_back("contract", {"results": each}))
    assert [(row["test"], row["transactions"]) for row in found] == [
        ("500 terminals", 3000),
        ("1000 terminals", 6000),
    ]
