"""The chain of record descriptor words, followed and checked.

Following it takes one tight loop; everything else is checked for all segments at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.ingest.smf.sniff import DAY

Ints = NDArray[np.int64]


def follow(data: bytes, at: int, limit: int) -> tuple[Ints, int]:
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


def plausible(data: bytes, offsets: Ints) -> NDArray[np.bool_]:
    """Which segments may be what they say: their code is from 0 to 3, and whole and
    first ones have a record header with a time and a date."""
    raw = np.frombuffer(data, np.uint8)
    code, zero = raw[offsets + 2], raw[offsets + 3]
    size = raw[offsets].astype(np.int64) << 8 | raw[offsets + 1]
    later = (code == 2) | (code == 3)
    headed = later | (size < 14)
    dated = _dated(raw, np.where(headed, 0, offsets))
    return (code <= 3) & (zero == 0) & (later | ((size >= 14) & dated))


def _dated(raw: NDArray[np.uint8], at: Ints) -> NDArray[np.bool_]:
    """Whether time and date of headers are such, as ``is_header`` says of one."""
    at = np.minimum(at, max(len(raw) - 14, 0))
    high, mid, low, last = (raw[at + 6 + k].astype(np.int64) for k in range(4))
    time = high << 24 | mid << 16 | low << 8 | last
    century, year, day, end = (raw[at + 10 + k].astype(np.int64) for k in range(4))
    digits = (year >> 4 < 10) & (year & 15 < 10) & (day >> 4 < 10) & (day & 15 < 10)
    sign = ((end & 15) == 15) | ((end & 15) == 12)
    number = (day >> 4) * 100 + (day & 15) * 10 + (end >> 4)
    dated = digits & sign & (end >> 4 < 10) & (number >= 1) & (number <= 366)
    found: NDArray[np.bool_] = (century <= 2) & dated & (time <= DAY)
    return found
