"""A snapshot of Linux' ``/proc/stat``: clock ticks that each CPU spent since boot.

Fields of a ``cpu`` line (proc_stat(5)): user, nice, system, idle, iowait, irq,
softirq, steal, guest, guest_nice. Guest time is already in user and nice.
"""

from __future__ import annotations

import codecs
import re

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import epoch_text
from analysis.ingest.linux.cpu import is_one
from analysis.ingest.logs.result import Result, join_results
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Reading

FORMAT = "procstat"
TITLE = "snapshot of /proc/stat"
TESTED = "Linux 6"
BOOT_WOBBLE = 2.0  # seconds by which btime may differ without a new start
recognise = re.compile(rb"cpu  \d+ \d+ \d+ \d+").match
_CPU = re.compile(rb"cpu(\d*)((?: +\d{1,17}){8,10})")
_BOOT = re.compile(rb"^btime (\d{1,12})\r?\n", re.MULTILINE)
_USER, _NICE, _SYSTEM, _IDLE, _IOWAIT, _IRQ, _SOFTIRQ, _STEAL = range(8)
_BUSY = (_USER, _NICE, _SYSTEM, _IRQ, _SOFTIRQ)
Ticks = dict[str, tuple[list[int], int]]  # and the line, by CPU


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``cpu_counter`` rows: one of all CPUs, then one a CPU."""
    data = raw.read_bytes().removeprefix(codecs.BOM_UTF8)
    *lines, rest = data.split(b"\n")
    out = Result()
    heads = [at for at, line in enumerate(lines, 1) if line.startswith(b"cpu  ")]
    if not is_one(heads, out, snapshots=True):
        return join_results(FORMAT, "Linux", [out])
    ticks = _ticks(lines)
    rows = [
        {
            "cpu": cpu,
            "busy_ticks": sum(values[each] for each in _BUSY),
            "idle_ticks": values[_IDLE] + values[_IOWAIT],
            "steal_ticks": values[_STEAL],
            "position": line,
        }
        for cpu, (values, line) in ticks.items()
    ]
    out.tables["cpu_counter"] = rows
    out.records = {"cpu": len(ticks)}
    differs = _sums_differ(ticks)
    if not any(line.startswith(b"softirq ") for line in (*lines, rest)):
        unended = remark("ends_before_softirq", "ends before the line softirq")
        out.judge("truncated", unended)
    elif not ticks:
        unusable = remark("no_whole_ticks", "no line of CPU ticks is whole")
        out.judge("failed", unusable)
    elif differs:
        out.judge("degraded", differs, ticks["all"][1] if "all" in ticks else 1)
    reading = join_results(FORMAT, "Linux", [out])
    boot = _BOOT.search(data)
    reading.circumstances = Circumstances(
        cpus=len(ticks.keys() - {"all"}),
        boot_utc=epoch_text(int(boot[1])) if boot else None,
    )
    return reading


def _ticks(lines: list[bytes]) -> Ticks:
    """Ticks and line by CPU, from lines that are whole."""
    ticks = {}
    for number, line in enumerate(lines, 1):
        if cpu := _CPU.fullmatch(line.rstrip()):
            values = [int(value) for value in cpu[2].split()]
            ticks[cpu[1].decode() or "all"] = (values, number)
    return ticks


def _sums_differ(ticks: Ticks) -> Remark | None:
    """Null where the CPUs add up to their total, within one tick a CPU. Without it
    nothing tells whether their own lines are whole."""
    total, each = ticks.get("all"), [v for cpu, (v, _) in ticks.items() if cpu != "all"]
    if total is None:
        return remark("total_not_whole", "the line of all CPUs is not whole")
    for index in range(_STEAL + 1):
        if abs(total[0][index] - sum(v[index] for v in each)) > len(each):
            return remark("cpus_and_total")
    return None
