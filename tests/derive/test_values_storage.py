"""Storage by area, and of each session, worked out by hand."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

from analysis.declared.metrics import read_metrics
from analysis.derive.values import derive_storage

# Two runs without sessions, one of 4000; totals are told, and not sums.
_RUNS = [("idle-1", 0), ("idle-2", 0), ("full", 4000)]
_BYTES = {
    ("idle-1", "csm"): 1.56e6,
    ("idle-1", "total"): 73.70e6,
    ("idle-2", "total"): 73.84e6,
    ("full", "csm"): 4e6,
    ("full", "total"): 108.4e6,
}


def database() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE run (campaign VARCHAR, run VARCHAR, configuration VARCHAR);"
        "CREATE TABLE benchmark (campaign VARCHAR, run VARCHAR, source VARCHAR, "
        "clients BIGINT); CREATE TABLE storage_snapshot (campaign VARCHAR, "
        "source VARCHAR, area VARCHAR, current_bytes DOUBLE, "
        "current_bytes_resolution DOUBLE)"
    )
    for run, clients in _RUNS:
        con.execute("INSERT INTO run VALUES ('lab', ?, 'tn')", [run])
        con.execute(
            "INSERT INTO benchmark VALUES ('lab', ?, ?, ?)", [run, run, clients]
        )
    rows = [[run, area, size] for (run, area), size in _BYTES.items()]
    con.executemany("INSERT INTO storage_snapshot VALUES ('lab', ?, ?, ?, 1)", rows)
    return con


def found() -> dict[tuple[str, str, str | None], float | None]:
    runs = pl.DataFrame({"id": [f"lab/{run}" for run, _ in _RUNS]})
    rows = derive_storage(database(), runs, read_metrics())
    return {
        (row["id"], row["metric"], row["role"]): row["value"]
        for row in rows.iter_rows(named=True)
    }


def test_storage_of_an_area_is_its_bytes_in_millions():
    assert found()["lab/full", "storage", "csm"] == 4.0
    assert found()["lab/full", "storage", "total"] == pytest.approx(108.4)


def test_storage_of_a_session_is_of_the_total_above_the_median_of_no_session():
    # (108.4 − 73.77) × 1000 KB ÷ 4000 = 8.6575 KB
    assert round(found()["lab/full", "storage_per_user", None], 6) == 8.6575
    assert {m for _, m, role in found() if role is None} == {"storage_per_user"}


def test_without_sessions_no_session_takes_storage():
    assert found()["lab/idle-1", "storage_per_user", None] is None
