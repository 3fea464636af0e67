"""Dumps of SMF: what four systems of one machine write.

Every quarter of an hour these are their RMF records (70-1, 72-3, 73, 74-1), an interval
of each address space (30-2), the TCP connections that ended (119-2) and the counts of
the stack (119-5, 119-6), with sections of realistic length also where they are not
decoded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np

from synthetic.smf import bytes_of, rmf, spaces, tcpip
from synthetic.smf.dump import START, local, section, unblocked
from synthetic.smf.rmf import Device, devices
from tests.ingest.smf.made_other import ports
from tests.ingest.smf.made_rmf import Channel, channels

SYSTEMS, PARTITIONS, CPUS, CLASSES, CHANNELS, DEVICES = 4, 20, 8, 60, 128, 800
SPACES, CONNECTIONS = 200, 800
QUARTER = timedelta(minutes=15)
MINUTES = range(16)  # at which connections begin and end


def _system(sid: str) -> Iterable[bytes]:
    """The records of one system; those of events come between the intervals'."""
    interval = rmf.Interval(sid=sid)
    when = interval.local(interval.end)
    for nth in range(CONNECTIONS):
        yield _connection(nth, sid)
    for nth in range(SPACES):
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
    cpus = [replace(busy, cid=nth) for nth in range(CPUS)]
    lpars = [rmf.Lpar(f"LPAR{n:02d}", n, cpus) for n in range(PARTITIONS)]
    yield rmf.cpu_activity(interval, rmf.Activity(lpars))
    periods = [rmf.Period(n + 1, cpu=1e6 + n, srb=2e5, ended=9) for n in range(3)]
    for nth in range(CLASSES):
        some = periods[: 1 + nth % 3]
        yield rmf.class_activity(
            interval, f"CLASS{nth:02d}", some, responses=[[0] * 14] * 15
        )
    yield channels(interval, [Channel(n, n, 900) for n in range(CHANNELS)])
    for first in range(0, DEVICES, 200):
        numbers = range(first, first + 200)
        yield devices(interval, [Device(n, n, 9, 8, 7) for n in numbers])


def _stamps(nth: int) -> list[bytes]:
    """The times of the ``nth`` quarter of an hour as they stand in its records."""
    start = START + nth * QUARTER
    moments = [start + timedelta(minutes=minute) for minute in MINUTES]
    first, *_ = clocks = [local(moment) for moment in moments]
    return [
        *(bytes_of.stck(moment) for moment in moments),
        *(bytes_of.hundredths(at.time()) + bytes_of.date(at.date()) for at in clocks),
        bytes_of.clock(first.time()) + bytes_of.date(first.date()),
    ]


def make(path: Path, megabytes: int, first: int = 0) -> int:
    """Write a dump of about that size, from the quarter of an hour ``first`` on; the
    quarter behind its last one."""
    block = unblocked([one for nth in range(SYSTEMS) for one in _system(f"SYS{nth}")])
    places = [_places(block, stamp) for stamp in _stamps(0)]
    data = np.frombuffer(block, np.uint8).copy()
    end = first + max(megabytes * 10**6 // len(block), 1)
    with path.open("wb") as file:
        for nth in range(first, end):
            for at, stamp in zip(places, _stamps(nth), strict=True):
                data[at] = np.frombuffer(stamp, np.uint8)
            file.write(data.data)
    return end


def _places(data: bytes, stamp: bytes) -> np.ndarray:
    """Where each byte of a stamp stands in the data: one row for each time it does."""
    places, at = [], data.find(stamp)
    while at >= 0:
        places.append(at)
        at = data.find(stamp, at + 8)
    return np.array(places, np.int64)[:, None] + np.arange(len(stamp))
