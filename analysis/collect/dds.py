"""Reports of RMF from a Distributed Data Server, as XML, of the times of the runs.

Of the Postprocessor by ``/gpm/rmfpp.xml`` with ``date`` (yyyymmdd) and ``timeofday``
(hhmm), of Monitor III by ``/gpm/rmfm3.xml`` with ``range`` (yyyymmddhhmmss), all in
local time. Source: z/OS RMF Programmer's Guide, "Accessing performance data using the
RMF Distributed Data Server".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from analysis.collect.request import Request
from analysis.collect.web import Web
from analysis.declared.campaign import RUNS_FILE
from analysis.declared.collect import COLLECT_FILE, WantedFile
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.ingest.campaign.guess import as_id
from analysis.ingest.campaign.runs import read_rows
from analysis.ingest.clock import parse_time
from analysis.ingest.detect import read_file

_FORMAT = "rmf_xml"
_MINUTE = dt.timedelta(minutes=1)


@dataclass(frozen=True)
class ReportTime:
    """Local times from start to end, of a run or a day: what placeholders stand for."""

    start: dt.datetime
    end: dt.datetime
    run: str = ""

    @property
    def day(self) -> str:
        """The day on which it begins, as 2026-01-12."""
        return self.start.date().isoformat()


def spans(wanted: WantedFile, folder: Path, zone: ZoneInfo) -> list[ReportTime]:
    """When a wanted report is of, in local time: by run, or by day in between.

    Each begins ``around`` minutes before its runs and ends as long after them.
    """
    around = wanted.around * _MINUTE
    if wanted.window:
        start, end = (_local(t, zone) for t in (wanted.window.start, wanted.window.end))
        if end <= start:
            mend = "mend start or end of the window"
            raise user_error("a window ends before it starts", mend=mend)
        times = [ReportTime(start, end)]
    else:
        times = [
            ReportTime(_local(start, zone) - around, _local(end, zone) + around, run)
            for run, start, end in run_windows(folder)
        ]
    by_run = wanted.each == "run" or (wanted.each is None and bool(wanted.report))
    return times if by_run else _by_day(times)


def run_windows(folder: Path) -> list[tuple[str, dt.datetime, dt.datetime]]:
    """Run, start and end of each line of ``runs.csv`` that tells its times."""
    path = folder / RUNS_FILE
    rows, issues = read_rows(path)
    windows = []
    for row in rows:
        try:
            start, end = parse_time(row["start"]), parse_time(row["end"])
        except ValueError as error:
            issues.append(Issue(str(error), Place(str(path), row.line)))
            continue
        if start and end:
            windows.append((as_id(row["run"]), start, end))
    raise_if(issues)
    if not windows:
        mend = f"fill in start and end there, or write 'window' in {COLLECT_FILE}"
        raise user_error("no run tells when it was", path, mend=mend)
    return windows


def _local(time: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """The time on the servers' clocks."""
    aware = time if time.tzinfo else time.replace(tzinfo=zone)
    return aware.astimezone(zone).replace(tzinfo=None)


def _by_day(times: Iterable[ReportTime]) -> list[ReportTime]:
    """One span a day, from the first of it to the last."""
    days: dict[dt.date, ReportTime] = {}
    for part in (part for span in times for part in _parts(span)):
        day = part.start.date()
        so_far = days.get(day, part)
        start, end = min(so_far.start, part.start), max(so_far.end, part.end)
        days[day] = ReportTime(start, end)
    return [days[day] for day in sorted(days)]


def _parts(span: ReportTime) -> Iterator[ReportTime]:
    """A span, cut at midnight."""
    start = span.start
    while start < span.end:
        next_day = dt.datetime.combine(start.date() + dt.timedelta(1), dt.time())
        yield ReportTime(start, min(span.end, next_day))
        start = next_day


def time_of_day(span: ReportTime) -> tuple[str, str]:
    """Whole minutes around a span within a day, as ``0830`` and ``2400``."""
    midnight = dt.datetime.combine(span.start.date(), dt.time())
    first = (span.start - midnight) // _MINUTE
    last = -((midnight - span.end) // _MINUTE)
    return _clock(first), _clock(min(last, 24 * 60))


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}{minutes % 60:02d}"


def requests(
    web: Web, wanted: WantedFile, spans: list[ReportTime]
) -> Iterator[Request]:
    """One request a span; a :class:`UserError` where two would be one file."""
    path_of = _postprocessor if wanted.reports else _monitor
    asked = {
        wanted.to.replace("{day}", span.day).replace("{run}", span.run): span
        for span in spans
    }
    if len(asked) < len(spans):
        place = "{run}" if spans[0].run else "{day}"
        what = f"{len(spans)} reports would be the one file {wanted.to!r}"
        raise user_error(what, mend=f"write {place} in 'to', which stands for each")
    for to, span in asked.items():
        path = path_of(wanted, span)
        yield Request(to, path, partial(_save, web, path))


def _postprocessor(wanted: WantedFile, span: ReportTime) -> str:
    day = f"{span.start:%Y%m%d}"
    query = {"reports": ",".join(wanted.reports), "date": f"{day},{day}"}
    query["timeofday"] = ",".join(time_of_day(span))
    if wanted.system:
        query["sysid"] = wanted.system
    return _path("rmfpp.xml", query)


def _monitor(wanted: WantedFile, span: ReportTime) -> str:
    resource = wanted.resource or f",{wanted.system},MVS_IMAGE"
    times = ",".join(f"{time:%Y%m%d%H%M%S}" for time in (span.start, span.end))
    query = {"report": wanted.report, "resource": resource, "range": times}
    return _path("rmfm3.xml", query)


def _path(file: str, query: dict[str, str]) -> str:
    return f"/gpm/{file}?{urlencode(query, safe='(),', quote_via=quote)}"


def _save(web: Web, path: str, draft: Path) -> None:
    """Write a report; a server that has none says so in a report as well."""
    web.save(path, draft)
    reading = read_file(draft)
    if reading.format != _FORMAT:
        what = f"{path}: the answer is no report of RMF: {reading.reason}"
        mend = "see that this is the address of a Distributed Data Server"
        raise user_error(what, web.server.address, mend=mend)
    if reading.status in ("failed", "truncated", "empty"):
        what = f"{path}: {reading.reason}"
        mend = "see that SMF data of this time are there and that reports are right"
        raise user_error(what, web.server.address, mend=mend)
