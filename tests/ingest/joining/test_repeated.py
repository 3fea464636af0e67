"""Records that two dumps of a campaign hold count once."""

from __future__ import annotations

import polars as pl

from analysis.ingest.joining.repeated import drop_repeated
from analysis.ingest.tables.catalog import frame

NAMES = {"w": "week.smf", "d": "day.smf"}


def connection(source: str, port: int, position: int = 0) -> dict[str, object]:
    return {
        "system": "SYSA",
        "local_port": port,
        "start_utc": "2026-01-12T14:00:00.000000Z",
        "bytes_in": 100,
        "source": source,
        "position": position,
    }


def once(*rows: dict[str, object]) -> tuple[pl.DataFrame, list]:
    tables = {"tcp_connection": frame("tcp_connection", list(rows))}
    kept, problems = drop_repeated(tables, NAMES)
    return kept["tcp_connection"], problems


def test_the_first_file_by_name_keeps_the_record() -> None:
    rows = [connection("w", 1, 0), connection("w", 2, 500), connection("d", 2, 64)]
    kept, problems = once(*rows)
    assert kept.select("source", "local_port").rows() == [("w", 1), ("d", 2)]
    assert [(file, problem.message) for file, problem in problems] == [
        (
            "week.smf",
            "1 rows of tcp_connection are in an earlier file too; they count once",
        )
    ]


def test_records_that_differ_in_anything_stay() -> None:
    other = connection("d", 1) | {"bytes_in": 101}
    kept, problems = once(connection("w", 1), other)
    assert (kept.height, problems) == (2, [])


def test_one_dump_under_two_names_counts_once() -> None:
    """Equal bytes have one sha256, so that rows differ in nothing at all."""
    rows = [connection("x", 1), connection("x", 1)]
    tables = {"tcp_connection": frame("tcp_connection", rows)}
    kept, _ = drop_repeated(tables, {"x": "a.smf"})
    assert kept["tcp_connection"].height == 1
