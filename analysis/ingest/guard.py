"""Reading with any reader, so that no file can stop the program or pass unchecked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any

import polars as pl
from polars.exceptions import PanicException

from analysis.errors import UserError, is_of_machine
from analysis.facts.remark import remark
from analysis.ingest.physical import keep_possible
from analysis.ingest.reading import IN_BYTES, Problem, Reading

_MANY_DIGITS = "integer string conversion"  # what Python says of over 4,300 digits


def read_safely(form: str, read: Callable[[], Reading]) -> Reading:
    """What a reader says of a file of its format, within physical limits; CPU intervals
    that overlap degrade it, as the same time would count twice.

    A file that its reader cannot cope with has the status failed, and says so. A full
    disk, or a process that was ended, is no mistake of the file: who kept that as its
    reading would go on without it.
    """
    try:
        return _without_overlap(keep_possible(read()))
    except (UserError, BrokenExecutor):
        raise
    except (Exception, PanicException) as error:  # a damaged file is the file's mistake
        if is_of_machine(error):
            raise
        reason = remark("reader_failed", name=type(error).__name__, error=str(error))
        if _MANY_DIGITS in str(error):
            reason = remark(
                "too_many_digits",
                "a number in it has more digits than any count or time has",
            )
        problems = [Problem(reason)]
        return Reading(form, status="failed", cause=reason, problems=problems)


def _without_overlap(reading: Reading) -> Reading:
    cpus = reading.tables.get("cpu_interval")
    if cpus is None or reading.status not in ("ok", "degraded"):
        return reading
    if row := overlapping(cpus):
        cause = remark(
            "intervals_overlap", "intervals overlap: the same time would count twice"
        )
        place = "offset" if reading.format in IN_BYTES else "line"
        reading.problems.append(Problem(cause, **{place: row["position"]}))
        reading.judge("degraded", cause)
    return reading


def overlapping(cpus: pl.DataFrame) -> dict[str, Any] | None:
    """The first CPU interval that begins before the one before it ended."""
    ends: dict[tuple[Any, ...], tuple[float, float]] = {}
    columns = ("system", "cpu_type", "start_utc", "seconds", "position")
    known = cpus.select(columns).drop_nulls("start_utc")
    for row in known.sort("start_utc", maintain_order=True).iter_rows(named=True):
        place = (row["system"], row["cpu_type"])
        start = dt.datetime.fromisoformat(row["start_utc"]).timestamp()
        end, seconds = ends.get(place, (start, 0.0))
        # Real lengths wobble by some milliseconds, printed ones by a second.
        if start < end - min(1.0, seconds / 2):
            return row
        seconds = row["seconds"] or 0.0
        ends[place] = start + seconds, seconds
    return None
