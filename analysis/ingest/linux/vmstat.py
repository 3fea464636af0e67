"""vmstat: CPU intervals of one Linux system, in whole percent.

The first line covers the time since boot and is left out. With ``-t`` each line ends
with the local end of its interval; without it neither time nor length is known. The
number of CPUs is not in the log. Layout: ``vmstat.c`` of procps.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
import statistics
from dataclasses import dataclass
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.clock import NO_ZONE
from analysis.ingest.linux.cpu import cpu_row, is_sound, lengths, utc_of
from analysis.ingest.logs.text import decode
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "vmstat"
TITLE = "vmstat (CPU utilisation in whole percent)"
TESTED = "procps 4.0.2"
SIGNS = ("swpd",)
_HEADER = re.compile(r"^ *r +b +swpd +free .* us +sy +id +wa", re.MULTILINE)
_MARK = re.compile(_HEADER.pattern.encode(), re.MULTILINE)
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_NAMES = {
    "us": "usr",
    "sy": "sys",
    "id": "idle",
    "wa": "iowait",
    "st": "steal",
    "gu": "guest",
}


@dataclass(frozen=True)
class _Sample:
    shares: dict[str, float]
    end: dt.datetime | None
    line: int
    text: str


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a report of vmstat."""
    return _MARK.search(head) is not None


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row a line but the first; ``busy_seconds`` is null."""
    lines = decode(raw.read_bytes()).split("\n")
    reading = Reading(FORMAT, tool="procps vmstat")
    samples, label = _samples(lines, reading)
    if _judge_order(samples, reading):
        return reading
    rows = _rows(samples[1:], samples, label, zone, reading)
    reading.tables["cpu_interval"] = frame("cpu_interval", rows)
    reading.records = {"interval": len(rows)}
    _judge(lines, rows, zone or label, reading)
    return reading


def _samples(lines: list[str], reading: Reading) -> tuple[list[_Sample], str | None]:
    """All lines of figures, and ``UTC`` where the header says so."""
    samples: list[_Sample] = []
    names: list[str] = []
    label = None
    for number, line in enumerate(lines[:-1], 1):
        if _HEADER.match(line):
            names = line.split()
            label = "UTC" if names[-1] == "UTC" else label
            names = names[: max(i for i, n in enumerate(names) if n in _NAMES) + 1]
        elif names and re.match(r" *\d", line):
            sample = _sample(names, line, number)
            if sample is None:
                reading.problems.append(
                    Problem(remark("no_line_of_shares", "not a line of shares"), number)
                )
            else:
                samples.append(sample)
    return samples, label


def _sample(names: list[str], line: str, number: int) -> _Sample | None:
    stamp = _STAMP.search(line)
    cells = (line[: stamp.start()] if stamp else line).split()
    if len(cells) != len(names) or not all(cell.isdigit() for cell in cells):
        return None
    values = dict(zip(names, cells, strict=True))
    shares: dict[str, float] = {
        word: printed(values[n]) for n, word in _NAMES.items() if n in values
    }
    if not is_sound(shares, by=3.1):  # each of six is rounded by half a percent
        return None
    try:
        end = dt.datetime.fromisoformat(stamp[1]) if stamp else None
    except ValueError:
        return None
    return _Sample(shares, end, number, line.strip())


def _rows(
    samples: list[_Sample],
    every: list[_Sample],
    label: str | None,
    zone: str | None,
    reading: Reading,
) -> list[dict[str, Any]]:
    ends = [sample.end for sample in every if sample.end]
    known = lengths(ends)[1:] if len(ends) == len(every) > 1 else [None] * len(samples)
    rows = []
    for sample, seconds in zip(samples, known, strict=True):
        start = None
        if sample.end and seconds:
            start = sample.end - dt.timedelta(seconds=seconds)
        rows.append(
            cpu_row(sample.shares, None, seconds, "vmstat")
            | {
                "start_utc": utc_of(start, label or zone, sample.line, reading),
                "position": sample.line,
            }
        )
    return rows


def _judge_order(samples: list[_Sample], reading: Reading) -> bool:
    """Whether a second report begins, as its first line covers the time since boot:
    the reading has failed then. Lines come at equal distances, and no interval has the
    figures of the line since boot."""
    for sample in samples[1:]:
        if sample.text == samples[0].text:
            reading.judge("failed", remark("several_reports"))
            reading.problems.append(
                Problem(remark("another_report_begins"), sample.line)
            )
            return True
    ends = [sample.end for sample in samples if sample.end]
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(ends)]
    usual = statistics.median_low(gaps) if gaps else 0.0
    for sample, gap in zip(samples[1:], gaps, strict=False):
        if gap < 0 or (gap > 3 * usual + 1 and len(ends) == len(samples)):
            reading.status = "failed"
            reading.cause = remark("several_reports")
            told = remark("other_gap", gap=gap, usual=usual)
            reading.problems.append(Problem(told, sample.line))
            return True
    return False


def _judge(
    lines: list[str], rows: list[dict[str, Any]], zone: str | None, reading: Reading
) -> None:
    if lines[-1].strip():
        reading.status, reading.cause = "truncated", remark("last_line_no_end")
    elif not rows:
        reading.status = "failed" if reading.problems else "empty"
        reading.cause = remark(
            "only_since_boot", "it has no line but that of the time since boot"
        )
    elif reading.problems:
        reading.status, reading.cause = "degraded", remark("unusable_lines")
    elif any(row["seconds"] is None for row in rows):
        reading.status, reading.cause = (
            "degraded",
            remark("vmstat_without_times", "it has no times (use vmstat -t)"),
        )
    elif zone is None:
        reading.status, reading.cause = "degraded", NO_ZONE
