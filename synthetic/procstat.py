"""Snapshots of ``/proc/stat`` before and after each run of a Linux system."""

from __future__ import annotations

from synthetic.noise import source
from synthetic.plan import CPS
from synthetic.runs import Minute

HERTZ = 100
_BOOTED = 1_768_000_000  # 2026-01-09
_SHARES = (0.16, 0.0, 0.52, 0.02, 0.30)  # user, nice, system, irq, softirq


def snapshots(minutes: list[Minute], system: str) -> dict[str, tuple[str, str]]:
    """Texts before and after by the id of the run, ticks never falling back."""
    cpus = CPS[system]
    ticks = [[400_000 + 1000 * n, 90, 250_000, 9_000_000, 900, 4000, 60_000, 0, 0, 0]
             for n in range(cpus)]  # fmt: skip
    made = {}
    for minute in minutes:
        run = minute.runs[0]
        before = _text(ticks, run.id)
        busy = round(minute.busy[system] * HERTZ)
        whole = round(run.window * HERTZ)
        for nth, each in enumerate(ticks):
            used = busy // cpus + (nth < busy % cpus)
            _advance(each, used, whole - used)
        made[run.id] = before, _text(ticks, run.id)
    return made


def _advance(ticks: list[int], busy: int, idle: int) -> None:
    user, nice, system, irq, softirq = (int(busy * share) for share in _SHARES)
    system += busy - user - nice - system - irq - softirq
    for at, value in enumerate((user, nice, system, idle, 0, irq, softirq)):
        ticks[at] += value


def _text(ticks: list[list[int]], key: str) -> str:
    total = [sum(column) for column in zip(*ticks, strict=True)]
    work = sum(total[:3]) + sum(total[5:7])
    draw = source("procstat", key)
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
    return "\n".join(lines) + "\n"


def _numbers(values: list[int]) -> str:
    return " ".join(map(str, values))
