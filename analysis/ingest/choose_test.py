"""Which result of a log is that of the run, where the log holds several.

Rows of one log are taken for instances of a tool that ran side by side, and are added
up. So rows of different tests, or of different times, must never reach a run together.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from analysis.campaign import RUNS_FILE
from analysis.errors import Issue, Place
from analysis.ingest.check import Checked
from analysis.ingest.reading import Reading
from analysis.ingest.runs import RunLine

_USABLE = ("ok", "degraded")
_SPLIT = "put each result in a log of its own, with its own run"


def choose_tests(
    checked: Checked, readings: Mapping[str, Reading]
) -> tuple[dict[str, Reading], list[Issue]]:
    """The readings, those of logs with the chosen ``benchmark`` rows only, and the
    lines of ``runs.csv`` that do not say which rows these are."""
    chosen, issues = dict(readings), list[Issue]()
    for line in checked.runs:
        reading = readings[line.log]
        rows = reading.tables.get("benchmark")
        if rows is None or (rows.height < 2 and not line.test):
            continue
        own = rows.filter(pl.col("test") == line.test) if line.test else rows
        if reading.status in _USABLE and (found := _mistake(line, rows, own)):
            what, mend = found
            where = Place(str(checked.folder / RUNS_FILE), line.line)
            issues.append(Issue(f"{line.log} {what}", where, mend))
        tables = reading.tables | {"benchmark": own}
        chosen[line.log] = replace(reading, tables=tables)
    return chosen, issues


def _mistake(
    line: RunLine, rows: pl.DataFrame, own: pl.DataFrame
) -> tuple[str, str] | None:
    """What is wrong with the choice, and how to mend it."""
    tests = rows["test"].unique().sort().to_list()
    names = ", ".join(repr(test) if test else "one without a name" for test in tests)
    if own.is_empty():
        mend = f"its tests are {names}" if any(tests) else "leave the column test empty"
        return f"holds no test {line.test!r}", mend
    if not line.test and len(tests) > 1:
        mend = "name one of them in the column test of runs.csv"
        return f"holds {len(tests)} tests: {names}", mend
    if after := _one_after_another(own.to_dicts()):
        return f"holds results one after another, of {after[0]} and {after[1]}", _SPLIT
    return None


def _one_after_another(rows: list[dict[str, Any]]) -> tuple[str, str] | None:
    """The starts of two rows of which one begins after the other has ended."""
    timed = [row for row in rows if row["start_utc"] and row["seconds"]]
    ordered = sorted(timed, key=lambda row: row["start_utc"])
    if not ordered:
        return None
    first = min(ordered, key=_end)
    last = ordered[-1]
    if dt.datetime.fromisoformat(last["start_utc"]) >= _end(first):
        return first["start_utc"], last["start_utc"]
    return None


def _end(row: dict[str, Any]) -> dt.datetime:
    start = dt.datetime.fromisoformat(row["start_utc"])
    return start + dt.timedelta(seconds=row["seconds"])
