"""Records of SMF types 70-1, 72-3, 30 and 74-1 from seconds, as RMF and SMF count them.

Layouts are those of :mod:`synthetic.smf`; all engines are dedicated.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synthetic.smf.rmf import (
    Activity,
    Cpu,
    Device,
    Interval,
    Lpar,
    Period,
    class_activity,
    cpu_activity,
    devices,
)
from synthetic.smf.spaces import Space, address_space

_KINDS = {"CP": ("CP", 0), "zAAP": ("IFA", 1), "zIIP": ("IIP", 2)}
_DEDICATED = 65_535
_ADJUSTMENT = 188
_UNITS = 16e6 / _ADJUSTMENT  # of service in a second
_TICK_MS = 0.128  # unit of a device's times


class Engine(NamedTuple):
    """A logical CPU, CP, zAAP or zIIP: seconds of the interval in which it was busy.

    It is dispatched all the time, and waits when it is not busy.
    """

    kind: str
    busy_seconds: float


@dataclass(frozen=True)
class ClassTime:
    """CPU seconds of a service class; ``cp_seconds`` has what was eligible for zIIPs
    or zAAPs and ran on CPs in it, ``tcb_share`` of them are of TCBs, the rest of SRBs.

    Times on zIIPs and zAAPs are null where a system has none.
    """

    name: str
    cp_seconds: float
    tcb_share: float = 0.6
    ziip_seconds: float | None = None
    zaap_seconds: float | None = None
    zaap_on_cp_seconds: float = 0.0


def cpu_record(
    interval: Interval,
    partitions: Mapping[str, Sequence[Engine]],
    family: str,
    model: str,
    hiperdispatch: bool = False,
) -> bytes:
    """A 70-1 record; partitions are numbered in their order."""
    used = {engine.kind for each in partitions.values() for engine in each}
    kinds = [kind for kind in _KINDS if kind in used]
    length = interval.millis * 1000

    def layout(nth: int, engine: Engine) -> Cpu:
        return Cpu(
            nth, length, length, length, length - round(engine.busy_seconds * 1e6),
            name=kinds.index(engine.kind) + 1, weight=_DEDICATED,
            kind=_KINDS[engine.kind][1],
        )  # fmt: skip

    lpars = [
        Lpar(name, number, [layout(nth, each) for nth, each in enumerate(engines)])
        for number, (name, engines) in enumerate(partitions.items(), 1)
    ]
    names = [_KINDS[kind][0] for kind in kinds]
    activity = Activity(
        lpars, hiperdispatch=hiperdispatch, names=names, family=int(family, 16),
        model=model,
    )  # fmt: skip
    return cpu_activity(interval, activity)


def class_record(interval: Interval, it: ClassTime) -> bytes:
    """A 72-3 record. Service units of CPU time have zIIP and zAAP time in them."""
    cp, ziip, zaap = (
        (seconds or 0.0) * _UNITS
        for seconds in (it.cp_seconds, it.ziip_seconds, it.zaap_seconds)
    )
    period = Period(
        cpu=cp * it.tcb_share + (ziip + zaap),
        srb=cp * (1 - it.tcb_share),
        ziip=ziip,
        zaap=zaap,
        zaap_on_cp=it.zaap_on_cp_seconds * _UNITS,
    )
    return class_activity(
        interval, it.name, [period], adjust=_ADJUSTMENT, zaap=256 if zaap else 0
    )


def space_record(
    system: str,
    hours: float,
    job: str,
    program: str,
    start: dt.datetime,
    seconds: float,
    tcb_seconds: float,
    srb_seconds: float,
    ziip_seconds: float = 0.0,
    zaap_seconds: float = 0.0,
    zaap_on_cp_seconds: float = 0.0,
    ziip_factor: float = 1.25,
) -> bytes:
    """A 30-2 record; ``tcb_seconds`` have what was eligible for zAAPs and ran on CPs in
    them."""
    space = Space(
        job,
        start=start,
        seconds=seconds,
        program=program,
        cpt=round(tcb_seconds * 100),
        cps=round(srb_seconds * 100),
        ziip=round(ziip_seconds * 100),
        zaap=round(zaap_seconds * 100),
        zaap_on_cp=round(zaap_on_cp_seconds * 100),
        sid=system,
        hours=hours,
        within=(0, 0, 0),
        factor=round(ziip_factor * 256),
    )
    return address_space(space)


def device_record(
    interval: Interval, volumes: Mapping[int, str], requests: int, connect_ms: float
) -> bytes:
    """A 74-1 record of devices, each with as many requests, of which one takes
    ``connect_ms`` on average; volumes are by device number."""
    connect = round(connect_ms * requests / _TICK_MS)
    each = [
        Device(number, requests, connect, 0, 0, volume, lcu=0)
        for number, volume in volumes.items()
    ]
    return devices(interval, each)
