"""/usr/bin/time in all its forms."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, text_of


@pytest.fixture
def read(tmp_path):
    return reader("time_v", tmp_path)


@pytest.mark.parametrize(
    ("file", "used", "elapsed"),
    [
        ("verbose", 1.46, 2.0),
        ("default", 0.19, 0.23),
        ("posix", 0.0, 0.2),
        ("shell", 0.001, 0.201),
    ],
)
def test_each_form_of_time_has_its_cpu_and_elapsed_time(file, used, elapsed):
    reading = golden(f"time_v/{file}.txt")
    cpu = row(reading, "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(used)
    assert (cpu["scope"], cpu["method"]) == ("process", "rusage")
    assert reading.details["elapsed_seconds"] == pytest.approx(elapsed)


def test_exit_status_is_told():
    reading = golden("time_v/verbose.txt")
    assert reading.status == "ok"
    assert "exit status 124" in reading.problems[0].message


def test_a_command_that_a_signal_ended_has_failed():
    reading = golden("time_v/killed.txt")
    assert (reading.status, reading.reason[-8:]) == ("failed", "signal 9")


@pytest.mark.parametrize(
    ("printed", "seconds"), [("1:02.50", 62.5), ("2:00:05", 7205), ("0:00.05", 0.05)]
)
def test_elapsed_time_is_read_in_hours_minutes_and_seconds(read, printed, seconds):
    text = text_of("time_v/verbose.txt").replace("0:02.00", printed)
    assert read(text).details["elapsed_seconds"] == pytest.approx(seconds)


def test_percentage_that_contradicts_the_times(read):
    text = text_of("time_v/verbose.txt").replace(
        "User time (seconds): 1", "User time (seconds): 11"
    )
    assert read(text).status == "degraded"


def test_decimal_comma_is_refused(read):
    assert read(text_of("time_v/default.txt").replace(".", ",")).status == "failed"


def test_a_cut_listing_is_truncated(read):
    assert read(text_of("time_v/verbose.txt")[:300]).status == "truncated"


def test_seconds_without_minutes_are_known_to_their_last_digit():
    cpu = row(golden("time_v/posix.txt"), "run_cpu")
    assert cpu["cpu_seconds_resolution"] == pytest.approx(0.0141, abs=1e-4)
