"""Which records of a dump came before: equal bytes, of whatever number of records.

Of each record a hash is kept, and where it is; those with about the same hashes are
compared at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from analysis.ingest.smf.clocks import Clocks
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.fields import column_of
from analysis.ingest.smf.records import Buffer, Ints, Records
from analysis.ingest.smf.spill import Spill

LIMIT = 1 << 22  # records of which the hashes are in memory at a time


@dataclass
class SeenRecords:
    """A hash of every record: equal records are duplicates.

    The record's own bytes have system, type, subtype, the time to 0.01 s and the
    interval token, so that records that differ in any of them differ here.
    """

    kept: Spill = field(default_factory=Spill)
    count: int = 0

    def add(self, records: Records, systems: Ints) -> None:
        """Remember the records; descriptor words do not count."""
        made = {
            "hash": hashes(records),
            "position": records.position,
            "sid": systems.astype(np.uint32),
        }
        self.kept.add("seen", pl.DataFrame(made))
        self.count += len(records)

    def duplicates(self, clocks: Clocks, page: CodePage) -> Ints:
        """Byte offsets of the records that came before, the first one left out.

        Equal records with local times only, one in each of the two hours when daylight
        saving ends, are no duplicates: the system's offset from UTC differs.
        """
        parts = -(-self.count // LIMIT)
        again = [np.zeros(0, np.int64)]
        for nth in range(parts):
            some = pl.col("hash") % parts == nth
            seen = pl.concat(
                piece if parts == 1 else piece.filter(some)
                for piece in self.kept.pieces("seen")
            )
            again.append(_again(seen, clocks, page))
        return np.sort(np.concatenate(again))


def _again(seen: pl.DataFrame, clocks: Clocks, page: CodePage) -> Ints:
    """Where records are that came before; of what is alike the first is first."""
    hashes = np.sort(seen["hash"].to_numpy(), kind="stable")
    again = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    if not len(again):
        return np.zeros(0, np.int64)
    alike = seen.filter(pl.col("hash").is_in(pl.Series(again).implode()))
    alike = alike.sort("hash", "position")
    names = [page.decode(sid.to_bytes(4, "big")) for sid in alike["sid"].to_list()]
    offset = clocks.offset_at(names, alike["position"].to_numpy())
    before = pl.col("hash") == pl.col("hash").shift(1)
    other = (pl.col("offset") == pl.col("offset").shift(1)).fill_null(True)
    rows = alike.with_columns(offset=offset).filter(before & other)
    return rows["position"].to_numpy()


def hashes(records: Records) -> NDArray[np.uint64]:
    """A hash of the bytes behind each record's descriptor word."""
    start = records.start
    if (start[1:] >= start[:-1]).all():
        return _hashes(records.buffer, start, records.length)
    order = np.argsort(start, kind="stable")
    made = np.empty(len(order), np.uint64)
    made[order] = _hashes(records.buffer, start[order], records.length[order])
    return made


def _hashes(buffer: Buffer, start: Ints, length: Ints) -> NDArray[np.uint64]:
    """Of records in the order of the buffer.

    Arrow takes bytes where they lie, if they lie one behind the other: so every
    second item is what lies between two records.
    """
    bounds = np.empty(2 * len(start), np.int64)
    bounds[0::2] = start + 4
    bounds[1::2] = start + length
    items = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(),
        max(len(bounds) - 1, 0),
        [None, pa.py_buffer(bounds), pa.py_buffer(buffer)],
    )
    hashes: NDArray[np.uint64] = column_of(items).gather_every(2).hash().to_numpy()
    return hashes
