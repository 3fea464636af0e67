"""Logical records out of a file of any size, in bounded memory.

A file is read in chunks that end between segments. The chain of their descriptor words
is followed, block by block where the file has blocks. After damage it is taken up again
at the next record that has the date and the system of the last sound one; what lies
between is told of. The later segments of a spanned record have no SMF header; joined
they are what one long record would be, and all offsets in it count its four bytes of
descriptor word.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import BufferedReader

import numpy as np

from analysis.facts.remark import remark
from analysis.ingest.smf.records import PAD, Buffer, Bytes, Ints, Mask, Records, gather
from analysis.ingest.smf.sniff import DAY, is_record
from analysis.ingest.smf.trouble import Trouble

CHUNK = 72 << 20
_RESYNCS = 1000  # more damage than that is not worth the time
_TAIL = 64  # bytes kept of a stretch without records: a header may begin in them
_LONGEST = 1 << 20  # no SMF record is longer than 32,760 bytes but for those of zEDC
_HEADER = np.dtype(
    [
        ("size", ">u2"),
        ("code", "u1"),
        ("zero", "u1"),
        ("flag", "V2"),
        ("time", ">u4"),
        ("date", ">u4"),
    ]
)


def follow(data: Buffer, at: int, limit: int) -> tuple[list[int], int]:
    """Where the segments from ``at`` up to ``limit`` begin, and where the chain stops:
    at ``limit``, or at a length under 4, or at a segment that ends past ``limit``."""
    links: list[int] = []
    add = links.append
    last = limit - 4
    while at <= last:
        length = data[at] << 8 | data[at + 1]
        if length < 4:
            break
        add(at)
        at += length
    return links, at if at <= limit else links.pop()


def follow_blocks(data: Buffer, at: int, limit: int) -> tuple[list[int], int]:
    """The segments of the whole blocks from ``at`` up to ``limit``, as far as block
    descriptor words can be such, and where these end; none, and ``at``, if a chain does
    not end with its block."""
    links: list[int] = []
    end = at
    while end + 8 <= limit:
        length = block_length(int.from_bytes(data[end : end + 4], "big"))
        if length is None or end + length > limit:
            break
        some, stop = follow(data, end + 4, end + length)
        if stop != end + length:
            return [], at
        links += some
        end = stop
    return links, end


def block_length(word: int) -> int | None:
    """The length of a block by its descriptor word; nothing if it can be none."""
    length = word & 0x7FFF_FFFF if word >> 31 else word >> 16
    return length if length >= 8 and (word >> 31 or word & 0xFFFF == 0) else None


def plausible(data: Buffer, offsets: Ints) -> Mask:
    """Which segments may be what they say: their code is from 0 to 3, and whole and
    first ones have a record header with a time and a date, as ``is_header`` says of
    one. ``PAD`` bytes follow the data."""
    head = gather(np.frombuffer(data, np.uint8), _HEADER, offsets)
    code, date = head["code"], head["date"].astype(np.int64)
    day = [date >> place & 15 for place in (12, 8, 4)]
    digits = [date >> 20 & 15, date >> 16 & 15, *day]
    good = np.logical_and.reduce([digit < 10 for digit in digits])
    good &= (date >> 24 <= 2) & np.isin(date & 15, (12, 15)) & (head["time"] <= DAY)
    number = day[0] * 100 + day[1] * 10 + day[2]
    good &= (number >= 1) & (number <= 366) & (head["size"] >= 14)
    later = (code == 2) | (code == 3)
    return (code <= 3) & (head["zero"] == 0) & (later | good)


class Joiner:
    """Joins the segments of a file to logical records, of which ``spanned`` counts
    those of several; the one that is ``open`` has a place in the file and parts."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        self.open: tuple[int, list[Buffer]] | None = None
        self.spanned = 0

    def records(self, data: Buffer, base: int, offsets: Ints) -> Records:
        """The records that end in some ``data``, in the order of the file: ``base`` is
        the file offset of the first byte, and segments begin at the ``offsets``."""
        head = gather(np.frombuffer(data, np.uint8), _HEADER, offsets)
        size, code = head["size"].astype(np.int64), head["code"]
        done = self._join(data, base, offsets, code) if code.any() or self.open else {}
        whole = offsets[code == 0]
        buffer = data
        if done or int(offsets[-1] + size[-1]) + PAD > len(buffer):
            buffer = b"".join((buffer, *done.values(), bytes(PAD)))
        lengths = np.array([len(joined) for joined in done.values()], np.int64)
        starts = len(data) + np.cumsum(lengths) - lengths
        start = np.concatenate([whole, starts])
        position = np.concatenate([whole + base, np.array([*done], np.int64)])
        length = np.concatenate([size[code == 0], lengths])
        order = np.argsort(position, kind="stable") if done else slice(None)
        return Records(buffer, start[order], length[order], position[order])

    def _join(
        self, data: Buffer, base: int, offsets: Ints, code: Bytes
    ) -> dict[int, bytes]:
        """The spanned records that end here, by their byte offsets."""
        done: dict[int, bytes] = {}
        before = -1
        for index in np.flatnonzero(code).tolist():
            if index != before + 1:
                self._unfinished()
            at = int(offsets[index])
            part = data[at + 4 : at + (data[at] << 8 | data[at + 1])]
            if code[index] == 1:
                self._unfinished()
                self.open = base + at, [part]
            elif self.open is None:
                words = f"a record's later segment at byte offset {base + at} has no "
                problem = remark("no_first_segment", words + "first one")
                self.trouble.damage(problem, base + at, "segments without a first one")
            else:
                position, parts = self.open
                parts.append(part)
                if code[index] == 2:
                    done[position] = b"\0\0\0\0" + b"".join(parts)
                    self.open = None
                    self.spanned += 1
                elif sum(map(len, parts)) > _LONGEST:
                    self._unfinished()
            before = index
        if before != len(code) - 1:
            self._unfinished()
        return done

    def _unfinished(self) -> None:
        if self.open:
            where, _ = self.open
            words = f"the spanned record at byte offset {where} lacks its end"
            problem = remark("spanned_without_end", words)
            self.trouble.damage(problem, where, "spanned records without their end")
        self.open = None

    def finish(self) -> None:
        """Tell of a record that the end of the file cut off."""
        if self.open and not self.trouble.cut:
            where, _ = self.open
            words = f"the file ends inside the spanned record at byte offset {where}"
            self.trouble.cut = remark("ends_inside_spanned", words)
            self.trouble.tell(self.trouble.cut, where)
        elif self.open:
            self._unfinished()


class Segments:
    """The segments of a file, a chunk at a time; what is wrong goes to ``trouble``.

    ``mark`` is date and system of a sound record, ``base`` the file offset of the data
    in which all other places lie.
    """

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
        self.mark = b""
        self.resyncs = 0
        self.joiner = Joiner(trouble)

    @property
    def spanned(self) -> int:
        """How many records were joined of several segments."""
        return self.joiner.spanned

    def records(self) -> Iterator[Records]:
        """All logical records, a batch for each chunk; the bytes of one are overwritten
        by those of the next."""
        at = 0
        while not self.ended:
            self.base += at
            self._fill()
            at, offsets = self._all()
            if len(offsets):
                yield self.joiner.records(self.data, self.base, offsets)
            elif not at:
                self.data = bytearray(2 * len(self.data) - PAD)
        self.joiner.finish()

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
        pieces: list[Ints] = []
        at, go_on, first = 0, True, True
        while go_on:
            if self.block_end is None or self.base + at < self.block_end:
                offsets, at, go_on = self._run(at)
                pieces.append(offsets)
                continue
            if first:
                offsets, at = self._blocks(at)
                pieces.append(offsets)
            at, go_on = self._open_block(at)
            first = False
        return at, np.concatenate([np.zeros(0, np.int64), *pieces])

    def _blocks(self, at: int) -> tuple[Ints, int]:
        """The segments of all whole blocks from ``at`` on, and where these end; none
        unless all are sound."""
        links, end = follow_blocks(self.data, at, self._usable())
        offsets = np.array(links, np.int64)
        if not plausible(self.data, offsets).all():
            return offsets[:0], at
        self._remember(offsets)
        return offsets, end

    def _run(self, at: int) -> tuple[Ints, int, bool]:
        """The segments from ``at`` up to the end of the block or of the data, where
        to go on, and whether to."""
        end = self._usable()
        limit = end if self.block_end is None else min(self.block_end - self.base, end)
        links, stop = follow(self.data, at, limit)
        sound, broken = self._sound(np.array(links, np.int64))
        if broken is not None:
            return self._believed(sound, broken), *self._resync(broken, limit)
        whole = self.block_end is not None and limit == self.block_end - self.base
        if stop == limit:
            if self.block_end is not None and self.ended and not whole:
                self._ends(stop, "a whole record but inside its block,")
            return sound, stop, whole
        resyncs, after = self.resyncs, self._stopped(stop, limit, whole)
        if self.resyncs > resyncs:
            sound = self._believed(sound, stop)
        return sound, *after

    def _believed(self, sound: Ints, end: int) -> Ints:
        """The segments, without one at whose ``end`` the chain breaks: bytes may have
        been lost from it, or put into it, as by a transfer as text."""
        mark = self.mark
        follows = mark and self.data[end + 10 : min(end + 18, self.size)] == mark
        if follows or not len(sound):
            return sound
        at = int(sound[-1])
        if at + (self._length(at) or 0) != end:
            return sound
        words = "no record follows the one at byte offset {}, where it should end; "
        words += "it was not used"
        self._damage(at, "record_not_used", words, "records before damage")
        return sound[:-1]

    def _usable(self) -> int:
        """How far the data goes: but for its last chunk, fields behind it can be
        viewed."""
        return self.size - (0 if self.ended else PAD)

    def _open_block(self, at: int) -> tuple[int, bool]:
        left = self._usable() - at
        if left < 4:
            if left and self.ended:
                self._ends(at, f"{left} bytes of a block descriptor word")
            return (self.size if self.ended else at), False
        word = int.from_bytes(self.data[at : at + 4], "big")
        length = block_length(word)
        if length is not None:
            self.block_end = self.base + at + length
            return at + 4, True
        if self._only_zeros(at):
            return self.size, False
        words = f"X'{word:08X}' at byte offset {{}} is no block descriptor word; "
        return self._give_up(at, "no_block", words + "nothing behind it was read")

    def _stopped(self, at: int, limit: int, whole: bool) -> tuple[int, bool]:
        """What to do where a chain stopped before ``limit``, which is the end of a
        block that is ``whole`` in the data, or the end of the data."""
        length = self._length(at)
        short = length is not None and length < 4
        if not whole and not short and not self.ended:
            return at, False
        if not whole and self._only_zeros(at):
            return self.size, False
        if short or whole or self._find(at, limit) is not None:
            words = "the record descriptor word at byte offset {} has the length "
            if length is None:
                kind, words = "stray_byte", "a stray byte stands at byte offset {}"
            elif length < 4:
                kind, words = "bad_length", f"{words}{length}"
            else:
                end = "block" if whole else "file"
                words += f"{length}, which runs past the end of its {end}"
                kind = "length_past_end"
            self._damage(at, kind, words, "bad lengths")
            return self._resync(at, limit)
        of = "" if length is None else f" of {length}"
        self._ends(at, f"{self.size - at}{of} bytes of a record")
        return self.size, False

    def _length(self, at: int) -> int | None:
        if self.size - at < 2:
            return None
        return self.data[at] << 8 | self.data[at + 1]

    def _only_zeros(self, at: int) -> bool:
        """Whether nothing but zeros follows, as in the last track of a tape image."""
        zeros = self.ended and not self.data[at : self.size].strip(b"\0")
        if zeros:
            problem = remark(
                "zeros_at_end", f"the file ends with {self.size - at} zeros"
            )
            self.trouble.tell(problem, self.base + at)
        return zeros

    def _give_up(self, at: int, kind: str, words: str) -> tuple[int, bool]:
        self._cut(at, kind, words)
        self.ended = True
        return self.size, False

    def _resync(self, at: int, limit: int) -> tuple[int, bool]:
        """Skip to the next record that can be told, or to the end of the block."""
        self.resyncs += 1
        if self.resyncs > _RESYNCS:
            words = "too much damage: nothing behind {} was read"
            return self._give_up(at, "too_much_damage", words)
        next_record = self._find(at, limit)
        go_on = next_record is not None
        if next_record is None and self.block_end is not None:
            next_record = min(self.block_end - self.base, self.size)
            go_on = self.block_end - self.base <= self.size
        elif next_record is None:
            next_record = self.size if self.ended else max(at, self.size - _TAIL)
        self._skipped(at, next_record)
        return next_record, go_on

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
            self._remember(offsets[:index][keep[:index]])
            words = "no SMF record header stands at byte offset {}"
            self._damage(at, "no_record_header", words, "segments without a header")
            next_record = self._find(at, self.size)
            nth = (
                len(offsets)
                if next_record is None
                else np.searchsorted(offsets, next_record)
            )
            if nth == len(offsets) or offsets[nth] != next_record:
                return offsets[:index][keep[:index]], at
            keep[index:nth] = False
            self._skipped(at, int(offsets[nth]))
        self._remember(offsets[keep])
        return offsets[keep], None

    def _remember(self, sound: Ints) -> None:
        """Take date and system of the last segment that begins a record."""
        for at in sound[:-20:-1].tolist():
            if is_record(self.data, at):
                self.mark = bytes(self.data[at + 10 : at + 18])
                return

    def _find(self, at: int, limit: int) -> int | None:
        """Where behind ``at`` the next record of the same day and system begins."""
        hit = self.data.find(self.mark, at + 11, limit) if self.mark else -1
        while hit >= 0:
            if is_record(self.data, hit - 10):
                return hit - 10
            hit = self.data.find(self.mark, hit + 1, limit)
        return None

    def _skipped(self, start: int, stop: int) -> None:
        """What lies between two places of the data is not used."""
        if stop > start:
            words = f"{stop - start} bytes from byte offset {{}} on were skipped: no "
            words += "record could be told in them"
            self._damage(start, "bytes_skipped", words, "skipped stretches")

    def _damage(self, at: int, kind: str, words: str, many: str) -> None:
        """Tell of damage at ``at`` of the data, whose place goes into the words."""
        where = self.base + at
        self.trouble.damage(remark(kind, words.format(where)), where, many)

    def _ends(self, at: int, what: str) -> None:
        """The file ends within what began at ``at`` of the data."""
        words = f"the file ends after {what} at byte offset {{}}"
        self._cut(at, "file_ends_after", words)

    def _cut(self, at: int, kind: str, words: str) -> None:
        """Nothing behind ``at`` of the data can be read."""
        self.trouble.cut = remark(kind, words.format(self.base + at))
        self.trouble.tell(self.trouble.cut, self.base + at)
