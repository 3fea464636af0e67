"""Checks over a whole dump: duplicates, gaps, the capture ratio."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.capture import CAPTURE
from analysis.ingest.smf.clocks import Clocks, utc_text
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.trouble import Trouble

Ints = NDArray[np.int64]
_TOLERANCE = 1_000_000  # microseconds: real intervals wobble by some milliseconds


@dataclass
class SeenRecords:
    """A hash of every record: equal records are duplicates.

    The record's own bytes have system, type, subtype, the time to 0.01 s and the
    interval token, so that records that differ in any of them differ here.
    """

    hashes: list[NDArray[np.uint64]] = field(default_factory=list)
    positions: list[Ints] = field(default_factory=list)
    systems: list[NDArray[np.uint32]] = field(default_factory=list)

    def add(self, records: Records, systems: Ints) -> None:
        """Remember the records; descriptor words do not count."""
        self.hashes.append(hashes(records))
        self.positions.append(records.position)
        self.systems.append(systems.astype(np.uint32))

    def take(self, other: SeenRecords) -> None:
        """Remember those of a stretch that lies behind, too."""
        self.hashes += other.hashes
        self.positions += other.positions
        self.systems += other.systems

    def duplicates(self, clocks: Clocks, page: CodePage) -> Ints:
        """Byte offsets of the records that came before, the first one left out.

        Equal records with local times only, one in each of the two hours when daylight
        saving ends, are no duplicates: the system's offset from UTC differs.
        """
        if not self.hashes:
            return np.zeros(0, np.int64)
        hashes = np.concatenate(self.hashes)
        ordered = np.sort(hashes)
        if not (ordered[1:] == ordered[:-1]).any():
            return np.zeros(0, np.int64)
        positions = np.concatenate(self.positions)
        order = np.argsort(hashes, kind="stable")
        same = np.flatnonzero(hashes[order][1:] == hashes[order][:-1])
        before, after = order[same], order[same + 1]
        sids = np.concatenate(self.systems)[after].tolist()
        names = [page.decode(sid.to_bytes(4, "big")) for sid in sids]
        old, new = (clocks.offset_at(names, positions[nth]) for nth in (before, after))
        alike = np.asarray((old == new).fill_null(True))
        return np.sort(positions[after][alike])


def hashes(records: Records) -> NDArray[np.uint64]:
    """A hash of the bytes behind each record's descriptor word.

    Arrow takes bytes where they lie, if they lie one behind the other: so every
    second item is what lies between two records.
    """
    order = np.argsort(records.start, kind="stable")
    bounds = np.empty(2 * len(order), np.int64)
    bounds[0::2] = records.start[order] + 4
    bounds[1::2] = records.start[order] + records.length[order]
    items = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(),
        max(len(bounds) - 1, 0),
        [None, pa.py_buffer(bounds), pa.py_buffer(records.buffer)],
    )
    found = pl.Series(pl.from_arrow(items)).gather_every(2).hash()
    made = np.empty(len(order), np.uint64)
    made[order] = found.to_numpy()
    return made


def tell_duplicates(again: Ints, trouble: Trouble) -> None:
    """Say how many records were dropped, and where the first of them is."""
    if len(again):
        trouble.tell(
            remark("duplicates", count=len(again), first=again[0]),
            int(again[0]),
        )


def tell_gaps(rows: pl.DataFrame, what: str, key: list[str], trouble: Trouble) -> None:
    """Report holes between one row's end and the next one's ``start``, by ``key``."""
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
    )
    table = table.with_columns(
        since=utc_text(pl.col("before")), until=utc_text(pl.col("start"))
    )
    for row in table.head(trouble.limit).iter_rows(named=True):
        of = " ".join(str(row[name]) for name in key)
        trouble.tell(
            remark(
                "gap",
                what=what,
                of=of,
                since=row["since"][:19],
                until=row["until"][:19],
                seconds=row["hole"] / 1000000.0,
            ),
            row["position"],
        )
    if table.height > trouble.limit:
        trouble.tell(remark("more_gaps", more=table.height - trouble.limit, what=what))


def with_capture(
    cpu: pl.DataFrame, captured: pl.DataFrame, trouble: Trouble
) -> pl.DataFrame:
    """With ``capture_pct``: CP seconds of all service classes by the busy CP seconds
    of the system in the same interval; only where both are known."""
    sums = captured.group_by("system", "token").agg(
        captured=pl.col("cp_seconds").sum(), hidden=pl.col("hidden").any()
    )
    busy = pl.col("busy_seconds")
    share = pl.when((busy > 0) & ~pl.col("hidden")).then(
        100 * pl.col("captured") / busy
    )
    rows = cpu.join(sums, on=["system", "token"], how="left", maintain_order="left")
    rows = rows.with_columns(
        capture_pct=pl.when(cpu_type=pl.lit("CP")).then(share)
    ).drop("captured", "hidden")
    _tell_capture(rows.drop_nulls("capture_pct"), trouble)
    return rows


def _tell_capture(rows: pl.DataFrame, trouble: Trouble) -> None:
    low, high = CAPTURE
    odd = rows.filter(~pl.col("capture_pct").is_between(low, high)).sort("position")
    if not odd.height:
        return
    worst = odd.row(0, named=True)
    trouble.tell(
        remark(
            "capture_in_dump",
            least=low,
            most=high,
            odd=odd.height,
            intervals=rows.height,
            ratio=worst["capture_pct"],
            system=worst["system"],
        ),
        worst["position"],
    )
