"""The chain of record descriptor words, followed and checked.

One link after the other takes a loop in Python. Where it is known, or can be guessed,
where segments begin, the chains from there are followed side by side, in a loop of
column operations that is as long as the longest of them, and each has to end where the
next one begins; everything else is checked for all segments at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.ingest.smf.records import Buffer, Ints, gather
from analysis.ingest.smf.sniff import DAY, is_record

_FEW = 12  # chains that are left are followed one by one
_STRETCH = 1 << 17  # bytes of each of the chains that are followed side by side
_WINDOW = 1 << 16  # bytes in which a record begins, mostly: few are longer than 32 KB
_RECORDS = 3  # in a row; one alone may be the content of another
_GUESSES = 16  # dates in a window, any of which may be that of a record
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


def follow(data: Buffer, at: int, limit: int) -> tuple[Ints, int]:
    """Where the segments from ``at`` up to ``limit`` begin, and where the chain stops:
    at ``limit``, or at a length under 4, or at a segment that ends past ``limit``."""
    begins = _guessed(data, at, limit)
    if len(begins) > _FEW:
        found = follow_all(data, begins[:-1], begins[1:])
        if found is not None:
            rest, stop = _one_by_one(data, int(begins[-1]), limit)
            return np.concatenate([found, rest]), stop
    return _one_by_one(data, at, limit)


def _guessed(data: Buffer, at: int, limit: int) -> Ints:
    """``at``, and about one place in each stretch of the data where a record seems to
    begin: it has the date of the one at ``at``, and others follow it."""
    date = bytes(data[at + 10 : at + 14])
    places = range(at + _STRETCH, limit - _STRETCH, _STRETCH)
    found = (_guess(data, begin, date) for begin in places)
    return np.array([at, *(each for each in found if each is not None)], np.int64)


def _guess(data: Buffer, begin: int, date: bytes) -> int | None:
    hit = begin + 9
    for _ in range(_GUESSES):
        hit = data.find(date, hit + 1, begin + _WINDOW)
        if hit < 0:
            return None
        if _followed(data, hit - 10):
            return hit - 10
    return None


def _followed(data: Buffer, at: int) -> bool:
    for _ in range(_RECORDS):
        if not is_record(data, at):
            return False
        at += data[at] << 8 | data[at + 1]
    return True


def _one_by_one(data: Buffer, at: int, limit: int) -> tuple[Ints, int]:
    links: list[int] = []
    add = links.append
    last = limit - 4
    while at <= last:
        length = data[at] << 8 | data[at + 1]
        if length < 4 or at + length > limit:
            break
        add(at)
        at += length
    return np.array(links, dtype=np.int64), at


def follow_all(data: Buffer, begin: Ints, end: Ints) -> Ints | None:
    """The segments of chains that begin and end where they are said to, in the order
    of the file; nothing if any of them does not."""
    raw = np.frombuffer(data, np.uint8)
    behind = raw[1:]
    found = [np.zeros(0, np.int64)]
    at = begin
    while len(at) >= _FEW:
        found.append(at)
        size = raw[at].astype(np.int64) << 8 | behind[at]
        at = at + size
        going = at < end
        if size.min() < 4 or (at[~going] != end[~going]).any():
            return None
        at, end = at[going], end[going]
    for first, last in zip(at.tolist(), end.tolist(), strict=True):
        links, stop = follow(data, first, last)
        if stop != last:
            return None
        found.append(links)
    return np.sort(np.concatenate(found))


def blocks(data: Buffer, at: int, limit: int) -> tuple[Ints, Ints]:
    """Where the segments of the whole blocks from ``at`` up to ``limit`` begin and
    end, as far as block descriptor words can be such."""
    begins: list[int] = []
    ends: list[int] = []
    while at + 8 <= limit:
        length = block_length(int.from_bytes(data[at : at + 4], "big"))
        if length is None or at + length > limit:
            break
        begins.append(at + 4)
        at += length
        ends.append(at)
    return np.array(begins, np.int64), np.array(ends, np.int64)


def block_length(word: int) -> int | None:
    """The length of a block by its descriptor word; nothing if it can be none."""
    length = word & 0x7FFF_FFFF if word >> 31 else word >> 16
    return length if length >= 8 and (word >> 31 or word & 0xFFFF == 0) else None


def plausible(data: Buffer, offsets: Ints) -> NDArray[np.bool_]:
    """Which segments may be what they say: their code is from 0 to 3, and whole and
    first ones have a record header with a time and a date."""
    raw = np.frombuffer(data, np.uint8)
    code, zero = raw[offsets + 2], raw[offsets + 3]
    size = raw[offsets].astype(np.int64) << 8 | raw[offsets + 1]
    later = (code == 2) | (code == 3)
    dated = _dated(raw, offsets)
    return (code <= 3) & (zero == 0) & (later | ((size >= 14) & dated))


def _dated(raw: NDArray[np.uint8], at: Ints) -> NDArray[np.bool_]:
    """Whether time and date of headers are such, as ``is_header`` says of one."""
    if len(raw) < _HEADER.itemsize:
        return np.zeros(len(at), np.bool_)
    head = gather(raw, _HEADER, np.minimum(at, len(raw) - _HEADER.itemsize))
    date, time = head["date"].astype(np.int64), head["time"]
    century, year, day, end = (date >> 24, date >> 16, date >> 8, date)
    digits = [part >> 4 & 15 for part in (year, day, end)]
    digits += [part & 15 for part in (year, day)]
    good = np.logical_and.reduce([digit < 10 for digit in digits])
    sign = ((end & 15) == 15) | ((end & 15) == 12)
    number = digits[1] * 100 + digits[4] * 10 + digits[2]
    found: NDArray[np.bool_] = (
        (century <= 2) & good & sign & (number >= 1) & (number <= 366) & (time <= DAY)
    )
    return found
