"""httperf: 1024-byte kilobytes, times of one decimal, CPU time of the client."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, text_of


def test_ten_calls_on_a_connection():
    reading = golden("httperf/ten-calls.txt")
    result = row(reading)
    assert (reading.status, result["shape"]) == ("ok", None)
    assert result["transactions"] == 2000
    assert result["rate"] == pytest.approx(26686.6)
    assert result["bytes_per_second"] == 9616.6 * 1024
    assert result["bytes_per_second"] * 8 == pytest.approx(78.8e6, rel=1e-3)


def test_one_call_on_a_connection():
    assert row(golden("httperf/crr.txt"))["shape"] == "CRR"


def test_cpu_time_is_that_of_the_process():
    cpu = row(golden("httperf/crr.txt"), "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(0.40)
    assert (cpu["role"], cpu["scope"], cpu["method"]) == ("client", "process", "rusage")


def test_a_time_is_told_in_steps_of_its_last_digit(tmp_path):
    result = row(golden("httperf/crr.txt"))
    assert result["latency_mean_us"] == pytest.approx(100)
    assert result["latency_mean_us_resolution"] == pytest.approx(100)
    text = text_of("httperf/crr.txt").replace("min 0.0 avg 0.1", "min 0.0 avg 0.0")
    assert row(reader("httperf", tmp_path)(text))["latency_mean_us"] is None


@pytest.mark.parametrize("file", ["half-errors", "refused"])
def test_errors_fail_a_log_and_leave_no_rate(file):
    reading = golden(f"httperf/{file}.txt")
    assert reading.status == "failed"
    assert row(reading)["rate"] is None


@pytest.mark.parametrize(
    ("printed", "status"), [("0.404", "ok"), ("0.424", "degraded"), ("4.04", "failed")]
)
def test_duration_that_contradicts_the_rate(tmp_path, printed, status):
    text = text_of("httperf/crr.txt").replace(
        "test-duration 0.404", f"test-duration {printed}"
    )
    reading = reader("httperf", tmp_path)(text)
    assert reading.status == status
    assert (row(reading)["rate"] is None) == (status == "failed")


def test_sizes_of_request_and_reply(tmp_path):
    result = row(golden("httperf/crr.txt"))
    assert (result["request_bytes"], result["response_bytes"]) == (68, 8192)
    text = text_of("httperf/crr.txt").replace("content 8192.0", "content 8000.5")
    assert row(reader("httperf", tmp_path)(text))["response_bytes"] is None
