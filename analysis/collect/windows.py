"""Times for which reports are asked, from the runs of a campaign or as declared."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from analysis.declared.campaign import RUNS_FILE
from analysis.declared.collect import COLLECT_FILE, WantedFile
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.ingest.campaign.guess import as_id
from analysis.ingest.campaign.runs import RunRow, read_rows
from analysis.ingest.clock import parse_time

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
        told = [ReportTime(start, end)]
    else:
        told = [
            ReportTime(_local(start, zone) - around, _local(end, zone) + around, run)
            for run, start, end in run_windows(folder)
        ]
    by_run = wanted.each == "run" or (wanted.each is None and bool(wanted.report))
    return told if by_run else _by_day(told)


def run_windows(folder: Path) -> list[tuple[str, dt.datetime, dt.datetime]]:
    """Run, start and end of each line of ``runs.csv`` that tells its times."""
    path = folder / RUNS_FILE
    rows, issues = read_rows(path)
    found = []
    for row in rows:
        try:
            start, end = parse_time(row["start"]), parse_time(row["end"])
        except ValueError as error:
            issues.append(_issue(path, row, str(error)))
            continue
        if start and end:
            found.append((as_id(row["run"]), start, end))
    raise_if(issues)
    if not found:
        mend = f"fill in start and end there, or write 'window' in {COLLECT_FILE}"
        raise user_error("no run tells when it was", path, mend=mend)
    return found


def _issue(path: Path, row: RunRow, what: str) -> Issue:
    return Issue(what, Place(str(path), row.line))


def _local(time: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """The time on the servers' clocks."""
    aware = time if time.tzinfo else time.replace(tzinfo=zone)
    return aware.astimezone(zone).replace(tzinfo=None)


def _by_day(told: Iterable[ReportTime]) -> list[ReportTime]:
    """One span a day, from the first of it to the last."""
    days: dict[dt.date, ReportTime] = {}
    for part in (part for span in told for part in _parts(span)):
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
