"""ab: percentiles in whole milliseconds, two times per request, harmless lengths."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, little, reader, row, text_of


@pytest.fixture
def read(tmp_path):
    return reader("ab", tmp_path)


def test_each_request_has_its_connection():
    result = row(golden("ab/crr.txt"))
    assert (result["shape"], result["clients"]) == ("CRR", 8)
    assert (result["transactions"], result["rate"]) == (124658, 31164.44)
    assert result["response_bytes"] == 8192
    assert result["bytes_per_second"] == pytest.approx(256497.93 * 1024, rel=1e-4)


def test_kept_connections_make_it_request_and_response():
    assert row(golden("ab/keep-alive.txt"))["shape"] == "RR"


def test_mean_is_that_of_one_request_not_across_all():
    reading = golden("ab/https.txt")
    assert row(reading)["latency_mean_us"] == pytest.approx(5687, rel=1e-3)
    assert little(reading) == pytest.approx(1)


def test_percentiles_are_told_in_whole_milliseconds(read):
    result = row(golden("ab/https.txt"))
    assert result["latency_p50_us"] == 5000
    assert result["latency_p50_us_resolution"] == 1000
    text = text_of("ab/https.txt").replace("  50%      5\n", "  50%      0\n")
    assert row(read(text))["latency_p50_us"] is None


@pytest.mark.parametrize(
    ("file", "status", "reason"),
    [
        ("all-errors", "failed", "all 200 requests failed"),
        ("half-errors", "failed", "100 of 200 requests"),
        ("refused", "failed", "apr_socket_recv: Connection refused (111)"),
        ("killed", "truncated", "ends before its last line"),
    ],
)
def test_content_tells_whether_it_ran(file, status, reason):
    reading = golden(f"ab/{file}.txt")
    assert reading.status == status
    assert reason in reading.reason
    assert row(reading)["rate"] is None


def test_lengths_that_vary_are_a_doubt_only(read):
    text = text_of("ab/crr.txt").replace(
        "Failed requests:        0\n",
        "Failed requests:        200\n"
        "   (Connect: 0, Receive: 0, Length: 200, Exceptions: 0)\n",
    )
    reading = read(text)
    assert reading.status == "degraded"
    assert "differ in length" in reading.reason
    assert row(reading)["transactions"] == 124658
    assert row(reading)["response_bytes"] is None


def test_percentiles_that_fall(read):
    text = text_of("ab/https.txt").replace("  99%      9\n", "  99%      1\n")
    reading = read(text)
    assert (reading.status, reading.reason) == (
        "degraded",
        "its percentiles do not rise",
    )
