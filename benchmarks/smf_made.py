"""Dumps made for benchmarks: what some systems of one machine write.

Every quarter of an hour these are their RMF records (70-1, 72-3, 73, 74-1), an interval
of each address space (30-2), the TCP connections that ended (119-2) and the counts of
the stack (119-5, 119-6), with sections of realistic length also where they are not
decoded.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from synthetic.smf import bytes_of, rmf, spaces, tcpip, workload
from synthetic.smf.dump import START, blocked, local, section, unblocked
from synthetic.smf.io import Channel, Device, channels, devices
from tests.ingest.smf.made_other import ports

SYSTEMS = 4
SYSTEM = {
    "partitions": 20,
    "CPUs each": 8,
    "classes": 60,
    "channels": 128,
    "devices": 800,
    "address spaces": 200,
    "connections": 800,
}
QUARTER = timedelta(minutes=15)
MINUTES = range(16)  # at which connections begin and end


def block() -> list[bytes]:
    """The records of one quarter of an hour of all systems."""
    return [record for nth in range(SYSTEMS) for record in of_system(f"SYS{nth}")]


def of_system(sid: str) -> Iterable[bytes]:
    """The records of one system; those of events come between the intervals'."""
    interval = rmf.Interval(sid=sid)
    when = interval.local(interval.end)
    for nth in range(SYSTEM["connections"]):
        yield _connection(nth, sid)
    for nth in range(SYSTEM["address spaces"]):
        yield _address_space(nth, sid)
    yield from _rmf(interval)
    yield tcpip.statistics(when, [1, 2, 3, 4, 5], (6, 7), sid=sid)
    names = [f"OSD{nth:02d}" for nth in range(4)]
    yield tcpip.interfaces(when, ports(names), sid=sid)


def _connection(nth: int, sid: str) -> bytes:
    begin, length = nth * 7 % 15, nth % 3
    it = tcpip.Connection(
        start=START + timedelta(minutes=begin),
        seconds=60 * min(length, 15 - begin),
        job=f"SERVER{nth % 9}",
        ports=(20_000 + nth, 443),
        remote=f"10.1.{nth % 7}.{nth % 250}",
        bytes_in=nth * 1000,
    )
    secure, data = section(16, (8, bytes_of.text("USER", 8))), bytes(40)
    return tcpip.connection(it, nth, sid=sid, more={52: [secure], 60: [data]})


def _address_space(nth: int, sid: str) -> bytes:
    space = spaces.Space(job=f"JOB{nth:05d}", cpt=nth, cps=3, sid=sid)
    data_sets = [section(20, (4, bytes_of.text(f"DD{n}", 8))) for n in range(20)]
    storage, accounting = [bytes(232)], [bytes(16)]
    more = {40: [bytes(68)], 64: accounting, 72: storage, 96: data_sets}
    return spaces.address_space(space, more=more)


def _rmf(interval: rmf.Interval) -> Iterable[bytes]:
    busy = rmf.Cpu(0, dispatch=10**8, effective=10**8, wait=7 * 10**8)
    cpus = [replace(busy, cid=nth) for nth in range(SYSTEM["CPUs each"])]
    count = SYSTEM["partitions"]
    lpars = [rmf.Lpar(f"LPAR{n:02d}", n, cpus) for n in range(count)]
    yield rmf.cpu_activity(interval, rmf.Activity(lpars))
    periods = [workload.Period(n + 1, cpu=1e6 + n, srb=2e5, ended=9) for n in range(3)]
    for nth in range(SYSTEM["classes"]):
        some = periods[: 1 + nth % 3]
        yield workload.class_activity(interval, f"CLASS{nth:02d}", some, responses=840)
    busy_of = {chpid: (chpid, 900) for chpid in range(SYSTEM["channels"])}
    yield channels(interval, [Channel(n, *each) for n, each in busy_of.items()])
    for first in range(0, SYSTEM["devices"], 200):
        numbers = range(first, first + 200)
        yield devices(interval, [Device(n, n, 9, 8, 7) for n in numbers])


def stamps(nth: int) -> list[bytes]:
    """The times of the ``nth`` quarter of an hour as they stand in its records."""
    start = START + nth * QUARTER
    moments = [start + timedelta(minutes=minute) for minute in MINUTES]
    return [
        *(bytes_of.stck(moment) for moment in moments),
        *(_local(local(moment)) for moment in moments),
        _packed(local(start)),
    ]


def _local(moment: datetime) -> bytes:
    return bytes_of.hundredths(moment.time()) + bytes_of.date(moment.date())


def _packed(moment: datetime) -> bytes:
    return bytes_of.clock(moment.time()) + bytes_of.date(moment.date())


def make(path: Path, megabytes: int, in_blocks: bool, first: int = 0) -> int:
    """Write a dump of about that size, from the quarter of an hour ``first`` on; the
    quarter behind its last one."""
    records = block()
    whole = blocked(records) if in_blocks else unblocked(records)
    places = [_places(whole, stamp) for stamp in stamps(0)]
    moved = np.frombuffer(whole, np.uint8).copy()
    end = first + max(megabytes * 10**6 // len(whole), 1)
    with path.open("wb") as file:
        for nth in range(first, end):
            for at, stamp in zip(places, stamps(nth), strict=True):
                moved[at] = np.frombuffer(stamp, np.uint8)
            file.write(moved.data)
        file.flush()
        os.fsync(file.fileno())
    return end


def _places(data: bytes, stamp: bytes) -> np.ndarray:
    """Where each byte of a stamp stands in the data: one row for each time it does."""
    found, at = [], data.find(stamp)
    while at >= 0:
        found.append(at)
        at = data.find(stamp, at + 8)
    return np.array(found, np.int64)[:, None] + np.arange(len(stamp))


def mix() -> str:
    """How many of the bytes are of which type, in per cent."""
    sizes: dict[str, int] = {}
    for made in block():
        kind = f"{made[5]}-{made[22] << 8 | made[23]}"
        sizes[kind] = sizes.get(kind, 0) + len(made)
    whole = sum(sizes.values())
    return ", ".join(f"{kind} {size / whole:.0%}" for kind, size in sizes.items())
