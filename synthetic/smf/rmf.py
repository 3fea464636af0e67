"""Records 70-1, 72-3 and 74-1 of RMF."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.ingest.smf.types.rmf import DEVICE_DATA, PRODUCT
from analysis.ingest.smf.types.type70 import (
    CONTROL,
    CORE,
    CPU,
    NAME,
    PARTITION,
    PROCESSOR,
)
from analysis.ingest.smf.types.type72 import CONTROL as CLASS
from analysis.ingest.smf.types.type72 import PERIOD
from synthetic.smf.bytes_of import digits, hfp, number, text
from synthetic.smf.dump import NEW_YORK, START, local, packed, record

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
        return packed(
            PRODUCT, size, (2, text("RMF", 8)), MFV=digits("311"), IST=begun.time(),
            DAT=begun.date(), INT=self.millis, SAM=self.millis // 1000, FLA=self.flags,
            MVS=self.level, PTN=self.partition, IET=self.end,
            LGO=round(self.offset * 3600e6), RAO=size if reassembly else 0,
            RAL=len(reassembly), RAN=1 if reassembly else 0, XNM=self.plex,
            SNM=self.sid,
        )  # fmt: skip


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
        return packed(
            CPU, 92, WAT=self.wait, CID=self.cid, CNF=flags, TYP=kind, PAT=self.parked
        )

    def processor(self) -> bytes:
        """Logical processor section."""
        return packed(
            PROCESSOR, 88, PDT=self.dispatch, VPA=self.cid, BPS=self.weight,
            VPF=0x80 if self.completion else 0, CIX=self.name, EDT=self.effective,
            ONT=self.online,
        )  # fmt: skip


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
        return packed(
            CORE, 16, Core_ID=self.core, Core_Flg=0x80 if self.valid else 0,
            CPU_Skip=self.skip, CPU_Num=self.threads, LPAR_Busy=self.busy,
        )  # fmt: skip


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
        return packed(
            CONTROL, 264, (8, text(self.model, 16)), MOD=self.family, INB=self.flags,
            HHF=0x40 if self.hiperdispatch else 0, NRM=self.factor, CAI=self.capacity,
        )  # fmt: skip

    def partitions(self) -> list[bytes]:
        """Partition sections."""
        made, skip = [], 0
        for lpar in self.lpars:
            count = len(lpar.cpus)
            made.append(
                packed(
                    PARTITION, 84, LPM=lpar.name, LPN=lpar.number, BDN=count, BDS=skip
                )
            )
            skip += len(lpar.cpus)
        return made

    def parts(self, interval: Interval) -> dict[int, list[bytes]]:
        """All sections by the offset of their triplet."""
        partition = [x for x in self.lpars if x.number == interval.partition]
        cpus = (
            self.data
            if self.data is not None
            else partition[0].cpus
            if partition
            else ()
        )
        return {
            CONTROL.at: [self.control()],
            CPU.at: [cpu.data() for cpu in cpus],
            PARTITION.at: self.partitions(),
            PROCESSOR.at: [cpu.processor() for lpar in self.lpars for cpu in lpar.cpus],
            NAME.at: [packed(NAME, 24, CIN=name) for name in self.names],
            CORE.at: [core.data() for core in self.cores],
        }


def cpu_activity(interval: Interval, activity: Activity, product: int = 104) -> bytes:
    """A whole 70-1 record."""
    sections = {PRODUCT.at: [interval.product(product)], **activity.parts(interval)}
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
    goal: tuple[int, int, int, int] = (0, 0, 0, 0)  # CRGF, CRTF, CVAL, CPCT
    using: int = 0
    delayed: int = 0
    elapsed: float = 0.0  # µs
    responses: int = 0  # number of its array of response times
    midpoint: int = 0  # ms

    def data(self, size: int = 576, write: Write = hfp) -> bytes:
        """Period section."""
        total = self.cpu + self.srb + self.ioc + self.mso
        floats = {
            "CSRV": total,
            "CCPU": self.cpu,
            "CIOC": self.ioc,
            "CMSO": self.mso,
            "CSRB": self.srb,
            "CRCT": self.rct,
            "CIIT": self.iit,
            "CHST": self.hst,
            "CSUP": self.ziip,
            "CSUC": self.ziip_on_cp,
            "CIFA": self.zaap,
            "CIFC": self.zaap_on_cp,
        }
        values: dict[str, Any] = {
            "period": self.number,
            "importance": self.importance,
            "transactions": self.ended,
            "CTOU": self.using,
            "CTOT": self.delayed,
            "CRTX": self.responses,
            "RTDM": self.midpoint,
            "CTET": self.elapsed // 1024,
            "CTETX": self.elapsed,
        }
        values |= zip(("CRGF", "CRTF", "CVAL", "CPCT"), self.goal, strict=True)
        values |= {f"{name} hfp": write(value) for name, value in floats.items()}
        return packed(PERIOD, size, **values)


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
    responses: Sequence[Sequence[int]] = (),
    zaap: int = 0,
    workload: str = "WORK",
) -> bytes:
    """A 72-3 record; ``responses`` are its arrays of response times, a map first."""
    control = packed(
        CLASS, 280, MSCF=0x80 if report else 0, MCPU=cpu, MSRB=srb, workload=workload,
        MADJ=adjust, NFFI=zaap, NFFS=ziip, **{"class": name},
    )  # fmt: skip
    sections = {
        PRODUCT.at: [interval.product()],
        CLASS.at: [control],
        PERIOD.at: [period.data(size, write) for period in periods],
        68: [b"".join(number(one, 4) for one in each) for each in responses],
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
        return packed(
            DEVICE_DATA, 76, (16, number(self.exposures, 4)),
            device=number(self.device, 2), lcu=number(self.lcu, 2), volume=self.volume,
            requests=self.requests, MEC=self.requests, connect_ms=self.connect,
            pending_ms=self.pending, busy_seconds=self.connect + self.disconnect,
            disconnect_ms=self.disconnect,
        )  # fmt: skip


def devices(interval: Interval, each: Sequence[Device]) -> bytes:
    """A 74-1 record."""
    parts = [device.data() for device in each]
    sections = {
        PRODUCT.at: [interval.product()],
        36: [bytes(40)],
        DEVICE_DATA.at: parts,
    }
    return record(74, 1, interval.local(interval.end), sections, interval.sid, end=52)
