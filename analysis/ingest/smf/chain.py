"""The chain of record descriptor words, followed and checked.

One link after the other takes a loop in Python. The chains of many blocks, whose
begins are known, are followed side by side, in a loop of column operations that is as
long as the longest of them; everything else is checked for all segments at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.ingest.smf.records import Buffer, Ints, gather, overlapping
from analysis.ingest.smf.sniff import DAY

Span = tuple[int, int]  # byte offsets in a file: of the first byte, and behind the last
_FEW = 12  # chains that are left are followed one by one
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
    sizes = overlapping(np.frombuffer(data, np.uint8), ">u2")
    found = [np.zeros(0, np.int64)]
    at = begin
    while len(at) >= _FEW:
        found.append(at)
        size = sizes[at].astype(np.int64)
        at = at + size
        going = at != end
        if (size < 4).any() or (going & (at > end - 4)).any():
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
