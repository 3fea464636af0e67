"""Local times of a dump to UTC.

Many records have local times only. Others of the same system give both: RMF the
offset from GMT, 119-2 and 30 a clock value beside a local time. A local time takes the
offset that was seen last before it in the file, as records are written in the order of
time: so also in the hour that is repeated when daylight saving ends. Where the dump
gives no offset, the zone does, and a step back of the clock in the file tells the
second of the two hours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf.columns import time_of

Ints = NDArray[np.int64]
_QUARTER = 900_000_000  # microseconds; every zone is a multiple of it off UTC
_NEAR = 60_000_000  # clock value and local time may differ by that
_STEP, _HOUR = 1_500_000_000, 3_900_000_000  # a step back of the clock is between
_SCHEMA_AT = {"system": pl.String, "position": pl.Int64}
_SCHEMA = _SCHEMA_AT | {"offset": pl.Int64}


@dataclass
class Clocks:
    """Offsets of local time from UTC that were seen: microseconds by system and
    byte offset in the file."""

    zone: str | None
    seen: list[pl.DataFrame] = field(default_factory=list)
    unknown: int = 0
    ambiguous: int = 0

    def learn(self, rows: pl.DataFrame) -> None:
        """Take the offsets of rows that have both ``start`` and ``start_local``, or
        ``gmt_offset``."""
        if "gmt_offset" in rows.columns:
            given = rows["gmt_offset"]
        elif {"start", "start_local"} <= set(rows.columns):
            given = rows["start_local"] - rows["start"]
        else:
            return
        offset, good = _rounded(given.to_numpy())
        some = rows.select("system", "position")
        if not good.all():
            some, offset = some.filter(pl.Series(good)), offset[good]
        index = _changes(some["system"], offset)
        before = pl.col("offset").shift(1).over("system")
        offsets = (
            some[index]
            .with_columns(offset=pl.Series(offset[index]))
            .filter(pl.col("offset").ne_missing(before))  # systems in turns
        )
        if offsets.height:
            self.seen.append(offsets)

    def offsets(self) -> pl.DataFrame:
        """All offsets seen, by position."""
        return pl.concat([pl.DataFrame(schema=_SCHEMA), *self.seen]).sort("position")

    def offset_at(self, systems: list[str], positions: NDArray[np.int64]) -> pl.Series:
        """The offset of a system at each position in the file, null if not known."""
        rows = pl.DataFrame({"system": systems, "position": positions}, _SCHEMA_AT)
        return self._near(rows.with_row_index()).sort("index")["offset"]

    def _near(self, rows: pl.DataFrame) -> pl.DataFrame:
        """With ``offset``, the last one seen before, else the first one of the
        system; sorted by position."""
        known = self.offsets()
        first = known.unique("system", keep="first", maintain_order=True)
        return (
            rows.sort("position")
            .join_asof(known, on="position", by="system", check_sortedness=False)
            .join(
                first.select("system", earliest="offset"),
                on="system",
                how="left",
                maintain_order="left",
            )
            .with_columns(pl.col("offset").fill_null(pl.col("earliest")))
            .drop("earliest")
        )

    def to_utc(self, rows: pl.DataFrame, name: str) -> pl.DataFrame:
        """With ``name`` filled from ``<name>_local`` where it is null."""
        local = f"{name}_local"
        if local not in rows.columns or not rows[name].null_count():
            return rows
        rows = self._near(rows)
        rows = rows.with_columns(
            pl.coalesce(name, pl.col(local) - pl.col("offset")).alias(name)
        ).drop("offset")
        left = pl.col(name).is_null() & pl.col(local).is_not_null()
        count = rows.select(left.sum()).item()
        if not count:
            return rows
        if self.zone is None:
            self.unknown += count
            return rows
        return self._by_zone(rows, name, local)

    def _by_zone(self, rows: pl.DataFrame, name: str, local: str) -> pl.DataFrame:
        order = (
            pl.col("written_local")
            if "written_local" in rows.columns
            else pl.col(local)
        )
        back = (order.shift(1).over("system") - order).is_between(_STEP, _HOUR)
        rows = rows.with_columns(
            fold=back.fill_null(False).cast(pl.Int64).cum_sum().over("system") > 0
        )
        zone = self.zone or "UTC"
        rows = rows.with_columns(
            early=_zoned(pl.col(local), zone, "earliest"),
            late=_zoned(pl.col(local), zone, "latest"),
        )
        doubt = (pl.col("early") != pl.col("late")) & ~pl.col("fold").any()
        missing = pl.col(name).is_null()
        self.ambiguous += rows.select((doubt & missing).sum()).item()
        side = pl.when("fold").then("late").otherwise("early")
        return rows.with_columns(pl.coalesce(name, side).alias(name)).drop(
            "fold", "early", "late"
        )


def _rounded(given: NDArray[Any]) -> tuple[Ints, NDArray[np.bool_]]:
    """Offsets from UTC in whole quarters of an hour, and which of them are such; what
    is not known is not-a-number."""
    known = np.nan_to_num(given, nan=np.inf)
    with np.errstate(invalid="ignore"):
        rounded = np.round(known / _QUARTER) * _QUARTER
        good = (np.abs(known - rounded) <= _NEAR) & (np.abs(rounded) <= 60 * _QUARTER)
    return np.where(good, rounded, 0).astype(np.int64), good


def _changes(systems: pl.Series, offset: Ints) -> Ints:
    """Where another system or another offset follows, and the first place."""
    lengths = systems.rle().struct.field("len").to_numpy()
    changed = np.zeros(len(offset), np.bool_)
    changed[1:] = offset[1:] != offset[:-1]
    changed[np.cumsum(lengths) - lengths] = True
    return np.flatnonzero(changed)


def _zoned(local: pl.Expr, zone: str, which: Literal["earliest", "latest"]) -> pl.Expr:
    time = time_of(local).dt.replace_time_zone(
        zone, ambiguous=which, non_existent="null"
    )
    return time.dt.convert_time_zone("UTC").dt.timestamp("us")
