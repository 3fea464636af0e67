"""How fast benchmark logs are ingested: ``python -m benchmarks.ingest_logs``.

Campaigns of netperf and uperf logs of 10 kB are made here, each log other than the
rest, and ingested in a process of its own: from the start of Python to the last
table. Goals: 5,000 logs/s of CPU time on one core, and as much time a log in a large
campaign as in a small one, once Python has started. ``--large`` adds a campaign of
100,000 logs.

The machine may be busy with other work. So each ingest runs once on all cores, for
its wall time, and on one core, for its CPU time, which other work hardly changes: once,
and five times where a campaign is so small that the start of Python outweighs it.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.ingest.files import hash_files, list_files
from benchmarks.machine import describe
from benchmarks.project import ROOT

GOAL = 5000.0
LOGS = (1, 1_000, 10_000)  # with one log there is little but the start of Python
LARGE = 100_000
SMALL = 1_000
SIZE = 10_000
BYTES = 100
START = 1_795_233_600  # seconds since 1970: 2026-11-21 16:00 UTC
CAMPAIGN = """\
title: Logs made for a benchmark
origin: synthetic
measured: {by: this program, from: 2026-11-21, to: 2026-11-21, how: made}
zone: UTC
systems:
  SYSA: {role: server, cps: 4}
  SYSB: {role: client, cps: 4}
configurations:
  A: {label: the only one, details: {MTU: 1500}}
cpu: {source: lpar_busy, minimum_coverage: 0.8}
"""


@dataclass(frozen=True)
class Cost:
    """What an ingest took: logs, wall seconds on all cores, CPU seconds on one core,
    and the largest process in bytes."""

    logs: int
    wall: float
    cpu: float
    memory: int


def main(*arguments: str) -> int:
    """Print the rate of each campaign, with the machine."""
    print(*describe(), sep="\n", end="\n\n")
    costs = []
    for count in (*LOGS, *([LARGE] if "--large" in arguments else [])):
        costs.append(measure(count))
        print(told(costs[-1]), flush=True)
    print(*compared(costs), sep="\n")
    return 0


def measure(count: int) -> Cost:
    """Ingest a campaign of so many logs."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        campaign, out = Path(folder, "logs"), Path(folder, "tables")
        write_campaign(campaign, count)
        start = time.perf_counter()
        _ingest(campaign, out)
        wall = time.perf_counter() - start
        times = 5 if count <= SMALL else 1
        cpu = statistics.median(_cpu(campaign, out) for _ in range(times))
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return Cost(count, wall, cpu, largest * 1024)


def told(cost: Cost) -> str:
    """One line about a campaign."""
    each = cost.cpu / cost.logs
    return (
        f"{cost.logs:9,} logs {cost.wall:8.2f} s {cost.logs / cost.wall:7,.0f} logs/s;"
        f" on one core {1e3 * each:.3g} ms of CPU time a log, {1 / each:,.0f} logs/s"
        f" (goal: {GOAL:,g}); {cost.memory / 2**20:,.0f} MiB"
    )


def compared(costs: Sequence[Cost]) -> list[str]:
    """How the time of a log grows with the number of logs, beyond that of the first."""
    first, small, *larger = costs
    each = {c.logs: (c.cpu - first.cpu) / (c.logs - first.logs) for c in costs[1:]}
    return [
        f"a log of {cost.logs:,} takes {each[cost.logs] / each[small.logs]:.2f} times "
        f"the CPU time of one of {small.logs:,}, without the start (goal: about 1)"
        for cost in larger
    ]


def _cpu(campaign: Path, out: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _ingest(campaign, out, _one_core)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _one_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _ingest(
    campaign: Path, out: Path, prepare: Callable[[], None] | None = None
) -> None:
    command = [sys.executable, "-m", "analysis", "ingest", "--campaign", str(campaign)]
    done = subprocess.run(
        [*command, "--out", str(out)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=prepare,
    )
    if done.returncode or "failed" in done.stdout:
        sys.exit(f"the ingest failed:\n{done.stdout}{done.stderr}")


def write_campaign(folder: Path, count: int) -> None:
    """A campaign of so many runs, each with a log."""
    folder.mkdir()
    lines = ["run,configuration,workload,repetition,start,end,client,server,log"]
    for nth in range(count):
        name = f"{nth // 100:04d}/{nth:06d}.txt"
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(netperf(nth) if nth % 2 else uperf(nth))
        workload = f"RR{1 if nth % 2 else 4}({BYTES}B)"
        lines.append(f"run-{nth},A,{workload},{nth // 2 + 1},,,SYSB,SYSA,{name}")
    (folder / "runs.csv").write_text("\n".join(lines) + "\n")
    hashes = hash_files(folder, list_files(folder))
    (folder / "campaign.yaml").write_text(CAMPAIGN)
    (folder / SUMS_FILE).write_text(checksums_text(hashes))


def netperf(nth: int, size: int = BYTES) -> str:
    """A log of TCP_RR with interim results; ``size`` is in bytes, of each message."""
    rate = 30_000 + nth % 5_000
    head = (
        "MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 () port 0 AF_INET to "
        "10.0.0.2 () port 0 AF_INET : demo : first burst 0\n"
    )
    tail = (
        "Local /Remote\nSocket Size   Request  Resp.   Elapsed  Trans.\n"
        "Send   Recv   Size     Size    Time     Rate         \n"
        "bytes  Bytes  bytes    bytes   secs.    per sec   \n\n"
        f"16384  131072 {size}      {size}     120.00   {rate}.25   \n"
        "16384  131072\n"
    )
    interim, second = "", 0
    while len(head) + len(interim) + len(tail) < SIZE:
        second += 1
        interim += (
            f"Interim result: {rate + second}.{nth % 100:02d} Trans/s over 1.000 "
            f"seconds ending at {START + 200 * nth + second}.125\n"
        )
    return head + interim + tail


def uperf(nth: int, size: int = BYTES) -> str:
    """A raw log of 4 clients: progress by the second, then the tables."""
    each = 20_000 + nth % 5_000  # transactions a second
    began = (START + 200 * nth) * 1000
    head = (
        "Starting 4 threads running profile:rr ...   0.00 seconds\n"
        f"timestamp_ms:{began}.0000 name:Txn1 nr_bytes:0 nr_ops:0\n"
        f"timestamp_ms:{began}.5000 name:Txn2 nr_bytes:{2 * size} nr_ops:2\n"
    )
    progress, second = "", 0
    while len(head) + len(progress) < SIZE - 1500:
        second += 1
        progress += _progress(began + 1000 * second, "Txn2", each * second, size)
    ended, total = began + 1000 * second + 1, each * second + 4
    tail = "".join(_progress(ended, name, total, size) for name in ("Txn2", "Total"))
    mean = 4e6 / each
    tail += "\nStrand Details\n" + "".join(
        _progress(ended, f"Thr{strand}", total // 4, size) for strand in range(4)
    )
    table = "0.00ns      9.00ms      9.00us \n"
    tail += (
        f"\nTxn                Count         avg         cpu         max\n{'-' * 79}\n"
        f"Txn0                   4     90.00us      {table}"
        f"Txn1          {total:10d} {mean:9.2f}us      {table}"
        f"\n\nFlowop             Count         avg         cpu\n{'-' * 79}\n"
        f"write         {total:10d} {mean / 4:9.2f}us      {table}"
        f"read          {total:10d} {mean / 2:9.2f}us      {table}"
        "\nRun Statistics\nHostname            Time       Data   Throughput   "
        f"Operations      Errors\n{'-' * 79}\n"
        f"master           {second:3d}.00s   134.72MB   217.06Mb/s  {2 * total:10d}"
        f"        0.00\n{'-' * 79}\n"
        "Difference(%)     -0.00%     -0.00%        0.00%       -0.00%       0.00%\n"
    )
    return head + progress + tail


def _progress(ms: int, name: str, transactions: int, size: int) -> str:
    moved, ops = 2 * size * transactions, 2 * transactions
    return f"timestamp_ms:{ms}.5000 name:{name} nr_bytes:{moved} nr_ops:{ops}\n"


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
