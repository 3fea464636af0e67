"""What was found in a file so far: rows by table, problems, and the judgement."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import (
    NO_ZONE,
    epoch_text,
    is_ambiguous,
    local_text,
    zone_info,
)
from analysis.ingest.reading import Circumstances, Problem, Reading, Verdict
from analysis.ingest.rmf.report import Report, Row
from analysis.ingest.tables.catalog import TABLES

MOST_PROBLEMS = 1000
MOST_PERCENT = 100.5  # of one CPU or channel, as printed
_BATCH = 10_000  # rows that become a frame, which takes a tenth of their memory
_NO_DATA = "GPM0745E"
_SHARES = {
    "cpu_interval": ("busy_pct", "mvs_busy_pct"),
    "channel_interval": ("partition_busy_pct", "total_busy_pct", "bus_busy_pct"),
}


@dataclass
class Collector:
    """Rows and problems of one file; ``by_line`` says that positions are lines."""

    reading: Reading
    zone: ZoneInfo | None  # of local times
    by_line: bool = False
    untimed: Remark = NO_ZONE  # why rows have no time
    reports: Counter[str] = field(default_factory=Counter)
    undecoded: set[str] = field(default_factory=set)
    messages: list[tuple[str, str]] = field(default_factory=list)
    damaged: Problem | None = None  # the first part of the file that was lost
    truncated: Problem | None = None  # where the file breaks off
    boosts: dict[str, None] = field(default_factory=dict)  # in the order seen
    resources: dict[tuple[Any, ...], set[str]] = field(
        default_factory=lambda: defaultdict(set)
    )  # that have figures, of each report and interval of Monitor III
    _rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    _frames: dict[str, list[pl.DataFrame]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _seen: set[tuple[Any, ...]] = field(default_factory=set)
    _local: list[dt.datetime] = field(default_factory=list)
    _last: dict[Any, tuple[dt.datetime, int]] = field(default_factory=dict)
    _more_problems: int = 0

    def problem(self, what: Remark, position: int | None = None) -> Problem:
        """Note something wrong, and where."""
        line, offset = (position, None) if self.by_line else (None, position)
        problem = Problem(what, line=line, offset=offset)
        if len(self.reading.problems) < MOST_PROBLEMS:
            self.reading.problems.append(problem)
        else:
            self._more_problems += 1
        return problem

    def lost(self, what: Remark, position: int) -> None:
        """Note a part of the file that cannot be read."""
        problem = self.problem(what, position)
        self.damaged = self.damaged or problem

    def broken_off(self, what: Remark, position: int | None = None) -> None:
        """Note where the file ends too early."""
        self.truncated = self.problem(what, position)

    def lost_to_comma(self, figure: str, position: int) -> None:
        """Note a figure with a comma, which may stand for the decimal point or for
        thousands: neither is guessed, and it is not used."""
        what = (
            f"{figure} has a comma, not a decimal point: figures like it are not used; "
            "let RMF write its report in English"
        )
        self.lost(remark("comma", what), position)

    def percentage(
        self, value: float | None, figure: str, position: int
    ) -> float | None:
        """The value; null, and told, where it is no share of a CPU or channel."""
        if value is None or 0 <= value <= MOST_PERCENT:
            return value
        what = f"{figure} is {value:g}%, which cannot be: it was not used"
        self.lost(remark("impossible_percentage", what), position)
        return None

    def see_system(self, system: str | None) -> None:
        """Remember that the file speaks of a system."""
        if system and system not in self.reading.systems:
            self.reading.systems.append(system)

    def begin(self, report: Report) -> bool:
        """Find out when a report began; false where its time is not understood, or
        where the same report is here a second time at one local time."""
        window, place = report.window, report.place
        if window.doubt:
            self.lost(window.doubt, place)
        if window.utc and window.seconds:
            seconds = window.utc.replace(tzinfo=dt.UTC).timestamp()
            report.start_utc = epoch_text(seconds)
            return True
        if window.start is None:
            return False
        end = window.start + dt.timedelta(seconds=report.seconds)
        self._local += [window.start, end]
        if window.seconds is None:
            return False
        series = report.name, report.system
        report.start_utc = self._utc(series, window.start, place)
        digest = hashlib.blake2b(report.content, digest_size=16).digest()
        key = (series, window.start, report.start_utc, window.seconds, digest)
        if key in self._seen:
            what = "this interval is here a second time and was left out"
            self.problem(remark("interval_again", what), place)
            return False
        self._seen.add(key)
        return True

    def _utc(self, series: Any, start: dt.datetime, place: int) -> str | None:
        """A local start as UTC text, null without a zone. In the hour that a clock
        shows twice, one that is not after the previous one of its series, such as a
        report of a system, belongs to the second time."""
        if self.zone is None:
            return None
        last, fold = self._last.get(series, (dt.datetime.min, 0))
        twice = is_ambiguous(start, self.zone)
        if twice:
            what = "the clock showed this time twice: order decides"
            self.problem(remark("time_twice", what), place)
        fold = twice and (fold or start <= last)
        self._last[series] = start, fold
        return local_text(start, self.zone, fold)

    def add(self, table: str, report: Report, row: Row) -> None:
        """One row of a table; its ``position`` and ``system`` are the report's, if it
        has none, and busy seconds follow from a busy share, or the other way round. A
        share that cannot be is told: a CPU interval with one is left out, of a channel
        the figure."""
        capacity = (row.get("online_cpus") or 0.0) * report.seconds
        if table == "cpu_interval" and capacity:
            busy, used = row.get("busy_pct"), row.get("busy_seconds")
            if used is None and busy is not None:
                row["busy_seconds"] = busy / 100 * capacity
            if busy is None and used is not None:
                row["busy_pct"] = 100 * used / capacity
        for name in _SHARES.get(table, ()):
            value = row.get(name)
            if value is not None and not 0 <= value <= MOST_PERCENT:
                figure = f"{name} of {row.get('channel') or row['cpu_type']}"
                row = row | {name: self.percentage(value, figure, report.place)}
                if table == "cpu_interval":
                    return
        self.see_system(row.get("system", report.system))
        rows = self._rows[table]
        rows.append(
            {
                "system": report.system or None,
                "start_utc": report.start_utc,
                "seconds": report.window.seconds,
                "position": report.place,
                **row,
            }
        )
        if len(rows) == _BATCH:
            self._pack(table)

    def _pack(self, table: str) -> None:
        frame = pl.from_dicts(self._rows[table], TABLES[table])
        self._frames[table].append(frame)
        self._rows[table].clear()

    def finish(self, empty: Remark) -> Reading:
        """The reading with its tables and status. ``empty``: what no report means."""
        reading = self.reading
        for name in TABLES:
            if self._rows[name]:
                self._pack(name)
            if self._frames[name]:
                reading.tables[name] = pl.concat(self._frames[name])
        reading.records = dict(sorted(self.reports.items()))
        if self._local:
            reading.circumstances = Circumstances(
                local_start=min(self._local).isoformat(),
                local_end=max(self._local).isoformat(timespec="seconds"),
            )
        if self.undecoded:
            reading.details["present, not decoded"] = sorted(self.undecoded)
        if self.boosts:  # such intervals are of another machine
            reading.details["boost"] = list(self.boosts)
            self.problem(remark("boosted", boosts=tuple(sorted(self.boosts))))
        for name, text in self.messages:
            self.problem(remark("of_server", name=name, text=text))
        reading.judge(*self._judge(empty))
        if self._more_problems:
            text = f"{self._more_problems} more problems are not listed"
            reading.problems.append(Problem(remark("more_problems", text)))
        return reading

    def _judge(self, empty: Remark) -> Verdict:
        tables = self.reading.tables
        if self.truncated:
            return Verdict("truncated", self.truncated.remark)
        if not tables:
            return self._nothing(empty)
        if all(t["start_utc"].null_count() == t.height for t in tables.values()):
            return Verdict("degraded", self.untimed)
        if self.damaged:
            return Verdict("degraded", self.damaged.remark)
        return Verdict("ok")

    def _nothing(self, empty: Remark) -> Verdict:
        """Why a file has no row."""
        if self.damaged:
            return Verdict("failed", self.damaged.remark)
        if self.messages:
            name, text = self.messages[0]
            what = remark("of_server", name=name, text=text)
            return Verdict("empty" if name == _NO_DATA else "failed", what)
        if not self.reports:
            return Verdict("empty", empty)
        if decoded := sorted(set(self.reports) - self.undecoded):
            text = f"no {' or '.join(decoded)} report in it could be used"
            return Verdict("failed", remark("no_usable_report", text))
        names = ", ".join(sorted(self.reports))
        text = f"only reports in it that are not decoded: {names}"
        return Verdict("failed", remark("no_decoded_report", text))


def collector(reading: Reading, zone: str | None, by_line: bool = False) -> Collector:
    """An empty collector for a file whose local times are of ``zone``."""
    return Collector(reading, zone_info(zone) if zone else None, by_line)
