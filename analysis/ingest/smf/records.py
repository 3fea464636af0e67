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
                lambda nth: remark(  # called at once
                    "odd_section",
                    f"the {layout.name} section of the record at byte offset "
                    f"{where[nth]} {what}",  # noqa: B023
                ),
                f"records with a section that {what}",
            )


class _Whole(Sections):
    """Whole records as sections: each is its record's."""

    def items(self, dtype: np.dtype[Any], at: int = 0) -> NDArray[Any]:
        return self.records.items(dtype, at)


_TRIPLET = np.dtype([("o", ">u4"), ("l", ">u2"), ("n", ">u2")])
_WIDE = np.dtype([("o", ">u4"), ("l", ">u4"), ("n", ">u4")])  # of products of others
_MOST = 2**31 - 1  # which no product of two of them exceeds 63 bits by
_HEADER_END = 18  # of the standard header, which has the system last


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
    trouble: Trouble | None = None


def triplet(
    records: Records,
    at: int,
    name: str,
    trouble: Trouble,
    end: Ints | None = None,
    needed: bool = False,
    wide: bool = False,
) -> Triplets:
    """The triplet at one offset of every record, checked against the record's bounds.

    ``end`` is where each record's triplets end: what lies behind is none. A triplet
    that points out of the sections of its record spoils the record, and so does one
    that is not there though it is ``needed``. A ``wide`` one has three words.
    """
    ends = np.full(len(records), _HEADER_END) if end is None else end
    limit = records.length if end is None else np.minimum(end, records.length)
    has = limit >= at + (_WIDE if wide else _TRIPLET).itemsize
    whole = records.whole()
    owners = whole if has.all() else whole.only(has)
    found = checked(owners, at, name, trouble, ends[has], wide)
    if needed and len(found.row) < len(records):
        lacking = np.ones(len(records), np.bool_)
        lacking[found.row] = False
        where = records.position[lacking].tolist()
        trouble.spoil(
            where,
            lambda nth: remark("section_missing", where=where[nth], name=name),
            f"records without a {name} section",
        )
    return found


def checked(
    owners: Sections,
    at: int,
    name: str,
    trouble: Trouble,
    least: Ints | None = None,
    wide: bool = False,
) -> Triplets:
    """The triplet at one offset of sections that have triplets of their own, none of
    which points to before ``least`` in its record."""
    records, row = owners.records, owners.record
    form = _WIDE if wide else _TRIPLET
    raw = owners.items(form, at)
    offset, length, count = (
        np.minimum(raw[name].astype(np.int64), _MOST) for name in "oln"
    )
    used = (count > 0) & (owners.stride >= at + form.itemsize)
    inside = (offset + length * count <= records.length[row]) & (length > 0)
    bad = used & ~(inside & (offset >= (_HEADER_END if least is None else least)))
    if bad.any():
        index = np.flatnonzero(bad)
        where = records.position[row[index]].tolist()
        trouble.spoil(
            where,
            lambda nth: remark(
                "triplet_too_early" if inside[index[nth]] else "triplet_past_end",
                name=name,
                offset=int(offset[index[nth]]),
                length=int(length[index[nth]]),
                number=int(count[index[nth]]),
                bytes=int(records.length[row[index[nth]]]),
            ),
            f"triplets of {name} sections that point nowhere",
        )
    good = np.flatnonzero(used & ~bad)
    found = Triplets(
        records, row[good], good, offset[good], length[good], count[good], trouble
    )
    trouble.claims[name] = found
    return found


def spread(found: Triplets) -> Sections:
    """All sections that triplets point to, in the order of records."""
    return part(found, np.zeros_like(found.count), found.count)


def part(found: Triplets, skip: Ints, count: Ints) -> Sections:
    """Of each triplet's sections those from ``skip`` on, ``count`` of them."""
    skip = np.minimum(skip, found.count)
    count = np.minimum(count, found.count - skip)
    owner = np.repeat(np.arange(len(count)), count)
    first = np.cumsum(count) - count
    nth = np.arange(len(owner)) - first[owner] + skip[owner]
    record = found.row[owner]
    start = found.records.start[record] + found.offset[owner]
    stride = found.length[owner]
    begin = start + nth * stride
    of = found.owner[owner]
    return Sections(found.records, record, begin, stride, of, found.trouble)
