"""Records 7, 119-3, 20, 21 and 70 made from the documented layouts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from synthetic.smf import tcpip
from synthetic.smf.bytes_of import address, date, hundredths, number, text
from synthetic.smf.dump import header, local, sealed, section


def data_lost(
    since: dt.datetime, until: dt.datetime, count: int, flags: int | None = None
) -> bytes:
    """A record 7: SMF lost so many records between two moments in UTC. Old ones have no
    byte of flags."""
    begun = local(since)
    head = header(7, None, local(until)) + number(count, 2)
    times = hundredths(begun.time()) + date(begun.date())
    return sealed(head + times + (b"" if flags is None else number(flags, 1)))


def ports(names: Sequence[str], fast: bool = False) -> list[tcpip.Port]:
    """Interfaces of 1 or 25 Gbit/s with traffic of every sort."""
    return [
        tcpip.Port(
            name,
            bytes_in=10**12 + nth,
            packets_in=100,
            bytes_out=10**11 + nth,
            packets_out=200,
            speed=25_000 if fast else 1_000,
            other_in=(10, 1),
            other_out=(20, 2),
            lost_in=(4, 5),
            lost_out=(6, 7),
        )
        for nth, name in enumerate(names)
    ]


def client_transfer(
    start: dt.datetime, size: int, name: str, kind: str = "S", member: str = ""
) -> bytes:
    """A 119-3 record; ``start`` is local, ``kind`` P of a partitioned data set."""
    made = section(
        172,
        (0, text("RETR", 4)),
        (8, address("192.0.2.7")),
        (99, text(kind, 1)),
        (100, hundredths(start.time()) + date(start.date())),
        (116, number(250, 4) + number(size, 8)),
        (132, text(member, 8)),
    )
    end = start + dt.timedelta(milliseconds=2500)
    return tcpip.tcpip(3, end, {36: [made], 44: [text(name, len(name))]})


def server_transfer(
    start: dt.datetime,
    size: int,
    names: Sequence[str] = ("CLIENT.EXAMPLE", "USER.DATA.SET", ""),
    kind: str = "S",
    member: str = "",
) -> bytes:
    """A 119-70 record; ``start`` is local, ``names`` are of the host, of the file, and
    the new one of a renamed file, each with a section of its own."""
    made = tcpip.Transfer(start, size, 500, "STOR", "2001:db8::7", kind, member)
    return tcpip.server_transfer(made, names)


_PARTNERS = address("198.51.100.9") + address("198.51.100.1")
_TERMINAL_SECONDS = 60


def terminal_session_begin(start: dt.datetime, lu: str = "TCPLU001") -> bytes:
    """A 119-20 record of a TN3270E session; ``start`` is local."""
    made = section(
        64,
        (0, text(lu, 8) + text("TSO0001", 8)),
        (16, number(7, 4)),
        (20, _PARTNERS),
        (52, number(50_123, 2) + number(23, 2)),
        (56, hundredths(start.time()) + date(start.date())),
    )
    return tcpip.tcpip(20, start, {36: [made]})


def terminal_session(start: dt.datetime, trips: tuple[int, int, int]) -> bytes:
    """A 119-21 record: sum of round trips, of their IP part, and their number."""
    end = start + dt.timedelta(seconds=_TERMINAL_SECONDS)
    made = section(
        128,
        (0, text("TCPLU001", 8) + text("TSO0001", 8)),
        (20, _PARTNERS),
        (64, number(1_000, 8) + number(20_000, 8)),
        (80, hundredths(start.time()) + date(start.date())),
        (88, hundredths(end.time()) + date(end.date())),
        (96, number(_TERMINAL_SECONDS * 100, 4)),
    )
    times = section(32, (0, b"".join(number(each, 4) for each in trips)))
    return tcpip.tcpip(21, end, {36: [made], 52: [times]})
