"""How fast RMF XML is read: ``python -m benchmarks.rmf_xml [MEGABYTES]``.

The file is made here: a day's CPU, workload, channel and device reports of one system,
over and over. Goal: 40 MB/s of CPU time on one core.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from analysis.ingest.rmf import xml_report
from benchmarks.machine import describe
from synthetic.ddsml import Interval, Processor, document
from tests.ingest.rmf import ddsml_more as more

GOAL = 40.0
REPORTS = ("CPU", "WLMGL", "CHAN", "DEVICE")


def main(megabytes: float = 50.0) -> int:
    """Print the rate of each report, and of all together, with the machine."""
    print(*describe(), sep="\n", end="\n\n")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for kind in (*REPORTS, "all"):
            path = Path(folder, f"{kind}.xml")
            write(path, kind, megabytes * 1e6 / (1 if kind == "all" else 5))
            _time(kind, path)
            path.unlink()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"peak memory {peak / 2**20:,.0f} MiB, pages of the mapped file included")
    return 0


def write(path: Path, kind: str, size: float) -> None:
    """A document of at least so many bytes with reports of one kind, or of all."""
    kinds = REPORTS if kind == "all" else (kind,)
    written, number = 0, 0
    with path.open("w", encoding="utf-8") as file:
        head, tail = document("\0").split("\0")
        file.write(head)
        while written < size:
            start = f"04/{1 + number // 48 % 28:02d}/{2000 + number // 1344}-"
            start += f"{number // 2 % 24:02d}.{number % 2 * 30:02d}.00"
            written += sum(file.write(_report(name, start)) for name in kinds)
            number += 1
        file.write(tail)


def _report(kind: str, start: str) -> str:
    if kind == "CPU":
        cpus = (Processor(dispatched=24.36, mvs_busy=23.94),) * 8
        zips = (Processor("IIP", dispatched=9.1, mvs_busy=9.0),) * 4
        report = Interval(cpus + zips, start=start, end="").xml()
        return report.replace("</postprocessor>", more.queues() + "</postprocessor>")
    made = {"WLMGL": more.workload, "CHAN": more.channels, "DEVICE": more.devices}
    return made[kind](start)


def _time(kind: str, path: Path) -> None:
    size, start = path.stat().st_size / 1e6, time.process_time()
    reading = xml_report.read(path, "UTC")
    seconds = time.process_time() - start
    rows = sum(table.height for table in reading.tables.values())
    if reading.status != "ok":
        sys.exit(f"{kind}: {reading.status} {reading.reason}")
    print(
        f"{kind:8} {size:6.1f} MB  {rows:8,} rows  {seconds:6.2f} s  "
        f"{size / seconds:6.1f} MB/s   (goal: {GOAL:g} MB/s)",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main(*map(float, sys.argv[1:2])))
