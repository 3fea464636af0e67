"""How fast SMF dumps are decoded: a large dump is made, then read on one core.

The dump is what some systems of one machine write, a quarter of an hour after the
other, as ``SYSTEM`` says of each: its RMF records (70-1, 72-3, 73, 74-1), an interval
of each address space (30-2), the TCP connections that ended (119-2) and the counts of
the stack (119-5, 119-6), with sections of realistic length also where they are not
decoded. Printed are the machine, the mix, MB/s (10^6 bytes) of the whole reading, and
the peak memory of the process. Loading the program's modules, which takes some tenths
of a second whatever the dump's size, is printed apart.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import describe
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


def decode(path: Path) -> dict[str, Any]:
    """Read the dump; seconds, counts and the peak memory of this process."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    start = time.process_time()
    from analysis.ingest.smf.dump import read_dump

    begin, used = time.perf_counter(), time.process_time()
    reading = read_dump(path)
    return {
        "start": used - start,
        "seconds": time.perf_counter() - begin,
        "cpu_seconds": time.process_time() - used,
        "status": reading.status,
        "records": reading.records,
        "rows": {name: table.height for name, table in reading.tables.items()},
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def mix() -> str:
    """How many of the bytes are of which type, in per cent."""
    sizes: dict[str, int] = {}
    for made in block():
        kind = f"{made[5]}-{made[22] << 8 | made[23]}"
        sizes[kind] = sizes.get(kind, 0) + len(made)
    whole = sum(sizes.values())
    return ", ".join(f"{kind} {size / whole:.0%}" for kind, size in sizes.items())


def show(found: dict[str, Any], size: int) -> None:
    """Print what was measured of a dump of ``size`` bytes."""
    print(*describe(), "one core used", sep="\n")
    count = sum(found["records"].values())
    print(f"dump         {size / 1e6:,.0f} MB, {count:,} records, {size / count:.0f} B")
    print(f"mix          {mix()} of the bytes; {SYSTEMS} systems with {SYSTEM}")
    print(f"status       {found['status']}; rows {found['rows']}")
    wall, cpu = (size / 1e6 / found[n] for n in ("seconds", "cpu_seconds"))
    print(f"speed        {cpu:,.0f} MB/s of CPU time, {wall:,.0f} of wall time")
    print(f"start        {found['start']:.2f} s of CPU time")
    print(f"peak memory  {found['peak'] / 2**20:,.0f} MiB")


def main() -> None:
    """Make, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=600, help="MB (10^6 bytes)")
    parser.add_argument("--blocked", action="store_true", help="with block words")
    parser.add_argument("--folder", type=Path, help="where the dump is made")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        print(json.dumps(decode(args.read)))
        return
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path = Path(folder) / "dump.smf"
        make(path, args.size, args.blocked)
        size = path.stat().st_size
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.smf_decode", "--read", str(path)],
            env=os.environ | {"POLARS_MAX_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
    show(json.loads(done.stdout), size)


if __name__ == "__main__":
    main()
