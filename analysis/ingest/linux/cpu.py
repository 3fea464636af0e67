"""What the CPU reports of Linux tools share: their host, times, shares, and status.

sysstat names the host before its intervals, as text and as JSON: ``common.c`` and
``json_stats.c`` of sysstat.
"""

from __future__ import annotations

import datetime as dt
import itertools
import json
import math
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import NO_ZONE, is_ambiguous, local_text, zone_info
from analysis.ingest.logs.result import Result, join_results
from analysis.ingest.logs.text import decode, text_lines
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Reading, Verdict

_HOST = re.compile(r"Linux (\S+) \((\S+)\)\s+(\S+)\s+_\w+_\s+\((\d{1,5}) CPU\)")
_JSON_HOST = re.compile(r'"([\w-]+)"\s*:\s*(?:"([^"]*)"|(\d{1,5})\b)')
# A line of means has no time, and its first word depends on the language.
_STAMPED = re.compile(r"(?:(\d\d:\d\d:\d\d(?: [AP]M)?)|# Time|[^\W\d]\S*:)\s+(\S.*)")
_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)(?: ([AP])M)?")
_TWO_DECIMALS = re.compile(r"\d{1,6}[.,]\d\d")
_DATES = ("%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%d.%m.%Y")
_NO_DATE = dt.date(1, 2, 1)
_SHARES = (
    "usr", "nice", "sys", "iowait", "irq", "soft", "steal", "guest", "gnice", "idle",
)  # fmt: skip
SHARE_OF = {
    "user": "usr", "system": "sys", "us": "usr", "sy": "sys", "id": "idle",
    "wa": "iowait", "st": "steal", "gu": "guest",
}  # fmt: skip
"""A share by other names that sar and vmstat have for it."""
CUT = remark("last_line_no_end")
_NO_LENGTH = remark("interval_without_length")


class LinuxReport(Result):
    """Intervals of CPU time while a file is read.

    Its ``system``, with so many ``cpus``, its ``release`` and its ``date`` are what the
    file names, ``zone`` is that of its local times, which are not placed where it has
    no date. ``basis`` is the tool, as in the rows.
    """

    def __init__(self, basis: str, zone: str | None) -> None:
        super().__init__()
        self.basis, self.zone = basis, zone
        self.system: str | None = None
        self.release: str | None = None
        self.date = ""
        self.cpus: int | None = None
        self._dated = True
        self._cut = Verdict("ok")

    def reading(self, format: str, tool: str) -> Reading:
        """What becomes of the file."""
        reading = join_results(format, tool, [self])
        reading.systems = [] if self.system is None else [self.system]
        reading.circumstances = Circumstances(cpus=self.cpus, release=self.release)
        return reading

    def lines(self, raw: Raw) -> list[str]:
        """The complete lines of a text report; none where the file has several."""
        lines, cut = text_lines(raw.read_bytes())
        if cut:
            self._cut = Verdict("truncated", CUT)
        heads = [at for at, line in enumerate(lines) if _HOST.match(line)]
        if not is_one([at + 1 for at in heads], self):
            return []
        if heads and (host := _HOST.match(lines[heads[0]])):
            self.release, self.system, self.date = host[1], host[2], host[3]
            self.cpus = int(host[4])
        return lines

    def json_entries(self, raw: Raw) -> list[tuple[dict[str, Any], int]]:
        """The intervals of a JSON report that are whole, each with its line, also of
        one that is cut off."""
        text = decode(raw.read_bytes())
        pairs = _JSON_HOST.findall(text.split('"statistics"')[0])
        host = {name: quoted or bare for name, quoted, bare in pairs}
        self.system, self.release = host.get("nodename"), host.get("release")
        self.date = host.get("date") or host.get("file-date", "")
        cpus = host.get("number-of-cpus", "")
        self.cpus = int(cpus) if cpus.isdecimal() else None
        decoder = json.JSONDecoder(parse_float=printed)
        entries, line, position = [], 1, 0
        for start in re.finditer(r'\{\s*"timestamp"', text):
            line += text.count("\n", position, start.start())
            position = start.start()
            try:
                entries.append((decoder.raw_decode(text, position)[0], line))
            except (ValueError, RecursionError) as error:
                self.note(remark("not_whole_interval", error=str(error)), line)
        try:
            json.loads(text)
        except (ValueError, RecursionError) as error:
            what = getattr(error, "msg", "too deep")
            self.note(remark("not_whole_json", what=what), getattr(error, "lineno", 1))
            self._cut = Verdict("truncated", remark("json_cut_off_damaged"))
            if what == "Extra data":
                self._cut = Verdict("failed", remark("several_reports"))
        return entries

    def json_shares(self, loads: Any, line: int) -> dict[str, float] | None:
        """Shares of all CPUs from a list with those of each, or of all; null, and a
        problem, where they cannot be right."""
        cpus = self.cpus
        try:
            total = [cpu for cpu in loads if cpu.get("cpu") in ("all", "-1", -1)][:1]
            each = [cpu for cpu in loads if cpu not in total]
            rows = total or (each if len(each) == cpus else [])
            shares = {name: _mean(rows, name) for name in _SHARES}
            if not rows:
                wrong = remark("no_entry_of_all", "no entry for all CPUs")
            elif total and len(each) == cpus and not _is_between(shares, each):
                wrong = remark("cpus_and_total")
            elif is_sound(shares):
                return shares
            else:
                wrong = remark("shares_and_100")
        except (AttributeError, TypeError):
            wrong = remark("shares_and_100")
        self.note(wrong, line)
        return None

    def local_times(self, times: Sequence[dt.time]) -> list[dt.datetime]:
        """Local times in order; one that goes back begins a new day."""
        date = self._date() if times and self.date else None
        self._dated = date is not None
        day = date or _NO_DATE
        moments: list[dt.datetime] = []
        for time in times:
            moment = dt.datetime.combine(day, time)
            if moments and moment < moments[-1] - dt.timedelta(hours=12):
                day += dt.timedelta(days=1)
                moment += dt.timedelta(days=1)
            moments.append(moment)
        return moments

    def _date(self) -> dt.date | None:
        """The date as sysstat prints it; null, and a problem, where it is none."""
        text = self.date
        for form in _DATES:
            try:
                date = dt.datetime.strptime(text, form).date()
            except ValueError:
                continue
            if not 1990 <= date.year < 2100:
                break
            if "/" in text and date.day <= 12 and date.day != date.month:
                mend = "set S_TIME_FORMAT=ISO for the tools of sysstat"
                words = f"date {text} was read as month/day/year; {mend}"
                self.note(remark("date_guessed", words))
            return date
        self.note(remark("date_unknown", f"date {text!r} is not known to be a date"))
        return None

    def start(
        self,
        end: dt.datetime | None,
        seconds: float | None,
        line: int,
        zone: str | None = None,
    ) -> str | None:
        """When an interval began, in UTC, from its local end; null where its end, its
        length, its date or the zone is not known."""
        zone = zone or self.zone
        if end is None or seconds is None or zone is None or not self._dated:
            return None
        local, info = end - dt.timedelta(seconds=seconds), zone_info(zone)
        if is_ambiguous(local, info):
            self.note(remark("local_time_ambiguous", "local time is ambiguous"), line)
        return local_text(local, info)

    def cpu_row(
        self,
        shares: Mapping[str, float],
        end: dt.datetime | None,
        seconds: float | None,
        line: int,
        zone: str | None = None,
    ) -> dict[str, Any]:
        """A ``cpu_interval`` row of the whole system from its shares in percent.

        ``busy_pct`` is 100 − idle − iowait; ``busy_seconds`` are without what the
        hypervisor stole, which nobody on this system used.
        """
        busy = round(100 - shares["idle"] - shares.get("iowait", 0.0), 2)
        length = seconds if seconds and seconds > 0 else None
        used = None
        if length is not None and self.cpus is not None:
            used = (busy - shares.get("steal", 0.0)) / 100 * self.cpus * length
        return {
            "system": self.system,
            "cpu_type": "CP",
            "start_utc": self.start(end, seconds, line, zone),
            "seconds": length,
            "online_cpus": self.cpus,
            "busy_pct": busy,
            "busy_seconds": used,
            "steal_pct": shares.get("steal"),
            "scope": "system",
            "basis": self.basis,
            "position": line,
        }

    def finish(
        self,
        rows: list[dict[str, Any]],
        odd: Remark | None,
        nothing: Remark,
        no_length: Remark = _NO_LENGTH,
        table: str = "cpu_interval",
    ) -> None:
        """Take the rows over, and set the status: of a file that is cut off, of one
        with ``nothing`` to use, with ``odd`` intervals, or with ``no_length`` of one.
        """
        self.tables[table] = rows
        undated = any(row["start_utc"] is None for row in rows)
        if self._cut.cause:
            self.hold(self._cut)
        elif not rows:
            self.judge("failed" if odd else "empty", nothing)
        elif odd:
            self.judge("degraded", odd)
        elif any(row["seconds"] is None for row in rows):
            self.judge("degraded", no_length)
        elif undated:
            undatable = remark("date_not_understood")
            self.judge("degraded", undatable if self.zone else NO_ZONE)

    def judge_steps(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Doubt an interval that is longer than two others and a second: its time stamp
        may be wrong, or lines may be missing."""
        known = [row["seconds"] for row in rows if row["seconds"]]
        usual = statistics.median_low(known) if known else 0.0
        for row in rows:
            if (gap := row["seconds"] or 0.0) > 2 * usual + 1:
                self.judge(
                    "degraded",
                    remark("other_gap", gap=gap, usual=usual),
                    row["position"],
                )
                return


def _mean(cpus: Sequence[Mapping[str, Any]], name: str) -> float:
    """The mean share of some CPUs, which is rarely of more than their total."""
    shares = [cpu.get(name, 0.0) for cpu in cpus]
    return shares[0] if len(shares) == 1 else sum(shares) / max(len(shares), 1)


def _is_between(shares: Mapping[str, float], each: Sequence[Mapping[str, Any]]) -> bool:
    """Whether shares of all CPUs lie between those of each: a mean does, whatever the
    weights."""
    return all(
        min(values) - 0.02 <= share <= max(values) + 0.02
        for name, share in shares.items()
        if (values := [one[name] for one in each if name in one])
    )


def is_sound(shares: Mapping[str, float], by: float = 0.6) -> bool:
    """Whether shares are percentages that make 100 together."""
    within = all(0 <= share <= 100.01 for share in shares.values())
    return within and abs(math.fsum(shares.values()) - 100) < by


def stamped(lines: Iterable[str]) -> Iterator[tuple[int, dt.time | None, str]]:
    """The number, time and text of lines of sysstat that begin with the time of day;
    the time is null of means, and of headings that ``# Time`` begins."""
    for number, line in enumerate(lines, 1):
        if begin := _STAMPED.match(line):
            time = read_clock(begin[1]) if begin[1] else None
            if time or not begin[1]:
                yield number, time, begin[2]


def read_clock(text: str) -> dt.time | None:
    """A time of day of 24 or of 12 hours; null where it is none."""
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return None
    hour, minute, second = map(int, clock.group(1, 2, 3))
    if clock[4]:
        hour = hour % 12 + 12 * (clock[4] == "P")
    try:
        return dt.time(hour, minute, second)
    except ValueError:
        return None


def two_decimals(text: str) -> float | None:
    """A share of sysstat, which may have a decimal comma; null for anything else."""
    whole = _TWO_DECIMALS.fullmatch(text)
    return printed(text.replace(",", ".")) if whole else None


def lengths(ends: Sequence[dt.datetime]) -> list[float | None]:
    """Seconds of each interval from its end; whole seconds wobble by one."""
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(ends)]
    if not gaps:
        return [None] * len(ends)
    usual = statistics.median_low(gaps)
    steady = [usual if abs(gap - usual) <= 1 else gap for gap in gaps]
    return [length if length > 0 else None for length in [usual, *steady]]


def is_one(heads: Sequence[int], out: Result, snapshots: bool = False) -> bool:
    """Whether a file has one report, or snapshot, or none; ``heads`` are the lines in
    which one begins. Several fail it: each has its own date or command."""
    if len(heads) < 2:
        return True
    if snapshots:
        begins, cause = "another_snapshot_begins", remark("several_snapshots")
    else:
        words = f"{len(heads)} reports in one file; put each in its own"
        begins, cause = "another_report_begins", remark("counted_reports", words)
    for line in heads[1:]:
        out.note(remark(begins), line)
    out.judge("failed", cause)
    return False


def add_command(out: Result, method: str, seconds: float, line: int) -> None:
    """Add the CPU time of a command to a result, as its row of ``run_cpu``."""
    row = {
        "cpu_type": "CP",
        "cpu_seconds": seconds,
        "method": method,
        "scope": "process",
        "position": line,
    }
    out.tables["run_cpu"] = [row]
