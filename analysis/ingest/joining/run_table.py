"""The table ``run``: every declared run, also a failed one, with its status."""

from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl

from analysis.declared.campaign import RUNS_FILE
from analysis.declared.shapes import SHAPES
from analysis.errors import Issue, Place
from analysis.facts.remark import remark
from analysis.facts.remark import together as all_of
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.choose_test import Results, Row, is_untold, together
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.clock import utc_text
from analysis.ingest.joining.assign import (
    CampaignReading,
    Frames,
    Readings,
    readings_of,
)
from analysis.ingest.reading import Circumstances, Verdict
from analysis.ingest.tables.catalog import frame

_SPLIT = "mend the line, or put each result that ran alone in a log of its own"
_MEND = "name the log of this run, or mend the line"
LOST = ("failed", "truncated", "empty")


def run_table(
    checked: CheckedCampaign, readings: Readings, results: Results
) -> pl.DataFrame:
    """One row a line of ``runs.csv``, in its order."""
    rows = [_row(line, checked, readings, results[line.run]) for line in checked.runs]
    return frame("run", rows)


def role_table(checked: CheckedCampaign) -> pl.DataFrame:
    """One row for each run and role, with the system that had it."""
    rows = [
        {"run": line.run, "campaign": checked.name, "role": role, "system": system}
        for line in checked.runs
        for role, system in line.roles.items()
    ]
    return frame("run_role", rows)


def _row(
    line: RunLine, checked: CheckedCampaign, readings: Readings, results: list[Row]
) -> Row:
    status, reason = judge(line, readings, results).told
    start, end = _window(line, readings, results)
    told = _circumstances(line, readings)
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
        "idle_before": told.idle_before,
        "tick_coverage": told.tick_coverage,
        "log": line.log,
    }


def judge(line: RunLine, readings: Readings, results: list[Row]) -> Verdict:
    """Of a run: that of its test or log, then that of its CPU evidence."""
    log = readings[line.log]
    verdict = log.verdict(line.test)
    if verdict.status not in ("ok", "degraded"):
        return verdict
    if not results:
        none = remark("no_benchmark_result", log=line.log, format=log.format)
        causes = [none, verdict.cause] if verdict.cause else [none]
        return Verdict("failed", all_of(causes))
    for file, reading in readings_of(line, readings):
        if reading.status in LOST:
            cause = remark("of_file", file=file, cause=reading.reason)
            return Verdict("degraded", cause)
    return verdict


def _circumstances(line: RunLine, readings: Readings) -> Circumstances:
    """What the CPU files of a run tell together; the last one that tells counts."""
    told: dict[str, Any] = {}
    for _, reading in readings_of(line, readings):
        told |= reading.circumstances.told()
    return Circumstances(**told)


def _window(
    line: RunLine, readings: Readings, results: list[Row]
) -> tuple[str | None, str | None]:
    """Start and end in UTC: as declared, else as a file of the run tells."""
    if line.start and line.end:
        return utc_text(line.start), utc_text(line.end)
    return _circumstances(line, readings).window or _benchmark_window(results)


def _benchmark_window(results: list[Row]) -> tuple[str | None, str | None]:
    for row in results:
        if row["start_utc"] and row["seconds"]:
            start = dt.datetime.fromisoformat(row["start_utc"])
            return row["start_utc"], utc_text(start + _seconds(row))
    return None, None


def _seconds(row: Row) -> dt.timedelta:
    return dt.timedelta(seconds=row["seconds"])


def check_logs(_tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Runs whose log speaks of another workload, or of another time."""
    checked, results = evidence.checked, evidence.results
    where = str(checked.folder / RUNS_FILE)
    return [
        Issue(f"{line.log} {what}", Place(where, line.line), mend)
        for line in checked.runs
        for what, mend in _mistakes(line, results[line.run])
    ]


def _mistakes(line: RunLine, rows: list[Row]) -> list[tuple[str, str]]:
    """What is wrong with a run's rows, and how to mend it."""
    told = [
        what
        for row in rows
        for what in [*_other_workload(line, row), *_other_time(line, row)]
    ]
    return [*_other_clients(line, rows), *((what, _MEND) for what in told)]


def _other_clients(line: RunLine, rows: list[Row]) -> list[tuple[str, str]]:
    """Rows of one log are added up: together they have the clients of the workload,
    unless they ran one after another."""
    workload = line.workload
    clients = together(rows)
    if clients == workload.clients or not rows:
        return []
    but = f"but {workload.name} has {workload.clients}"
    if len(rows) == 1:
        return [] if clients is None else [(f"says clients {clients}, {but}", _MEND)]
    if clients is not None:
        told = f"holds {len(rows)} results, of {clients} clients together, {but}"
        return [(told, _SPLIT)]
    told = f"holds {len(rows)} results, not all of which tell their clients"
    return [(told, _SPLIT)] if is_untold(rows) else []


def _other_workload(line: RunLine, row: Row) -> list[str]:
    workload = line.workload
    declared = {
        "shape": workload.shape,
        "request_bytes": workload.request_bytes,
        "response_bytes": workload.response_bytes,
    }
    return [
        f"says {name.replace('_', ' ')} {row[name]}, but {workload.name} has {value}"
        for name, value in declared.items()
        if row[name] is not None and row[name] != value
        if name != "shape" or row[name] not in SHAPES[workload.shape].logged_as
    ]


def _other_time(line: RunLine, row: Row) -> list[str]:
    if not (line.start and line.end and row["start_utc"]):
        return []
    start = dt.datetime.fromisoformat(row["start_utc"])
    end = start + (_seconds(row) if row["seconds"] else dt.timedelta())
    if start <= line.end and end >= line.start:
        return []
    return [f"was written at {row['start_utc']}, outside of the run's start and end"]
