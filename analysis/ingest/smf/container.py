"""Logical records of a dump: segments joined, batch after batch in bounded memory.

The later segments of a spanned record have no SMF header; joined they are what one
long record would be, and all offsets in it count its four bytes of descriptor word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BufferedReader

import numpy as np

from analysis.facts.remark import remark
from analysis.ingest.smf.records import PAD, Buffer, Records
from analysis.ingest.smf.segments import CHUNK, Chunk, Reader
from analysis.ingest.smf.trouble import Trouble

_LONGEST = 1 << 20  # no SMF record is longer than 32,760 bytes but for those of zEDC


@dataclass
class Spanned:
    """A spanned record in the making: its parts without descriptor words."""

    position: int
    parts: list[Buffer] = field(default_factory=list)

    def joined(self) -> bytes:
        """The record as if it were one segment."""
        return b"\0\0\0\0" + b"".join(self.parts)


class Joiner:
    """Joins the segments of chunks to logical records.

    ``spanned`` counts the records that were joined.
    """

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        self.open: Spanned | None = None
        self.spanned = 0

    def records(self, chunk: Chunk) -> Records:
        """The records that end in this chunk, in the order of the file."""
        raw = np.frombuffer(chunk.data, np.uint8)
        size = raw[chunk.offsets].astype(np.int64) << 8 | raw[chunk.offsets + 1]
        code = raw[chunk.offsets + 2]
        done = [] if not code.any() and self.open is None else self._join(chunk, code)
        whole = code == 0
        buffer: Buffer = chunk.data
        end = int(chunk.offsets[-1] + size[-1])
        if done or end + PAD > len(buffer):
            buffer = b"".join((buffer, *(joined for _, joined in done), bytes(PAD)))
        lengths = np.array([len(joined) for _, joined in done], np.int64)
        starts = len(chunk.data) + np.cumsum(lengths) - lengths
        positions = np.array([position for position, _ in done], np.int64)
        start = np.concatenate([chunk.offsets[whole], starts])
        position = np.concatenate([chunk.offsets[whole] + chunk.base, positions])
        length = np.concatenate([size[whole], lengths])
        order = np.argsort(position, kind="stable") if done else slice(None)
        return Records(buffer, start[order], length[order], position[order])

    def _join(self, chunk: Chunk, code: np.ndarray) -> list[tuple[int, bytes]]:
        """The spanned records that end here: (position, bytes)."""
        done: list[tuple[int, bytes]] = []
        spans = np.flatnonzero(code)
        before = -1 if self.open else -2
        for index in spans.tolist():
            if self.open and index != before + 1:
                self._unfinished()
            done += self._add(chunk, int(chunk.offsets[index]), int(code[index]))
            before = index
        if self.open and before != len(code) - 1:
            self._unfinished()
        return done

    def _add(self, chunk: Chunk, at: int, code: int) -> list[tuple[int, bytes]]:
        """The record that ends with this segment, if one does."""
        length = chunk.data[at] << 8 | chunk.data[at + 1]
        part = chunk.data[at + 4 : at + length]
        if code == 1:
            self._unfinished()
            self.open = Spanned(chunk.base + at, [part])
            return []
        if self.open is None:
            where = chunk.base + at
            told = remark(
                "no_first_segment",
                f"a record's later segment at byte offset {where} has no first one",
            )
            self.trouble.damage(told, where, "segments without a first one")
            return []
        self.open.parts.append(part)
        if code == 2:
            done, self.open = self.open, None
            self.spanned += 1
            return [(done.position, done.joined())]
        if sum(map(len, self.open.parts)) > _LONGEST:
            self._unfinished()
        return []

    def _unfinished(self) -> None:
        if self.open:
            where = self.open.position
            told = remark(
                "spanned_without_end",
                f"the spanned record at byte offset {where} lacks its end",
            )
            self.trouble.damage(told, where, "spanned records without their end")
        self.open = None

    def finish(self) -> None:
        """Tell of a record that the end of the file cut off."""
        if self.open and not self.trouble.cut:
            where = self.open.position
            self.trouble.cut = remark(
                "ends_inside_spanned",
                f"the file ends inside the spanned record at byte offset {where}",
            )
            self.trouble.tell(self.trouble.cut, where)
        elif self.open:
            self._unfinished()


def batches(
    file: BufferedReader,
    blocked: bool,
    trouble: Trouble,
    size: int = CHUNK,
) -> Iterator[tuple[Records, Joiner]]:
    """All logical records of a file, a batch for each chunk, and what joined them."""
    joiner = Joiner(trouble)
    for chunk in Reader(file, blocked, trouble, size).chunks():
        yield joiner.records(chunk), joiner
    joiner.finish()
