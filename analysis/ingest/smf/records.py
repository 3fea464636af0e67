"""Logical records in memory, and the sections that their triplets point to.

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

from analysis.facts.remark import remark
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.columns import Layout
from analysis.ingest.smf.layout import columns, overflown
from analysis.ingest.smf.trouble import Trouble

Buffer = bytes | bytearray
Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

PAD = 1024  # bytes behind the last record, so that no view of a field overruns
HEAD = 96  # bytes of each record in which its header and most triplets are


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

    def only(self, which: NDArray[np.bool_] | Ints) -> Records:
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
        found = self.items(np.dtype(f">u{size}"), offset)
        return np.where(self.length >= offset + size, found.astype(np.int64), 0)

    def table(self, layout: Layout, page: CodePage) -> pl.DataFrame:
        """Fields of the record itself, as its header has them: one row a record."""
        return self.whole().table(layout, page)

    def whole(self) -> Sections:
        """The records themselves, each as a section."""
        every = np.arange(len(self))
        return _Whole(self, every, self.start, self.length, every)


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
    in the data, its length, and which row of triplets it was found by (``owner``).
    ``trouble`` is told of sections that are too short, where there is one."""

    records: Records
    record: Ints
    start: Ints
    stride: Ints
    owner: Ints
    trouble: Trouble | None = None

    def __len__(self) -> int:
        return len(self.start)

    def only(self, which: NDArray[np.bool_] | Ints) -> Sections:
        """The sections that a mask or an index selects."""
        return Sections(
            self.records,
            self.record[which],
            self.start[which],
            self.stride[which],
            self.owner[which],
            self.trouble,
        )

    def table(self, layout: Layout, page: CodePage) -> pl.DataFrame:
        """``record`` and the layout's fields: one row a section. A section that is
        shorter than the layout's ``least`` spoils its record."""
        rows = self.items(layout.dtype)
        if self.trouble and len(self):
            self._check(layout, rows, self.trouble)
        found = columns(layout, rows, self.stride, page)
        return found.insert_column(0, pl.Series("record", self.record))

    def items(self, dtype: np.dtype[Any], at: int = 0) -> NDArray[Any]:
        """What is at one offset of every section, also where that is past its end."""
        return gather(self.records.data, dtype, self.start + at)

    def number(self, offset: int, size: int) -> Ints:
        """The big-endian number at one offset of every section; 0 past its end."""
        found = self.items(np.dtype(f">u{size}"), offset)
        return np.where(self.stride >= offset + size, found.astype(np.int64), 0)

    def _check(self, layout: Layout, rows: NDArray[Any], trouble: Trouble) -> None:
        """Spoil records of sections that are too short, or have impossible counts."""
        words = {
            f"is shorter than {layout.least} bytes": self.stride < layout.least,
            "has a count of more than 63 bits": overflown(layout, rows, self.stride),
        }
        for what, bad in words.items():
            where = self.records.position[self.record[np.flatnonzero(bad)]].tolist()
            trouble.spoil(
                where,
                lambda nth: remark(
                    "odd_section",
                    name=layout.name,
                    where=where[nth],  # noqa: B023 - called at once
                    what=what,  # noqa: B023
                ),
                f"records with a section that {what}",
            )


class _Whole(Sections):
    """Whole records as sections: each is its record's."""

    def items(self, dtype: np.dtype[Any], at: int = 0) -> NDArray[Any]:
        return self.records.items(dtype, at)
