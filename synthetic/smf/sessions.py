"""Records 119-3, 119-70, 119-20 and 119-21: FTP and TN3270E, from the layouts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from synthetic.smf.bytes_of import address, date, hundredths, number, text
from synthetic.smf.dump import section
from synthetic.smf.tcpip import tcpip


@dataclass(frozen=True)
class Transfer:
    """A file that FTP moved; ``start`` is local, ``kind`` P of a partitioned data set.

    Times are hundredths of a second.
    """

    start: dt.datetime
    size: int
    time: int
    command: str = "RETR"
    remote: str = "192.0.2.7"
    kind: str = "S"
    member: str = ""
    sid: str = "SYSA"
    stack: str = "TCPIP"

    @property
    def end(self) -> dt.datetime:
        """When it ended, in local time."""
        return self.start + dt.timedelta(milliseconds=self.time * 10)

    def data(self, size: int, shift: int, at: int) -> bytes:
        """The section of the transfer, which server and client lay out alike but for
        ``shift`` bytes in front and those from ``at`` on."""
        return section(
            size,
            (shift, text(self.command, 4)),
            (8 + shift, address(self.remote)),
            (at - 1, text(self.kind, 1)),
            (at + 32, text(self.member, 8)),
            (at, hundredths(self.start.time()) + date(self.start.date())),
            (at + 16, number(self.time, 4) + number(self.size, 8)),
        )


def client_transfer(it: Transfer, name: str) -> bytes:
    """A 119-3 record."""
    sections = {36: [it.data(172, 0, 100)], 44: [text(name, len(name))]}
    return tcpip(3, it.end, sections, sid=it.sid, stack=it.stack)


def server_transfer(it: Transfer, names: Sequence[str]) -> bytes:
    """A 119-70 record; ``names`` are of the host, of the file, and the new one of a
    renamed file, each with a section of its own."""
    named = {44 + 8 * nth: [text(each, len(each))] for nth, each in enumerate(names)}
    there = {at: each for at, each in named.items() if each[0]}
    sections = {36: [it.data(184, 4, 96)], **there}
    return tcpip(70, it.end, sections, sid=it.sid, stack=it.stack)


@dataclass(frozen=True)
class Terminal:
    """A TN3270E session; ``start`` is local, times are hundredths of a second and, of
    round trips, milliseconds: their sum, its IP part and their number."""

    start: dt.datetime
    time: int = 6000
    lu: str = "TCPLU001"
    application: str = "TSO0001"
    remote: str = "198.51.100.9"
    own: str = "198.51.100.1"
    bytes_in: int = 1_000
    bytes_out: int = 20_000
    trips: tuple[int, int, int] = (0, 0, 0)
    sid: str = "SYSA"
    stack: str = "TCPIP"


def session_begin(it: Terminal) -> bytes:
    """A 119-20 record."""
    made = section(
        64,
        (0, text(it.lu, 8) + text(it.application, 8)),
        (16, number(7, 4)),
        (20, address(it.remote) + address(it.own)),
        (52, number(50_123, 2) + number(23, 2)),
        (56, hundredths(it.start.time()) + date(it.start.date())),
    )
    return tcpip(20, it.start, {36: [made]}, sid=it.sid, stack=it.stack)


def session_end(it: Terminal) -> bytes:
    """A 119-21 record."""
    end = it.start + dt.timedelta(milliseconds=it.time * 10)
    made = section(
        128,
        (0, text(it.lu, 8) + text(it.application, 8)),
        (20, address(it.remote) + address(it.own)),
        (64, number(it.bytes_in, 8) + number(it.bytes_out, 8)),
        (80, hundredths(it.start.time()) + date(it.start.date())),
        (88, hundredths(end.time()) + date(end.date())),
        (96, number(it.time, 4)),
    )
    times = section(32, (0, b"".join(number(each, 4) for each in it.trips)))
    return tcpip(21, end, {36: [made], 52: [times]}, sid=it.sid, stack=it.stack)
