"""Records 115 and 116 made from the documented layouts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from synthetic.smf.bytes_of import number, stck, text
from synthetic.smf.dump import header, local, sealed

CALLS = ("OPEN", "CLOS", "GET", "PUT", "PUT1", "INQ", "INQL", "SET")


def mq(
    subtype: int,
    end: dt.datetime,
    seconds: float,
    sections: Sequence[bytes],
    common: int = 52,
) -> bytes:
    """A record of the interval that ended at ``end`` (UTC); ``common`` is the length
    of its common header, which has times from 52 on."""
    head = bytearray(header(115, subtype, local(end)).ljust(44, b"\0"))
    size = len(sections[0]) if sections else 0
    who = bytearray(52)
    who[12:16], who[16:24] = text("QM01", 4), stck(end)
    who[44:52] = number(round(seconds * 1e6), 8)
    head[28:36] = number(44, 4) + number(common, 2) + number(1, 2)
    head[36:44] = number(44 + common, 4) + number(size, 2) + number(len(sections), 2)
    return sealed(bytes(head) + bytes(who[:common]) + b"".join(sections))


def calls(*counts: int, eyecatcher: str = "QMST", size: int = 72) -> bytes:
    """Message manager data: counts in the order of the section."""
    values = b"".join(number(count, 4) for count in counts)
    made = number(0xD40F, 2) + number(size, 2) + text(eyecatcher, 4) + values
    return made.ljust(size, b"\0")[:size]


def pool(*counts: int) -> bytes:
    """Buffer manager data: counts in the order of the section, the pool first."""
    values = b"".join(number(count, 4) for count in counts)
    made = number(0xD70F, 2) + number(104, 2) + text("QPST", 4) + values
    return made.ljust(104, b"\0")


def filled(size: int, *parts: tuple[int, bytes]) -> bytes:
    """A section of ``size`` bytes with some bytes at offsets."""
    made = bytearray(size)
    for at, data in parts:
        made[at : at + len(data)] = data
    return bytes(made[:size])


def tod(seconds: float) -> bytes:
    """A span in units of the clock."""
    return number(round(seconds * 4_096_000_000), 8)


def channel_accounting(
    end: dt.datetime, seconds: float, sections: Sequence[bytes]
) -> bytes:
    """A record 116-10 of the interval that ended at ``end`` (UTC)."""
    who = filled(52, (12, text("QM01", 4)), (16, stck(end)), (44, tod(seconds)))
    return accounting(10, end, [[who], sections])


def channel(name: str, kind: int, *counts: int, eyecatcher: str = "QCST") -> bytes:
    """Channel data: messages, buffers sent and received, bytes sent and received."""
    places = ((116, 4), (132, 4), (136, 4), (160, 8), (168, 8))
    values = [
        (at, number(count, size))
        for (at, size), count in zip(places, counts, strict=True)
    ]
    words = [(4, text(eyecatcher, 4)), (16, text(name, 20))]
    partner = (40, text("192.0.2.7", 48))
    return filled(324, *words, (37, number(kind, 1)), partner, *values)


def task(
    begin: dt.datetime,
    seconds: float,
    queues: Sequence[bytes] = (),
    kind: int = 2,
    eyecatcher: str = "WTAS",
) -> bytes:
    """A record 116-1 of a task: 3 calls that are for no queue, 5 commits, 7 backouts,
    11 writes of 13 bytes to the log."""
    end = begin + dt.timedelta(seconds=seconds)
    common = filled(128, (12, text("QM01", 4)), (16, stck(end)))
    who = [(4, text("WTID", 4)), (8, number(kind, 4))]
    who += [(12, text("JOBA", 8)), (20, text("USERA", 8))]
    counts = {44: len(queues), 448: 3, 488: 5, 508: 7, 524: 11, 528: 13}
    told = [(at, number(count, 4)) for at, count in counts.items()]
    told += [(440, tod(0.25)), (480, tod(0.5)), (500, tod(2))]
    told += [(664, stck(begin)), (672, stck(end)), (4, text(eyecatcher, 4))]
    sections = [[common], [filled(208, *who)], [filled(2344, *told)]]
    return accounting(1, end, [*sections, queues] if queues else sections)


def queue(name: str, counts: Sequence[int], sizes: tuple[int, int]) -> bytes:
    """Queue data: the number of each call (open, close, get, put, put1, inquire, set),
    each of which took 2 s and 1 s of CPU, and bytes put and got."""
    told = [(4, text("WQST", 4)), (32, text("ALIAS", 48)), (80, text(name, 48))]
    for at, count in zip((160, 184, 208, 300, 360, 420, 444), counts, strict=True):
        told += [(at, tod(2)), (at + 8, tod(1)), (at + 16, number(count, 4))]
    told += [(496, number(sizes[0], 8)), (504, number(sizes[1], 8))]
    return filled(576, *told)


def accounting(
    subtype: int, end: dt.datetime, sections: Sequence[Sequence[bytes]]
) -> bytes:
    """A record 116: the common header's triplet is the first, its section the last."""
    first, *others = sections
    at = 28 + 8 * len(sections)
    places = []
    for kind in others:
        places.append(number(at, 4) + number(len(kind[0]), 2) + number(len(kind), 2))
        at += len(b"".join(kind))
    places.insert(0, number(at, 4) + number(len(first[0]), 2) + number(1, 2))
    head = header(116, subtype, local(end)).ljust(28, b"\0")
    data = b"".join(section for kind in (*others, first) for section in kind)
    return sealed(head + b"".join(places) + data)
