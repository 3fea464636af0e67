"""Logs of benchmarks: what was measured is what is read of the log."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.synthetic.emitters.examples import RUN, START
from tests.synthetic.emitters.reading import FEW, read_back, rows

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
