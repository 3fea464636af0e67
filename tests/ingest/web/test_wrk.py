"""wrk: units that change in a column, error responses, runs that ended early."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, little, reader, row, text_of


@pytest.fixture
def read(tmp_path):
    return reader("wrk", tmp_path)


def test_a_real_log_agrees_with_the_law_of_little():
    reading = golden("wrk/latency.txt")
    result = row(reading)
    assert (reading.status, reading.tool, result["clients"]) == ("ok", "wrk", 4)
    assert result["rate"] == 37258.53
    assert result["latency_mean_us"] == pytest.approx(115.54)
    assert result["latency_p99_us"] == pytest.approx(391)
    assert result["bytes_per_second"] == pytest.approx(10.70 * 2**20)
    assert little(reading) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(
    ("printed", "microseconds"),
    [("98.00us", 98), ("1.20ms", 1200), ("1.05s", 1.05e6), ("1.50m", 90e6)],
)
def test_unit_of_a_latency_changes(read, printed, microseconds):
    text = text_of("wrk/latency.txt")
    text = text.replace("98.00us", "1.00us").replace("123.00us", "2.00us")
    text = text.replace("391.00us", printed)
    assert row(read(text))["latency_p99_us"] == pytest.approx(microseconds)


@pytest.mark.parametrize(
    ("file", "status", "reason"),
    [
        ("all-errors", "failed", "all 227,561 responses have a status other than 2xx"),
        ("half-errors", "failed", "10,217 of 20,516 responses"),
        ("refused", "failed", "unable to connect to 127.0.0.1:18081"),
        ("interrupted", "truncated", "stopped after 0.9999 s of 5 s"),
    ],
)
def test_content_tells_whether_it_ran(file, status, reason):
    reading = golden(f"wrk/{file}.txt")
    assert reading.status == status
    assert reason in reading.reason
    if file != "refused":
        assert row(reading)["rate"] is None
        assert row(reading)["latency_mean_us"] is None


def test_few_errors_are_a_doubt_and_do_not_count(read):
    errors = "  Non-2xx or 3xx responses: 100\nRequests/sec:"
    text = text_of("wrk/latency.txt").replace("Requests/sec:", errors)
    reading = read(text)
    assert reading.status == "degraded"
    assert row(reading)["transactions"] == 78232 - 100
    assert row(reading)["rate"] == pytest.approx(37258.53 * (1 - 100 / 78232))


def test_socket_errors_are_added_up_and_degrade_a_log(read):
    line = "  Socket errors: connect 0, read 3, write 0, timeout 4\nRequests/sec:"
    reading = read(text_of("wrk/latency.txt").replace("Requests/sec:", line))
    assert (reading.status, row(reading)["errors"]) == ("degraded", 7)


def test_decimal_comma_is_refused(read):
    reading = read(text_of("wrk/latency.txt").replace("115.54us", "115,54us"))
    assert reading.status == "failed"
    assert "LC_ALL=C" in reading.reason
    assert reading.problems[0].line == 4


def test_percentiles_that_fall(read):
    reading = read(text_of("wrk/latency.txt").replace("391.00us", "39.10us"))
    assert (reading.status, reading.reason) == (
        "degraded",
        "its percentiles do not rise",
    )


def test_wrk2_is_told_apart():
    reading = golden("wrk/wrk2.txt")
    assert reading.tool == "wrk2"
    assert row(reading)["latency_p90_us"] == pytest.approx(1930)


def test_no_request_contradicts_a_rate_of_requests():
    reading = golden("wrk/no-requests.txt")
    assert reading.status == "failed"
    assert reading.reason.endswith("its time is 30, but 0 by its counts")


def test_a_run_without_requests_does_not_speak_of_their_status(tmp_path):
    text = text_of("wrk/no-requests.txt").replace("748868.53", "0.00")
    reading = reader("wrk", tmp_path)(
        text.replace("17.76GB", "0B").replace("606.33MB", "0B")
    )
    assert (reading.status, reading.reason) == ("failed", "no operation ended")


def test_a_mean_below_half_of_the_median_is_impossible(read):
    text = text_of("wrk/latency.txt").replace("115.54us", "30.00us")
    reading = read(text)
    assert reading.status == "failed"
    assert "the mean latency is 30, but 49 by half its median" in str(reading.reason)
