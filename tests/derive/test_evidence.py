"""What facts rest on: rows by campaign, and the tables that are handed on."""

from __future__ import annotations

import hashlib
from pathlib import Path

import duckdb

from analysis.derive.evidence import _by_campaign, _tables
from analysis.derive.runs import other_version
from analysis.facts.evidence import FileState


def test_rows_are_gathered_by_campaign_in_their_order() -> None:
    query = "SELECT * FROM (VALUES ('a', 1, 2), ('b', 3, 4), ('a', 5, 6))"
    with duckdb.connect() as con:
        found = _by_campaign(con, query)
    assert found == {"a": [(1, 2), (5, 6)], "b": [(3, 4)]}
    assert found["c"] == []


def test_tables_that_can_be_seen_are_handed_on(tmp_path: Path) -> None:
    for name in ("b.parquet", "a.parquet", ".c.parquet", "d.json"):
        (tmp_path / name).write_text(name)
    found = _tables(tmp_path)
    assert [*found] == ["a.parquet", "b.parquet"]
    digest = hashlib.sha256(b"a.parquet").hexdigest()
    assert found["a.parquet"] == FileState(digest, 9)
    assert _tables(tmp_path / "absent") == {}


def test_of_an_error_of_the_database_the_first_line_is_told(tmp_path: Path) -> None:
    (issue,) = other_version(tmp_path, duckdb.Error("first\nsecond\nthird")).issues
    assert issue.what == "tables of another version: first"
