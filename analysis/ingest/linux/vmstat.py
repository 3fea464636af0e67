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

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import SHARE_OF, LinuxReport, is_sound, lengths
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading

FORMAT = "vmstat"
TITLE = "vmstat (CPU utilisation in whole percent)"
TESTED = "procps 4.0.2"
_HEADER = re.compile(r"^ *r +b +swpd +free .* us +sy +id +wa", re.MULTILINE)
recognise = re.compile(_HEADER.pattern.encode(), re.MULTILINE).search
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")


@dataclass(frozen=True)
class _Sample:
    shares: dict[str, float]
    end: dt.datetime | None
    line: int
    text: str


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row a line but the first; ``busy_seconds`` is null."""
    report = LinuxReport(FORMAT, zone)
    samples = _samples(report.lines(raw), report)
    if other := _other_report(samples):
        report.problems.append(other)
        report.judge("failed", remark("several_reports"))
        return report.reading(FORMAT, "procps vmstat")
    ends = [sample.end for sample in samples if sample.end]
    known = lengths(ends) if len(ends) == len(samples) else [None] * len(samples)
    rows = []
    for sample, seconds in [*zip(samples, known, strict=True)][1:]:
        rows.append(report.cpu_row(sample.shares, sample.end, seconds, sample.line))
    report.finish(
        rows,
        remark("unusable_lines") if report.problems else None,
        remark("only_since_boot", "it has no line but that of the time since boot"),
        remark("vmstat_without_times", "it has no times (use vmstat -t)"),
    )
    report.records = {"interval": len(rows)}
    return report.reading(FORMAT, "procps vmstat")


def _samples(lines: list[str], report: LinuxReport) -> list[_Sample]:
    """All lines of figures; their times are UTC where the header says so."""
    samples: list[_Sample] = []
    names: list[str] = []
    for number, line in enumerate(lines, 1):
        if _HEADER.match(line):
            names = line.split()
            report.zone = "UTC" if names[-1] == "UTC" else report.zone
            names = names[: max(i for i, n in enumerate(names) if n in SHARE_OF) + 1]
        elif names and re.match(r" *\d", line):
            if sample := _sample(names, line, number):
                samples.append(sample)
            else:
                wrong = remark("no_line_of_shares", "not a line of shares")
                report.note(wrong, number)
    return samples


def _sample(names: list[str], line: str, number: int) -> _Sample | None:
    stamp = _STAMP.search(line)
    cells = (line[: stamp.start()] if stamp else line).split()
    if len(cells) != len(names) or not all(cell.isdigit() for cell in cells):
        return None
    values = dict(zip(names, cells, strict=True))
    shares: dict[str, float] = {
        SHARE_OF[name]: printed(cell)
        for name, cell in values.items()
        if name in SHARE_OF
    }
    if not is_sound(shares, by=3.1):  # each of six is rounded by half a percent
        return None
    try:
        end = dt.datetime.fromisoformat(stamp[1]) if stamp else None
    except ValueError:
        return None
    return _Sample(shares, end, number, line.strip())


def _other_report(samples: list[_Sample]) -> Problem | None:
    """Where a second report begins, as its first line covers the time since boot: no
    interval has the figures of that line, and lines come at equal distances."""
    for sample in samples[1:]:
        if sample.text == samples[0].text:
            return Problem(remark("another_report_begins"), sample.line)
    ends = [sample.end for sample in samples if sample.end]
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(ends)]
    usual = statistics.median_low(gaps) if gaps else 0.0
    for sample, gap in zip(samples[1:], gaps, strict=False):
        if gap < 0 or (gap > 3 * usual + 1 and len(ends) == len(samples)):
            return Problem(remark("other_gap", gap=gap, usual=usual), sample.line)
    return None
