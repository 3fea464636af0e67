"""neper: a client's and a server's log, streams, and figures that must agree."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import neper
from tests.ingest.benchmark_logs import GOLDEN, little, reader, row_of, rows_of

LOGS = GOLDEN / "neper"
HEAD = "num_flows=3\ncontrol_port=12866\nmaxevents=1000\nthroughput_opt=Mb\nclient=0\n"


@pytest.fixture
def read(tmp_path):
    return reader(neper, tmp_path)


def test_a_client_agrees_with_the_law_of_little():
    reading = neper.read(LOGS / "rr.keyval")
    row = row_of(reading)
    assert (reading.status, row["shape"], row["clients"]) == ("ok", "RR", 10)
    assert (row["rate"], row["transactions"]) == (184476.37, 737927)
    assert row["latency_mean_us"] == pytest.approx(54.128)  # printed in seconds
    assert row["start_utc"] is None  # the clock has no date
    assert little(row) == pytest.approx(1, abs=0.01)
    assert reading.details["own_process_cpu_seconds"] == pytest.approx(3.423425)


def test_server_has_no_latency():
    row = row_of(neper.read(LOGS / "rr-server.txt"))
    assert (row["rate"], row["latency_mean_us"]) == (184456.72, None)


def test_both_sides_in_one_file(read):
    text = (LOGS / "rr.keyval").read_text() + (LOGS / "rr-server.txt").read_text()
    reading = read(text)
    assert [row["test"] for row in rows_of(reading)] == ["client", "server"]
    assert set(reading.verdicts) == {"client", "server"}


def test_connections_have_no_delay_option(read):
    lines = (LOGS / "rr.keyval").read_text().splitlines(keepends=True)
    text = "".join(x for x in lines if not x.startswith(("delay=", "noburst=")))
    assert row_of(read(text))["shape"] == "CRR"


@pytest.mark.parametrize(
    ("printed", "unit", "rate"),
    [
        ("8000.00", "Mbit/s", 1e9),
        ("8000.00", "Mibit/s", 8000 * 2**20 / 8),
        ("1000.00", "MB/s", 1e9),
        ("1000.00", "MBytes/s", 1000 * 2**20),
        ("1000.00", "MiB/s", 1000 * 2**20),
    ],
)
def test_units_of_a_stream(read, printed, unit, rate):
    """As ``common.c`` has them."""
    told = f"throughput={printed}\nthroughput_units={unit}\n"
    sides = f"local_throughput={round(rate * 8)}\nremote_throughput=0\n"
    row = row_of(read(HEAD + told + sides))
    assert (row["shape"], row["bytes_per_second"]) == ("STR", pytest.approx(rate))


def test_a_sender_is_told_the_throughput_in_bits(read):
    text = HEAD + "local_throughput=0\nremote_throughput=8000000000\n"
    assert row_of(read(text))["bytes_per_second"] == 1e9


@pytest.mark.parametrize(
    ("old", "new", "status", "reason"),
    [
        ("throughput=184476.37", "throughput=184476,37", "failed", "LC_ALL=C"),
        ("throughput=184476.37", "throughput=18447.63", "failed", "contradict"),
        ("latency_mean=0.000054128", "latency_mean=0.000027064", "degraded", "0.499"),
        ("num_transactions=737927", "num_transactions=0", "failed", "no transaction"),
        ("remote_throughput=184456\n", "", "truncated", "last lines are missing"),
    ],
)
def test_a_log_that_cannot_be_right_says_why(read, old, new, status, reason):
    text = (LOGS / "rr.keyval").read_text()
    assert old in text
    reading = read(text.replace(old, new))
    assert reading.status == status
    assert reason in reading.reason


def test_sides_of_a_stream_that_differ_are_told(read):
    text = HEAD + "throughput_units=Mbit/s\nthroughput=800.00\n"
    text += "local_throughput=800000000\nremote_throughput="
    assert read(text + "800000000\n").problems == []
    (problem,) = read(text + "400000000\n").problems
    assert "local_throughput is 8e+08, but 4e+08" in problem.message
