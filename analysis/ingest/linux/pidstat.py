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
from analysis.ingest.clock import NO_ZONE
from analysis.ingest.linux.cpu import (
    is_one_report,
    lengths,
    local_times,
    read_clock,
    read_date,
    utc_of,
)
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.logs.text import decode
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "pidstat"
TITLE = "pidstat (CPU time of processes)"
TESTED = "sysstat 12.6.1"
SIGNS = ("usr",)
_HOST = re.compile(r"Linux (\S+) \((\S+)\)\s+(\S+)\s+_(\w+)_\s+\((\d+) CPU\)")
_MARK = re.compile(rb"^(# Time|\S+( [AP]M)?) +UID +PID +%usr +%system ", re.MULTILINE)
_STAMP = re.compile(r"(\d\d:\d\d:\d\d(?: [AP]M)?)\s+(\S.*)")
_AVERAGE = re.compile(r"[^\W\d]\S*:\s+(\S.*)")  # its word depends on the language
_NUMBER = re.compile(r"\d{1,6}[.,]\d\d")
_DOUBTS = ("block_missing", "figures_contradict_each_other")
_SHARES = ("%usr", "%system", "%CPU")


@dataclass(frozen=True)
class _Sample:
    since: dt.time | None
    end: dt.time
    cells: dict[str, str]
    line: int


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is CPU time by pidstat."""
    return _MARK.search(head) is not None


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``process_interval`` row for each process and interval."""
    text = decode(raw.read_bytes())
    lines = text.replace("\r\n", "\n").split("\n")
    reading = Reading(FORMAT, tool="sysstat pidstat")
    hosts = {at: h for at, line in enumerate(lines, 1) if (h := _HOST.match(line))}
    if not is_one_report([*hosts], reading):
        return reading
    host = next(iter(hosts.values()), None)
    reading.systems = [host[2]] if host else []
    samples = _samples(lines, reading)
    rows = _rows(samples, host, zone, reading)
    _check_averages(lines, samples, reading)
    reading.tables["process_interval"] = frame("process_interval", rows)
    reading.records = {"interval": len({sample.end for sample in samples})}
    reading.details = {"processes": len({row["pid"] for row in rows})}
    _judge(lines, rows, zone, reading)
    return reading


def _samples(lines: list[str], reading: Reading) -> list[_Sample]:
    samples: list[_Sample] = []
    names: list[str] = []
    since: dt.time | None = None
    ended: dt.time | None = None  # of the block before; null where it had no line
    for number, line in enumerate(lines[:-1], 1):
        text = line.replace("# Time", "00:00:00", 1)
        found = _STAMP.match(text)
        time = read_clock(found[1]) if found else None
        if not found or time is None:
            continue
        cells = found[2].split()
        if "PID" in cells and "Command" in cells:
            names = cells if {*_SHARES, "PID"} <= set(cells) else []
            if line.startswith("#"):
                since = None
                continue
            if ended is not None and time not in (ended, since):
                gap = remark("block_missing", ended=str(ended), start=str(time))
                reading.problems.append(Problem(gap, number))
            since, ended = time, None
            continue
        ended = time
        if names:
            some = found[2].split(None, len(names) - 1)
            values = dict(zip(names, some, strict=False))
            if len(some) == len(names) and _is_sound(values):
                samples.append(_Sample(since, time, values, number))
            else:
                reading.problems.append(Problem(remark("not_whole_line"), number))
    return samples


def _check_averages(lines: list[str], samples: list[_Sample], reading: Reading) -> None:
    """Tell of a process whose average is not between its lines. One that lacks lines
    was idle in other intervals, or not yet there."""
    names: list[str] = []
    blocks = len({(sample.since, sample.end) for sample in samples})
    for number, line in enumerate(lines[:-1], 1):
        if not (found := _AVERAGE.match(line)):
            continue
        cells = found[1].split(None, len(names) - 1)
        if "PID" in found[1].split():
            heads = found[1].split()
            names = heads if {*_SHARES, "PID"} <= set(heads) else []
        elif names and len(cells) == len(names):
            values = dict(zip(names, cells, strict=True))
            of = [s.cells for s in samples if s.cells["PID"] == values["PID"]]
            if not of or not _is_sound(values):
                continue
            shares = [_share(each, "%CPU") for each in of]
            least = min(shares) if len(shares) == blocks else 0.0
            mean = _share(values, "%CPU")
            nearest = min(max(mean, least), max(shares))
            what = f"the average of process {values['PID']}"
            held = contradiction(what, mean, nearest, 0.0, 0.05, "its lines")
            if held.cause:
                reading.problems.append(Problem(held.cause, number))


def _is_sound(cells: dict[str, str]) -> bool:
    """Whether user and system make the whole, as far as two decimals tell."""
    if not cells["PID"].isdigit() or len(cells["PID"]) > 9:
        return False
    if not all(_NUMBER.fullmatch(cells[name]) for name in _SHARES):
        return False
    user, system, whole = (_share(cells, name) for name in _SHARES)
    guest = cells.get("%guest", "0.00")
    slack = _share({"g": guest}, "g") if _NUMBER.fullmatch(guest) else 0.0
    return abs(user + system - whole) <= 0.03 + slack


def _share(cells: dict[str, str], name: str) -> float:
    return float(cells[name].replace(",", "."))


def _rows(
    samples: list[_Sample],
    host: re.Match[str] | None,
    zone: str | None,
    reading: Reading,
) -> list[dict[str, Any]]:
    date = read_date(host[3], reading) if host else None
    ends = local_times([s.end for s in samples], date or dt.date(1, 2, 1))
    known = dict(zip(sorted(set(ends)), lengths(sorted(set(ends))), strict=True))
    printed = [_printed_length(sample) for sample in samples]
    usual = statistics.median_low([gap for gap in printed if gap] or [0.0])
    rows = []
    for sample, end, gap in zip(samples, ends, printed, strict=True):
        seconds = known[end]
        if gap is not None:  # of whole seconds, which wobble by one
            seconds = (usual if abs(gap - usual) <= 1 else gap) or None
        start = end - dt.timedelta(seconds=seconds) if date and seconds else None
        rows.append(_row(sample, seconds, host))
        rows[-1]["start_utc"] = utc_of(start, zone, sample.line, reading)
    return rows


def _printed_length(sample: _Sample) -> float | None:
    """Seconds from the header's time to the line's; null where the header has none."""
    if sample.since is None:
        return None
    day = dt.date(1, 2, 1)
    since, end = (dt.datetime.combine(day, t) for t in (sample.since, sample.end))
    return (end - since).total_seconds() % 86400


def _row(
    sample: _Sample, seconds: float | None, host: re.Match[str] | None
) -> dict[str, Any]:
    user, system, whole = (_share(sample.cells, name) / 100 for name in _SHARES)
    times = (whole, user, system)
    used = [None if seconds is None else share * seconds for share in times]
    return {
        "system": host[2] if host else None,
        "process": sample.cells["Command"],
        "pid": int(sample.cells["PID"]),
        "seconds": seconds,
        "cpu_seconds": used[0],
        "user_seconds": used[1],
        "system_seconds": used[2],
        "basis": "pidstat",
        "position": sample.line,
    }


def _judge(
    lines: list[str], rows: list[dict[str, Any]], zone: str | None, reading: Reading
) -> None:
    if lines[-1].strip():
        reading.status, reading.cause = "truncated", remark("last_line_no_end")
    elif not rows:
        reading.status = "failed" if reading.problems else "empty"
        reading.cause = remark(
            "no_usable_process", "it has no process that could be used"
        )
    elif any(p.remark.kind == "not_whole_line" for p in reading.problems):
        reading.status, reading.cause = "degraded", remark("unusable_lines")
    elif wrong := [p for p in reading.problems if p.remark.kind in _DOUBTS]:
        reading.status, reading.cause = "degraded", wrong[0].remark
    elif any(row["seconds"] is None for row in rows):
        reading.status, reading.cause = "degraded", remark("interval_without_length")
    elif zone is None:
        reading.status, reading.cause = "degraded", NO_ZONE
