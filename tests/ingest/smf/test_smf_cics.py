"""Transactions of CICS (110-1), read by the dictionary of their region."""

from __future__ import annotations

import pytest

from analysis.ingest.tables.catalog import TABLES
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_cics import (
    ALL,
    ENTRIES,
    Task,
    dictionary,
    monitoring,
    performance,
)

TABLE = "cics_transaction"
PAYM = Task("PAYM", response=1_000_000, cpu=1, kind="C", number=9_999_999)


def test_each_performance_record_is_a_row(read_records):
    reading = read_records(dictionary(), performance([Task(), PAYM]))
    assert (reading.status, reading.problems) == ("ok", [])
    first, second = rows(reading, TABLE)
    assert set(first) == set(TABLES[TABLE])
    assert (first["region"], first["transaction"]) == ("CICSA01", "ORDR")
    assert (first["user"], first["kind"]) == ("CICSUSER", "end of task")
    assert (first["start_utc"], first["end_utc"]) == (
        "2026-03-02T14:00:00.000000Z", "2026-03-02T14:00:00.250000Z",
    )  # fmt: skip
    assert (first["task"], second["task"]) == (17, 9_999_999)
    assert first["position"] == len(dictionary())
    seconds = ("response_seconds", "dispatch_seconds", "cpu_seconds", "suspend_seconds")
    assert [first[name] for name in seconds] == [0.25, 0.04, 0.03, 0.21]
    assert first["dispatches"] == 12
    assert (second["transaction"], second["kind"]) == ("PAYM", "conversation")
    assert (second["response_seconds"], second["cpu_seconds"]) == (1, 1e-6)


def test_fields_that_a_region_excludes_are_null(read_records):
    fewer = tuple(
        nth for nth in ALL if ENTRIES[nth - 1][3] in ("TRAN", "START", "STOP")
    )
    reading = read_records(dictionary(), performance([Task()], fewer))
    (row,) = rows(reading, TABLE)
    assert (row["transaction"], row["response_seconds"]) == ("ORDR", 0.25)
    others = ("user", "kind", "cpu_seconds", "dispatch_seconds", "dispatches")
    assert [row[name] for name in others] == [None] * 5


def test_fields_lie_as_the_connectors_tell(read_records):
    reading = read_records(dictionary(), performance([Task(), PAYM], ALL[::-1]))
    assert [row["transaction"] for row in rows(reading, TABLE)] == ["ORDR", "PAYM"]
    assert [row["cpu_seconds"] for row in rows(reading, TABLE)] == [0.03, 1e-6]


def test_each_region_has_a_dictionary_of_its_own(read_records):
    moved = (*ENTRIES[1:], ENTRIES[0])
    places = [moved.index(entry) + 1 for entry in ENTRIES]
    other = monitoring(3, [PAYM.data()], places, "CICSB01")
    reading = read_records(
        dictionary(), dictionary(moved, "CICSB01"), performance([Task()]), other
    )
    found = [(row["region"], row["transaction"]) for row in rows(reading, TABLE)]
    assert found == [("CICSA01", "ORDR"), ("CICSB01", "PAYM")]


def test_a_region_that_starts_again_writes_another_dictionary(read_records):
    moved = (*ENTRIES[1:], ENTRIES[0])
    places = [moved.index(entry) + 1 for entry in ENTRIES]
    later = monitoring(3, [PAYM.data()], places)
    made = (dictionary(), performance([Task()]), dictionary(moved), later)
    reading = read_records(*made)
    assert [row["transaction"] for row in rows(reading, TABLE)] == ["ORDR", "PAYM"]


def test_the_dictionary_is_remembered_through_a_long_dump(read_records):
    some = [performance([Task(cpu=nth)] * 20) for nth in range(200)]
    reading = read_records(dictionary(), *some, chunk=64 << 10)
    assert (reading.status, len(rows(reading, TABLE))) == ("ok", 4_000)


def test_without_a_dictionary_there_are_no_rows(read_records):
    reading = read_records(performance([Task()]), dictionary(region="CICSB01"))
    assert (reading.status, reading.tables) == ("degraded", {})
    assert reading.problems[0].offset == 0
    assert "has no dictionary of its region before it" in messages(reading)
    assert "DFHMNDUP" in messages(reading)


def test_compressed_data_are_told_of(read_records):
    first, second = dictionary(), performance([Task()])
    pressed = bytearray(monitoring(3, [b"\0" * 20], ALL))
    product = 44
    pressed[product + 36 : product + 38] = (72).to_bytes(2, "big")
    reading = read_records(first, second, bytes(pressed))
    assert len(rows(reading, TABLE)) == 1
    assert [p.offset for p in reading.problems] == [len(first + second)]
    assert "has compressed data; DFH$MOLS writes them expanded" in messages(reading)


@pytest.mark.parametrize("kind", [4, 5, 6])
def test_other_classes_of_data_give_no_row(read_records, kind):
    made = monitoring(kind, [bytes(64)])
    reading = read_records(dictionary(), performance([Task()]), made)
    assert (reading.status, len(rows(reading, TABLE))) == ("ok", 1)
    assert "has no performance data, and so gives no row" in messages(reading)


@pytest.mark.parametrize(
    ("odd", "told"),
    [(monitoring(9, [bytes(64)]), "data of a class that is not known"),
     (monitoring(3, [Task().data()], (*ALL[:-1], 99)), "dictionary does not explain"),
     (monitoring(3, [Task().data()[:-4]], ALL), "dictionary does not explain"),
     (monitoring(3, [Task().data((2, 3))], (2, 3)), "dictionary does not explain"),
     (performance([Task(name="")]), "has a task without a name or a time"),
     (performance([Task(response=-5)]), "has a task without a name or a time"),
     (performance([Task()])[:-9], "points past its record")],
    ids=["class", "connector", "length", "no times", "no name", "ends early", "cut"],
)  # fmt: skip
def test_what_cannot_be_data_of_tasks_gives_no_row(read_records, odd, told):
    sized = len(odd).to_bytes(2, "big") + odd[2:]
    first = dictionary() + performance([Task()])
    reading = read_records(dictionary(), performance([Task()]), sized)
    assert len(rows(reading, TABLE)) == 1
    assert told in messages(reading)
    assert [problem.offset for problem in reading.problems] == [len(first)]
