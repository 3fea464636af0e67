"""Broken 70-1 records: the pieces of one interval, put together.

When the sections of an interval exceed 32 KB, RMF writes several records. The
reassembly area of each (SMF70RAO from the start of the product section) says how many
pieces there are (RBR) and which this is (RSQ). Pieces belong together by system and
interval token. Pieces whose others are in a later batch wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.accounting import spoilt_of
from analysis.ingest.smf.decode import Parts, intervals, one_each, triplets_end
from analysis.ingest.smf.records import Ints, Records, Sections, joined, spread, triplet
from analysis.ingest.smf.seen import hashes
from analysis.ingest.smf.types.cpu import REASSEMBLY

_MOST = 4096  # pieces that may wait at once: 128 MiB at most


@dataclass
class Pieces:
    """Pieces that wait for the others, and at the end the byte offsets of records that
    are there ``again``: a piece that came before lacks no others."""

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
                piece=lonely[nth]["RSQ"],
                pieces=lonely[nth]["RBR"],
                where=lonely[nth]["position"],
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
        lambda nth: remark("other_piece", where=where[nth]),
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
