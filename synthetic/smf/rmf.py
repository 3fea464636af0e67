"""Records 70-1, 72-3 and 74-1 of RMF, from the documented layouts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from synthetic.smf.bytes_of import (
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
from synthetic.smf.dump import NEW_YORK, START, local, record, section

Write = Callable[[float], bytes]


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
    level: str = "ZV030100"
    plex: str = "PLEX1"

    @property
    def end(self) -> dt.datetime:
        """When it ended, in UTC."""
        return self.start + dt.timedelta(milliseconds=self.millis)

    def local(self, moment: dt.datetime, offset: float | None = None) -> dt.datetime:
        """The local time of a moment, by the clock of the system."""
        return local(moment, self.offset if offset is None else offset)

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
            (40, text(self.level, 8)),
            (50, number(self.partition, 1)),
            (52, stck(self.end)),
            (60, tod(round(self.offset * 3600e6))),
            (68, number(size if reassembly else 0, 4)),
            (72, number(len(reassembly), 2)),
            (74, number(1 if reassembly else 0, 2)),
            (88, text(self.plex, 8)),
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
    kind: int | None = None  # 0 CP, 1 zAAP, 2 zIIP, where the name does not tell

    def data(self) -> bytes:
        """CPU data section."""
        flags = 0x02 if self.varied else 0
        flags |= 0x01 if self.online else 0
        kind = {1: 0, 2: 2}[self.name] if self.kind is None else self.kind
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
        """Logical core section."""
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
    family: int = 0x9175
    model: str = "704"

    def control(self) -> bytes:
        """CPU control section."""
        return section(
            264,
            (0, number(self.family, 2)),
            (4, number(self.flags, 1)),
            (8, text(self.model, 16)),
            (94, number(0x40 if self.hiperdispatch else 0, 1)),
            (188, number(self.factor, 4)),
            (216, number(self.capacity, 1)),
        )

    def partitions(self) -> list[bytes]:
        """Partition sections."""
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
    zaap: float = 0.0
    zaap_on_cp: float = 0.0
    ended: int = 0
    importance: int = 1

    def data(self, size: int = 576, write: Write = hfp) -> bytes:
        """Period section."""
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
            560: self.zaap,
            568: self.zaap_on_cp,
        }
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
    write: Write = hfp,
    responses: int = 0,
    zaap: int = 0,
    workload: str = "WORK",
) -> bytes:
    """A 72-3 record; ``responses`` is the size of its response time section."""
    control = section(
        280,
        (0, number(0x80 if report else 0, 1)),
        (52, number(cpu, 4)),
        (64, number(srb, 4)),
        (80, text(workload, 8)),
        (120, text(name, 8)),
        (172, number(adjust, 4)),
        (240, number(zaap, 4) + number(ziip, 4)),
    )
    sections = {
        28: [interval.product()],
        36: [control],
        60: [period.data(size, write) for period in periods],
        68: [bytes(responses)] if responses else [],
    }
    when = interval.local(interval.end)
    return record(72, 3, when, sections, interval.sid, end=92)


@dataclass(frozen=True)
class Device:
    """A device: requests, and times of all of them in units of 128 µs."""

    device: int
    requests: int
    connect: int
    pending: int
    disconnect: int
    volume: str = "VOL001"
    lcu: int = 0x4C
    exposures: int = 1

    def data(self) -> bytes:
        """Device data section."""
        return section(
            76,
            (0, number(self.device, 2)),
            (2, number(self.lcu, 2)),
            (6, text(self.volume, 6)),
            (16, number(self.exposures, 4)),
            (20, number(self.requests, 4)),
            (24, number(self.requests, 4)),
            (28, number(self.connect, 4)),
            (32, number(self.pending, 4)),
            (36, number(self.connect + self.disconnect, 4)),
            (40, number(self.disconnect, 4)),
        )


def devices(interval: Interval, each: Sequence[Device]) -> bytes:
    """A 74-1 record."""
    parts = [device.data() for device in each]
    sections = {28: [interval.product()], 36: [bytes(40)], 44: parts}
    return record(74, 1, interval.local(interval.end), sections, interval.sid, end=52)
