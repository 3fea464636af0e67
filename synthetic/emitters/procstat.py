"""A snapshot of ``/proc/stat`` of a Linux system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synthetic.noise import source

# The columns; those after them a virtual machine alone fills.
COLUMNS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq")
_BOOTED = 1_768_000_000  # 2026-01-09


def procstat(seed: str, cpus: Sequence[Mapping[str, int]]) -> bytes:
    """The whole file, of each CPU's clock ticks since boot, by column; what else runs
    then is drawn by ``seed``."""
    ticks = [[*(cpu.get(name, 0) for name in COLUMNS), 0, 0, 0] for cpu in cpus]
    total = [sum(column) for column in zip(*ticks, strict=True)]
    work = sum(total[:3]) + sum(total[5:7])
    rows = [("cpu ", total), *((f"cpu{nth}", each) for nth, each in enumerate(ticks))]
    lines = [
        *(" ".join([name, *map(str, values)]) for name, values in rows),
        f"intr {work * 9} 0 {work * 3} {work * 5}",
        f"ctxt {work * 12}",
        f"btime {_BOOTED}",
        f"processes {42_000 + work // 900}",
        f"procs_running {source('procstat', seed).randint(1, 3)}",
        "procs_blocked 0",
        f"softirq {work * 7} 0 {work} 4 {work * 4} 0 0 310 {work} 0 {work // 2}",
    ]
    return ("\n".join(lines) + "\n").encode()
