"""Records 115 made from the documented layouts."""

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
