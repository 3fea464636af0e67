"""What ``runs.csv`` declares against the files of each run: windows, clocks, tools."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import polars as pl

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE
from analysis.errors import Issue, Place
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.joining.assign import (
    CampaignReading,
    Frames,
    Readings,
    readings_of,
)

_LATE = dt.timedelta(seconds=1)  # clocks of drivers and people are no better
_FILE = "name the file of this run, or mend its start and end"


def check_runs(tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Lines of runs.csv that a file of the run contradicts."""
    checked, readings = evidence.checked, evidence.readings
    where = str(checked.folder / RUNS_FILE)
    found = [
        *_windows(checked.runs, readings),
        *_times(tables["cpu_interval"], evidence),
        *_tools(checked.runs, readings),
    ]
    found.sort(key=lambda item: item[0])
    return [Issue(what, Place(where, line), mend) for line, what, mend in found]


def _windows(
    runs: tuple[RunLine, ...], readings: Readings
) -> Iterator[tuple[int, str, str]]:
    """Runs that are declared to be elsewhere than a file of theirs tells."""
    for line in runs:
        if not (line.start and line.end):
            continue
        for file, reading in readings_of(line, readings):
            if (window := reading.circumstances.window) is None:
                continue
            first, last = map(dt.datetime.fromisoformat, window)
            if line.start < first - _LATE or line.end > last + _LATE:
                what = f"{file} tells of a run from {window[0]} to {window[1]}, "
                yield line.line, f"{what}not of all of the declared one", _FILE


def _times(
    rows: pl.DataFrame, evidence: CampaignReading
) -> Iterator[tuple[int, str, str]]:
    """CPU files of one run whose times are all outside of it: of another run, or read
    with another clock's zone."""
    checked = evidence.checked
    names = {sha256: file for file, sha256 in checked.files.items()}
    own = rows.filter(
        pl.col("run").is_not_null(), pl.col("start_utc").is_not_null()
    ).group_by("run", "source", maintain_order=True)
    spans = own.agg(
        first=pl.col("start_utc").min(),
        last=pl.col("start_utc").max(),
        seconds=pl.col("seconds").max(),
    )
    lines = {line.run: line for line in checked.runs}
    for row in spans.iter_rows(named=True):
        line = lines[row["run"]]
        if not (line.start and line.end):
            continue
        first, last = (dt.datetime.fromisoformat(row[n]) for n in ("first", "last"))
        last += dt.timedelta(seconds=row["seconds"] or 0)
        if first > line.end + _LATE or last < line.start - _LATE:
            what = (
                f"{names[row['source']]} begins at {row['first']}, outside of the run"
            )
            zone = f"; its clock is in the zone that {CAMPAIGN_FILE} tells"
            yield line.line, what, f"{_FILE}{zone}: {checked.campaign.zone}"


def _tools(
    runs: tuple[RunLine, ...], readings: Readings
) -> Iterator[tuple[int, str, str]]:
    """Repetitions of one workload that were made with another tool than the first."""
    first: dict[tuple[str, str], tuple[str, RunLine]] = {}
    for line in runs:
        if not (tool := readings[line.log].tool_name):
            continue
        key = line.configuration, line.workload.name
        known, of = first.setdefault(key, (tool, line))
        if tool != known:
            what = f"{line.log} is a log of {tool}, but {of.log} (line {of.line})"
            mend = "runs of one tool are repetitions: give the others a configuration"
            yield line.line, f"{what} one of {known}", f"{mend} of their own"
