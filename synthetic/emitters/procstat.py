"""A snapshot of ``/proc/stat`` of a Linux system."""

from __future__ import annotations

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import Count, Measured
from synthetic.noise import source

_BOOTED = 1_768_000_000  # 2026-01-09


class Ticks(Measured):
    """Clock ticks of one CPU since boot."""

    user: Count
    nice: Count = 0
    system: Count
    idle: Count
    iowait: Count = 0
    irq: Count = 0
    softirq: Count = 0

    def numbers(self) -> list[int]:
        """The columns, with those that a virtual machine alone fills."""
        head = [self.user, self.nice, self.system, self.idle]
        return [*head, self.iowait, self.irq, self.softirq, 0, 0, 0]


class ProcStat(Measured):
    """All CPUs at one moment; what runs then is drawn by ``seed``."""

    seed: str
    cpus: tuple[Ticks, ...]


def write(of: ProcStat) -> bytes:
    """The whole file."""
    ticks = [cpu.numbers() for cpu in of.cpus]
    total = [sum(column) for column in zip(*ticks, strict=True)]
    work = sum(total[:3]) + sum(total[5:7])
    draw = source("procstat", of.seed)
    lines = [
        "cpu  " + _numbers(total),
        *(f"cpu{nth} " + _numbers(each) for nth, each in enumerate(ticks)),
        f"intr {work * 9} 0 {work * 3} {work * 5}",
        f"ctxt {work * 12}",
        f"btime {_BOOTED}",
        f"processes {42_000 + work // 900}",
        f"procs_running {draw.randint(1, 3)}",
        "procs_blocked 0",
        f"softirq {work * 7} 0 {work} 4 {work * 4} 0 0 310 {work} 0 {work // 2}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _numbers(values: list[int]) -> str:
    return " ".join(map(str, values))


EMITTER = Emitter("procstat", "snapshot of /proc/stat", "procstat", ProcStat, write)
