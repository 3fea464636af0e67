"""qperf: one-way latency, decimal and binary sizes, separators in counts."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import qperf
from tests.ingest.benchmark_logs import GOLDEN, little, reader, row_of, rows_of

LOGS = GOLDEN / "qperf"


@pytest.fixture
def read(tmp_path):
    return reader(qperf, tmp_path)


def test_latency_is_one_way_and_messages_go_both_ways():
    """31,779 messages in 2 s are as many transactions: 15,890/s × 63 µs = 1."""
    reading = qperf.read(LOGS / "verbose.txt")
    row = rows_of(reading)[0]
    assert (row["test"], row["shape"], row["request_bytes"]) == ("tcp_lat", "RR", 100)
    assert row["latency_mean_us"] == 63
    assert row["transactions"] == 31779
    assert row["rate"] == pytest.approx(31779 / 2, rel=0.01)
    assert little(row) == pytest.approx(1)
    assert reading.details["round_trip"][0] == "printed one way, doubled here"


def test_bandwidth_is_decimal():
    """756,123 messages of 100 B in 2 s are 37.8e6 B/s."""
    row = rows_of(qperf.read(LOGS / "verbose.txt"))[1]
    assert row["bytes_per_second"] == pytest.approx(756123 * 100 / 2, rel=0.001)


def test_sizes_in_both_units():
    large, precise = qperf.read(LOGS / "large.txt"), qperf.read(LOGS / "precision.txt")
    assert large.details["message_bytes"][0] == 64_000  # 64 KB
    assert precise.details["message_bytes"] == 65_536  # 64 KiB


def test_unified_units_are_read_and_latency_is_there_and_back():
    rows = rows_of(qperf.read(LOGS / "unified.txt"))
    assert rows[0]["latency_mean_us"] == pytest.approx(2 * 8.681)
    assert rows[1]["bytes_per_second"] == 36268800


def test_datagrams_that_arrived():
    reading = qperf.read(LOGS / "several.txt")
    assert rows_of(reading)[3]["bytes_per_second"] == 2.5e9
    assert reading.details["sender_bytes_per_second"][3] == 4.51e9


@pytest.mark.parametrize("name", ["conf.txt", "quit.txt"])
def test_what_measures_nothing_is_empty(name):
    assert qperf.read(LOGS / name).status == "empty"


def test_a_test_that_is_not_known():
    reading = qperf.read(LOGS / "unknown.txt")
    assert (reading.status, reading.reason[:17]) == ("failed", "tcp_foo: bad test")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("31.5 us", "31,5 us", "LC_ALL=C"),
        ("31.5 us", "31.5 xs", "'latency = 31.5 xs' is not understood"),
        ("31.5 us", "63.0 us", "messages and latency do not fit"),
        ("31.8 K/sec", "15.9 K/sec", "messages and latency do not fit"),
        ("37.8 MB/sec", "37.8 Mb/sec", "the bandwidth do not fit"),
        ("tcp_bw:", "tcp bw:", "'tcp bw:' is not understood"),
        ("    latency          =    31.5 us\n", "", "the latency is missing"),
    ],
)
def test_what_is_refused(read, old, new, reason):
    text = (LOGS / "verbose.txt").read_text()
    assert old in text
    reading = read(text.replace(old, new))
    assert reading.status in ("failed", "truncated")
    assert reason in reading.reason


def test_minutes_and_seconds_are_times(read):
    row = row_of(read("tcp_lat:\n    latency  =  1.5 ms\n"))
    assert (row["latency_mean_us"], row["rate"]) == (3000, pytest.approx(1e6 / 3000))


def test_each_size_of_a_loop_is_a_test():
    rows = rows_of(qperf.read(LOGS / "loop.txt"))
    assert [row["test"] for row in rows] == ["tcp_lat 64 bytes", "tcp_lat 512 bytes"]


def test_what_a_shell_printed_before_is_no_test(read):
    text = (LOGS / "several.txt").read_text()
    assert read(f"$ qperf -v server tcp_lat\n{text}").status == "ok"
    assert read(f"   latency = 1 us\n{text}").status == "failed"


def test_bytes_received_that_contradict_the_bandwidth(read):
    text = (LOGS / "precision.txt").read_text()
    assert "3.11073 GB\n" in text
    reading = read(text.replace("3.11073 GB\n", "1.55536 GB\n"))
    assert "bw is 3.11073e+09, but 1.55536e+09 by the bytes" in str(reading.reason)
