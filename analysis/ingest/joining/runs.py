"""What became of each run and file of a campaign: the tables of both."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import polars as pl

from analysis.facts.remark import remark, together
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.choose_test import Row
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.clock import utc_text
from analysis.ingest.detect import format_of, timed
from analysis.ingest.joining.assign import CampaignReading, Readings, readings_of
from analysis.ingest.reading import LOST, Circumstances, Problem, Problems, Verdict
from analysis.ingest.tables.catalog import frame

DOCUMENT, UNKNOWN = "document", "unknown"
NOT_NAMED = "no run names it"
_NUMBER = re.compile(r"\d+")


def run_table(evidence: CampaignReading) -> pl.DataFrame:
    """One row a line of ``runs.csv``, in its order, also of a failed run."""
    checked, readings = evidence.checked, evidence.readings
    rows = []
    for line in checked.runs:
        results = evidence.results[line.run]
        status, reason = judge(line, readings, results).in_words
        times = _circumstances(line, readings)
        start, end = _window(line, times, results)
        rows.append(
            {
                "run": line.run,
                "campaign": checked.name,
                "configuration": line.configuration,
                "workload": line.workload.name,
                "repetition": line.repetition,
                "session": line.session or None,
                "start_utc": start,
                "end_utc": end,
                "origin": checked.campaign.origin,
                "status": status,
                "reason": reason,
                "idle_before": times.idle_before,
                "tick_coverage": times.tick_coverage,
                "log": line.log,
            }
        )
    return frame("run", rows)


def role_table(checked: CheckedCampaign) -> pl.DataFrame:
    """One row for each run and role, with the system that had it."""
    rows = [
        {"run": line.run, "campaign": checked.name, "role": role, "system": system}
        for line in checked.runs
        for role, system in line.roles.items()
    ]
    return frame("run_role", rows)


def judge(line: RunLine, readings: Readings, results: list[Row]) -> Verdict:
    """Of a run: that of its test or log, then that of its other files."""
    log = readings[line.log]
    verdict = log.verdict(line.test)
    if verdict.status in LOST:
        return verdict
    if not results:
        words = f"{line.log}: no benchmark result in it ({log.format})"
        none = remark("no_benchmark_result", words)
        return Verdict("failed", together([none, *filter(None, [verdict.cause])]))
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
    times: dict[str, Any] = {}
    for _, reading in readings_of(line, readings):
        times |= reading.circumstances.known()
    return Circumstances(**times)


def _window(
    line: RunLine, times: Circumstances, results: list[Row]
) -> tuple[str | None, str | None]:
    """Start and end in UTC: as declared, else as a file of the run tells."""
    if line.start and line.end:
        return utc_text(line.start), utc_text(line.end)
    if times.window:
        return times.window
    for row in results:
        if row["start_utc"] and row["seconds"]:
            end = dt.datetime.fromisoformat(row["start_utc"])
            end += dt.timedelta(seconds=row["seconds"])
            return row["start_utc"], utc_text(end)
    return None, None


def source_table(evidence: CampaignReading, problems: Problems) -> pl.DataFrame:
    """One row a file of the campaign, also of those that no run names; ``problems``
    are what the steps found beyond those of the readings."""
    checked, readings = evidence.checked, evidence.readings
    more: dict[str, list[Problem]] = defaultdict(list)
    for file, problem in problems:
        more[file].append(problem)
    unnamed = unnamed_formats(checked.folder, checked.files, readings)
    rows = []
    for file, sha256 in checked.files.items():
        size = os.stat(f"{checked.folder}/{file}").st_size
        row = {"file": file, "sha256": sha256, "bytes": size, "campaign": checked.name}
        if file in unnamed:
            about = {"format": unnamed[file], "status": "ok", "reason": NOT_NAMED}
            rows.append(row | about | {"problems": "[]"})
            continue
        read = readings[file]
        dicts = [problem.as_dict() for problem in (*read.problems, *more[file])]
        about = {"format": read.format, "status": read.status, "reason": read.reason}
        about |= {"problems": json.dumps(dicts, ensure_ascii=False)}
        rows.append(row | about | {"timed": timed(read.format)})
    return frame("source", rows)


def unnamed_formats(
    folder: Path, files: Iterable[str], named: Collection[str]
) -> dict[str, str]:
    """The format of each of ``files`` that is not ``named``, by its first bytes.

    A file that no run names is a document (notes, profiles) or evidence that is not
    used. It is ``document`` where nothing speaks for evidence, and ``unknown`` where
    the name alone does: but for its numbers it is that of a file which a run names, as
    is that of the empty log of a run that failed.
    """
    alike = {_NUMBER.sub("#", file) for file in named}
    return {
        file: format_of(folder / file)
        or (UNKNOWN if _NUMBER.sub("#", file) in alike else DOCUMENT)
        for file in files
        if file not in named
    }
