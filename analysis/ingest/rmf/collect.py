"""What was found in a file so far: rows by table, problems, and the judgement."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import NO_ZONE, zone_info
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading, Verdict
from analysis.ingest.rmf.clock import Clock, ReportInterval, Window
from analysis.ingest.rmf.columns import Batch, Columns, Shape, in_order
from analysis.ingest.tables.catalog import TABLES

Row = dict[str, Any]
MOST_PROBLEMS = 1000
MOST_PERCENT = 100.5  # of one CPU or channel, as printed
_BATCH = 10_000
_SHARES = {
    "cpu_interval": ("busy_pct", "mvs_busy_pct"),
    "channel_interval": ("partition_busy_pct", "total_busy_pct", "bus_busy_pct"),
}


@dataclass
class Collector:
    """Rows and problems of one file; ``by_line`` says that positions are lines."""

    reading: Reading
    raw: Raw
    clock: Clock
    by_line: bool = False
    untimed: Remark = NO_ZONE  # why rows have no time
    reports: Counter[str] = field(default_factory=Counter)
    undecoded: set[str] = field(default_factory=set)
    boosts: dict[str, None] = field(default_factory=dict)  # in the order seen
    messages: list[tuple[str, str]] = field(default_factory=list)
    damaged: Problem | None = None  # the first part of the file that was lost
    figures: dict[tuple[Any, ...], set[str]] = field(default_factory=dict)
    truncated: Problem | None = None  # where the file breaks off
    _rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    _frames: dict[str, list[pl.DataFrame]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _batches: dict[tuple[str, Shape], Batch] = field(default_factory=dict)
    _waiting: int = 0  # lines in batches
    _seen: set[tuple[Any, ...]] = field(default_factory=set)
    _local: list[dt.datetime] = field(default_factory=list)
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

    def lost_to_comma(self, figure: str, position: int) -> None:
        """Note a figure with a comma, which may stand for the decimal point or for
        thousands: neither is guessed, and it is not used."""
        self.lost(
            remark(
                "comma",
                f"{figure} has a comma, not a decimal point: figures like it are "
                "not used; let RMF write its report in English",
            ),
            position,
        )

    def percentage(
        self, value: float | None, figure: str, position: int
    ) -> float | None:
        """The value; null, and told, where it is no share of a CPU or channel."""
        if value is None or 0 <= value <= MOST_PERCENT:
            return value
        told = remark(
            "impossible_percentage",
            f"{figure} is {value:g}%, which cannot be: it was not used",
        )
        self.lost(told, position)
        return None

    def see_system(self, system: str | None) -> None:
        """Remember that the file speaks of a system."""
        if system and system not in self.reading.systems:
            self.reading.systems.append(system)

    def interval(
        self, of: str, system: str, window: Window, position: int, content: bytes
    ) -> ReportInterval | None:
        """The interval of a report; null where its time is not understood, or where
        the same report (``of``, ``content``) is here a second time.
        """
        if window.doubt:
            self.lost(window.doubt, position)
        if window.start is None:
            return None
        end = window.start + dt.timedelta(seconds=window.seconds or 0)
        self._local += [window.start, end]
        if window.seconds is None:
            return None
        utc, twice = self.clock.utc(f"{of} {system}", window.start)
        if twice:
            self.problem(
                remark("time_twice", "the clock showed this time twice: order decides"),
                position,
            )
        digest = hashlib.blake2b(content, digest_size=16).digest()
        key = (of, system, window.start, utc, window.seconds, digest)
        if key in self._seen:
            said = remark(
                "interval_again", "this interval is here a second time and was left out"
            )
            self.problem(said, position)
            return None
        self._seen.add(key)
        return ReportInterval(system or None, utc, window.seconds, position)

    def add(self, table: str, interval: ReportInterval, row: Row) -> None:
        """One row of a table, in an interval."""
        self.see_system(interval.system)
        rows = self._rows[table]
        rows.append(interval.shared | row)
        if len(rows) == _BATCH:
            self._pack(table)

    def add_texts(
        self,
        table: str,
        interval: ReportInterval,
        shape: Shape,
        columns: Columns,
        lines: list[str],
    ) -> None:
        """Rows of a table, in an interval, that are still lines of texts."""
        if not lines:
            return
        self.see_system(interval.system)
        batch = self._batches.setdefault((table, shape), Batch(shape))
        batch.add(interval.shared, columns, lines)
        self._waiting += len(lines)
        if self._waiting >= _BATCH:
            self._pack_batches()

    def _pack_batches(self) -> None:
        for (table, _), batch in self._batches.items():
            self._frames[table].append(batch.frame(table))
        self._batches.clear()
        self._waiting = 0

    def _pack(self, table: str) -> None:
        """Turn rows into a frame, which takes a tenth of their memory."""
        frame = pl.from_dicts(self._rows[table], TABLES[table])
        self._frames[table].append(frame)
        self._rows[table].clear()

    def finish(self, empty: Remark) -> Reading:
        """The reading with its tables and status. ``empty``: what no report means."""
        reading = self.reading
        self._pack_batches()
        for name in TABLES:
            if self._rows[name]:
                self._pack(name)
            if self._frames[name]:
                rows = self._possible(name, pl.concat(self._frames[name]))
                reading.tables[name] = in_order(name, rows)
        reading.records = dict(sorted(self.reports.items()))
        if self._local:
            reading.circumstances = Circumstances(
                local_start=min(self._local).isoformat(),
                local_end=max(self._local).isoformat(timespec="seconds"),
            )
        if self.undecoded:
            reading.details["present, not decoded"] = sorted(self.undecoded)
        for name, said in self.messages:
            self.problem(remark("of_server", name=name, text=said))
        reading.judge(*self._judge(empty))
        if self._more_problems:
            more = remark(
                "more_problems", f"{self._more_problems} more problems are not listed"
            )
            reading.problems.append(Problem(more))
        return reading

    def _possible(self, table: str, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows without shares that cannot be: a CPU interval is left out, of a
        channel the figure."""
        for column in _SHARES.get(table, ()):
            odd = ~pl.col(column).is_between(0, MOST_PERCENT)
            for row in rows.filter(odd).iter_rows(named=True):
                figure = f"{column} of {row.get('channel') or row['cpu_type']}"
                self.percentage(row[column], figure, row["position"])
            if table == "cpu_interval":
                rows = rows.filter(odd.not_() | pl.col(column).is_null())
            else:
                rows = rows.with_columns(pl.when(odd.not_()).then(column).alias(column))
        return rows

    def _judge(self, empty: Remark) -> Verdict:
        tables = self.reading.tables
        if not tables:
            return self._nothing(empty)
        if self.truncated:
            return Verdict("truncated", self.truncated.remark)
        if all(t["start_utc"].null_count() == t.height for t in tables.values()):
            return Verdict("degraded", self.untimed)
        if self.damaged:
            return Verdict("degraded", self.damaged.remark)
        return Verdict("ok")

    def _nothing(self, empty: Remark) -> Verdict:
        """Why a file has no row."""
        lost = self.truncated or self.damaged
        if self.truncated:
            return Verdict("truncated", self.truncated.remark)
        if lost:
            return Verdict("failed", lost.remark)
        if self.messages:
            name, text = self.messages[0]
            said = remark("of_server", name=name, text=text)
            return Verdict("empty" if name == _NO_DATA else "failed", said)
        decoded = sorted(set(self.reports) - self.undecoded)
        if decoded:
            return Verdict(
                "failed",
                remark(
                    "no_usable_report",
                    f"no {' or '.join(decoded)} report in it could be used",
                ),
            )
        if self.reports:
            names = ", ".join(sorted(self.reports))
            return Verdict(
                "failed",
                remark(
                    "no_decoded_report",
                    f"only reports in it that are not decoded: {names}",
                ),
            )
        return Verdict("empty", empty)


_NO_DATA = "GPM0745E"


def collector(
    reading: Reading, raw: Raw, zone: str | None, by_line: bool = False
) -> Collector:
    """An empty collector for a file whose local times are of ``zone``."""
    clock = Clock(zone_info(zone) if zone else None)
    return Collector(reading, raw, clock, by_line)
