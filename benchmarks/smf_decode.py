"""How fast SMF dumps are decoded: a large dump is made, then read on one core, and on
two where it is large enough to be cut between records.

The dump is made by :mod:`benchmarks.smf_made`. Printed are the machine, the mix, MB/s
(10^6 bytes) of the whole reading, and the peak memory of the process. Loading the
program's modules, which takes some tenths of a second whatever the dump's size, is
printed apart; the start of the processes that read the stretches of a cut dump is part
of what two cores take.

Goals: 400 MB/s of CPU time on one core, 700 MB/s of wall time on two. Two cores share
caches and the way to memory, so the dump is also read by two processes at once, each
whole: what they come to together is what two cores can do here.
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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.machine import describe
from benchmarks.smf_made import SYSTEM, SYSTEMS, make, mix

GOAL, GOAL_OF_TWO = 400, 700  # MB/s


def decode(path: Path, core: int = 0) -> dict[str, Any]:
    """Read the dump on one of the cores; seconds, counts and the peak memory of this
    process."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[core]})
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


def show_two(path: Path, size: int) -> None:
    """Measure and print what two cores do together, and what each does for itself."""
    (found,) = _apart([("--read-on-two", path)])
    if not found:
        print("two cores    not measured: the dump is too small to be cut, or one core")
        return
    wall = size / 1e6 / found["seconds"]
    told = f"{found['status']}; {wall:,.0f} MB/s of wall time (goal: {GOAL_OF_TWO})"
    print(f"two cores    {told}, cut between records")
    both = _apart([("--read", path), ("--read", path, "--core", "1")])
    most = sum(size / 1e6 / one["seconds"] for one in both)
    share = f"{wall / most:.0%}"
    print(f"two readers  {most:,.0f} MB/s together, each of it all; cut it has {share}")


def _apart(asked: Sequence[Sequence[str | Path]]) -> list[dict[str, Any]]:
    """What processes of their own measure of the dump, all at once."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.smf_decode", *words],
            env=os.environ | {"POLARS_MAX_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for words in asked
    ]
    said = [process.communicate()[0] for process in running]
    if any(process.returncode for process in running):
        sys.exit("a process that reads the dump failed")
    return [json.loads(text) for text in said]


def main() -> None:
    """Make, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=600, help="MB (10^6 bytes)")
    parser.add_argument("--blocked", action="store_true", help="with block words")
    parser.add_argument("--folder", type=Path, help="where the dump is made")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--read-on-two", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--core", type=int, default=0, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read or args.read_on_two:
        of_one = decode(args.read, args.core) if args.read else None
        print(json.dumps(of_one or decode_on_two(args.read_on_two)))
        return
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path = Path(folder) / "dump.smf"
        make(path, args.size, args.blocked)
        size = path.stat().st_size
        show(_apart([("--read", path)])[0], size)
        show_two(path, size)


if __name__ == "__main__":
    main()
