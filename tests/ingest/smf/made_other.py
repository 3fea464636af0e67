"""Records of types 30, 113 and 119 made from the documented layouts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.ingest.smf.bytes_of import (
    address,
    date,
    hundredths,
    number,
    stck,
    text,
    tod,
)
from tests.ingest.smf.dump import header, record, sealed, section
from tests.ingest.smf.made_rmf import NEW_YORK, START

Sections = Mapping[int, Sequence[bytes]]  # by the offset of their triplet


def local(moment: dt.datetime, hours: float = NEW_YORK) -> dt.datetime:
    """The local time of a moment in UTC."""
    return (moment + dt.timedelta(hours=hours)).replace(tzinfo=None)


@dataclass(frozen=True)
class Space:
    """An address space in an interval; times in hundredths of a second."""

    job: str = "TCPIP"
    subtype: int = 2
    start: dt.datetime = START
    seconds: int = 900
    cpt: int = 0
    cps: int = 0
    icu: int = 0
    isb: int = 0
    iip: int = 0
    rct: int = 0
    hpt: int = 0
    ziip: int = 0
    ziip_on_cp: int = 0
    flags: int = 0
    sid: str = "SYSA"
    hours: float = NEW_YORK


def address_space(
    space: Space, processor: int = 188, more: Sections | None = None
) -> bytes:
    """A type 30 record; ``more`` are sections that are not decoded."""
    end = space.start + dt.timedelta(seconds=space.seconds)
    begun = local(space.start, space.hours)
    who = section(
        250,
        (0, text(space.job, 8)),
        (8, text("EZBTCPIP", 8)),
        (16, text("STEP1", 8)),
        (40, number(1, 2)),
        (56, hundredths(begun.time())),
        (60, date(begun.date())),
        (148, stck(space.start)),
        (156, stck(end)),
        (184, number(77, 2)),
    )
    times = {
        4: space.cpt,
        8: space.cps,
        12: space.icu,
        16: space.isb,
        44: space.iip,
        48: space.rct,
        52: space.hpt,
        68: 5000,  # ASR, ENC and DET are in CPT already
        72: 6000,
        76: 7000,
        116: space.ziip,
        128: space.ziip_on_cp,
    }
    used = section(
        processor,
        (2, number(space.flags, 2)),
        *[(at, number(value, 4)) for at, value in times.items()],
        (36, hundredths(begun.time())),
        (40, date(begun.date())),
    )
    sections = {
        24: [bytes(40)],
        32: [who],
        56: [used],
        80: [section(144, (136, number(320, 4)))],
        **(more or {}),
    }
    when = local(end, space.hours)
    return record(30, space.subtype, when, sections, space.sid, end=200, count=False)


def counters(cpu: int, cycles: int, instructions: int, kind: int = 0) -> bytes:
    """A 113-1 record of one CPU, with a problem-state set before the basic one."""
    end = START + dt.timedelta(seconds=900)
    head = bytearray(header(113, 1, local(end)).ljust(52, b"\0"))
    who = section(40, (24, stck(START)), (32, stck(end)))
    at_who, at_data = 52, 92
    at_sets = at_data + 80
    at_values = at_sets + 2 * 12
    data = section(
        80,
        (16, number(cpu, 2)),
        (18, number(kind, 1)),
        (20, number(5200, 4)),
        (52, number(at_sets, 4) + number(12, 2) + number(2, 2)),
    )
    problem = section(
        12, (0, number(2, 2)), (4, number(at_values, 4) + number(8, 2) + number(1, 2))
    )
    basic = section(
        12,
        (0, number(1, 2)),
        (4, number(at_values + 8, 4) + number(8, 2) + number(6, 2)),
    )
    values = number(1, 8) + number(cycles, 8) + number(instructions, 8) + bytes(32)
    head[36:44] = number(at_who, 4) + number(40, 2) + number(1, 2)
    head[44:52] = number(at_data, 4) + number(80, 2) + number(1, 2)
    return sealed(bytes(head) + who + data + problem + basic + values)


def identification(stack: str = "TCPIP", reason: int = 0x08) -> bytes:
    """The identification section of type 119."""
    return section(
        64, (0, text("SYSA", 8)), (16, text(stack, 8)), (60, bytes([reason]))
    )


def tcpip(
    subtype: int,
    when: dt.datetime,
    sections: Sections,
    reason: int = 0x08,
    sid: str = "SYSA",
    stack: str = "TCPIP",
) -> bytes:
    """A type 119 record; ``when`` is local time."""
    whole = {28: [identification(stack, reason)], **sections}
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
) -> bytes:
    """A 119-2 record; ``clock`` writes the clock values."""
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
    return tcpip(2, last, {36: [made], **(more or {})}, sid=sid)


def statistics(
    when: dt.datetime,
    counts: Sequence[int],
    udp: tuple[int, int] | None = None,
    reason: int = 0x80,
    stack: str = "TCPIP",
    sid: str = "SYSA",
) -> bytes:
    """A 119-5 record: opened, accepted, segments in, out and sent again."""
    tcp = section(
        184,
        (0, tod(900_000_000)),
        (24, number(counts[0], 4) + number(counts[1], 4)),
        (44, number(counts[2], 4) + number(counts[3], 4) + number(counts[4], 4)),
    )
    sections: dict[int, Sequence[bytes]] = {
        36: [
            section(
                60, (0, tod(900_000_000)), (8, number(501, 4)), (36, number(502, 4))
            )
        ],
        44: [tcp],
    }
    if udp is not None:
        sections[52] = [
            section(
                32,
                (0, tod(900_000_000)),
                (8, number(udp[0], 8)),
                (24, number(udp[1], 8)),
            )
        ]
    return tcpip(5, when, sections, reason, sid, stack)


def interfaces(
    when: dt.datetime,
    names: Sequence[str],
    fast: bool = False,
    reason: int = 0x80,
    sid: str = "SYSA",
) -> bytes:
    """A 119-6 record with some interfaces."""
    parts = [
        section(
            240,
            (0, tod(900_000_000)),
            (24, text(name, 16)),
            (56, text("IPAQENET", 18)),
            (76, number(8992, 4)),
            (80, number(0xFFFF_FFFF if fast else 1_000_000_000, 4)),
            (84, number(25_000, 4)),
            (88, number(10**12 + nth, 8)),
            (96, number(100, 8) + number(10, 8) + number(1, 8)),
            (120, number(4, 4) + number(5, 4)),
            (132, number(10**11 + nth, 8)),
            (140, number(200, 8) + number(20, 8) + number(2, 8)),
            (164, number(6, 4) + number(7, 4)),
        )
        for nth, name in enumerate(names)
    ]
    return tcpip(6, when, {36: parts}, reason, sid)


def client_transfer(start: dt.datetime, size: int, name: str) -> bytes:
    """A 119-3 record; ``start`` is local."""
    made = section(
        172,
        (0, text("RETR", 4)),
        (8, address("192.0.2.7")),
        (100, hundredths(start.time()) + date(start.date())),
        (116, number(250, 4) + number(size, 8)),
    )
    when = start + dt.timedelta(seconds=2.5)
    return tcpip(3, when, {36: [made], 44: [text(name, len(name))]})


def server_transfer(start: dt.datetime, size: int) -> bytes:
    """A 119-70 record; ``start`` is local."""
    made = section(
        184,
        (4, text("STOR", 4)),
        (12, address("2001:db8::7")),
        (96, hundredths(start.time()) + date(start.date())),
        (112, number(500, 4) + number(size, 8)),
    )
    return tcpip(70, start + dt.timedelta(seconds=5), {36: [made]})


def terminal_session_begin(start: dt.datetime, lu: str = "TCPLU001") -> bytes:
    """A 119-20 record; ``start`` is local."""
    made = section(
        64,
        (0, text(lu, 8) + text("TSO0001", 8)),
        (16, number(7, 4)),
        (20, address("198.51.100.9") + address("198.51.100.1")),
        (52, number(50_123, 2) + number(23, 2)),
        (56, hundredths(start.time()) + date(start.date())),
    )
    return tcpip(20, start, {36: [made]})


def terminal_session(start: dt.datetime, trips: tuple[int, int, int]) -> bytes:
    """A 119-21 record: sum of round trips, of their IP part, and their number."""
    end = start + dt.timedelta(seconds=60)
    made = section(
        128,
        (0, text("TCPLU001", 8) + text("TSO0001", 8)),
        (20, address("198.51.100.9")),
        (64, number(1_000, 8) + number(20_000, 8)),
        (80, hundredths(start.time()) + date(start.date())),
        (88, hundredths(end.time()) + date(end.date())),
        (96, number(6000, 4)),
    )
    times = section(32, (0, b"".join(number(each, 4) for each in trips)))
    return tcpip(21, end, {36: [made], 52: [times]})
