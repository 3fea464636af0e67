"""pidstat: CPU time of processes over intervals.

``%CPU`` is of one CPU: 200 are two CPUs. A time stamp is the local end of its
interval, that of the header its start; with ``-h`` the header has none. Work that the
kernel does for a process in other contexts, such as receiving packets, is not in it.
Layout: ``pidstat.c`` of sysstat.
"""

from __future__ import annotations

import datetime as dt
import re
import statistics
from dataclasses import dataclass
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import LinuxReport, lengths, stamped, two_decimals
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "pidstat"
TITLE = "pidstat (CPU time of processes)"
TESTED = "sysstat 12.6.1"
_HEAD = re.compile(rb"^(# Time|\S+( [AP]M)?) +UID +PID +%usr +%system ", re.MULTILINE)
_SHARES = ("%usr", "%system", "%CPU")


@dataclass(frozen=True)
class _Process:
    """A line of a process: shares of one CPU since the time of the header, where that
    has one, or the means of all its lines, which have no time."""

    pid: int
    name: str
    shares: tuple[float, float, float]  # user, system and both [percent]
    since: dt.time | None
    end: dt.time | None
    line: int


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a report of pidstat."""
    return b"%usr" in head and _HEAD.search(head) is not None


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``process_interval`` row for each process and interval."""
    report = LinuxReport(FORMAT, zone)
    lines = report.lines(raw)
    if not lines:
        return report.reading(FORMAT, "sysstat pidstat")
    every = _processes(lines, report)
    samples = [each for each in every if each.end]
    rows = _rows(samples, report)
    for mean in every:
        if mean.end is None:
            _check_mean(mean, samples, report)
    lost = any(problem.remark.kind == "not_whole_line" for problem in report.problems)
    report.finish(
        rows,
        remark("unusable_lines") if lost else None,
        remark("no_usable_process", "it has no process that could be used"),
        table="process_interval",
    )
    report.records = {"interval": len({sample.end for sample in samples})}
    report.details = {"processes": len({row["pid"] for row in rows})}
    return report.reading(FORMAT, "sysstat pidstat")


def _processes(lines: list[str], report: LinuxReport) -> list[_Process]:
    processes: list[_Process] = []
    names: list[str] = []
    since: dt.time | None = None
    ended: dt.time | None = None  # of the block before; null where it had no line
    for line, time, text in stamped(lines):
        cells = text.split()
        if "PID" in cells and "Command" in cells:
            names = cells if {*_SHARES, "PID"} <= set(cells) else []
            if time and ended and time not in (ended, since):
                gap = remark("block_missing", ended=str(ended), start=str(time))
                report.judge("degraded", gap, line)
            since, ended = time, None
            continue
        ended = time
        if names:
            some = text.split(None, len(names) - 1)
            values = dict(zip(names, some, strict=False))
            shares = _shares(values) if len(some) == len(names) else None
            if shares and re.fullmatch(r"\d{1,9}", values["PID"]):
                pid, name = int(values["PID"]), values["Command"]
                processes.append(_Process(pid, name, shares, since, time, line))
            else:
                report.note(remark("not_whole_line"), line)
    return processes


def _shares(cells: dict[str, str]) -> tuple[float, float, float] | None:
    """User, system and both; null where two do not make the whole, as far as two
    decimals tell."""
    user, system, whole = (two_decimals(cells[name]) for name in _SHARES)
    if user is None or system is None or whole is None:
        return None
    slack = two_decimals(cells.get("%guest", "")) or 0.0
    sound = abs(user + system - whole) <= 0.03 + slack
    return (user, system, whole) if sound else None


def _check_mean(mean: _Process, samples: list[_Process], report: LinuxReport) -> None:
    """Tell of a process whose average is not between its lines. One that lacks lines
    was idle in other intervals, or not yet there."""
    shares = [sample.shares[2] for sample in samples if sample.pid == mean.pid]
    if not shares:
        return
    blocks = len({(sample.since, sample.end) for sample in samples})
    least = min(shares) if len(shares) == blocks else 0.0
    nearest = min(max(mean.shares[2], least), max(shares))
    what = f"the average of process {mean.pid}"
    held = contradiction(what, mean.shares[2], nearest, 0.0, 0.05, "its lines")
    if held.cause:
        report.judge("degraded", held.cause, mean.line)


def _rows(samples: list[_Process], report: LinuxReport) -> list[dict[str, Any]]:
    times = [sample.end for sample in samples if sample.end]
    ends = report.local_times(times)
    each = sorted(set(ends))
    between = dict(zip(each, lengths(each), strict=True))
    printed = [_length(sample) for sample in samples]
    usual = statistics.median_low([gap for gap in printed if gap] or [0.0])
    rows = []
    for sample, end, gap in zip(samples, ends, printed, strict=True):
        seconds = between[end]
        if gap is not None:  # of whole seconds, which wobble by one
            seconds = (usual if abs(gap - usual) <= 1 else gap) or None
        used = [None if not seconds else x / 100 * seconds for x in sample.shares]
        rows.append(
            {
                "system": report.system,
                "process": sample.name,
                "pid": sample.pid,
                "start_utc": report.start(end, seconds, sample.line),
                "seconds": seconds,
                "cpu_seconds": used[2],
                "user_seconds": used[0],
                "system_seconds": used[1],
                "basis": FORMAT,
                "position": sample.line,
            }
        )
    return rows


def _length(sample: _Process) -> float | None:
    """Seconds from the header's time to the line's; null where the header has none."""
    if sample.since is None or sample.end is None:
        return None
    day = dt.date(1, 2, 1)
    since, end = (dt.datetime.combine(day, t) for t in (sample.since, sample.end))
    return (end - since).total_seconds() % 86400
