"""From decoded rows to the tables of the database."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf.checks import tell_gaps, tell_missing, with_capture
from analysis.ingest.smf.clocks import Clocks, utc_text
from analysis.ingest.smf.spill import Spill
from analysis.ingest.smf.subsystems import tell_losses
from analysis.ingest.smf.tcpip import joined_sessions, joined_statistics
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.types import TABLES

_SCHEMAS = {table.name: table.schema for table in TABLES}
_WHOLE = ("cpu_interval", "tcpip_interval", "tn3270_session", "smf_loss")
_INTERVALS = {
    "cpu_interval": ("70-1 intervals", ["system"]),
    "class_interval": ("72-3 intervals", ["system"]),
    "tcpip_interval": ("119-5 intervals", ["system", "stack"]),
    "interface_interval": ("119-6 intervals", ["system", "stack"]),
    "server_port_interval": ("119-7 intervals", ["system", "stack"]),
    "mq_interval": ("115-2 intervals", ["system", "queue_manager"]),
    "mq_pool_interval": ("115-215 intervals", ["system", "queue_manager"]),
}
_TOGETHER = (("mq_interval", "mq_pool_interval"),)  # written of the same intervals
Ints = NDArray[np.int64]


@dataclass
class Tables:
    """Takes decoded rows, a batch at a time, and makes the tables of them.

    Rows whose times are in UTC are finished at once; the others wait until the whole
    dump has told the offsets of its systems, and so do tables that need all their
    rows together.
    """

    clocks: Clocks
    trouble: Trouble
    done: Spill = field(default_factory=Spill)
    waiting: Spill = field(default_factory=Spill)
    starts: dict[str, list[pl.DataFrame]] = field(default_factory=dict)
    captured: list[pl.DataFrame] = field(default_factory=list)

    def add(self, name: str, rows: pl.DataFrame) -> None:
        """Take the rows of one batch."""
        if not rows.height:
            return
        self.clocks.learn(rows)
        if name == "class_interval":
            self.captured.append(_captured(rows))
        if name in _WHOLE or _lacks_utc(rows):
            self.waiting.add(name, rows)
        else:
            self._finish(name, rows)

    def finished(self, again: Ints) -> dict[str, pl.DataFrame]:
        """All tables, without the rows of the records at the offsets ``again``."""
        for name in self.waiting.names():
            if name in _WHOLE:
                rows = _without(self.waiting.whole(name), again)
                self._finish(name, self._combined(name, rows, again))
                continue
            for rows in self.waiting.pieces(name):
                self._finish(name, rows)
        for name, (what, keys) in _INTERVALS.items():
            if name in self.starts:
                tell_gaps(pl.concat(self.starts[name]), what, keys, self.trouble)
        for names in _TOGETHER:
            if all(name in self.starts for name in names):
                one, other = (pl.concat(self.starts[name]) for name in names)
                what, keys = _INTERVALS[names[0]]
                tell_missing(one, other, what, keys, self.trouble)
        return {name: self._table(name, again) for name in self.done.names()}

    def _combined(self, name: str, rows: pl.DataFrame, again: Ints) -> pl.DataFrame:
        if name == "tcpip_interval":
            return joined_statistics(rows, self.trouble)
        if name == "tn3270_session":
            return joined_sessions(rows)
        if name == "cpu_interval" and self.captured:
            captured = _without(pl.concat(self.captured), again)
            return with_capture(rows, captured, self.trouble)
        return rows

    def _finish(self, name: str, rows: pl.DataFrame) -> None:
        rows = self.clocks.to_utc(self.clocks.to_utc(rows, "start"), "end")
        if name in _INTERVALS:
            keys = _INTERVALS[name][1]
            found = rows.select(*keys, "start", "seconds", "position")
            self.starts.setdefault(name, []).append(found.unique([*keys, "start"]))
        if name == "smf_loss":
            tell_losses(rows, self.trouble)
        self.done.add(name, as_table(name, rows))

    def _table(self, name: str, again: Ints) -> pl.DataFrame:
        rows = _without(self.done.whole(name), again)
        return rows.select(
            (pl.col(column) if column in rows.columns else pl.lit(None, kind)).alias(
                column
            )
            for column, kind in _SCHEMAS[name].items()
        )


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


def _captured(rows: pl.DataFrame) -> pl.DataFrame:
    """CP seconds of the service classes by record; ``hidden`` where some are null."""
    service = rows.filter(class_kind="service")
    return service.group_by("system", "token", "position", maintain_order=True).agg(
        pl.col("cp_seconds").sum(), hidden=pl.col("cp_seconds").is_null().any()
    )


def as_table(name: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with the columns and types of a table, but for columns that they lack."""
    times = [
        time_text(rows[column]).alias(f"{column}_utc")
        for column in ("start", "end")
        if column in rows.columns
    ]
    rows = rows.with_columns(times)
    return rows.select(
        pl.col(column).cast(kind, strict=False)
        for column, kind in _SCHEMAS[name].items()
        if column in rows.columns
    )


def time_text(micros: pl.Series) -> pl.Series:
    """Microseconds since 1970 as all tables hold time; equal ones are written once."""
    distinct = micros.unique().sort()
    few = 2 * len(distinct) < len(micros)
    words = (distinct if few else micros).to_frame("at").select(utc_text(pl.col("at")))
    if not few:
        return words.to_series()
    return words.to_series()[distinct.search_sorted(micros)]
