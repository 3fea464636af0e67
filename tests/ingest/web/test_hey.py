"""hey: latencies rounded to nothing, refused requests counted as a rate."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, text_of


def test_a_real_log_has_its_rate_and_no_clients():
    reading = golden("hey/http.txt")
    result = row(reading)
    assert (reading.status, result["transactions"]) == ("ok", 154013)
    assert result["rate"] == 38496.0248
    assert result["response_bytes"] == 8192
    assert result["clients"] is None


def test_latencies_are_told_in_steps_of_their_last_digit(tmp_path):
    result = row(golden("hey/http.txt"))
    assert result["latency_mean_us"] == pytest.approx(200)
    assert result["latency_mean_us_resolution"] == pytest.approx(100)
    text = text_of("hey/http.txt").replace("99% in 0.0018", "99% in 0.0000")
    assert row(reader("hey", tmp_path)(text))["latency_p99_us"] is None


def test_refused_requests_are_no_rate():
    reading = golden("hey/refused.txt")
    assert reading.status == "failed"
    assert "all 20 requests failed" in reading.reason
    assert "connection refused" in reading.problems[0].message
    assert row(reading)["rate"] is None


def test_half_of_the_responses_are_errors():
    reading = golden("hey/half-errors.txt")
    assert (reading.status, row(reading)["errors"]) == ("failed", 88)


def test_one_line_a_request(tmp_path):
    head = text_of("hey/requests.csv").split("\n")[0]
    lines = [f"0.0200,0,0,0,0.0190,0,200,{n * 0.01:.4f}" for n in range(100)]
    reading = reader("hey", tmp_path)("\n".join([head, *lines, ""]))
    result = row(reading)
    assert result["seconds"] == pytest.approx(0.99 + 0.02)
    assert result["rate"] == pytest.approx(100 / 1.01)
    assert result["latency_p99_us"] == pytest.approx(20_000)
    busy = result["rate"] * result["latency_mean_us"] / 1e6
    assert busy == pytest.approx(2, rel=0.02)


def test_a_text_that_is_cut_within_a_line_is_truncated(tmp_path):
    reading = reader("hey", tmp_path)(text_of("hey/requests.csv")[:-9])
    assert reading.status == "truncated"


# hey keeps maxRes = 1,000,000 responses (report.go): their status, size and
# percentiles; it divides the sums of all responses by their number.
MANY = """
Summary:
  Total:	20.0000 secs
  Slowest:	0.3000 secs
  Fastest:	0.0100 secs
  Average:	0.0500 secs
  Requests/sec:	100000.0000

  Total data:	200000000 bytes
  Size/request:	200 bytes

Latency distribution:
  50% in 0.0240 secs
  99% in 0.0900 secs

Status code distribution:
  [200]	1000000 responses
"""


def test_more_responses_than_hey_keeps(tmp_path):
    reading = reader("hey", tmp_path)(MANY)
    result = row(reading)
    assert reading.status == "degraded"
    assert "the first 1,000,000 responses of 2,000,000" in reading.reason
    assert (result["transactions"], result["rate"]) == (2_000_000, 100_000)
    assert result["latency_mean_us"] == pytest.approx(25_000)
    assert result["response_bytes"] is None
    assert result["bytes_per_second"] == 10_000_000


def test_of_more_responses_than_hey_keeps_all_kept_ones_must_be_good(tmp_path):
    some = "  [200]\t999000 responses\n  [500]\t1000 responses\n"
    text = MANY.replace("  [200]\t1000000 responses\n", some)
    assert reader("hey", tmp_path)(text).status == "failed"


def test_as_many_responses_as_hey_keeps(tmp_path):
    text = MANY.replace("100000.0000", "50000.0000")
    assert reader("hey", tmp_path)(text).status == "ok"
