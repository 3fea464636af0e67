"""Records 70-1, 72-3, 73, 74-1 and 74-9 made from the documented layouts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.ingest.smf.bytes_of import (
    clock,
    date,
    hfp,
    number,
    packed,
    span,
    stck,
    text,
    tod,
)
from tests.ingest.smf.dump import record, section

START = dt.datetime(2026, 3, 2, 14, 0, tzinfo=dt.UTC)
NEW_YORK = -5


@dataclass(frozen=True)
class Interval:
    """An RMF interval of one system."""

    start: dt.datetime = START
    millis: int = 900_000
    sid: str = "SYSA"
    offset: float = NEW_YORK  # hours
    partition: int = 3
    flags: int = 0
    offset_at_start: float | None = None

    @property
    def end(self) -> dt.datetime:
        return self.start + dt.timedelta(milliseconds=self.millis)

    def local(self, moment: dt.datetime, offset: float | None = None) -> dt.datetime:
        hours = self.offset if offset is None else offset
        return (moment + dt.timedelta(hours=hours)).replace(tzinfo=None)

    def product(self, size: int = 104, reassembly: bytes = b"") -> bytes:
        """The product section, with a reassembly area behind it if there is one."""
        begun = self.local(self.start, self.offset_at_start)
        return section(
            size,
            (0, packed("311")),
            (2, text("RMF", 8)),
            (10, clock(begun.time())),
            (14, date(begun.date())),
            (18, span(self.millis)),
            (24, number(self.millis // 1000, 4)),
            (30, number(self.flags, 2)),
            (40, text("ZV030100", 8)),
            (50, number(self.partition, 1)),
            (52, stck(self.end)),
            (60, tod(round(self.offset * 3600e6))),
            (68, number(size if reassembly else 0, 4)),
            (72, number(len(reassembly), 2)),
            (74, number(1 if reassembly else 0, 2)),
            (88, text("PLEX1", 8)),
            (96, text(self.sid, 8)),
        )


@dataclass(frozen=True)
class Cpu:
    """A logical CPU of a partition; times in microseconds."""

    cid: int
    dispatch: int = 0
    effective: int = 0
    online: int = 900_000_000
    wait: int = 0
    parked: int = 0
    name: int = 1  # index of the CPU name section
    weight: int = 100  # 65535 is dedicated
    completion: bool = False
    varied: bool = False

    def data(self) -> bytes:
        """CPU data section."""
        flags = 0x02 if self.varied else 0
        flags |= 0x01 if self.online else 0
        kind = {1: 0, 2: 2}[self.name]
        return section(
            92,
            (0, tod(self.wait)),
            (8, number(self.cid, 2)),
            (10, number(flags, 1)),
            (15, number(kind, 1)),
            (32, tod(self.parked)),
        )

    def processor(self) -> bytes:
        """Logical processor section."""
        return section(
            88,
            (0, number(self.dispatch, 8)),
            (8, number(self.cid, 2)),
            (10, number(self.weight, 2)),
            (12, number(0x80 if self.completion else 0, 1)),
            (14, number(self.name, 2)),
            (16, number(self.effective, 8)),
            (40, number(self.online, 8)),
        )


@dataclass(frozen=True)
class Lpar:
    """A partition with its logical CPUs."""

    name: str
    number: int
    cpus: Sequence[Cpu] = ()


@dataclass(frozen=True)
class Core:
    """A logical core with SMT: LPAR busy in milliseconds, and its threads."""

    core: int
    skip: int
    threads: int
    busy: int
    valid: bool = True

    def data(self) -> bytes:
        return section(
            16,
            (0, number(self.core, 2)),
            (2, number(0x80 if self.valid else 0, 1)),
            (4, number(self.skip, 2)),
            (6, number(self.threads, 2)),
            (12, number(self.busy, 4)),
        )


@dataclass(frozen=True)
class Activity:
    """What a 70-1 record says beside its interval."""

    lpars: Sequence[Lpar]
    data: Sequence[Cpu] | None = None  # CPU data where it is not the own LPAR's
    cores: Sequence[Core] = ()
    hiperdispatch: bool = False
    flags: int = 0
    capacity: int = 100
    factor: int = 256
    names: Sequence[str] = field(default=("CP", "IIP"))

    def control(self) -> bytes:
        return section(
            264,
            (4, number(self.flags, 1)),
            (94, number(0x40 if self.hiperdispatch else 0, 1)),
            (188, number(self.factor, 4)),
            (216, number(self.capacity, 1)),
        )

    def partitions(self) -> list[bytes]:
        made, skip = [], 0
        for lpar in self.lpars:
            made.append(
                section(
                    84,
                    (0, text(lpar.name, 8)),
                    (8, number(lpar.number, 1)),
                    (10, number(len(lpar.cpus), 2)),
                    (12, number(skip, 4)),
                )
            )
            skip += len(lpar.cpus)
        return made

    def parts(self, interval: Interval) -> dict[int, list[bytes]]:
        """All sections by the offset of their triplet."""
        own = [x for x in self.lpars if x.number == interval.partition]
        cpus = self.data if self.data is not None else own[0].cpus if own else ()
        return {
            36: [self.control()],
            44: [cpu.data() for cpu in cpus],
            60: self.partitions(),
            68: [cpu.processor() for lpar in self.lpars for cpu in lpar.cpus],
            76: [section(24, (0, text(name, 16))) for name in self.names],
            84: [core.data() for core in self.cores],
        }


def cpu_activity(interval: Interval, activity: Activity, product: int = 104) -> bytes:
    """A whole 70-1 record."""
    sections = {28: [interval.product(product)], **activity.parts(interval)}
    when = interval.local(interval.end)
    return record(70, 1, when, sections, interval.sid, end=100)


def broken_activity(interval: Interval, activity: Activity, pieces: int) -> list[bytes]:
    """The same in several records, each with a share of the sections of each kind."""
    whole = activity.parts(interval)
    made = []
    for nth in range(pieces):
        area = section(12, (0, number(pieces, 2)), (2, number(nth + 1, 2)))
        sections = {28: [interval.product(104, area) + area]}
        for at, found in whole.items():
            size = -(-len(found) // pieces)
            sections[at] = found[nth * size : (nth + 1) * size]
        made.append(
            record(70, 1, interval.local(interval.end), sections, interval.sid, end=100)
        )
    return made


@dataclass(frozen=True)
class Period:
    """A class period; service units and microseconds."""

    number: int = 1
    cpu: float = 0.0
    srb: float = 0.0
    ioc: float = 0.0
    mso: float = 0.0
    rct: float = 0.0
    iit: float = 0.0
    hst: float = 0.0
    ziip: float = 0.0
    ziip_on_cp: float = 0.0
    ended: int = 0
    importance: int = 1

    def data(self, size: int = 576, write: object = hfp) -> bytes:
        total = self.cpu + self.srb + self.ioc + self.mso
        floats = {
            24: total,
            32: self.cpu,
            40: self.ioc,
            48: self.mso,
            56: self.srb,
            152: self.rct,
            160: self.iit,
            168: self.hst,
            544: self.ziip,
            552: self.ziip_on_cp,
        }
        assert callable(write)
        places = [(at, write(value)) for at, value in floats.items()]
        return section(
            size,
            (8, number(self.number, 1)),
            (18, number(self.importance, 2)),
            (184, number(self.ended, 4)),
            *places,
        )


def class_activity(
    interval: Interval,
    name: str,
    periods: Sequence[Period],
    report: bool = False,
    adjust: int = 188,
    cpu: int = 10_000,
    srb: int = 10_000,
    ziip: int = 256,
    size: int = 576,
    write: object = hfp,
    responses: int = 0,
) -> bytes:
    """A 72-3 record; ``responses`` is the size of its response time section."""
    control = section(
        280,
        (0, number(0x80 if report else 0, 1)),
        (52, number(cpu, 4)),
        (64, number(srb, 4)),
        (80, text("WORK", 8)),
        (120, text(name, 8)),
        (172, number(adjust, 4)),
        (244, number(ziip, 4)),
    )
    sections = {
        28: [interval.product()],
        36: [control],
        60: [period.data(size, write) for period in periods],
        68: [bytes(responses)] if responses else [],
    }
    when = interval.local(interval.end)
    return record(72, 3, when, sections, interval.sid, end=92)


def channels(interval: Interval, busy: dict[int, tuple[int, int]]) -> bytes:
    """A 73 record: partition busy time and measurement time by CHPID."""
    parts = [
        section(
            60,
            (0, number(chpid, 1)),
            (1, number(0x01, 1)),
            (2, number(0x02, 1)),
            (8, number(used, 4)),
            (12, number(measured, 4)),
            (17, text("OSD" if chpid < 0xF0 else "IQD", 5)),
        )
        for chpid, (used, measured) in busy.items()
    ]
    sections = {28: [interval.product()], 36: [bytes(92)], 44: parts}
    return record(73, 1, interval.local(interval.end), sections, interval.sid, end=60)


def devices(interval: Interval, counts: dict[int, tuple[int, int, int, int]]) -> bytes:
    """A 74-1 record: requests, connect, pending and disconnect time by device."""
    parts = [
        section(
            76,
            (0, number(device, 2)),
            (2, number(0x4C, 2)),
            (6, text("VOL001", 6)),
            (20, number(requests, 4)),
            (24, number(requests, 4)),
            (28, number(connect, 4)),
            (32, number(pending, 4)),
            (36, number(connect + disconnect, 4)),
            (40, number(disconnect, 4)),
        )
        for device, (requests, connect, pending, disconnect) in counts.items()
    ]
    sections = {28: [interval.product()], 36: [bytes(40)], 44: parts}
    return record(74, 1, interval.local(interval.end), sections, interval.sid, end=52)


def functions(interval: Interval, traffic: dict[int, tuple[int, int, int]]) -> bytes:
    """A 74-9 record: format and two byte counts by function id."""
    heads = [
        section(
            120,
            (0, number(function, 4)),
            (16, text("10GbE RoCE Express", 24)),
            (40, text("TCPIP", 8)),
            (50, number(0x1C4, 2)),
            (60, number(interval.millis, 4)),
        )
        for function in traffic
    ]
    blocks = [
        section(
            40,
            (0, number(first, 8)),
            (8, number(second, 8)),
            (16, number(form, 1)),
            (24, number(7, 8)),
            (32, number(9, 8)),
        )
        for form, first, second in traffic.values()
    ]
    sections = {28: [interval.product()], 36: heads, 44: blocks}
    return record(74, 9, interval.local(interval.end), sections, interval.sid, end=52)
