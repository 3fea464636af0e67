"""What stands in raw files where rows were read: lines and records, cut and plain."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from analysis.derive import excerpts as module
from analysis.derive.excerpts import PLACED, excerpts
from analysis.facts.evidence import Excerpt, FileState, Passage
from analysis.ingest.tables.catalog import frame

LOG = "\n".join(f"line {n}" for n in range(1, 10))


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    """Tables with a row of a log, at line 5."""
    made = duckdb.connect()
    for name in PLACED:
        row = {"run": "r-1", "source": "sha", "position": 5, "rate": 2.5, "tool": "wrk"}
        rows = frame(name, [row] if name == "benchmark" else [])
        made.register("rows", rows)
        made.execute(f"CREATE TABLE {name} AS FROM rows")
        made.execute(f"ALTER TABLE {name} ADD COLUMN campaign VARCHAR DEFAULT 'lab'")
    return made


def read(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    data: bytes,
    form: str,
    *positions: int,
) -> tuple[Excerpt, ...]:
    (folder / "a.log").write_bytes(data)
    passages = [Passage(f"r-{n}", "a.log", (at, 99)) for n, at in enumerate(positions)]
    return excerpts(con, "lab", {"a.log": FileState("sha", 1, form)}, passages, folder)


def test_a_line_has_its_neighbours_and_the_columns_that_were_read(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    (found,) = read(con, tmp_path, LOG.encode(), "wrk", 5)
    assert found.line == found.position == 5
    assert found.numbered == [(n, f"line {n}") for n in range(2, 9)]
    assert found.columns == (("benchmark", "tool wrk; rate 2.5"),)
    (first,) = read(con, tmp_path, LOG.encode(), "wrk", 1)
    assert first.numbered[0] == (1, "line 1")


def test_long_lines_are_cut_and_what_does_not_print_is_a_dot(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    data = b"\x1b]0;x\x07\xff\r\n" + b"y" * 5000
    (found,) = read(con, tmp_path, data, "wrk", 2)
    assert found.texts == ("·]0;x·\ufffd", "y" * 160 + "…")


def test_of_one_long_line_of_xml_the_part_is_shown_that_was_read(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    data = b"<x/>" * 1000 + b"<report>" + b"<y/>" * 1000
    (found,) = read(con, tmp_path, data, "rmf_xml", 4000)
    assert found.line == 1
    assert "<report><y/>" in found.texts[0]
    assert found.texts[0].startswith("…<x/>")
    assert len(found.texts[0]) < 200


def test_a_record_is_told_by_type_and_length(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    record = bytes((0, 100, 0, 0, 0x5E, 70)) + bytes(16) + b"\0\1" + bytes(76)
    two = bytes((0, 20, 0, 0, 0x1E, 2)) + bytes(14)
    found = read(con, tmp_path, two + record, "smf", 0, 20)
    told = [(one.position, one.record, one.texts) for one in found]
    assert told == [
        (0, "SMF record 2, 20 bytes", ()),
        (20, "SMF record 70-1, 100 bytes", ()),
    ]


def test_of_too_many_the_first_run_of_each_name_is_kept(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TEXT_CHARACTERS", 50)
    files = {f"{name}.log": FileState(name, 1, "wrk") for name in "abcd"}
    for name in files:
        (tmp_path / name).write_text("x" * 20)
    runs = {"a": "A-01", "b": "A-02", "c": "B-01", "d": "B-02"}
    passages = [Passage(run, f"{name}.log", (1,)) for name, run in runs.items()]
    kept = excerpts(con, "lab", files, passages, tmp_path)
    assert [one.file for one in kept] == ["a.log", "c.log"]
