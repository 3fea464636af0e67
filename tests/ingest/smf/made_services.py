"""Records 123-1 of z/OS Connect and 82-20 of ICSF.

Offsets of 123-1 are those of the structures in IBM's mq-smf-csv, those of 82-20 of z/OS
Cryptographic Services ICSF System Programmer's Guide.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from synthetic.smf.bytes_of import number, stck, text
from synthetic.smf.dump import START, header, local, sealed, section


def after(seconds: float) -> dt.datetime:
    return START + dt.timedelta(seconds=seconds)


def first_request(method: str = "GET", seconds: float = 0.25, size: int = 336) -> bytes:
    """The user data section of version 1."""
    return section(
        size,
        (0, number(1, 4) + number(1, 4) + number(328, 4) + number(1, 4)),
        (16, stck(START) + stck(after(seconds))),
        (32, text("/orders/17", 64)),
        (96, number(120, 4)),
        (100, text("orderService", 64)),
        (164, text(method, 8)),
        (172, number(4_096, 4)),
        (176, text("WEBUSER", 64)),
    )


def connect_1(request: bytes, version: int = 1, job: str = "BAQSTRT") -> bytes:
    """A 123-1 record of version 1, whose triplets have three words each."""
    server = section(80, (0, number(1, 4)), (4, text("SYSA", 8)), (28, text(job, 8)))
    head = bytearray(header(123, 1, local(after(1))).ljust(72, b"\0"))
    head[24:40] = b"".join(number(each, 4) for each in (version, 2, 1, 1))
    places = ((72, len(server)), (72 + len(server), len(request)))
    words = [word for at, size in places for word in (at, size, 1)]
    head[48:72] = b"".join(number(word, 4) for word in words)
    return sealed(bytes(head) + server + request)


def second_request(method: str = "POST", status: int = 200, size: int = 1560) -> bytes:
    """A request data section of version 2; its times are extended clock values."""
    moments = (0, 0.5, 0.125, 0.375)  # of entry, exit, sent and received
    clocks = b"".join(b"\0" + stck(after(each)) + bytes(7) for each in moments)
    return section(
        size,
        (0, bytes([2, 1]) + number(status, 2)),
        (8, text("WEBUSER", 64) + text("USER1", 8)),
        (128, text("orders", 64)),
        (200, text("orderService", 64)),
        (272, text(method, 8)),
        (664, number(512, 4) + number(1_024, 4)),
        (672, clocks),
        (752, text("cicsConn", 32)),
    )


def connect_2(requests: Sequence[bytes], at: int = 40) -> bytes:
    """A 123-1 record of version 2, which says that its triplets begin at ``at``."""
    server = section(180, (0, b"\2"), (4, text("SYSA", 8)), (28, text("BAQSTRT", 8)))
    head = bytearray(header(123, 1, local(after(1))).ljust(at + 16, b"\0"))
    head[24:32] = number(2, 4) + bytes([2, at, 0, 0])
    begin = at + 16
    head[at : at + 8] = number(begin, 4) + number(180, 2) + number(1, 2)
    size = len(requests[0]) if requests else 1560
    place = number(begin + 180, 4) + number(size, 2) + number(len(requests), 2)
    head[at + 8 : at + 16] = place
    return sealed(bytes(head) + server + b"".join(requests))


def crypto_times(
    queued: float = 0, taken: float = 0.002, serial: str = "93AABC17", size: int = 48
) -> bytes:
    """A 82-20 record: its section follows the header."""
    made = section(
        size,
        (4, stck(after(queued)) + stck(after(taken)) + stck(after(taken))),
        (28, number(3, 4) + text("PG", 2) + bytes([5]) + text(serial, 8) + bytes([12])),
        (44, bytes([1, 14])),
    )
    return sealed(header(82, 20, local(after(1))) + made)
