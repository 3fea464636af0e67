"""How fast SMF dumps are decoded: a large dump is made, then read on one core.

The dump is a mix of 70-1, 72-3, 30-2, 119-2, 119-5 and 119-6 in the proportions of
``MIX``, a block of records for each quarter of an hour. Printed are the machine, the
size, MB/s (10^6 bytes) of the whole reading, and the peak memory of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.ingest.smf import bytes_of, made_other, made_rmf  # noqa: E402
from tests.ingest.smf.dump import blocked, unblocked  # noqa: E402

MIX = {
    "systems": 4,
    "lpars": 30,
    "cpus": 8,
    "classes": 17,
    "spaces": 25,
    "connections": 75,
}
QUARTER = timedelta(minutes=15)


def block() -> list[bytes]:
    """The records of one quarter of an hour of all systems."""
    systems = [f"SYS{nth}" for nth in range(MIX["systems"])]
    return [record for sid in systems for record in of_system(sid)]


def of_system(sid: str) -> list[bytes]:
    """The records of one system, each type with about a quarter of the bytes."""
    interval = made_rmf.Interval(sid=sid)
    busy = made_rmf.Cpu(0, dispatch=10**8, effective=10**8, wait=7 * 10**8)
    cpus = [replace(busy, cid=nth) for nth in range(MIX["cpus"])]
    lpars = [made_rmf.Lpar(f"LPAR{n:02d}", n, cpus) for n in range(MIX["lpars"])]
    made = [made_rmf.cpu_activity(interval, made_rmf.Activity(lpars))]
    periods = [made_rmf.Period(n + 1, cpu=1e6 + n, srb=2e5, ended=9) for n in range(2)]
    for nth in range(MIX["classes"]):
        made.append(made_rmf.class_activity(interval, f"CLASS{nth:02d}", periods))
    for nth in range(MIX["spaces"]):
        space = made_other.Space(job=f"JOB{nth:05d}", cpt=nth, cps=3, sid=sid)
        made.append(made_other.address_space(space))
    for nth in range(MIX["connections"]):
        ports, remote = (20_000 + nth, 443), f"10.1.{nth // 250}.{nth % 250}"
        it = made_other.Connection(seconds=900, ports=ports, remote=remote)
        made.append(made_other.connection(it, nth, sid=sid))
    when = interval.local(interval.end)
    made.append(made_other.statistics(when, [1, 2, 3, 4, 5], (6, 7), sid=sid))
    names = [f"OSD{nth:02d}" for nth in range(4)]
    made.append(made_other.interfaces(when, names, sid=sid))
    return made


def stamps(nth: int) -> list[bytes]:
    """The times of the ``nth`` quarter of an hour as they stand in its records."""
    start = made_rmf.START + nth * QUARTER
    return [
        *(bytes_of.stck(moment) for moment in (start, start + QUARTER)),
        *(_local(made_other.local(m)) for m in (start, start + QUARTER)),
        _packed(made_other.local(start)),
    ]


def _local(moment: datetime) -> bytes:
    return bytes_of.hundredths(moment.time()) + bytes_of.date(moment.date())


def _packed(moment: datetime) -> bytes:
    return bytes_of.clock(moment.time()) + bytes_of.date(moment.date())


def make(path: Path, megabytes: int, in_blocks: bool) -> None:
    """Write a dump of about that size."""
    records = block()
    whole = blocked(records) if in_blocks else unblocked(records)
    first = stamps(0)
    with path.open("wb") as file:
        for nth in range(max(megabytes * 10**6 // len(whole), 1)):
            moved = whole
            for old, new in zip(first, stamps(nth), strict=True):
                moved = moved.replace(old, new)
            file.write(moved)
        file.flush()
        os.fsync(file.fileno())


def decode(path: Path) -> dict[str, object]:
    """Read the dump; seconds, counts and the peak memory of this process."""
    from analysis.ingest.smf import read

    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    begin, used = time.perf_counter(), time.process_time()
    reading = read(path)
    return {
        "seconds": time.perf_counter() - begin,
        "cpu_seconds": time.process_time() - used,
        "status": reading.status,
        "records": sum(reading.records.values()),
        "rows": {name: table.height for name, table in reading.tables.items()},
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def machine() -> str:
    """The processor as the system names it, and the number of its CPUs."""
    found = Path("/proc/cpuinfo")
    lines = found.read_text().splitlines() if found.exists() else []
    names = [line.split(":")[1].strip() for line in lines if "model name" in line]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} CPUs"


def main() -> None:
    """Make, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200, help="MB (10^6 bytes)")
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
            [sys.executable, __file__, "--read", str(path)],
            env=os.environ | {"POLARS_MAX_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
    found = json.loads(done.stdout)
    print(f"machine      {machine()}; one core used")
    print(f"dump         {size / 1e6:,.0f} MB, {found['records']:,} records of {MIX}")
    print(f"status       {found['status']}; rows {found['rows']}")
    wall, cpu = (size / 1e6 / found[name] for name in ("seconds", "cpu_seconds"))
    print(f"speed        {wall:,.0f} MB/s of wall time, {cpu:,.0f} of CPU time")
    print(f"peak memory  {found['peak'] / 2**20:,.0f} MiB")


if __name__ == "__main__":
    main()
