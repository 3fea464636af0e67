"""The tables of ``perf.duckdb``: names, columns, types and units.

Times are UTC, ISO 8601 text with microseconds and a trailing ``Z``, which sorts and
compares as time does. Every row that was read from a file says which (``source``,
the file's sha256) and where (``position``: byte offset of the record, or line). A
column ``<name>_resolution`` has the step in which the source tells ``<name>``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from analysis.ingest.printed import Resolved
from analysis.ingest.tables.linux import LINUX_TABLES
from analysis.ingest.tables.mq import MQ_TABLES
from analysis.ingest.tables.rmf import RMF_MORE, RMF_TABLES
from analysis.ingest.tables.shared import SHARED_TABLES
from analysis.ingest.tables.subsystems import SUBSYSTEM_TABLES
from analysis.ingest.tables.tcpip import TCPIP_TABLES
from analysis.ingest.tables.zos import CPU_INTERVAL_MORE, ZOS_TABLES

S, F, I = pl.String(), pl.Float64(), pl.Int64()  # noqa: E741 - column types
Schema = dict[str, pl.DataType]
_MOST = 2**63 - 1

SOURCE: Schema = {
    "file": S,  # path below the campaign's folder
    "sha256": S,
    "format": S,
    "bytes": I,
    "campaign": S,
    "status": S,  # ok, degraded, failed, truncated, empty
    "reason": S,
    "problems": S,  # JSON list of {line|offset, message}
    "timed": S,
}
CAMPAIGN: Schema = {"campaign": S, "digest": S}  # of all its files, as they were
RUN: Schema = {
    "run": S,
    "campaign": S,
    "configuration": S,
    "workload": S,
    "repetition": I,
    "start_utc": S,
    "end_utc": S,
    "origin": S,
    "status": S,
    "reason": S,
    "idle_before": F,  # share of CPU time idle just before the run
    "tick_coverage": F,  # accounted ticks / (wall seconds x CPUs x HZ)
    "log": S,  # file, as in source
}
RUN_ROLE: Schema = {"run": S, "campaign": S, "role": S, "system": S}
BENCHMARK: Schema = {
    "run": S,
    "tool": S,
    "test": S,  # which of several results of one log
    "shape": S,
    "clients": I,
    "request_bytes": I,
    "response_bytes": I,
    "start_utc": S,  # of the steady part, the window of rate and bytes_per_second
    "seconds": F,
    "transactions": I,  # of the whole log: what the CPU seconds were spent on
    "rate": F,  # transactions per second in the steady part
    "latency_mean_us": F,
    "latency_p50_us": F,
    "latency_p90_us": F,
    "latency_p99_us": F,
    "bytes_per_second": F,
    "errors": I,
    "rate_resolution": F,
    "latency_mean_us_resolution": F,
    "latency_p50_us_resolution": F,
    "latency_p90_us_resolution": F,
    "latency_p99_us_resolution": F,
    "bytes_per_second_resolution": F,
    "source": S,
    "position": I,
}
RUN_CPU: Schema = {
    "run": S,
    "role": S,
    "system": S,
    "cpu_type": S,  # CP, zIIP, …
    "cpu_seconds": F,
    "cpu_seconds_resolution": F,
    "coverage": F,  # share of the run's window that the evidence covers
    "method": S,  # cgroup, procstat, lpar_busy, …
    "scope": S,  # system, cgroup or process
    "source": S,
    "position": I,
}
CPU_INTERVAL: Schema = {
    "system": S,
    "cpu_type": S,
    "start_utc": S,
    "seconds": F,
    "online_cpus": F,
    "busy_pct": F,
    "busy_seconds": F,
    "busy_seconds_resolution": F,
    "mvs_busy_pct": F,
    "parked_pct": F,
    "steal_pct": F,  # part of busy_pct that the hypervisor gave to others (Linux)
    "coverage": F,  # accounted ticks / (seconds x CPUs x HZ), of clock ticks only
    "basis": S,
    "scope": S,  # system; null: of an LPAR
    **CPU_INTERVAL_MORE,
    "run": S,  # the run that the file belongs to, null where it serves many
    "source": S,
    "position": I,
}
CPU_COUNTER: Schema = {  # cumulative clock ticks since boot (/proc/stat)
    "system": S,
    "cpu": S,  # "all" or the CPU's number
    "busy_ticks": I,
    "idle_ticks": I,  # idle and iowait
    "steal_ticks": I,
    "run": S,
    "source": S,
    "position": I,
}

TABLES: dict[str, Schema] = {
    "campaign": CAMPAIGN,
    "source": SOURCE,
    "run": RUN,
    "run_role": RUN_ROLE,
    "benchmark": BENCHMARK,
    "run_cpu": RUN_CPU,
    "cpu_interval": CPU_INTERVAL,
    "cpu_counter": CPU_COUNTER,
    **LINUX_TABLES,
    **{name: schema | RMF_MORE.get(name, {}) for name, schema in ZOS_TABLES.items()},
    **MQ_TABLES,
    **TCPIP_TABLES,
    **SHARED_TABLES,
    **SUBSYSTEM_TABLES,
    **RMF_TABLES,
}


def _integer(value: float) -> int:
    if abs(value) <= _MOST and (whole := int(value)) == value:
        return whole
    raise ValueError(f"{value!r:.40} is no whole number of 64 bits")


_VALUES: dict[pl.DataType, Callable[[Any], Any]] = {S: str, F: float, I: _integer}
_RESOLUTION = "_resolution"


def result_row(cells: Mapping[str, Any]) -> dict[str, Any]:
    """A row of ``benchmark`` with all columns and their types; absent ones are null."""
    return {
        column: None if (cell := _cell(cells, column)) is None else _VALUES[kind](cell)
        for column, kind in BENCHMARK.items()
    }


def _cell(row: Mapping[str, Any], column: str) -> Any:
    """The value of a column; a resolution is that of the number which it is of."""
    if column in row or not column.endswith(_RESOLUTION):
        return row.get(column)
    number = row.get(column.removesuffix(_RESOLUTION))
    return number.resolution or None if isinstance(number, Resolved) else None


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame with all columns of the table; absent columns are null.

    A ``ValueError`` names a number that has more than 64 bits."""
    schema = TABLES[table]
    try:
        return pl.DataFrame(
            [{c: _cell(row, c) for c in schema} for row in rows], schema
        )
    except (OverflowError, pl.exceptions.ComputeError):
        for row in rows:
            _check(table, row)
        raise


def _check(table: str, row: Mapping[str, Any]) -> None:
    for column, kind in TABLES[table].items():
        if kind == I and row.get(column) is not None:
            try:
                _integer(row[column])
            except ValueError as error:
                raise ValueError(f"{table}.{column}: {error}") from None
