"""Records that two dumps of a campaign hold count once."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.ingest.reading import Reading
from analysis.ingest.repeated import drop_repeated
from analysis.ingest.tables import frame

FILES = {"week.smf": "w", "day.smf": "d"}


def connection(source: str, port: int, position: int = 0) -> dict[str, object]:
    return {
        "system": "SYSA",
        "local_port": port,
        "start_utc": "2026-01-12T14:00:00.000000Z",
        "bytes_in": 100,
        "source": source,
        "position": position,
    }


@pytest.fixture
def readings() -> dict[str, Reading]:
    return {name: Reading("smf") for name in FILES}


def once(readings: dict[str, Reading], *rows: dict[str, object]) -> pl.DataFrame:
    tables = {"tcp_connection": frame("tcp_connection", list(rows))}
    return drop_repeated(tables, readings, FILES)["tcp_connection"]


def test_the_first_file_by_name_keeps_the_record(readings: dict[str, Reading]) -> None:
    rows = [connection("w", 1, 0), connection("w", 2, 500), connection("d", 2, 64)]
    kept = once(readings, *rows)
    assert kept.select("source", "local_port").rows() == [("w", 1), ("d", 2)]
    assert [p.message for p in readings["week.smf"].problems] == [
        "1 rows of tcp_connection are in an earlier file too; they count once"
    ]
    assert not readings["day.smf"].problems


def test_records_that_differ_in_anything_stay(readings: dict[str, Reading]) -> None:
    other = connection("d", 1) | {"bytes_in": 101}
    assert once(readings, connection("w", 1), other).height == 2
    assert not any(reading.problems for reading in readings.values())


def test_one_dump_under_two_names_counts_once() -> None:
    """Equal bytes have one sha256, so that rows differ in nothing at all."""
    files = {"a.smf": "x", "b.smf": "x"}
    readings = {name: Reading("smf") for name in files}
    rows = [connection("x", 1), connection("x", 1)]
    tables = {"tcp_connection": frame("tcp_connection", rows)}
    kept = drop_repeated(tables, readings, files)["tcp_connection"]
    assert kept.height == 1
