"""Records 119-2, 119-5, 119-6 and 119-70 of TCP/IP."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.ingest.smf.columns import Layout
from analysis.ingest.smf.types.tcpip import (
    CONNECTION,
    IDENTIFICATION,
    INTERFACE,
    IP,
    SERVER,
    TCP,
    UDP,
)
from synthetic.smf.bytes_of import hundredths, text
from synthetic.smf.dump import NEW_YORK, START, Sections, local, packed, record


def identification(
    stack: str = "TCPIP", reason: int = 0x08, sid: str = "SYSA"
) -> bytes:
    """The identification section of type 119."""
    return packed(IDENTIFICATION, 64, (0, text(sid, 8)), stack=stack, reason=reason)


def tcpip(
    subtype: int,
    when: dt.datetime,
    sections: Sections,
    reason: int = 0x08,
    sid: str = "SYSA",
    stack: str = "TCPIP",
) -> bytes:
    """A type 119 record; ``when`` is local time."""
    whole = {IDENTIFICATION.at: [identification(stack, reason, sid)], **sections}
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
    smc: int = 0  # its SMC state
    segment: int = 0  # the largest that it sends


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
    clocks = {"start_clock": it.start, "end_clock": end} if clock else {}
    made = packed(
        CONNECTION, size, (14, b"\x52"), job=text(it.job, 8, it.codec),
        connection=number_of, start_time=hundredths(first.time()),
        start_date=first.date(), end_time=hundredths(last.time()), end_date=last.date(),
        remote_ip=it.remote, local_ip=it.own, remote_port=it.ports[0],
        local_port=it.ports[1], bytes_in=it.bytes_in, bytes_out=it.bytes_out, rtt_ms=1,
        smc_status=it.smc, segment_bytes=it.segment,
        role=int(it.active), retransmits=it.retransmits, segments_in=it.segments[0],
        segments_out=it.segments[1], **clocks,
    )  # fmt: skip
    return tcpip(2, last, {CONNECTION.at: [made], **(more or {})}, sid=sid, stack=stack)


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
    length = round(seconds * 1e6)
    names = (
        "connections_opened", "connections_accepted", "segments_in", "segments_out",
        "retransmits",
    )  # fmt: skip
    received, sent = datagrams
    sections: dict[int, Sequence[bytes]] = {
        IP.at: [
            packed(IP, 60, ip_span=length, datagrams_in=received, datagrams_out=sent)
        ],
        TCP.at: [
            packed(TCP, 184, tcp_span=length, **dict(zip(names, counts, strict=True)))
        ],
    }
    if udp is not None:
        sections[UDP.at] = [
            packed(UDP, 32, udp_span=length, udp_in=udp[0], udp_out=udp[1])
        ]
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
        values: dict[str, Any] = {
            "seconds": round(seconds * 1e6),
            "interface": self.name,
            "kind": self.kind,
            "mtu": self.mtu,
            "speed": 0xFFFF_FFFF if fast else self.speed * 10**6,
            "high_speed": self.speed,
        }
        for way, size, count, other, lost in (
            ("in", self.bytes_in, self.packets_in, self.other_in, self.lost_in),
            ("out", self.bytes_out, self.packets_out, self.other_out, self.lost_out),
        ):
            values[f"bytes_{way}"], values[f"unicast_{way}"] = size, count
            values[f"broadcast_{way}"], values[f"multicast_{way}"] = other
            values[f"discards_{way}"], values[f"errors_{way}"] = lost
        return packed(INTERFACE, 240, **values)


def interfaces(
    when: dt.datetime,
    ports: Sequence[Port],
    reason: int = 0x80,
    sid: str = "SYSA",
    seconds: float = 900,
    stack: str = "TCPIP",
) -> bytes:
    """A 119-6 record."""
    sections = {INTERFACE.at: [port.data(seconds) for port in ports]}
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

    def data(self, layout: Layout, size: int) -> bytes:
        """The section of the transfer."""
        return packed(
            layout, size, command=self.command, remote_ip=self.remote,
            data_set_type=self.kind, member=self.member,
            start_time=hundredths(self.start.time()), start_date=self.start.date(),
            seconds=self.time, bytes=self.size,
        )  # fmt: skip


def server_transfer(it: Transfer, names: Sequence[str]) -> bytes:
    """A 119-70 record; ``names`` are of the host, of the file, and the new one of a
    renamed file, each with a section of its own."""
    named = {44 + 8 * nth: [text(each, len(each))] for nth, each in enumerate(names)}
    there = {at: each for at, each in named.items() if each[0]}
    sections = {SERVER.at: [it.data(SERVER, 184)], **there}
    return tcpip(70, it.end, sections, sid=it.sid, stack=it.stack)
