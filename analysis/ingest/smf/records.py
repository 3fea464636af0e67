"""Logical records in memory, and the sections that their triplets point to.

The standard header ends at 18 without subtypes and at 24 with them (flag X'40'); the
extended header (record type byte 126) has the type at 52 and ends at 56. Sources: z/OS
MVS System Management Facilities, "Standard and extended SMF record headers" (D); the
standard one is verified against real dumps (V).

A triplet is offset (4 bytes, from the record descriptor word), length (2) of one
section, number (2). The section's own length is the stride: longer sections come
from newer releases, shorter ones from older, whose missing fields are null.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.columns import (
    NO_SUBTYPE,
    Layout,
    fields,
    local_micros,
)
from analysis.ingest.smf.fields import columns

Buffer = bytes | bytearray
Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

PAD = 1024  # bytes behind the last record, so that no view of a field overruns
HEAD = 96  # bytes of each record in which its header and most triplets are
HEADER_END = 18  # of the standard header, which has the system last
DUMP = (2, 3)  # header and trailer that the dump program adds
_SUBTYPES, _EXTENDED = 0x40, 126
_FIRST = np.dtype(
    {
        "names": ["flag", "kind", "subtype"],
        "formats": ["u1", "u1", ">u2"],
        "offsets": [4, 5, 22],
        "itemsize": 24,
    }
)
_HEADER = Layout(
    "header",
    "V",
    fields(("TME", 6, 4), ("DTE", 10, 4, "date"), ("SID", 14, 4, "text")),
)


def overlapping(data: Bytes, dtype: np.dtype[Any] | str) -> NDArray[Any]:
    """The data as items of ``dtype`` that begin at every single byte."""
    item = np.dtype(dtype)
    return np.ndarray((len(data) - item.itemsize + 1,), item, data, 0, (1,))


def gather(data: Bytes, dtype: np.dtype[Any], at: Ints) -> NDArray[Any]:
    """Items of a structured ``dtype`` at offsets of the data, copied as raw bytes: to
    copy them field by field takes several times as long."""
    raw = overlapping(data, f"V{dtype.itemsize}")[at]
    return raw.view(dtype)


@dataclass(frozen=True)
class Records:
    """Some logical records: where each begins in ``buffer``, its length in bytes, and
    its byte offset in the file (``position``). ``PAD`` bytes follow the last one.

    The buffer is filled anew for the next batch: what is kept must be copied.
    """

    buffer: Buffer
    start: Ints
    length: Ints
    position: Ints

    def __len__(self) -> int:
        return len(self.start)

    @property
    def data(self) -> Bytes:
        """The buffer as an array of bytes."""
        return np.frombuffer(self.buffer, np.uint8)

    @cached_property
    def heads(self) -> NDArray[np.void]:
        """The first bytes of every record, side by side: to go through all of a batch
        takes longer than what is done with a field of each, and so is done once."""
        return gather(self.data, np.dtype(f"V{HEAD}"), self.start)

    def only(self, which: Mask | Ints) -> Records:
        """The records that a mask or an index selects."""
        made = Records(
            self.buffer, self.start[which], self.length[which], self.position[which]
        )
        if "heads" in self.__dict__:
            made.__dict__["heads"] = self.heads[which]
        return made

    def items(self, dtype: np.dtype[Any], at: int = 0) -> NDArray[Any]:
        """What is at one offset of every record, also where that is past its end."""
        if at + dtype.itemsize > HEAD:
            return gather(self.data, dtype, self.start + at)
        heads = self.heads.view(np.uint8).reshape(len(self), HEAD)
        return heads[:, at : at + dtype.itemsize].view(dtype)[:, 0]

    def number(self, offset: int, size: int) -> Ints:
        """The big-endian number at one offset of every record; 0 past its end."""
        numbers = self.items(np.dtype(f">u{size}"), offset)
        return np.where(self.length >= offset + size, numbers.astype(np.int64), 0)

    def whole(self) -> Sections:
        """The records themselves, each as a section."""
        every = np.arange(len(self))
        return _Whole(self, every, self.start, self.length, every)

    def kinds(self) -> tuple[Ints, Ints]:
        """Type and subtype of every record; subtype -1 where it has none."""
        raw = self.items(_FIRST)
        kind = raw["kind"].astype(np.int64)
        has_subtype = (raw["flag"] & _SUBTYPES != 0) & (self.length >= 24)
        subtype = np.where(has_subtype, raw["subtype"].astype(np.int64), NO_SUBTYPE)
        if not (kind == _EXTENDED).any():
            return kind, subtype
        extended = (kind == _EXTENDED) & (self.length >= 56)
        extended &= self.number(24, 2) == 32
        return np.where(extended, self.number(52, 2), kind), subtype

    def headers(self, page: CodePage) -> pl.DataFrame:
        """``system``, ``position`` and ``written_local`` (microseconds of local time
        since 1970, when SMF moved the record to its buffer): one row a record."""
        return (
            self.whole()
            .table(_HEADER, page)
            .select(
                system="SID",
                position=pl.Series(self.position),
                written_local=local_micros("DTE", pl.col("TME") / 100),
            )
        )


def joined(parts: list[Records]) -> Records:
    """The records of several batches, copied to a buffer of their own."""
    copied: list[Buffer] = []
    for batch in parts:
        ends = (batch.start + batch.length).tolist()
        spans = zip(batch.start.tolist(), ends, strict=True)
        copied += [batch.buffer[begin:end] for begin, end in spans]
    length = np.concatenate([batch.length for batch in parts])
    position = np.concatenate([batch.position for batch in parts])
    data = b"".join((*copied, bytes(PAD)))
    return Records(data, np.cumsum(length) - length, length, position)


@dataclass(frozen=True)
class Sections:
    """Sections of one kind: the record each belongs to (an index), where it begins
    in the data, its length, and which row of triplets it was found by (``owner``)."""

    records: Records
    record: Ints
    start: Ints
    stride: Ints
    owner: Ints

    def __len__(self) -> int:
        return len(self.start)

    def only(self, which: Mask | Ints) -> Sections:
        """The sections that a mask or an index selects."""
        return Sections(
            self.records,
            self.record[which],
            self.start[which],
            self.stride[which],
            self.owner[which],
        )

    def moved(self, by: Ints | int, length: int | None = None) -> Sections:
        """What begins so many bytes further on, up to the end or of some length."""
        stride = self.stride - by if length is None else np.full(len(self), length)
        return Sections(self.records, self.record, self.start + by, stride, self.owner)

    def table(
        self, layout: Layout, page: CodePage, raw: NDArray[Any] | None = None
    ) -> pl.DataFrame:
        """``record`` and the layout's fields: one row a section; ``raw`` are their
        bytes, where they were looked at already."""
        raw = self.items(layout.dtype) if raw is None else raw
        rows = columns(layout, raw, self.stride, page)
        return rows.insert_column(0, pl.Series("record", self.record))

    def items(self, dtype: np.dtype[Any], at: int = 0) -> NDArray[Any]:
        """What is at one offset of every section, also where that is past its end."""
        return gather(self.records.data, dtype, self.start + at)

    def number(self, offset: int, size: int) -> Ints:
        """The big-endian number at one offset of every section; 0 past its end."""
        numbers = self.items(np.dtype(f">u{size}"), offset)
        return np.where(self.stride >= offset + size, numbers.astype(np.int64), 0)


class _Whole(Sections):
    """Whole records as sections: each is its record's."""

    def items(self, dtype: np.dtype[Any], at: int = 0) -> NDArray[Any]:
        return self.records.items(dtype, at)


@dataclass(frozen=True)
class Triplets:
    """One triplet of every section or record that has it: ``row`` names the record,
    ``owner`` the section or record that the triplet lies in (both are indexes)."""

    records: Records
    row: Ints
    owner: Ints
    offset: Ints
    length: Ints
    count: Ints

    def sections(self) -> Sections:
        """All sections that they point to, in the order of records."""
        owner = np.repeat(np.arange(len(self.count)), self.count)
        nth = np.arange(len(owner)) - (np.cumsum(self.count) - self.count)[owner]
        record, stride = self.row[owner], self.length[owner]
        begin: Ints = self.records.start[record] + self.offset[owner]
        begin += nth * stride
        return Sections(self.records, record, begin, stride, self.owner[owner])
