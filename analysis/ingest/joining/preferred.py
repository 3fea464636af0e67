"""The order in which rows of one time are chosen: format, basis, length, file.

A report by the half hour and one by the minute tell of the same time. A run of some
minutes holds whole minutes and no half hour, so of one format and basis the finer ones
come first where they cover the coarser one; where they leave gaps in it, the file does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

import polars as pl

BASES = ("dispatch", "lpar_busy")  # of cpu_interval, the more precise first
_FINER = 0.5  # of the length of the coarser one, at most
_COVERED = 0.95  # of its length, at least
_TOLERANCE = 1.0  # seconds; real lengths wobble
APART = 999_000  # microseconds that stretches may overlap: less than the tolerance

Row = dict[str, Any]
Rank = Mapping[str, tuple[int, str]]  # place of its format and name of each file
Place = tuple[int, int, bool, str, str]  # format, basis, length, file, start
Spans = list[tuple[float, float, Row]]


def contested(
    rows: pl.DataFrame, key: tuple[str, ...], figure: str, rank: Rank
) -> list[Row]:
    """The rows of which another file tells the time, or one that it adjoins.

    Rows are in one stretch of time while one begins before all others have ended.
    Where one file tells all of a stretch there is nothing to choose, and a dump has
    millions of such rows.
    """
    begin, end = begin_and_end()
    timed = rows.filter(
        pl.col("start_utc").is_not_null(), pl.col("source").is_in(list(rank))
    )
    columns = {*key, "source", "start_utc", "seconds", "period", "basis", figure}
    own = [name for name in timed.columns if name in columns]
    before = pl.col("_end").cum_max().shift(1).over(key)
    stretch = (pl.col("_begin") >= before - APART).fill_null(False).cum_sum()
    found = (
        timed.select("_row", *own, _begin=begin, _end=end)
        .sort(*key, "_begin")
        .with_columns(_stretch=stretch.over(key))
        .filter(pl.col("source").n_unique().over(*key, "_stretch") > 1)
        .sort("_row")
    )
    return found.drop("_begin", "_end", "_stretch").to_dicts()


def begin_and_end() -> tuple[pl.Expr, pl.Expr]:
    """The stretch of time of each row in microseconds; none where it has no start."""
    begin = moment("start_utc")
    length = pl.max_horizontal("seconds", _TOLERANCE)  # what begins at once is together
    return begin, begin + microseconds(length)


def moment(column: str) -> pl.Expr:
    """A time, told as text, in microseconds since 1970; none of what is no time."""
    time = pl.col(column).str.to_datetime("%+", time_zone="UTC", strict=False)
    return time.dt.epoch("us")


def microseconds(seconds: pl.Expr) -> pl.Expr:
    """Seconds as whole microseconds; none of more than a number can hold."""
    return (seconds * 1e6).cast(pl.Int64, strict=False)


def in_order(
    rows: Sequence[Row], key: tuple[str, ...], rank: Rank
) -> list[tuple[Place, Row]]:
    """The rows with their places, what is to be chosen first; ``key`` tells them apart,
    but for time, and ``rank`` tells of each file by its sha256."""
    groups = defaultdict[tuple[Any, ...], Spans](list)
    for row in rows:
        of = (row[name] for name in key)
        start = datetime.fromisoformat(row["start_utc"]).timestamp()
        group = rank[row["source"]][0], _precision(row), row.get("period"), *of
        groups[group].append((start, row["seconds"] or 0.0, row))
    coarse = {at for spans in groups.values() for at in _told_finer(spans)}

    def place(row: Row) -> Place:
        form, file = rank[row["source"]]
        return form, _precision(row), row["_row"] in coarse, file, row["start_utc"]

    return sorted(((place(row), row) for row in rows), key=itemgetter(0))


def _precision(row: Row) -> int:
    basis = row.get("basis")
    return BASES.index(basis) if basis in BASES else len(BASES)


def _told_finer(spans: Spans) -> set[int]:
    """The rows that finer ones of other files cover, by their ``_row``."""
    spans.sort(key=lambda span: span[0])
    starts = [start for start, _, _ in spans]
    found = set()
    for start, seconds, row in spans:
        first = bisect_left(starts, start - _TOLERANCE)
        last = bisect_left(starts, start + seconds - _TOLERANCE)
        finer = {  # once, of whichever file
            begin: length
            for begin, length, other in spans[first:last]
            if length <= _FINER * seconds and other["source"] != row["source"]
        }
        if seconds and sum(finer.values()) >= _COVERED * seconds:
            found.add(row["_row"])
    return found
