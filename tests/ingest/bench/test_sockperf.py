"""sockperf: halves of round trips, binary megabits, and failures with status 0."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import sockperf
from tests.ingest.benchmark_logs import GOLDEN, little, reader, row_of, rows_of

LOGS = GOLDEN / "sockperf"


@pytest.fixture
def read(tmp_path):
    return reader(sockperf, tmp_path)


def test_one_way_latency_becomes_the_round_trip():
    reading = sockperf.read(LOGS / "pp-oneway.txt")
    row = row_of(reading)
    assert row["latency_mean_us"] == 2 * 16.594
    assert (row["latency_p50_us"], row["latency_p99_us"]) == (2 * 8.131, 2 * 42.537)
    assert reading.details["round_trip"] == "printed one way, doubled here"
    assert reading.details["printed_mean_us"] == 16.594
    assert little(row) == pytest.approx(1, abs=0.01)


def test_full_round_trip_stays():
    reading = sockperf.read(LOGS / "pp-full-rtt.txt")
    row = row_of(reading)
    assert row["latency_mean_us"] == 46.412
    assert little(row) == pytest.approx(1, abs=0.01)


def test_the_valid_duration_counts_not_the_total():
    row = row_of(sockperf.read(LOGS / "pp-full-rtt.txt"))
    assert (row["seconds"], row["transactions"]) == (2.55, 69072)
    assert row["rate"] == pytest.approx(54865 / 2.55)


def test_round_trip_taken_for_one_way_breaks_littles_law(read):
    text = (LOGS / "pp-full-rtt.txt").read_text()
    reading = read(text.replace("avg-rtt=", "avg-latency="))
    assert reading.status == "failed"
    assert "more than one client can do" in reading.reason


def test_under_load_has_a_pace_and_no_clients():
    reading = sockperf.read(LOGS / "under-load.txt")
    row = row_of(reading)
    assert (reading.status, row["clients"], row["transactions"]) == ("ok", None, 100)
    assert "set pace" in reading.details["mode"]


def test_megabytes_and_their_megabits_are_binary():
    """189,568 messages of 1400 B a second are 265.4e6 B/s, and 253.1 × 2**20."""
    row = row_of(sockperf.read(LOGS / "tp.txt"))
    assert row["bytes_per_second"] == pytest.approx(189568 * 1400, rel=1e-4)
    assert (row["shape"], row["rate"]) == ("STR", None)


def test_a_full_log_is_request_and_response():
    reading = sockperf.read(LOGS / "full-log.csv")
    assert (reading.status, row_of(reading)["shape"]) == ("ok", "RR")


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("refused.txt", "failed", "ERROR: Can`t connect socket"),
        ("no-messages.txt", "failed", "No messages were received"),
        ("interrupted.txt", "failed", "No messages were sent"),
        ("usage.txt", "failed", "it printed its usage"),
        ("killed.txt", "truncated", "the statistics are not there"),
        ("server.txt", "empty", "there is no measurement"),
    ],
)
def test_status_zero_does_not_mean_a_run(name, status, reason):
    reading = sockperf.read(LOGS / name)
    assert reading.status == status
    assert reading.reason.startswith(reason)
    assert all(row["rate"] is None for row in rows_of(reading))


def test_a_failure_is_told_with_its_line():
    [problem] = sockperf.read(LOGS / "refused.txt").problems
    assert problem.line == 2


def test_dropped_messages_degrade(read):
    text = (LOGS / "pp-udp.txt").read_text()
    reading = read(text.replace("dropped messages = 0", "dropped messages = 7"))
    assert (reading.status, reading.reason) == ("degraded", "7 messages were dropped")
    assert row_of(reading)["errors"] == 7


def test_bandwidth_that_does_not_fit(read):
    text = (LOGS / "tp.txt").read_text()
    assert read(text.replace("2024.805", "202.480")).status == "failed"


def test_more_measures_of_spread(read):
    """The line of sockperf 3.8 and later, by client_statistics in client.cpp."""
    text = (LOGS / "pp-oneway.txt").read_text(encoding="utf-8")
    more = (
        "(std-dev=18.503, mean-ad=9.871, median-ad=1.402, siqr=10.078, cv=1.115, "
        "std-error=0.086, 99.0% ci=[16.373, 16.815])"
    )
    reading = read(text.replace("(std-dev=18.503)", more))
    assert reading.status == "ok"
    assert row_of(reading) == row_of(sockperf.read(LOGS / "pp-oneway.txt"))
    assert reading.details["printed_deviation_us"] == 18.503


def test_percentiles_with_thousands_are_refused(read):
    text = (LOGS / "under-load-rtt.txt").read_text()
    reading = read(text.replace("= 1360.414", "=1,360.414"))
    assert (reading.status, row_of(reading)["latency_mean_us"]) == ("failed", None)
    assert reading.problems[0].line


def test_one_answer_is_too_few_for_a_rate():
    reading = sockperf.read(LOGS / "one-answer.txt")
    assert reading.status == "failed"
    assert reading.reason.startswith("messages answered: 1, in less than 0.001 s")


def test_tails_are_of_the_round_trip_and_counts_of_datagrams_alone(read):
    text = (LOGS / "pp-udp.txt").read_text()
    row = row_of(read(text.replace("dropped messages = 0", "dropped messages = 3")))
    assert row["latency_p999_us"] == 2 * 3142.934
    assert row["latency_max_us"] == 2 * 11279.788
    assert row["latency_deviation_us"] == 2 * 195.253
    counts = (row["datagrams"], row["lost_datagrams"], row["late_datagrams"])
    assert counts == (54993, 3, 0)
    tcp = row_of(read(text.replace("# UDP", "# TCP")))
    assert tcp["datagrams"] is tcp["lost_datagrams"] is None
