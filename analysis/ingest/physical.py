"""What no measurement can be: the limits of every column, checked in one place.

Every file is read by :func:`read_safely`, so that no file can stop the program or pass
unchecked. A value that is negative, infinite or over a hundred per cent is not used: it
becomes null, and the file is degraded, because what damaged the one value may have
damaged others. A row whose start, end or length is impossible is dropped: nothing in it
could be placed in a run, or turned into a rate.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from typing import Any

import polars as pl
from polars.exceptions import PanicException

from analysis.errors import UserError, is_of_machine
from analysis.facts.remark import Remark, remark
from analysis.files.mapped import give_back
from analysis.ingest.reading import IN_BYTES, LOST, Problem, Reading, Verdict
from analysis.ingest.tables.catalog import TABLES

_MOST = 2.0**63  # no counter of 64 bits, nor any size or time, is beyond
_TOLD = 10  # values of a column that are told of one by one
_FEW = 50  # rows
_MANY = 1 << 18  # rows that are looked at together
_ROUNDED = 1.0  # percentage points by which printed shares miss 0 and 100
_MANY_DIGITS = "integer string conversion"  # what Python says of over 4,300 digits


@dataclass(frozen=True)
class Bounds:
    """The least and the largest possible value, and what is said of others."""

    low: Any
    high: Any
    why: str


COUNT = Bounds(0, 2**63 - 1, "is negative, or no number")
AMOUNT = Bounds(0.0, _MOST, "is negative, or no finite number")
LENGTH = Bounds(1e-9, _MOST, "is no length of time")
PERCENT = Bounds(-_ROUNDED, 100 + _ROUNDED, "is no share of a hundred")
TIME = Bounds("1960", "2100", "is not between the years 1960 and 2100")
ANY = Bounds(-_MOST, _MOST, "is no finite number")

OF_COLUMNS: dict[str, Bounds] = {
    # A ratio of two measurements; what is doubted in it is told with the table.
    "capture_pct": AMOUNT,
    # Figures by the name that a report gives them, differences among them.
    "metric_interval.value": ANY,
    "interval.start_s": ANY,  # a warm-up ends at zero
    # What lasts less than the clock's step has the length 0.
    "address_space_interval.seconds": AMOUNT,
    "address_space_total.seconds": AMOUNT,
    "ftp_transfer.seconds": AMOUNT,
    "process_interval.seconds": AMOUNT,
    "tn3270_session.seconds": AMOUNT,
    "seconds": LENGTH,
    "start_utc": TIME,
    "end_utc": TIME,
}
"""Bounds of columns that differ from those of their type and name, in all tables or
in one; :func:`bounds` says what holds for the others."""
_PLACED = ("start_utc", "end_utc", "seconds")


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
    if cpus is None or reading.status in LOST:
        return reading
    if row := overlapping(cpus):
        cause = remark(
            "intervals_overlap", "intervals overlap: the same time would count twice"
        )
        reading.problems.append(_at(row["position"], reading, cause))
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


def bounds(table: str, column: str) -> Bounds | None:
    """The bounds of a column; none of texts and truths."""
    kind = TABLES[table][column]
    declared = OF_COLUMNS.get(f"{table}.{column}") or OF_COLUMNS.get(column)
    if declared or not kind.is_numeric():
        return declared
    if column.endswith("_pct"):
        return PERCENT
    return COUNT if kind.is_integer() else AMOUNT


@functools.cache
def _bounds_of(table: str) -> dict[str, Bounds]:
    bounds_by_column = {column: bounds(table, column) for column in TABLES[table]}
    return {column: of for column, of in bounds_by_column.items() if of}


def keep_possible(reading: Reading) -> Reading:
    """The same reading, without values and rows that no measurement can be.

    Results of a log, or test, that failed are left: they are never used.
    """
    for name, table in reading.tables.items():
        if not _is_possible(name, table):
            reading.tables[name] = _corrected(name, table, reading)
    for row in [row for row in reading.results if any(_wrong("benchmark", row))]:
        if reading.verdict(row["test"] or "").status not in LOST:
            _correct(row, reading)
    return reading


def _is_possible(name: str, table: pl.DataFrame) -> bool:
    if table.height <= _FEW:  # columns are quicker from some dozens of rows on
        rows = table.rows(named=True)
        return not any(any(_wrong(name, row)) or _ends_early(row) for row in rows)
    checks = [~_beyond(column, of).any() for column, of in _bounds_of(name).items()]
    if {"start_utc", "end_utc"} <= TABLES[name].keys():
        checks.append(~_backwards().any())
    named = [check.alias(str(n)) for n, check in enumerate(checks)]
    for piece in table.iter_slices(_MANY):
        if not all(piece.select(named).row(0)):
            return False
        give_back()  # of a large dump the rows lie in mapped files
    return True


def _beyond(column: str, of: Bounds) -> pl.Expr:
    """Whether a value is known and out of its bounds; not-a-number always is."""
    return ~pl.col(column).is_between(pl.lit(of.low), pl.lit(of.high))


def _backwards() -> pl.Expr:
    return pl.col("end_utc") < pl.col("start_utc")


def _ends_early(row: dict[str, Any]) -> bool:
    start, end = row.get("start_utc"), row.get("end_utc")
    return start is not None and end is not None and end < start


def _corrected(name: str, table: pl.DataFrame, reading: Reading) -> pl.DataFrame:
    """The table with nulls for what is impossible, and without impossible rows."""
    gone = pl.lit(False)
    if {"start_utc", "end_utc"} <= TABLES[name].keys():
        gone = _backwards().fill_null(False)
        _tell(name, "end_utc", "is before the start", table.filter(gone), reading)
    nulled = []
    for column, of in _bounds_of(name).items():
        beyond = _beyond(column, of).fill_null(False)
        _tell(name, column, of.why, table.filter(beyond), reading)
        if column in _PLACED:
            gone |= beyond
        else:
            nulled.append(pl.when(~beyond).then(pl.col(column)).alias(column))
    return table.filter(~gone).with_columns(nulled)


def _tell(
    table: str, column: str, why: str, rows: pl.DataFrame, reading: Reading
) -> None:
    for row in rows.head(_TOLD).iter_rows(named=True):
        _note(f"{table}.{column}: {row[column]} {why}", row["position"], reading)
    if rows.height > _TOLD:
        more = remark(
            "more_values_unused",
            f"{rows.height - _TOLD} more values of {table}.{column} were not used",
        )
        reading.problems.append(Problem(more))


def _wrong(table: str, row: dict[str, Any]) -> Iterator[tuple[str, Bounds]]:
    """The columns of a row that are out of their bounds."""
    for column, of in _bounds_of(table).items():
        value = row[column]
        if value is not None and not of.low <= value <= of.high:
            yield column, of


def _correct(row: dict[str, Any], reading: Reading) -> None:
    wrong = list(_wrong("benchmark", row))
    for column, of in wrong:
        said = f"benchmark.{column}: {row[column]!r} {of.why}"
        _note(said, row["position"], reading, row["test"] or "")
        row[column] = None
    if any(column in _PLACED for column, _ in wrong):
        reading.results.remove(row)


def _note(said: str, place: int | None, reading: Reading, test: str = "") -> None:
    """A problem with its place, and a file, or its test, that is not all sound."""
    problem = remark("impossible_value", f"{said}: it was not used")
    reading.problems.append(_at(place, reading, problem))
    if reading.status == "ok":
        reading.judge("degraded", problem)
    if reading.verdict(test).status == "ok":
        reading.verdicts[test] = Verdict("degraded", problem)


def _at(position: int | None, reading: Reading, what: Remark) -> Problem:
    if reading.format in IN_BYTES:
        return Problem(what, offset=position)
    return Problem(what, position)
