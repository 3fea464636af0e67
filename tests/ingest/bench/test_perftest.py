"""perftest: bandwidths and latencies of RDMA, in the units of its versions."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import perftest
from analysis.ingest.detect import read_file
from tests.ingest.benchmark_logs import GOLDEN, reader, row_of, rows_of

LOGS = GOLDEN / "perftest"
SEND = (LOGS / "send-bw.txt").read_text()


@pytest.fixture
def read(tmp_path):
    return reader(perftest, tmp_path)


def test_a_report_of_a_user():
    """5.60: 92.46 Gbit/s on average, 529,037 messages of 64 KiB in 3 s."""
    reading = perftest.read(LOGS / "send-bw.txt")
    row = row_of(reading)
    assert (reading.status, row["shape"], row["clients"]) == ("ok", "STR", 1)
    assert row["bytes_per_second"] == pytest.approx(92.46e9 / 8)
    assert row["seconds"] == pytest.approx(3.0, abs=1e-3)
    assert reading.details["messages_per_second"] == pytest.approx(176344)


@pytest.mark.parametrize("unit", ["MB", "MiB"])
def test_megabytes_are_binary_whatever_they_are_called(read, unit):
    text = (LOGS / "read-bw-mib.txt").read_text().replace("MiB/sec", f"{unit}/sec")
    assert row_of(read(text))["bytes_per_second"] == 10874.23 * 2**20


def test_all_sizes_are_tests_of_their_own():
    rows = rows_of(perftest.read(LOGS / "write-bw-sizes.txt"))
    assert [row["test"] for row in rows[::4]] == [
        "RDMA_Write BW, 2 bytes",
        "RDMA_Write BW, 1048576 bytes",
    ]
    assert rows[-1]["bytes_per_second"] == 11034.52 * 2**20


@pytest.mark.parametrize("name", ["write-bw-qps.txt", "send-bidirectional.txt"])
def test_the_count_of_one_of_several_tells_no_time(name):
    row = row_of(perftest.read(LOGS / name))
    assert (row["bytes_per_second"] > 1e10, row["seconds"]) == (True, None)


@pytest.mark.parametrize(
    ("name", "trip", "median", "p99", "request_bytes"),
    [
        ("send-lat.txt", 2.08, 2.06, 2.32, 2),
        ("write-lat.txt", 1.94, 1.92, 2.18, 64),
        ("read-lat.txt", 2.41, 2.38, 2.79, None),
    ],
)
def test_latencies_are_round_trips(name, trip, median, p99, request_bytes):
    """Resolved is half of one for sends and writes, a whole one for reads."""
    row = row_of(perftest.read(LOGS / name))
    assert row["latency_mean_us"] == pytest.approx(trip)
    assert row["latency_p50_us"] == pytest.approx(median)
    assert row["latency_p99_us"] == pytest.approx(p99)
    assert (row["request_bytes"], row["seconds"]) == (request_bytes, None)


def test_a_duration_gives_a_rate_and_a_time():
    row = row_of(perftest.read(LOGS / "send-lat-duration.txt"))
    assert (row["rate"], row["transactions"]) == (478912.31, 4789123)
    assert row["seconds"] == pytest.approx(10, abs=1e-4)


def test_a_server_of_writes_that_prints_nothing_is_empty(read):
    text = (LOGS / "read-bw-mib.txt").read_text()
    (line,) = (line for line in text.splitlines() if line.startswith(" 65536"))
    waiting = "* Waiting for client to connect... *\n"
    assert read(waiting + text.replace(f"{line}\n", "")).status == "empty"


@pytest.mark.parametrize(
    ("old", "new", "status", "reason"),
    [
        ("92.46 ", "29.46 ", "failed", "do not fit together"),
        ("92.46 ", "92,46 ", "failed", "LC_ALL=C"),
        ("92.46 ", "-9.46 ", "failed", "a value is negative"),
        ("92.46 ", "0.00 ", "failed", "no data was moved"),
        ("Gb/sec", "Tb/sec", "failed", "none of the units"),
        ("   MsgRate[Mpps]", "", "failed", "5 values for 4 names"),
        (" 65536 ", " 65536 5 0.00 9.00 0.017166\n 65536 ", "failed", "test again"),
        (
            "-----\n #bytes",
            "-----\nConflicting CPU frequency values detected: 1 != 2\n #bytes",
            "degraded",
            "Conflicting CPU frequency",
        ),
        (
            " #bytes ",
            " Completion with error at client\n ",
            "failed",
            "Completion with",
        ),
        (" #bytes ", " #flows ", "failed", "counts flows"),
    ],
)
def test_what_is_refused_or_doubted(read, old, new, status, reason):
    assert old in SEND
    reading = read(SEND.replace(old, new))
    assert (reading.status, reason in reading.reason) == (status, True)


def test_a_latency_of_an_unknown_test_may_be_half_a_round_trip(read):
    text = (LOGS / "read-lat.txt").read_text().replace("RDMA_Read", "RDMA_Reed")
    assert "name of the test" in read(text).reason


def test_cycles_are_no_microseconds(read):
    text = (LOGS / "send-lat.txt").read_text().replace("[usec]", "[cycles]")
    assert "none of the units usec" in read(text).reason


def test_a_table_without_its_end_is_doubted(read):
    text = SEND.rstrip().rstrip("-")
    assert read(text).reason == "the last lines are missing"


def test_its_json_is_named(tmp_path):
    path = tmp_path / "log"
    path.write_text('{\n"test_info": {\n"test": "Send_BW_Test"\n}}\n')
    assert "perftest --out_json" in read_file(path).reason


def test_an_average_above_the_peak_contradicts_it(read):
    (line,) = [line for line in SEND.splitlines() if "92.46" in line]
    peak = line.split()[2]
    assert float(peak) == 0 or float(peak) >= 92.46
    reading = read(SEND.replace(line, line.replace(peak, "40.00", 1)))
    assert "BW average is" in str(reading.reason)
