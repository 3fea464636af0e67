"""Coupling facilities (74-4) and control units (78-3), from IBM's pages of RMF."""

from __future__ import annotations

import pytest

from analysis.ingest.tables.catalog import TABLES
from synthetic.smf.bytes_of import hfp
from synthetic.smf.rmf import Interval
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_shared import (
    control_unit,
    coupling,
    facility,
    processor,
    queuing,
    requests,
    storage,
    structure,
)

INTERVAL = Interval()
BEGIN = "2026-03-02T14:00:00.000000Z"


def test_requests_to_a_facility(read_records):
    reading = read_records(coupling(INTERVAL, [facility()], [storage()]))
    (row,) = rows(reading, "cf_interval")
    assert set(row) == set(TABLES["cf_interval"])
    assert (row["system"], row["facility"]) == ("SYSA", "CF01")
    assert (row["start_utc"], row["seconds"]) == (BEGIN, 900)
    assert (row["requests"], row["failed_requests"]) == (1_000_000, 3)
    assert (row["subchannels"], row["subchannels_in_use"]) == (7, 5)
    assert (row["path_busy"], row["subchannel_busy"]) == (4, 6)
    assert row["contention_seconds"] == 2
    assert (row["storage_bytes"], row["free_bytes"]) == (4_096_000, 1_024_000)


def test_a_facility_of_which_another_system_tells_more(read_records):
    """Of a facility, storage and structures are told by one system of the sysplex."""
    reading = read_records(coupling(INTERVAL, [facility()], used=[requests()]))
    (whole,) = rows(reading, "cf_interval")
    (part,) = rows(reading, "cf_structure_interval")
    assert (whole["storage_bytes"], part["structure_bytes"]) == (None, None)
    assert reading.status == "ok"


def test_requests_to_structures(read_records):
    used = [requests(), requests("IXCSTR1", 1, 5)]
    made = coupling(INTERVAL, [facility()], [storage()], [structure()], used)
    lock, other = rows(read_records(made), "cf_structure_interval")
    assert set(lock) == set(TABLES["cf_structure_interval"])
    assert (lock["facility"], lock["structure"]) == ("CF01", "DSNDB0A_LOCK1")
    assert (lock["kind"], lock["requests"]) == ("lock", 900_000)
    assert (lock["changed_requests"], lock["structure_bytes"]) == (15, 64 * 4096)
    limits = ("entries", "entries_limit", "lock_entries", "lock_entries_limit")
    assert [lock[name] for name in limits] == [11, 12, 13, 14]
    assert (other["kind"], other["structure_bytes"]) == ("list", None)


def test_processors_of_a_facility(read_records):
    each = [processor(0, 90_000_000, 10_000_000), processor(1, 0, 0)]
    reading = read_records(coupling(INTERVAL, [facility()], processors=each))
    busy, unused = rows(reading, "cf_processor_interval")
    assert set(busy) == set(TABLES["cf_processor_interval"])
    assert (busy["cpu"], busy["busy_seconds"], busy["busy_pct"]) == (0, 90, 90)
    assert busy["wait_seconds"] == 10
    assert (unused["cpu"], unused["busy_pct"]) == (1, None)


@pytest.mark.parametrize(
    "odd",
    [coupling(INTERVAL, [facility(name="")]),
     coupling(INTERVAL, [facility(name="\x01F01")]),
     coupling(INTERVAL, [facility(requests=7.5)]),
     coupling(INTERVAL, [facility(failed=1e-9 + 3.25)])],
    ids=["no name", "no letter", "half a request", "fraction of a failure"],
)  # fmt: skip
def test_a_facility_that_can_be_none_gives_no_row(read_records, odd):
    reading = read_records(odd)
    assert (reading.status, reading.tables) == ("degraded", {})
    told = "the 74-4 record at byte offset 0 has a facility without a name"
    assert told in messages(reading)


@pytest.mark.parametrize(
    "odd",
    [requests(kind=9), requests(name=""), requests(total=0.5)],
    ids=["kind", "name", "half a request"],
)
def test_a_structure_that_can_be_none_spoils_its_record(read_records, odd):
    sound = coupling(INTERVAL, [facility("CF02")])
    reading = read_records(sound, coupling(INTERVAL, [facility()], used=[odd]))
    (row,) = rows(reading, "cf_interval")
    assert row["facility"] == "CF02"
    assert "has a structure that can be none" in messages(reading)
    assert [problem.offset for problem in reading.problems] == [len(sound)]


def test_a_processor_cannot_be_busy_for_longer_than_its_interval(read_records):
    each = [processor(0, 950_000_000, 0)]
    reading = read_records(coupling(INTERVAL, [facility()], processors=each))
    assert reading.tables == {}
    assert "busy longer than its interval" in messages(reading)


def test_counts_of_ieee_format_are_told_of(read_records):
    """A count of another floating point format is no whole number, or none at all."""
    broken = bytearray(facility())
    broken[52:60] = bytes.fromhex("412E848000000000")  # 1,000,001 as IEEE
    reading = read_records(coupling(INTERVAL, [bytes(broken)]))
    assert hfp(1) != broken[52:60]
    assert reading.tables == {}


def test_control_units_have_queues_and_times(read_records):
    units = [control_unit(0x4C), control_unit(0xFFF0, sums=(0, 0))]
    first, second = rows(read_records(queuing(INTERVAL, units)), "lcu_interval")
    assert set(first) == set(TABLES["lcu_interval"])
    assert (first["lcu"], second["lcu"]) == ("004C", "FFF0")
    assert (first["start_utc"], first["seconds"]) == (BEGIN, 900)
    assert (first["queue_lengths"], first["queued"]) == (30, 10)
    names = ("connect_seconds", "disconnect_seconds", "wait_seconds")
    assert [first[name] for name in names] == pytest.approx([0.128, 0.256, 0.384])


def test_a_control_unit_that_was_not_measured_has_no_times(read_records):
    made = queuing(INTERVAL, [control_unit(1, status=0x80)])
    (row,) = rows(read_records(made), "lcu_interval")
    assert (row["queued"], row["connect_seconds"], row["wait_seconds"]) == (
        10, None, None,
    )  # fmt: skip


def test_an_older_section_of_a_control_unit_has_no_times(read_records):
    made = queuing(INTERVAL, [control_unit(1, size=44)])
    (row,) = rows(read_records(made), "lcu_interval")
    assert (row["queued"], row["connect_seconds"]) == (10, None)


def test_a_queue_that_nothing_entered_has_no_length(read_records):
    reading = read_records(queuing(INTERVAL, [control_unit(1, sums=(30, 0))]))
    assert (reading.status, reading.tables) == ("degraded", {})
    told = "the 78-3 record at byte offset 0 has a control unit that can be none"
    assert told in messages(reading)
