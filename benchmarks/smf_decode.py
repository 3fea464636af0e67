"""How fast SMF dumps are decoded: a large dump is made, then read on one core, and on
two where it is large enough to be cut between records.

The dump is made by :mod:`benchmarks.smf_made`. Printed are the machine, the mix, MB/s
(10^6 bytes) of the whole reading, and the peak memory of the process. Loading the
program's modules, which takes some tenths of a second whatever the dump's size, is
printed apart; the start of the processes that read the stretches of a cut dump is part
of what two cores take.

Goals: 400 MB/s of CPU time on one core, 700 MB/s of wall time on two.
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
from pathlib import Path
from typing import Any

from benchmarks.machine import describe
from benchmarks.smf_made import SYSTEM, SYSTEMS, make, mix

GOAL, GOAL_OF_TWO = 400, 700  # MB/s


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


def decode_on_two(path: Path) -> dict[str, Any]:
    """Read the dump as an ingest does that has two cores; seconds of the clock, and
    nothing of a dump that is too small to be cut."""
    from analysis.ingest import smf
    from analysis.ingest.read_all import prepare, read_all

    size, cores = path.stat().st_size, sorted(os.sched_getaffinity(0))[:2]
    if size < smf.IN_PARTS or len(cores) < 2:
        return {}
    os.sched_setaffinity(0, cores)
    prepare(size)
    begin = time.perf_counter()
    reading = read_all(path.parent, [path.name], "UTC")[path.name]
    return {"seconds": time.perf_counter() - begin, "status": reading.status}


def show(found: dict[str, Any], size: int) -> None:
    """Print what was measured of a dump of ``size`` bytes."""
    print(*describe(), "one core used", sep="\n")
    count = sum(found["records"].values())
    print(f"dump         {size / 1e6:,.0f} MB, {count:,} records, {size / count:.0f} B")
    print(f"mix          {mix()} of the bytes; {SYSTEMS} systems with {SYSTEM}")
    print(f"status       {found['status']}; rows {found['rows']}")
    wall, cpu = (size / 1e6 / found[n] for n in ("seconds", "cpu_seconds"))
    print(
        f"speed        {cpu:,.0f} MB/s of CPU time (goal: {GOAL}), {wall:,.0f} of wall"
    )
    print(f"start        {found['start']:.2f} s of CPU time")
    print(f"peak memory  {found['peak'] / 2**20:,.0f} MiB")


def show_two(found: dict[str, Any], size: int) -> None:
    """Print what two cores did together."""
    if not found:
        print("two cores    not measured: the dump is too small to be cut, or one core")
        return
    wall = size / 1e6 / found["seconds"]
    told = f"{found['status']}; {wall:,.0f} MB/s of wall time (goal: {GOAL_OF_TWO})"
    print(f"two cores    {told}, cut between records")


def _apart(path: Path, how: str) -> dict[str, Any]:
    """What a process of its own measures of the dump."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.smf_decode", how, str(path)],
        env=os.environ | {"POLARS_MAX_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Make, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=600, help="MB (10^6 bytes)")
    parser.add_argument("--blocked", action="store_true", help="with block words")
    parser.add_argument("--folder", type=Path, help="where the dump is made")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--read-on-two", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read or args.read_on_two:
        found = decode(args.read) if args.read else decode_on_two(args.read_on_two)
        print(json.dumps(found))
        return
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path = Path(folder) / "dump.smf"
        make(path, args.size, args.blocked)
        size = path.stat().st_size
        show(_apart(path, "--read"), size)
        show_two(_apart(path, "--read-on-two"), size)


if __name__ == "__main__":
    main()
