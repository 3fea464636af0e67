"""pidstat: CPU time of processes, 100% is one CPU."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, rows, text_of


@pytest.fixture
def read(tmp_path):
    return reader("pidstat", tmp_path)


def intervals(reading):
    return rows(reading, "process_interval")


@pytest.mark.parametrize("file", ["intervals", "one-line-each"])
def test_real_files_have_their_processes_and_seconds(file):
    reading = golden(f"pidstat/{file}.txt")
    found = intervals(reading)
    assert (reading.status, reading.systems) == ("ok", ["vm"])
    assert found[0]["process"] == "sh"
    assert found[0]["cpu_seconds"] == pytest.approx(0.9901)
    assert all(r["seconds"] == 1 for r in found)


def test_an_interval_begins_at_the_time_of_its_header():
    (first, *_) = intervals(golden("pidstat/intervals.txt"))
    assert first["start_utc"] == "2026-11-21T11:08:48.000000Z"


def test_a_decimal_comma_is_read():
    reading = golden("pidstat/german.txt")
    assert [r["cpu_seconds"] for r in intervals(reading)] == [
        pytest.approx(0.98),
        pytest.approx(1.0),
    ]


def test_parts_that_do_not_make_the_whole(read):
    text = text_of("pidstat/intervals.txt").replace("99.01    0.00", "9.01    0.00", 1)
    reading = read(text)
    assert reading.status == "degraded"
    assert len(intervals(reading)) == 2


def test_a_text_that_is_cut_within_a_line_is_truncated(read):
    assert read(text_of("pidstat/intervals.txt")[:-30]).status == "truncated"


def test_a_missing_block_is_told_and_the_others_keep_their_length(read):
    lines = text_of("pidstat/intervals.txt").splitlines(keepends=True)
    reading = read("".join(lines[:5] + lines[8:]))
    first, second = intervals(reading)
    assert (first["seconds"], second["seconds"]) == (1, 1)
    assert first["start_utc"] == "2026-11-21T11:08:48.000000Z"
    assert reading.status == "degraded"
    assert "begins at 11:08:50, but the one before ended at 11:08:49" in str(
        reading.reason
    )


def test_an_interval_without_a_busy_process_is_no_missing_block(read):
    lines = text_of("pidstat/intervals.txt").splitlines(keepends=True)
    assert read("".join(lines[:6] + lines[7:])).status == "ok"


def test_an_average_that_the_lines_cannot_have_is_told(read):
    lines = text_of("pidstat/intervals.txt").splitlines(keepends=True)
    reading = read("".join(lines[:2] + lines[5:]))
    assert reading.status == "degraded"
    assert "average of process 22729 is 99.67, but 100 by" in str(reading.reason)


def test_without_the_line_of_the_host_there_is_no_date(read):
    reading = read(text_of("pidstat/intervals.txt").split("\n", 1)[1])
    assert (reading.status, reading.reason) == (
        "degraded",
        "its date is not understood",
    )
    assert intervals(reading)[0]["start_utc"] is None
