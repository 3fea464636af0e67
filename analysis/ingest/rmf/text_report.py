"""Text reports of the RMF Postprocessor, with or without ASA control characters.

CPU ACTIVITY with its PARTITION DATA REPORT, WORKLOAD ACTIVITY, DIRECT ACCESS DEVICE
ACTIVITY and overview reports are decoded; others are counted. Times are local and name
no zone; the order of dates is that of the installation. Layouts: figures of z/OS RMF
Report Analysis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis.facts.remark import remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.clock import DATE_ORDERS, MDY, Window, local_time
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.cpu import add_cpu, tell_boosts
from analysis.ingest.rmf.figures import whole_seconds
from analysis.ingest.rmf.overview import OVERVIEW, OverviewLine, add_overview
from analysis.ingest.rmf.text_columns import TextColumns, columns
from analysis.ingest.rmf.text_cpu import TextCpu
from analysis.ingest.rmf.text_devices import DEVICES, TextDevices
from analysis.ingest.rmf.text_pages import ReportPage, pages, title_of
from analysis.ingest.rmf.text_wlm import TextClasses

_HEAD = re.compile(r"\s*DATE\s+TIME\s+INT(?:ERVAL)?\s+\S", re.IGNORECASE)
_ROW = re.compile(
    r"\s*(\d\d[/.]\d\d(?:[/.]\d{4})?)\s+(\d\d.\d\d.\d\d)\s+(\d\d.\d\d.\d\d)"
)

__all__ = ["DATE_ORDERS", "FORMAT", "TITLE", "read", "recognise"]

FORMAT = "rmf_text"
TITLE = "RMF Postprocessor report (text)"
TESTED = "figures of IBM's book z/OS RMF Report Analysis"
SIGNS = ("system", "sysplex")
CPU, PARTITIONS, CLASSES = "CPU ACTIVITY", "PARTITION DATA REPORT", "WORKLOAD ACTIVITY"
_OVERVIEW = ("RMF OVERVIEW REPORT", "OVERVIEW REPORT")
_HEADING = re.compile(r"SYSTEM ID\s|SYSPLEX\s", re.IGNORECASE)


def recognise(head: bytes) -> bool:
    """Whether the first lines hold a spaced title above a heading of RMF."""
    upper = head.upper()  # most files are told apart by this, without a pattern
    if b"SYSTEM ID" not in upper and b"SYSPLEX" not in upper:
        return False
    lines = head.decode("latin-1").splitlines()
    for at, line in enumerate(lines):
        if title_of(line.removeprefix("1")) and any(
            _HEADING.search(text) for text in lines[at + 1 : at + 5]
        ):
            return True
    return False


@dataclass
class _Pending:
    """One report, whose pages are still being read."""

    kind: str
    system: str
    window: Window
    line: int
    cpu: TextCpu = field(default_factory=TextCpu)
    classes: TextClasses = field(default_factory=TextClasses)
    devices: TextDevices = field(default_factory=TextDevices)
    text: list[str] = field(default_factory=list)

    def takes(self, page: ReportPage, kind: str, window: Window) -> bool:
        """Whether a page continues this report."""
        same = (kind, page.system, window) == (self.kind, self.system, self.window)
        if page.title == DEVICES:
            return same and not self.devices.repeats(page)
        return same and not (page.title == CPU and self.cpu.repeats(page))


def read(raw: Raw, zone: str | None = None, dates: str = MDY) -> Reading:
    """The rows of all reports that are decoded; ``position`` is a line.

    ``dates`` is the order of the dates: mdy, dmy or ymd. Without ``zone`` rows have no
    ``start_utc``.
    """
    reading = Reading(FORMAT, tool="RMF Postprocessor")
    found = collector(reading, raw, zone, by_line=True)
    pending: _Pending | None = None
    for page in pages(raw):
        pending = _read_page(page, pending, dates, found)
    _finish(pending, found, last=True)
    tell_boosts(found)
    return found.finish(remark("no_page", "it holds no page of a report"))


def _read_page(
    page: ReportPage, pending: _Pending | None, dates: str, to: Collector
) -> _Pending | None:
    if page.title in _OVERVIEW:
        _finish(pending, to)
        to.reports[OVERVIEW] += 1
        add_overview(overview_lines(page, dates), page.system, to)
        return None
    kind = CPU if page.title == PARTITIONS else page.title
    if kind not in (CPU, CLASSES, DEVICES):
        to.reports[page.title] += 1
        to.undecoded.add(page.title)
        to.see_system("" if page.is_sysplex else page.system)
        return pending
    window = page.window(dates)
    if pending is None or not pending.takes(page, kind, window):
        _finish(pending, to)
        pending = _Pending(kind, page.system, window, page.number)
        to.reports[kind] += 1
    _add_page(page, pending)
    return pending


def _add_page(page: ReportPage, pending: _Pending) -> None:
    pending.text += [text for _, text in page.lines]
    if page.title == CPU:
        pending.cpu.read(page)
    elif page.title == PARTITIONS:
        pending.cpu.read_partitions(page)
    elif page.title == DEVICES:
        pending.devices.read(page)
    else:
        pending.classes.read(page)


def _finish(pending: _Pending | None, to: Collector, last: bool = False) -> None:
    """Make the rows of a report whose pages have all been read."""
    if pending is None:
        return
    content = "\n".join(pending.text).encode()
    of, system = pending.kind, pending.system
    interval = to.interval(of, system, pending.window, pending.line, content)
    if interval is None:
        return
    if pending.kind == CLASSES:
        pending.classes.add(interval, to)
    elif pending.kind == DEVICES:
        pending.devices.add(interval, to)
    elif not _is_broken(pending.cpu, to, last):
        to.reading.details["machine"] = pending.cpu.report.said
        add_cpu(pending.cpu.report, interval, to)


def _is_broken(cpu: TextCpu, to: Collector, last: bool) -> bool:
    """Whether CPUs are missing, so that averages would be of the others alone."""
    if cpu.odd_line is not None:
        said = remark(
            "odd_line_of_cpus",
            "a line among those of the CPUs is not understood: the report is left out",
        )
        to.lost(said, cpu.odd_line)
        return True
    if cpu.open_line is None:
        return False
    said = remark(
        "no_total_of_cpus",
        "the lines of the CPUs end without TOTAL/AVERAGE: the report is left out",
    )
    if last:
        to.truncated = to.problem(said, cpu.open_line)
    else:
        to.lost(said, cpu.open_line)
    return True


def overview_lines(page: ReportPage, order: str) -> Iterator[OverviewLine]:
    """The lines of a page; dates without a year are of the report or the next year."""
    heads: TextColumns | None = None
    begin = local_time(page.said("START"), order)
    for at, text in page.lines:
        if _HEAD.match(text):
            heads = columns(text, text.upper().split())
        elif heads and (found := _ROW.match(text)):
            date, slash = found[1], found[1][2]
            years = [""]
            if len(date) == 5 and begin:
                years = [f"{slash}{begin.year}", f"{slash}{begin.year + 1}"]
            times = [local_time(f"{date}{year}-{found[2]}", order) for year in years]
            known = [time for time in times if time and (not begin or time >= begin)]
            rest = heads.cells(" " * found.end() + text[found.end() :])
            seconds = whole_seconds(found[3])
            yield OverviewLine(known[0] if known else None, seconds, rest, at)
