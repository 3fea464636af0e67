"""Reading a file in chunks that end between segments, whatever its size.

After damage the chain of descriptor words is taken up again at the next record that
has the date and the system of the last sound one; what lies between is told of.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader

import numpy as np

from analysis.facts.remark import Remark, remark
from analysis.ingest.smf.chain import (
    block_length,
    blocks,
    follow,
    follow_all,
    plausible,
)
from analysis.ingest.smf.records import PAD, Buffer, Ints
from analysis.ingest.smf.sniff import is_record
from analysis.ingest.smf.trouble import Trouble


class Damage:
    """What is known of damage in one file; ``mark`` is date and system of a sound
    record, ``base`` the file offset of the data in which all other places lie."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble, self.mark = trouble, b""

    def remember(self, data: Buffer, sound: Ints) -> None:
        """Take date and system of the last segment that begins a record."""
        for at in sound[:-20:-1].tolist():
            if is_record(data, at):
                self.mark = bytes(data[at + 10 : at + 18])
                return

    def find(self, data: Buffer, at: int, limit: int) -> int | None:
        """Where behind ``at`` the next record of the same day and system begins."""
        hit = data.find(self.mark, at + 11, limit) if self.mark else -1
        while hit >= 0:
            if is_record(data, hit - 10):
                return hit - 10
            hit = data.find(self.mark, hit + 1, limit)
        return None

    def skipped(self, base: int, start: int, stop: int) -> None:
        """What lies between two places of the data is not used."""
        first = base + start
        if stop > start:
            self.trouble.damage(
                remark(
                    "bytes_skipped",
                    f"{stop - start} bytes from byte offset {first} on were skipped: "
                    "no record could be told in them",
                ),
                first,
                "skipped stretches",
            )

    def cut(self, base: int, at: int, what: str) -> None:
        """The file ends within what began at ``at`` of the data."""
        where = base + at
        self.trouble.cut = remark(
            "file_ends_after", f"the file ends after {what} at byte offset {where}"
        )
        self.trouble.tell(self.trouble.cut, where)


def bad_length(length: int | None, where: int, in_block: bool) -> Remark:
    """What is wrong with a descriptor word where the chain stopped."""
    here = f"the record descriptor word at byte offset {where}"
    if length is None:
        return remark("stray_byte", f"a stray byte stands at byte offset {where}")
    if length < 4:
        return remark("bad_length", f"{here} has the length {length}")
    end = "block" if in_block else "file"
    return remark(
        "length_past_end",
        f"{here} has the length {length}, which runs past the end of its {end}",
    )


CHUNK = 64 << 20
_RESYNCS = 1000  # more damage than that is not worth the time
_TAIL = 64  # bytes kept of a stretch without records: a header may begin in them


@dataclass(frozen=True)
class Chunk:
    """Part of a file: its bytes, the file offset of the first of them, and where
    in it the segments begin. The bytes are overwritten by those of the next chunk."""

    data: Buffer
    base: int
    offsets: Ints


class Reader:
    """The chunks of a file; what is wrong goes to ``trouble``."""

    def __init__(
        self,
        file: BufferedReader,
        blocked: bool,
        trouble: Trouble,
        size: int = CHUNK,
    ) -> None:
        self.file, self.trouble = file, trouble
        self.base, self.end = 0, os.fstat(file.fileno()).st_size
        # To clear a whole chunk for a small dump takes longer than to read it.
        self.data = bytearray(min(size, self.end - self.base + 1) + PAD)
        self.size = 0  # of the bytes of the file in it
        self.ended = False
        self.block_end = self.base if blocked else None  # file offset
        self.damage = Damage(trouble)
        self.resyncs = 0

    def chunks(self) -> Iterator[Chunk]:
        """All chunks of the file that have a segment."""
        at = 0
        while not self.ended:
            self.base += at
            self._fill()
            at, offsets = self._all()
            if len(offsets):
                yield Chunk(self.data, self.base, offsets)
            elif not at:
                self.data = bytearray(2 * len(self.data) - PAD)

    def _fill(self) -> None:
        """Read on from ``base``, into memory that is in use already: to be given new
        memory takes longer than to read. What the last chunk left is read again."""
        self.file.seek(self.base)
        room = len(self.data) - PAD
        view = memoryview(self.data)[: min(room, self.end - self.base)]
        self.size = self.file.readinto(view)
        self.ended = self.size < room
        self.data[self.size : self.size + PAD] = bytes(PAD)

    def _all(self) -> tuple[int, Ints]:
        """Where the data that can be used ends, and all segments before."""
        found: list[Ints] = []
        at, go_on, first = 0, True, True
        while go_on:
            if self.block_end is None or self.base + at < self.block_end:
                offsets, at, go_on = self._run(at)
                found.append(offsets)
                continue
            if first:
                offsets, at = self._blocks(at)
                found.append(offsets)
            at, go_on = self._open_block(at)
            first = False
        return at, np.concatenate([np.zeros(0, np.int64), *found])

    def _blocks(self, at: int) -> tuple[Ints, int]:
        """The segments of all whole blocks from ``at`` on, and where these end; none
        unless all are sound."""
        begins, ends = blocks(self.data, at, self._usable())
        offsets = follow_all(self.data, begins, ends)
        if not len(ends) or offsets is None:
            return begins[:0], at
        if not plausible(self.data, offsets).all():
            return begins[:0], at
        self.damage.remember(self.data, offsets)
        return offsets, int(ends[-1])

    def _run(self, at: int) -> tuple[Ints, int, bool]:
        """The segments from ``at`` up to the end of the block or of the data, where
        to go on, and whether to."""
        end = self._usable()
        limit = end if self.block_end is None else min(self.block_end - self.base, end)
        links, stop = follow(self.data, at, limit)
        sound, broken = self._sound(links)
        if broken is not None:
            return self._believed(sound, broken), *self._resync(broken, limit)
        whole = self.block_end is not None and limit == self.block_end - self.base
        if stop == limit:
            if self.block_end is not None and self.ended and not whole:
                self.damage.cut(self.base, stop, "a whole record but inside its block,")
            return sound, stop, whole
        resyncs, after = self.resyncs, self._stopped(stop, limit, whole)
        if self.resyncs > resyncs:
            sound = self._believed(sound, stop)
        return sound, *after

    def _believed(self, sound: Ints, end: int) -> Ints:
        """The segments, without one at whose ``end`` the chain breaks: bytes may have
        been lost from it, or put into it, as by a transfer as text."""
        mark = self.damage.mark
        follows = mark and self.data[end + 10 : min(end + 18, self.size)] == mark
        if follows or not len(sound):
            return sound
        at = int(sound[-1])
        if at + (self._length(at) or 0) != end:
            return sound
        where = self.base + at
        told = f"no record follows the one at byte offset {where}, where it should end"
        self.trouble.damage(
            remark("record_not_used", f"{told}; it was not used"),
            where,
            "records before damage",
        )
        return sound[:-1]

    def _usable(self) -> int:
        """How far the data goes: but for its last chunk, fields behind it can be
        viewed."""
        return self.size - (0 if self.ended else PAD)

    def _open_block(self, at: int) -> tuple[int, bool]:
        left = self._usable() - at
        if left < 4:
            if left and self.ended:
                self.damage.cut(
                    self.base, at, f"{left} bytes of a block descriptor word"
                )
            return (self.size if self.ended else at), False
        word = int.from_bytes(self.data[at : at + 4], "big")
        length = block_length(word)
        if length is not None:
            self.block_end = self.base + at + length
            return at + 4, True
        if self._only_zeros(at):
            return self.size, False
        where = self.base + at
        return self._give_up(
            remark(
                "no_block",
                f"X'{word:08X}' at byte offset {where} is no block descriptor word; "
                "nothing behind it was read",
            ),
            where,
        )

    def _stopped(self, at: int, limit: int, whole: bool) -> tuple[int, bool]:
        """What to do where a chain stopped before ``limit``, which is the end of a
        block that is ``whole`` in the data, or the end of the data."""
        length = self._length(at)
        short = length is not None and length < 4
        if not whole and not short and not self.ended:
            return at, False
        where = self.base + at
        if not whole and self._only_zeros(at):
            return self.size, False
        if short or whole or self.damage.find(self.data, at, limit) is not None:
            self.trouble.damage(bad_length(length, where, whole), where, "bad lengths")
            return self._resync(at, limit)
        of = "" if length is None else f" of {length}"
        self.damage.cut(self.base, at, f"{self.size - at}{of} bytes of a record")
        return self.size, False

    def _length(self, at: int) -> int | None:
        if self.size - at < 2:
            return None
        return self.data[at] << 8 | self.data[at + 1]

    def _only_zeros(self, at: int) -> bool:
        """Whether nothing but zeros follows, as in the last track of a tape image."""
        zeros = self.ended and not self.data[at : self.size].strip(b"\0")
        if zeros:
            many = self.size - at
            self.trouble.tell(
                remark("zeros_at_end", f"the file ends with {many} zeros"),
                self.base + at,
            )
        return zeros

    def _give_up(self, what: Remark, where: int) -> tuple[int, bool]:
        self.trouble.cut = what
        self.trouble.tell(what, where)
        self.ended = True
        return self.size, False

    def _resync(self, at: int, limit: int) -> tuple[int, bool]:
        """Skip to the next record that can be told, or to the end of the block."""
        self.resyncs += 1
        where = self.base + at
        if self.resyncs > _RESYNCS:
            return self._give_up(
                remark(
                    "too_much_damage",
                    f"too much damage: nothing behind {where} was read",
                ),
                where,
            )
        found = self.damage.find(self.data, at, limit)
        if found is None and self.block_end is not None:
            stop = self.block_end - self.base
            self.damage.skipped(self.base, at, min(stop, self.size))
            return min(stop, self.size), stop <= self.size
        if found is None:
            found = self.size if self.ended else max(at, self.size - _TAIL)
            self.damage.skipped(self.base, at, found)
            return found, False
        self.damage.skipped(self.base, at, found)
        return found, True

    def _sound(self, offsets: Ints) -> tuple[Ints, int | None]:
        """The segments that may be what they say, and where the chain breaks if no
        later one can be told. One bad header in a sound chain costs that record."""
        keep = np.ones(len(offsets), np.bool_)
        if not len(offsets):
            return offsets, None
        for index in np.flatnonzero(~plausible(self.data, offsets)).tolist():
            if not keep[index]:
                continue
            at = int(offsets[index])
            self.damage.remember(self.data, offsets[:index][keep[:index]])
            where = self.base + at
            told = remark(
                "no_record_header",
                f"no SMF record header stands at byte offset {where}",
            )
            self.trouble.damage(told, where, "segments without a header")
            found = self.damage.find(self.data, at, self.size)
            nth = len(offsets) if found is None else np.searchsorted(offsets, found)
            if nth == len(offsets) or offsets[nth] != found:
                return offsets[:index][keep[:index]], at
            keep[index:nth] = False
            self.damage.skipped(self.base, at, int(offsets[nth]))
        self.damage.remember(self.data, offsets[keep])
        return offsets[keep], None
