"""What is said of each subtype of TCP/IP, read or not."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.ingest.smf import types
from analysis.ingest.smf.columns import kind_name
from analysis.ingest.smf.types import (
    COUNTED,
    FAMILIES,
    NAMES,
    READ,
    RECORD_TYPES,
    described,
    readers,
    why_not,
)
from analysis.ingest.tables.catalog import DECLARED, TABLES
from benchmarks.project import ROOT
from synthetic.smf.dump import START, local, record, unblocked
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.smf.conftest import messages
from tests.ingest.smf.made_tcpip import Socket, socket

WHEN = local(START)
DECODED = {sub for kind, sub in READ if kind == 119}
SUBTYPES = {sub for _, sub in NAMES}
WHY_NOT = {sub: why for (kind, sub), why in COUNTED.items() if kind == 119 and sub}
OTHERS = COUNTED[119, None]


def other(subtype: int) -> bytes:
    """A record 119 with nothing in it."""
    return record(119, subtype, WHEN, {28: [bytes(64)]})


def test_every_file_of_types_is_found():
    files = {path.stem for path in Path(types.__file__).parent.glob("[!_]*.py")}
    assert {name.rpartition(".")[2] for name in FAMILIES} == files


def test_each_kind_of_record_has_one_reader():
    every = Counter(kind for one in readers() for kind in one.kinds)
    assert every.keys() == READ
    assert set(every.values()) == {1}


def test_what_is_read_has_a_name_and_no_excuse():
    assert SUBTYPES >= DECODED
    assert not DECODED & WHY_NOT.keys()
    assert WHY_NOT.keys() < SUBTYPES


def test_the_page_of_records_lists_what_is_read():
    page = (ROOT / "docs" / "smf.md").read_text(encoding="utf-8")
    read, counted = page.split("## Records")[1:]
    records = re.findall(r"^\| ([\d, -]+) \| ([^|]+) \|", read, re.MULTILINE)
    listed = [record for of, _ in records for record in of.split(", ")]
    assert sorted(listed) == sorted(kind_name(*kind) for kind in READ)
    named = {table for _, tables in records for table in re.findall("`(.+?)`", tables)}
    assert named <= TABLES.keys()
    cells = re.findall(r"^\| (119-[\d, -]+) \|", counted, re.MULTILINE)
    told = {int(each.split("-")[1]) for cell in cells for each in cell.split(", ")}
    assert told == WHY_NOT.keys()


def test_records_whose_layout_has_one_source_are_told_as_such():
    page = (ROOT / "docs" / "smf.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"## Records that are read\n(.+?)\n## ", page, re.DOTALL)
    rows = re.findall(r"^\| ([\d, -]+) \| ([^|]+) \|.+\| (.+) \|$", told, re.MULTILINE)
    listed = [records for records, _, source in rows if source.startswith("one source")]
    assert sorted(", ".join(listed).split(", ")) == sorted(of_one_source())
    for _, tables, source in rows:
        for table in re.findall("`(.+?)`", tables):
            comment = DECLARED[table].comment
            assert ("one source" in comment) == source.startswith("one source"), table


def of_one_source() -> set[str]:
    """The records of whose tables a column has a layout of one source."""
    lone = {
        column
        for declared in RECORD_TYPES
        for layout in declared.layouts
        if layout.sure == "S"
        for column in layout.columns
        if column.field
    }
    return {one.type_name for one in RECORD_TYPES if lone & {*one.table.columns}}


@pytest.mark.parametrize("subtype", sorted(SUBTYPES))
def test_each_subtype_is_read_or_says_why_not(subtype):
    words = described(119, subtype)
    assert words.startswith(f"{NAMES[119, subtype]} – ")
    assert words.endswith("– read") == (subtype in DECODED)
    assert (why_not(119, subtype) == "") == (subtype in DECODED)


@pytest.mark.parametrize("subtype", sorted(SUBTYPES - DECODED))
def test_each_subtype_that_is_not_read_is_told_of(read_records, subtype):
    first = connection(Connection())
    reading = read_records(first, other(subtype), other(subtype))
    (problem,) = (p for p in reading.problems if "not decoded" in p.message)
    assert problem.offset == len(first)
    reason = WHY_NOT.get(subtype, OTHERS)
    told = f"2 records 119-{subtype} are counted, not decoded: {reason}"
    assert problem.message == told
    assert reading.status == "ok"


def test_what_is_of_no_use_is_told_of_together(read_records):
    reading = read_records(connection(Connection()), *map(other, (33, 8, 8, 200)))
    (problem,) = (p for p in reading.problems if "not decoded" in p.message)
    told = "4 records 119-8, 119-33, 119-200 are counted, not decoded"
    assert problem.message == f"{told}: {OTHERS}"
    assert reading.kinds["119-200"] == f"not documented – counted: {OTHERS}"


def test_reasons_of_other_types_stay(read_records):
    reading = read_records(connection(Connection()), record(30, 1, WHEN, {28: [b"x"]}))
    assert COUNTED[30, 1] in messages(reading)
    assert list(reading.kinds) == ["119-2"]
    assert (why_not(97, 6), described(97, 6)) == ("", "")


def test_inspect_lists_the_kinds_of_records(tmp_path, capsys):
    path = tmp_path / "dump.smf"
    sockets = [socket(Socket(seconds=nth)) for nth in range(1200)]
    path.write_bytes(unblocked([connection(Connection()), *sockets, other(41)]))
    assert main(["inspect", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "kinds of records 1 119-2 TCP connection termination – read" in said
    assert "1,200 119-10 UDP socket close – read" in said
    assert "1 119-41 SMC-R link group statistics – counted: how much" in said
    assert "1,200 × udp_socket" in said
