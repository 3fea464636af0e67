"""From decoded rows to the tables of the database, and what a whole dump lacks."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.smf.clocks import Clocks
from analysis.ingest.smf.columns import RecordType, utc_text
from analysis.ingest.smf.spill import Spill
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.types import RECORD_TYPES, TABLES

_SCHEMAS = {table.name: table.schema for table in TABLES}
_TYPES = {one.table.name: one for one in reversed(RECORD_TYPES)}
_TOLERANCE = 1_000_000  # microseconds: real intervals wobble by some milliseconds
Ints = NDArray[np.int64]


@dataclass
class Tables:
    """Takes decoded rows, a batch at a time, and makes the tables of them.

    Rows whose times are in UTC are finished at once; the others wait until the whole
    dump has told the offsets of its systems, and so do tables that need all their
    rows together. What readers leave them in ``notes`` is no table.
    """

    clocks: Clocks
    trouble: Trouble
    done: Spill = field(default_factory=Spill)
    waiting: Spill = field(default_factory=Spill)
    starts: dict[str, list[pl.DataFrame]] = field(default_factory=dict)
    notes: dict[str, list[pl.DataFrame]] = field(default_factory=dict)

    def add(self, name: str, rows: pl.DataFrame) -> None:
        """Take the rows of one batch."""
        if not rows.height:
            return
        if name not in _SCHEMAS:
            self.notes.setdefault(name, []).append(rows)
            return
        self.clocks.learn(rows)
        if _together(_TYPES[name]) or _lacks_utc(rows):
            self.waiting.add(name, rows)
        else:
            self._finish(_TYPES[name], rows)

    def finished(self, again: Ints) -> dict[str, pl.DataFrame]:
        """All tables, without the rows of the records at the offsets ``again``."""
        facts = {name: _without(pl.concat(r), again) for name, r in self.notes.items()}
        for declared in map(_TYPES.__getitem__, self.waiting.names()):
            if _together(declared):
                rows = _without(self.waiting.whole(declared.table.name), again)
                if declared.whole:
                    rows = declared.whole(rows, self.trouble, facts)
                self._finish(declared, rows)
                continue
            for rows in self.waiting.pieces(declared.table.name):
                self._finish(declared, rows)
        ordered = sorted(self.starts, key=lambda name: _TYPES[name].kinds)
        starts = {name: pl.concat(self.starts[name]) for name in ordered}
        for name, rows in starts.items():
            tell_gaps(rows, _TYPES[name], self.trouble)
            if (like := _TYPES[name].like) in starts:
                tell_missing(rows, starts[like], _TYPES[name], self.trouble)
        return {name: self._table(name, again) for name in self.done.names()}

    def _finish(self, declared: RecordType, rows: pl.DataFrame) -> None:
        rows = self.clocks.to_utc(self.clocks.to_utc(rows, "start"), "end")
        name, keys = declared.table.name, declared.keys
        if keys:
            starts = rows.select(*keys, "start", "seconds", "position")
            self.starts.setdefault(name, []).append(starts.unique([*keys, "start"]))
        if declared.finished:
            declared.finished(rows, self.trouble)
        self.done.add(name, as_table(name, rows))

    def _table(self, name: str, again: Ints) -> pl.DataFrame:
        rows = _without(self.done.whole(name), again)
        return rows.select(
            (pl.col(column) if column in rows.columns else pl.lit(None, kind)).alias(
                column
            )
            for column, kind in _SCHEMAS[name].items()
        )


def _together(declared: RecordType) -> bool:
    """Whether a table needs all its rows at once, and no row twice."""
    return bool(declared.whole or declared.finished)


def _lacks_utc(rows: pl.DataFrame) -> bool:
    """Whether a time that is known is known in local time only."""
    return any(
        f"{name}_local" in rows.columns and rows[name].null_count() > 0
        for name in ("start", "end")
    )


def _without(rows: pl.DataFrame, again: Ints) -> pl.DataFrame:
    if not len(again):
        return rows
    return rows.filter(~pl.col("position").is_in(pl.Series(again).implode()))


def as_table(name: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with the columns and types of a table, but for columns that they lack."""
    made = {
        f"{time}_utc": time_text(rows[time]).alias(f"{time}_utc")
        for time in ("start", "end")
        if time in rows.columns
    } | {column.name: column for column in rows.iter_columns()}
    return pl.DataFrame(
        made[column].cast(kind, strict=False)
        for column, kind in _SCHEMAS[name].items()
        if column in made
    )


def time_text(micros: pl.Series) -> pl.Series:
    """Microseconds since 1970 as all tables hold time; equal ones are written once."""
    distinct = micros.unique().sort()
    few = 2 * len(distinct) < len(micros)
    words = (distinct if few else micros).to_frame("at").select(utc_text(pl.col("at")))
    if not few:
        return words.to_series()
    return words.to_series()[distinct.search_sorted(micros)]


def tell_gaps(rows: pl.DataFrame, of: RecordType, trouble: Trouble) -> None:
    """Report holes between one row's end and the next one's ``start``, by its keys."""
    key, what = list(of.keys), f"{of.type_name} intervals"
    ends = pl.col("start") + (pl.col("seconds") * 1e6).round().cast(pl.Int64)
    table = (
        rows.drop_nulls(["start", "seconds"])
        .unique([*key, "start"], keep="first")
        .sort([*key, "start"])
        .with_columns(end=ends.cum_max().over(key))
        .with_columns(before=pl.col("end").shift(1).over(key))
        .with_columns(hole=pl.col("start") - pl.col("before"))
        .filter(pl.col("hole") > _TOLERANCE)
        .sort("position")
        .with_columns(since=utc_text(pl.col("before")), until=utc_text(pl.col("start")))
    )
    for row in table.head(trouble.limit).iter_rows(named=True):
        whose = " ".join(str(row[name]) for name in key)
        trouble.tell(
            remark(
                "gap",
                f"gap in {what} of {whose}: none from {row['since'][:19]} to "
                f"{row['until'][:19]} UTC ({row['hole'] / 1000000.0:.0f} s)",
            ),
            row["position"],
        )
    if (more := table.height - trouble.limit) > 0:
        trouble.tell(remark("more_gaps", f"{more} more gaps in {what}"))


def tell_missing(
    rows: pl.DataFrame, others: pl.DataFrame, of: RecordType, trouble: Trouble
) -> None:
    """Report intervals that ``others`` tell of and ``rows`` do not, by their keys."""
    key = list(of.keys)
    mine = rows.select(*key, "start", found="start").sort("start")
    alone = (
        others.drop_nulls("start")
        .join(mine, on=key, how="semi")
        .sort("start")
        .join_asof(
            mine,
            on="start",
            by=key,
            strategy="nearest",
            tolerance=_TOLERANCE,
            check_sortedness=False,
        )
        .filter(pl.col("found").is_null())
        .with_columns(since=utc_text(pl.col("start")))
    )
    for row in alone.head(trouble.limit).iter_rows(named=True):
        whose = " ".join(str(row[name]) for name in key)
        problem = remark(
            "interval_missing",
            f"{of.type_name} intervals of {whose} have none from {row['since'][:19]} "
            "UTC, of which other records tell",
        )
        trouble.tell(problem, row["position"])
