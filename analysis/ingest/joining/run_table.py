"""The table ``run``: every declared run, also a failed one, with its status."""

from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl

from analysis.facts.remark import remark, together
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.choose_test import Results, Row
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.clock import utc_text
from analysis.ingest.joining.assign import Readings, readings_of
from analysis.ingest.reading import Circumstances, Verdict
from analysis.ingest.tables.catalog import frame

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
    """Of a run: that of its test or log, then that of its other files."""
    log = readings[line.log]
    verdict = log.verdict(line.test)
    if verdict.status not in ("ok", "degraded"):
        return verdict
    if not results:
        none = remark(
            "no_benchmark_result",
            f"{line.log}: no benchmark result in it ({log.format})",
        )
        causes = [none, verdict.cause] if verdict.cause else [none]
        return Verdict("failed", together(causes))
    for file, reading in readings_of(line, readings):
        if reading.status in LOST:
            cause = remark("of_file", file=file, cause=reading.reason)
            return Verdict("degraded", cause)
        if status := reading.circumstances.exit_status:
            ended = remark("client_exit_status", status=status)
            return Verdict("degraded", remark("of_file", file=file, cause=ended))
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
