"""vmstat: the first line is since boot, percentages are whole."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, rows, text_of


@pytest.fixture
def read(tmp_path):
    return reader("vmstat", tmp_path)


def intervals(reading):
    return rows(reading, "cpu_interval")


def test_the_line_since_boot_is_left_out():
    found = intervals(golden("vmstat/timed.txt"))
    assert [r["busy_pct"] for r in found] == [56, 51, 50]
    assert found[0]["start_utc"] == "2026-11-21T10:43:43.000000Z"
    assert found[0]["busy_seconds"] is None  # the number of CPUs is not in the log


def test_time_of_guests_in_wide_form():
    assert len(intervals(golden("vmstat/wide.txt"))) == 2


def test_without_times_intervals_have_no_length_and_the_option_is_named():
    reading = golden("vmstat/untimed.txt")
    assert (reading.status, intervals(reading)[0]["seconds"]) == ("degraded", None)
    assert "vmstat -t" in reading.reason


def test_only_the_line_since_boot(read):
    text = "\n".join(text_of("vmstat/untimed.txt").split("\n")[:3]) + "\n"
    assert read(text).status == "empty"


def test_a_zone_other_than_utc_must_be_given(tmp_path):
    text = text_of("vmstat/timed.txt").replace("UTC\n", "CET\n")
    assert reader("vmstat", tmp_path, None)(text).status == "degraded"
    found = intervals(reader("vmstat", tmp_path, "Europe/Berlin")(text))
    assert found[0]["start_utc"] == "2026-11-21T09:43:43.000000Z"


def test_shares_that_cannot_be_right(read):
    assert (
        read(text_of("vmstat/timed.txt").replace(" 44 ", " 84 ")).status == "degraded"
    )


def test_a_report_that_begins_anew_after_its_first_line_is_told(read):
    head, names, first, *rest = text_of("vmstat/timed.txt").split("\n")
    reading = read("\n".join([head, names, first, first, *rest]))
    assert "another report begins" in [p.message for p in reading.problems]
