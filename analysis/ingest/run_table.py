"""The table ``run``: every declared run, also a failed one, with its status."""

from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl

from analysis.campaign import RUNS_FILE
from analysis.errors import Issue, Place
from analysis.ingest.assign import Readings, readings_of
from analysis.ingest.check import Checked
from analysis.ingest.clock import utc_text
from analysis.ingest.reading import Reading, Status
from analysis.ingest.runs import RunLine
from analysis.ingest.tables import frame

LOST = ("failed", "truncated", "empty")


def run_table(checked: Checked, readings: Readings) -> pl.DataFrame:
    """One row a line of ``runs.csv``, in its order."""
    return frame("run", [_row(line, checked, readings) for line in checked.runs])


def _row(line: RunLine, checked: Checked, readings: Readings) -> dict[str, Any]:
    status, reason = judge(line, readings)
    start, end = _window(line, readings)
    told = _details(line, readings)
    return {
        "run": line.run,
        "campaign": checked.name,
        "configuration": line.configuration,
        "workload": line.workload.name,
        "repetition": line.repetition,
        "start_utc": start,
        "end_utc": end,
        "origin": checked.campaign.origin,
        "status": status,
        "reason": reason,
        "idle_before": told.get("idle_before"),
        "tick_coverage": told.get("tick_coverage"),
        "log": line.log,
    }


def judge(line: RunLine, readings: Readings) -> tuple[Status, str]:
    """A run's status and why: that of its log, then that of its CPU evidence."""
    log = readings[line.log]
    if log.status not in ("ok", "degraded"):
        return log.status, log.reason
    if not len(log.tables.get("benchmark", [])):
        return "failed", f"{line.log}: no benchmark result in it ({log.format})"
    for file, reading in readings_of(line, readings):
        if reading.status in LOST:
            return "degraded", f"{file}: {reading.reason}"
    return log.status, log.reason


def _details(line: RunLine, readings: Readings) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for _, reading in readings_of(line, readings):
        told |= {k: v for k, v in reading.details.items() if v is not None}
    return told


def _window(line: RunLine, readings: Readings) -> tuple[str | None, str | None]:
    """Start and end in UTC: as declared, else as a file of the run tells."""
    if line.start and line.end:
        return utc_text(line.start), utc_text(line.end)
    told = _details(line, readings)
    if told.get("start_utc") and told.get("end_utc"):
        return told["start_utc"], told["end_utc"]
    return _benchmark_window(readings[line.log])


def _benchmark_window(log: Reading) -> tuple[str | None, str | None]:
    for row in _benchmarks(log):
        if row["start_utc"] and row["seconds"]:
            start = dt.datetime.fromisoformat(row["start_utc"])
            return row["start_utc"], utc_text(start + _seconds(row))
    return None, None


def _seconds(row: dict[str, Any]) -> dt.timedelta:
    return dt.timedelta(seconds=row["seconds"])


def _benchmarks(log: Reading) -> list[dict[str, Any]]:
    rows = log.tables.get("benchmark")
    return [] if rows is None else rows.to_dicts()


def check_logs(checked: Checked, readings: Readings) -> list[Issue]:
    """Runs whose log speaks of another workload, or of another time."""
    where = str(checked.folder / RUNS_FILE)
    mend = "name the log of this run, or mend the line"
    return [
        Issue(f"{line.log} {what}", Place(where, line.line), mend)
        for line in checked.runs
        for row in _benchmarks(readings[line.log])
        for what in [*_other_workload(line, row), *_other_time(line, row)]
    ]


def _other_workload(line: RunLine, row: dict[str, Any]) -> list[str]:
    workload = line.workload
    declared = {
        "shape": workload.shape,
        "clients": workload.clients,
        "request_bytes": workload.request_bytes,
        "response_bytes": workload.response_bytes,
    }
    return [
        f"says {name.replace('_', ' ')} {row[name]}, but {workload.name} has {value}"
        for name, value in declared.items()
        if row[name] is not None and row[name] != value
    ]


def _other_time(line: RunLine, row: dict[str, Any]) -> list[str]:
    if not (line.start and line.end and row["start_utc"]):
        return []
    start = dt.datetime.fromisoformat(row["start_utc"])
    end = start + (_seconds(row) if row["seconds"] else dt.timedelta())
    if start <= line.end and end >= line.start:
        return []
    return [f"was written at {row['start_utc']}, outside of the run's start and end"]
