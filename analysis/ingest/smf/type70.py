"""Type 70 subtype 1, RMF CPU activity: CPU time of the own and all other partitions.

Records become flat tables of one row a section, numbered within their interval, so
that partitions find their logical processors, processors their CPU data and cores
their threads by joins. What lacks a section that it speaks of would give CPU time that
is too small, or that of other CPUs: nothing of such an interval is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.smf.accounting import spoil_overlapping, spoilt_of
from analysis.ingest.smf.decode import (
    Frames,
    Parts,
    intervals,
    one_each,
    sections,
    triplets_end,
)
from analysis.ingest.smf.records import Ints, Records, Sections, joined, spread, triplet
from analysis.ingest.smf.seen import hashes
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.type70_busy import cpu_intervals, partition_intervals
from analysis.ingest.smf.types.cpu import (
    ACTIVITY,
    CPU_NAMES,
    DIAG_FAILED,
    REASSEMBLY,
    ZVM_GUEST,
)
from analysis.ingest.smf.validity import any_of

_MOST = 4096  # pieces that may wait at once: 128 MiB at most


@dataclass
class Pieces:
    """Pieces that wait for the others, and at the end the byte offsets of records that
    are there ``again``: a piece that came before lacks no others.

    When the sections of an interval exceed 32 KB, RMF writes several records. The
    reassembly area of each (SMF70RAO from the start of the product section) says how
    many pieces there are (RBR) and which this is (RSQ). Pieces belong together by
    system and interval token."""

    waiting: Records | None = None
    again: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def gather(self, records: Records, parts: Parts, last: bool) -> pl.DataFrame:
        """The records that can be decoded: ``interval`` (a number), ``sequence`` and
        the columns of :func:`intervals`; one row a record, in their order, with
        ``interval`` null where a piece still waits. ``last`` waits no longer; what
        lacks a piece then is not used, as its CPU time is not all there."""
        rows = intervals(records, parts).with_columns(_reassembly(records, parts))
        rows = rows.with_row_index("row").with_columns(
            key=pl.when("broken").then(pl.struct("system", "token")),
        )
        rows = rows.with_columns(
            sequence=pl.when("broken").then("RSQ").otherwise(0),
            owner=pl.when("broken")
            .then(pl.col("key").rank("dense") - 1 + len(records))
            .otherwise(pl.col("row"))
            .cast(pl.Int64),
        )
        whole = pl.col("RSQ").n_unique().over("owner") >= pl.col("RBR")
        rows = rows.with_columns(
            whole=~pl.col("broken") | whole,
            again=pl.col("broken")
            & pl.struct("owner", "RSQ").is_duplicated()
            & (pl.struct("owner", "RSQ").cum_count().over("owner", "RSQ") > 1),
        )
        self._wait(records, rows, parts, last)
        if rows["again"].any():
            _tell_again(rows, records, parts)
        kept = pl.col("whole") & ~pl.col("again")
        return rows.with_columns(interval=pl.when(kept).then("owner"))

    def _wait(
        self, records: Records, rows: pl.DataFrame, parts: Parts, last: bool
    ) -> None:
        known = pl.Series(
            [*spoilt_of(records, parts.trouble), *self.again.tolist()], dtype=pl.Int64
        )
        left = rows.filter(
            ~pl.col("whole") & ~pl.col("position").is_in(known.implode())
        )
        kept = 0 if last else _MOST
        lonely = left.head(max(left.height - kept, 0)).to_dicts()
        parts.trouble.spoil(
            [row["position"] for row in lonely],
            lambda nth: remark(
                "lonely_piece",
                f"a broken 70-1 record: piece {lonely[nth]['RSQ']} of "
                f"{lonely[nth]['RBR']} is here, others are missing (byte offset "
                f"{lonely[nth]['position']})",
            ),
            "pieces of broken 70-1 records without the others",
        )
        index = left["row"].tail(kept).to_numpy().astype(np.int64)
        self.waiting = joined([records.only(index)]) if len(index) else None

    def ahead_of(self, records: Records | None) -> Records | None:
        """The waiting pieces, then ``records``, as one; none if there is neither."""
        if self.waiting is None or records is None:
            return records or self.waiting
        return joined([self.waiting, records])


def _tell_again(rows: pl.DataFrame, records: Records, parts: Parts) -> None:
    """Pieces that are there twice count once. Equal ones are told of as duplicates are;
    others, as of two systems of one name, are lost."""
    known = rows.filter("broken").with_columns(
        hash=pl.Series(hashes(records))[rows.filter("broken")["row"]]
    )
    others = known.filter(
        "again", pl.col("hash") != pl.col("hash").first().over("owner", "RSQ")
    )
    where = others["position"].to_list()
    parts.trouble.spoil(
        where,
        lambda nth: remark(
            "other_piece",
            f"the piece of a broken 70-1 record at byte offset {where[nth]} is "
            "of a system, interval and number of which another one was read "
            "before",
        ),
        "pieces of broken 70-1 records that contradict others",
    )


def _reassembly(records: Records, parts: Parts) -> list[pl.Series]:
    """``broken``, ``RBR`` and ``RSQ`` of every record."""
    end = triplets_end(records)
    product = spread(triplet(records, 28, "RMF product", parts.trouble, end))
    begins = product.number(68, 4)
    room = records.length[product.record] - (product.start - _start(product))
    used = (product.number(74, 2) > 0) & (begins > 0) & (begins + 4 <= room)
    area = product.only(used)
    there = area.start + begins[used]
    moved = Sections(records, area.record, there, np.full(len(area), 4), area.owner)
    found = one_each(moved, REASSEMBLY, parts, len(records))
    broken = pl.Series("broken", np.zeros(len(records), np.bool_))
    broken[moved.record] = True
    return [broken, found["RBR"], found["RSQ"]]


def _start(sections: Sections) -> Ints:
    return sections.records.start[sections.record]


def spoil_contradictory(tables: Frames, heads: pl.DataFrame, trouble: Trouble) -> None:
    """Spoil intervals without the sections that every one has, and those that have
    partitions but not the own one, or processors of no partition."""
    control, partitions = tables["CPU control"], tables["partition"]
    own = partitions.join(
        heads.select("interval", LPN="partition"), ["interval", "LPN"]
    )
    told = any_of([DIAG_FAILED, ZVM_GUEST])
    known = {
        "has no CPU control section": control,
        "has no CPU data section": tables["CPU data"],
        "has no logical processors of the partition that wrote it, nor says that "
        "there are no partitions": pl.concat(
            [
                own.filter(pl.col("BDN") > 0).select("interval"),
                control.filter(told)
                .join(partitions, "interval", how="anti")
                .join(tables["logical processor"], "interval", how="anti")
                .select("interval"),
            ]
        ),
    }
    for what, table in known.items():
        _spoil(heads.join(table, "interval", how="anti"), what, trouble)
    named = (
        tables["logical core"]
        .group_by("interval")
        .agg(threads=(pl.col("CPU_Skip") + pl.col("CPU_Num")).max())
    )
    there = tables["CPU data"].group_by("interval").len()
    short = named.join(there, "interval").filter(pl.col("threads") > pl.col("len"))
    what = "has a core that names CPU data sections that the record does not have"
    _spoil(heads.join(short, "interval", how="semi"), what, trouble)


def spoil_naming_missing(
    missing: pl.DataFrame, heads: pl.DataFrame, trouble: Trouble
) -> None:
    """Spoil the intervals of ``missing``, one row a processor that is not there."""
    what = (
        "has a partition that names logical processor sections that the record does "
        "not have"
    )
    _spoil(heads.join(missing, "interval", how="semi"), what, trouble)


def spoil_nameless(
    processors: pl.DataFrame, heads: pl.DataFrame, trouble: Trouble
) -> None:
    """Spoil intervals in which the type of a processor is named but not there."""
    nameless = processors.filter(pl.col("cpu_type").is_null())
    what = "has a logical processor of a type whose name it does not have"
    _spoil(heads.join(nameless, "interval", how="semi"), what, trouble)


def spoil_others(
    rows: pl.DataFrame, spoilt: Sequence[int], trouble: Trouble
) -> pl.Series:
    """The intervals of which a record is spoilt; their other pieces are spoilt too.

    ``rows`` has ``interval`` and ``position`` of each record.
    """
    bad = pl.col("position").is_in(pl.Series(spoilt, dtype=pl.Int64).implode())
    intervals = rows.filter(bad)["interval"].drop_nulls().unique()
    of = rows.filter(pl.col("interval").is_in(intervals.implode()))
    _spoil(of, "is a piece of an interval of which another is damaged", trouble)
    return intervals


def _spoil(heads: pl.DataFrame, what: str, trouble: Trouble) -> None:
    where = heads["position"].sort().to_list()
    trouble.spoil(
        where,
        lambda nth: remark(
            "odd_70_1", f"the 70-1 record at byte offset {where[nth]} {what}"
        ),
        "70-1 records whose sections do not fit each other",
    )


@dataclass
class Type70:
    """Decodes 70-1 batch by batch; pieces of broken records are carried over."""

    pieces: Pieces = field(default_factory=Pieces)

    def read(self, records: Records | None, parts: Parts, last: bool = False) -> Frames:
        """``cpu_interval`` and ``partition_interval`` rows of what is complete."""
        whole = self.pieces.ahead_of(records)
        if whole is None or not len(whole):
            return {}
        rows = self.pieces.gather(whole, parts, last)
        parts.trouble.excuse(rows.filter("broken")["position"])
        heads = (
            rows.filter(pl.col("interval").is_not_null())
            .sort("interval", "sequence", "row")
            .unique("interval", keep="first", maintain_order=True)
        )
        if not heads.height:
            return {}
        tables = _sections(whole, rows, parts)
        spoil_overlapping(whole, parts.trouble)
        spoil_contradictory(tables, heads, parts.trouble)
        processors = _processors(tables, heads, parts)
        failed = tables["CPU control"].filter(DIAG_FAILED.speaks())["interval"]
        processors = _without(processors, failed)
        if spoilt := spoilt_of(whole, parts.trouble):
            bad = spoil_others(rows, spoilt, parts.trouble)
            heads, processors = _without(heads, bad), _without(processors, bad)
            tables = {name: _without(table, bad) for name, table in tables.items()}
        return {
            "cpu_interval": cpu_intervals(heads, processors, tables, parts),
            "partition_interval": partition_intervals(heads, processors),
        }


def _without(table: pl.DataFrame, intervals: pl.Series) -> pl.DataFrame:
    return table.filter(~pl.col("interval").is_in(intervals.implode()))


def _sections(records: Records, rows: pl.DataFrame, parts: Parts) -> Frames:
    """All sections by name: ``interval``, ``nth`` (from 0 within the interval) and the
    fields, in the order of intervals."""
    owner = rows.select(
        pl.col("row").cast(pl.Int64).alias("record"), "interval", "sequence"
    )
    tables = {}
    for layout in ACTIVITY:
        name = layout.name
        table = (
            sections(records, layout, parts)
            .table(layout, parts.page)
            .join(owner, on="record", how="left", maintain_order="left")
        )
        if (owner["sequence"] > 0).any():
            table = table.sort("interval", "sequence", maintain_order=True)
        table = table.filter(pl.col("interval").is_not_null())
        tables[name] = table.with_columns(
            nth=pl.int_range(pl.len()).over("interval"),
        ).drop("record", "sequence")
    return tables


def _processors(tables: Frames, heads: pl.DataFrame, parts: Parts) -> pl.DataFrame:
    """Logical processors with the partition they belong to: ``interval``, ``nth``,
    ``partition``, ``own``, ``cpu_type`` and the processor's fields."""
    number = heads.select("interval", number="partition")
    partitions = tables["partition"].join(
        number, on="interval", how="left", maintain_order="left"
    )
    count = np.asarray(partitions["BDN"].fill_null(0), np.int64)
    owner = np.repeat(np.arange(len(count)), count)
    nth = np.arange(len(owner)) - (np.cumsum(count) - count)[owner]
    spans = partitions.select(
        "BDS", "interval", partition="LPM", own=pl.col("LPN") == pl.col("number")
    )[owner]
    processors = tables["logical processor"]
    nth += np.asarray(spans["BDS"].fill_null(0), np.int64)
    index, there = _locate(processors, spans["interval"], nth)
    spoil_naming_missing(spans.filter(~there), heads, parts.trouble)
    found = spans.filter(there).drop("interval", "BDS")
    typed = _typed(found.hstack(processors[index[there]]), tables)
    spoil_nameless(typed, heads, parts.trouble)
    return typed


def _locate(
    table: pl.DataFrame, interval: pl.Series, nth: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Which row of a table, in the order of intervals, is the ``nth`` of an interval,
    and whether there is such a row."""
    known = np.asarray(table["interval"], np.int64)
    wanted = np.asarray(interval, np.int64)
    first = np.searchsorted(known, wanted)
    last = np.searchsorted(known, wanted, side="right")
    index = first + nth
    return index, (nth >= 0) & (index < last)


def _typed(processors: pl.DataFrame, tables: Frames) -> pl.DataFrame:
    """With ``cpu_type`` by the CPU's name: CP where it has none, null where it has
    one that is not there."""
    names = tables["CPU name"]
    nth = np.asarray(processors["CIX"].fill_null(0), np.int64) - 1
    index, there = _locate(names, processors["interval"], nth)
    kinds = names["CIN"].replace(CPU_NAMES).gather(index[there])
    known = np.flatnonzero(there).astype(np.uint32)
    none = pl.when(pl.col("CIX").fill_null(0) == 0).then(pl.lit("CP"))
    every = processors.select(cpu_type=none)["cpu_type"]
    return processors.with_columns(every.scatter(known, kinds).alias("cpu_type"))
