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
def test_real_files(file):
    reading = golden(f"pidstat/{file}.txt")
    found = intervals(reading)
    assert (reading.status, reading.systems) == ("ok", ["vm"])
    assert found[0]["process"] == "sh"
    assert found[0]["cpu_seconds"] == pytest.approx(0.9901)
    assert all(r["seconds"] == 1 for r in found)


def test_an_interval_begins_at_the_time_of_its_header():
    (first, *_) = intervals(golden("pidstat/intervals.txt"))
    assert first["start_utc"] == "2026-11-21T11:08:48.000000Z"


def test_decimal_comma():
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


def test_cut_within_a_line(read):
    assert read(text_of("pidstat/intervals.txt")[:-30]).status == "truncated"
