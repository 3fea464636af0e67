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
        "current_bytes_resolution DOUBLE);"
        "CREATE TABLE whole_run_window (id VARCHAR, campaign VARCHAR, configuration "
        "VARCHAR, role VARCHAR, system VARCHAR, run_start DOUBLE, run_end DOUBLE);"
        "CREATE TABLE storage_interval (campaign VARCHAR, system VARCHAR, area VARCHAR,"
        " place VARCHAR, job VARCHAR, start_utc VARCHAR, seconds DOUBLE, "
        "mean_bytes DOUBLE, source VARCHAR)"
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


def of_rmf(con: duckdb.DuckDBPyConnection, run: str, **more) -> list[tuple]:
    """Areas of a run of 60 s from 100 s on, whose server is SYSA."""
    con.execute("INSERT INTO run VALUES ('lab', 'rmf', 'tn')")
    con.execute("INSERT INTO benchmark VALUES ('lab', 'rmf', 'log', 4000)")
    con.execute(
        "INSERT INTO whole_run_window VALUES "
        "(?, 'lab', 'tn', 'server', 'SYSA', 100, 160),"
        "(?, 'lab', 'tn', 'client', 'SYSB', 100, 160)",
        [f"lab/{run}"] * 2,
    )
    row = {"system": "SYSA", "area": "CSA", "job": None, "start": "00:01:40"} | more
    for start, mean in ((row["start"], 10e6), ("00:02:10", 20e6), ("00:02:35", 99e6)):
        con.execute(
            "INSERT INTO storage_interval VALUES ('lab', ?, ?, 'above 16M', ?, ?, 30, "
            "?, 'dump')",
            [row["system"], row["area"], row["job"], f"1970-01-01T{start}Z", mean],
        )
    runs = pl.DataFrame({"id": [f"lab/{run}"]})
    rows = derive_storage(con, runs, read_metrics()).filter(metric="storage")
    return rows.select("role", "value", "evidence").rows()


def test_common_storage_of_the_server_within_the_run():
    """The third interval ends after the run."""
    ((role, value, evidence),) = of_rmf(database(), "rmf")
    assert (role, value) == ("csa-above", 15)
    assert "78-2" in evidence


@pytest.mark.parametrize(
    "other", [{"system": "SYSB"}, {"area": "CSA key 0"}, {"job": "TCPIP"}]
)
def test_storage_of_others_is_not_that_of_the_run(other):
    assert of_rmf(database(), "rmf", **other) == []


def test_a_display_comes_before_the_records():
    roles = {role for role, *_ in of_rmf(database(), "full")}
    assert roles == {"csm", "total"}
