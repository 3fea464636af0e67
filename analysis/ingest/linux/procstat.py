"""A snapshot of Linux' ``/proc/stat``: clock ticks that each CPU spent since boot.

Fields of a ``cpu`` line (proc_stat(5)): user, nice, system, idle, iowait, irq,
softirq, steal, guest, guest_nice. Guest time is already in user and nice.
"""

from __future__ import annotations

import codecs
import re
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import epoch_text
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "procstat"
TITLE = "snapshot of /proc/stat"
TESTED = "Linux 6"
_CPU = re.compile(rb"cpu(\d*)((?: +\d+){8,10})")
_USER, _NICE, _SYSTEM, _IDLE, _IOWAIT, _IRQ, _SOFTIRQ, _STEAL = range(8)
_LAST = b"softirq "


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is ``/proc/stat``."""
    return re.match(rb"cpu  \d+ \d+ \d+ \d+", head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``cpu_counter`` rows: one of all CPUs, then one a CPU."""
    data = raw.read_bytes().removeprefix(codecs.BOM_UTF8)
    *lines, rest = data.split(b"\n")
    reading = Reading(FORMAT, tool="Linux")
    again = _again(lines)
    ticks = {} if again else _ticks(lines)
    rows = [_row(cpu, values, line) for cpu, (values, line) in ticks.items()]
    reading.tables["cpu_counter"] = frame("cpu_counter", rows)
    reading.records = {"cpu": len(ticks)}
    reading.problems = again
    cpus = sum(cpu != "all" for cpu in ticks)
    reading.circumstances = Circumstances(cpus=cpus, boot_utc=_boot(lines))
    _judge(lines, rest, ticks, reading)
    return reading


def _ticks(lines: list[bytes]) -> dict[str, tuple[list[int], int]]:
    """Ticks and line by CPU, from lines that are whole."""
    ticks = {}
    for number, line in enumerate(lines, 1):
        if found := _CPU.fullmatch(line.rstrip()):
            values = [int(value) for value in found[2].split()]
            ticks[found[1].decode() or "all"] = (values, number)
    return {cpu: t for cpu, t in ticks.items() if max(t[0]) < 2**62 // 8}


def _again(lines: list[bytes]) -> list[Problem]:
    """The places where another snapshot begins."""
    starts = [n for n, line in enumerate(lines, 1) if line.startswith(b"cpu  ")]
    return [Problem(remark("another_snapshot_begins"), line) for line in starts[1:]]


def _row(cpu: str, ticks: list[int], line: int) -> dict[str, Any]:
    busy = (_USER, _NICE, _SYSTEM, _IRQ, _SOFTIRQ)
    return {
        "cpu": cpu,
        "busy_ticks": sum(ticks[i] for i in busy),
        "idle_ticks": ticks[_IDLE] + ticks[_IOWAIT],
        "steal_ticks": ticks[_STEAL],
        "position": line,
    }


def _boot(lines: list[bytes]) -> str | None:
    for line in lines:
        if found := re.fullmatch(rb"btime (\d{1,12})", line.rstrip()):
            return epoch_text(int(found[1]))
    return None


def _judge(
    lines: list[bytes],
    rest: bytes,
    ticks: dict[str, tuple[list[int], int]],
    reading: Reading,
) -> None:
    if reading.problems:
        reading.status = "failed"
        reading.cause = remark("several_snapshots")
    elif not any(line.startswith(_LAST) for line in [*lines, rest]):
        reading.status, reading.cause = (
            "truncated",
            remark("ends_before_softirq", "ends before the line softirq"),
        )
    elif not ticks:
        reading.status, reading.cause = (
            "failed",
            remark("no_whole_ticks", "no line of CPU ticks is whole"),
        )
    elif wrong := _sums_differ(ticks):
        reading.status, reading.cause = "degraded", wrong
        reading.problems.append(
            Problem(wrong, ticks["all"][1] if "all" in ticks else 1)
        )


def _sums_differ(ticks: dict[str, tuple[list[int], int]]) -> Remark | None:
    """Null where the CPUs add up to their total, within one tick a CPU. Without it
    nothing tells whether their own lines are whole."""
    total, each = ticks.get("all"), [v for cpu, (v, _) in ticks.items() if cpu != "all"]
    if total is None:
        return remark("total_not_whole", "the line of all CPUs is not whole")
    for index in range(_STEAL + 1):
        if abs(total[0][index] - sum(v[index] for v in each)) > len(each):
            return remark("cpus_and_total")
    return None
