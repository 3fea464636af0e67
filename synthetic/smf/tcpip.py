"""Records 119-2, 119-5, 119-6 and 119-70 of TCP/IP, from the documented layouts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from synthetic.smf.bytes_of import address, date, hundredths, number, stck, text, tod
from synthetic.smf.dump import NEW_YORK, START, Sections, local, record, section


def identification(
    stack: str = "TCPIP", reason: int = 0x08, sid: str = "SYSA"
) -> bytes:
    """The identification section of type 119."""
    return section(64, (0, text(sid, 8)), (16, text(stack, 8)), (60, bytes([reason])))


def tcpip(
    subtype: int,
    when: dt.datetime,
    sections: Sections,
    reason: int = 0x08,
    sid: str = "SYSA",
    stack: str = "TCPIP",
) -> bytes:
    """A type 119 record; ``when`` is local time."""
    whole = {28: [identification(stack, reason, sid)], **sections}
    return record(119, subtype, when, whole, sid, end=84)


@dataclass(frozen=True)
class Connection:
    """A TCP connection that ended."""

    start: dt.datetime = START
    seconds: float = 12.5
    job: str = "IPERFS"
    remote: str = "10.1.2.3"
    own: str = "10.1.2.4"
    ports: tuple[int, int] = (40001, 5001)
    bytes_in: int = 123_456_789_012
    bytes_out: int = 9_876
    segments: tuple[int, int] = (85_000_000, 42_000_000)
    retransmits: int = 3
    active: bool = False
    hours: float = NEW_YORK
    codec: str = "cp037"


def connection(
    it: Connection,
    number_of: int = 1,
    size: int = 216,
    clock: bool = True,
    sid: str = "SYSA",
    more: Sections | None = None,
    stack: str = "TCPIP",
) -> bytes:
    """A 119-2 record; ``clock`` writes the clock values, ``more`` are sections that
    are not decoded."""
    end = it.start + dt.timedelta(seconds=it.seconds)
    first, last = local(it.start, it.hours), local(end, it.hours)
    made = section(
        size,
        (0, text(it.job, 8, it.codec)),
        (8, number(number_of, 4)),
        (14, b"\x52"),
        (20, hundredths(first.time()) + date(first.date())),
        (28, hundredths(last.time()) + date(last.date())),
        (36, address(it.remote)),
        (52, address(it.own)),
        (68, number(it.ports[0], 2) + number(it.ports[1], 2)),
        (72, number(it.bytes_in, 8) + number(it.bytes_out, 8)),
        (104, number(1, 4)),
        (112, bytes([int(it.active)])),
        (114, number(it.retransmits, 2)),
        (180, number(it.segments[0], 8) + number(it.segments[1], 8)),
        (196, stck(it.start) + stck(end) if clock else bytes(16)),
    )
    return tcpip(2, last, {36: [made], **(more or {})}, sid=sid, stack=stack)


def statistics(
    when: dt.datetime,
    counts: Sequence[int],
    udp: tuple[int, int] | None = None,
    reason: int = 0x80,
    stack: str = "TCPIP",
    sid: str = "SYSA",
    seconds: float = 900,
    datagrams: tuple[int, int] = (501, 502),
) -> bytes:
    """A 119-5 record: opened, accepted, segments in, out and sent again."""
    length = tod(round(seconds * 1e6))
    tcp = section(
        184,
        (0, length),
        (24, number(counts[0], 4) + number(counts[1], 4)),
        (44, number(counts[2], 4) + number(counts[3], 4) + number(counts[4], 4)),
    )
    ip = section(
        60, (0, length), (8, number(datagrams[0], 4)), (36, number(datagrams[1], 4))
    )
    sections: dict[int, Sequence[bytes]] = {36: [ip], 44: [tcp]}
    if udp is not None:
        received, sent = (number(count, 8) for count in udp)
        sections[52] = [section(32, (0, length), (8, received), (24, sent))]
    return tcpip(5, when, sections, reason, sid, stack)


@dataclass(frozen=True)
class Port:
    """An interface in an interval; ``speed`` in Mbit/s, packets are unicast."""

    name: str
    bytes_in: int
    packets_in: int
    bytes_out: int
    packets_out: int
    speed: int = 1000
    mtu: int = 8992
    kind: str = "IPAQENET"
    other_in: tuple[int, int] = (0, 0)  # broadcast and multicast packets
    other_out: tuple[int, int] = (0, 0)
    lost_in: tuple[int, int] = (0, 0)  # discards and errors
    lost_out: tuple[int, int] = (0, 0)

    def data(self, seconds: float) -> bytes:
        """Interface section."""
        fast = self.speed * 10**6 >= 0xFFFF_FFFF
        speed = 0xFFFF_FFFF if fast else self.speed * 10**6
        return section(
            240,
            (0, tod(round(seconds * 1e6))),
            (24, text(self.name, 16)),
            (56, text(self.kind, 18)),
            (76, number(self.mtu, 4) + number(speed, 4) + number(self.speed, 4)),
            (88, number(self.bytes_in, 8)),
            (96, _numbers(8, self.packets_in, *self.other_in)),
            (120, _numbers(4, *self.lost_in)),
            (132, number(self.bytes_out, 8)),
            (140, _numbers(8, self.packets_out, *self.other_out)),
            (164, _numbers(4, *self.lost_out)),
        )


def interfaces(
    when: dt.datetime,
    ports: Sequence[Port],
    reason: int = 0x80,
    sid: str = "SYSA",
    seconds: float = 900,
    stack: str = "TCPIP",
) -> bytes:
    """A 119-6 record."""
    sections = {36: [port.data(seconds) for port in ports]}
    return tcpip(6, when, sections, reason, sid, stack)


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


def server_transfer(it: Transfer, names: Sequence[str]) -> bytes:
    """A 119-70 record; ``names`` are of the host, of the file, and the new one of a
    renamed file, each with a section of its own."""
    named = {44 + 8 * nth: [text(each, len(each))] for nth, each in enumerate(names)}
    there = {at: each for at, each in named.items() if each[0]}
    sections = {36: [it.data(184, 4, 96)], **there}
    return tcpip(70, it.end, sections, sid=it.sid, stack=it.stack)


def _numbers(size: int, *values: int) -> bytes:
    return b"".join(number(value, size) for value in values)
