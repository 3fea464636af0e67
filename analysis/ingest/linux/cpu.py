"""What the CPU reports of Linux tools have in common: dates, shares, lengths."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import statistics
from collections.abc import Sequence
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.clock import is_ambiguous, local_text, zone_info
from analysis.ingest.reading import Problem, Reading

_DATES = ("%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%d.%m.%Y")
_TIMES = ("%H:%M:%S", "%I:%M:%S %p")


def read_date(text: str, reading: Reading) -> dt.date | None:
    """A date as sysstat prints it; null, and a problem, where it is none."""
    for form in _DATES:
        try:
            date = dt.datetime.strptime(text, form).date()
        except ValueError:
            continue
        if not 1990 <= date.year < 2100:
            break
        if "/" in text and date.day <= 12 and date.day != date.month:
            mend = "set S_TIME_FORMAT=ISO for the tools of sysstat"
            told = remark(
                "date_guessed", f"date {text} was read as month/day/year; {mend}"
            )
            reading.problems.append(Problem(told))
        return date
    reading.problems.append(
        Problem(remark("date_unknown", f"date {text!r} is not known to be a date"))
    )
    return None


def read_clock(text: str) -> dt.time | None:
    """A time of day of 24 or of 12 hours; null where it is none."""
    for form in _TIMES:
        try:
            return dt.datetime.strptime(text, form).time()
        except ValueError:
            continue
    return None


def local_times(times: Sequence[dt.time], day: dt.date) -> list[dt.datetime]:
    """Local times of a file in order; one that goes back begins a new day."""
    found: list[dt.datetime] = []
    for time in times:
        moment = dt.datetime.combine(day, time)
        if found and moment < found[-1] - dt.timedelta(hours=12):
            day += dt.timedelta(days=1)
            moment += dt.timedelta(days=1)
        found.append(moment)
    return found


def lengths(ends: Sequence[dt.datetime]) -> list[float | None]:
    """Seconds of each interval from its end; whole seconds wobble by one."""
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(ends)]
    if not gaps:
        return [None] * len(ends)
    usual = statistics.median_low(gaps)
    steady = [usual if abs(gap - usual) <= 1 else gap for gap in gaps]
    return [length if length > 0 else None for length in [usual, *steady]]


def judge_steps(rows: Sequence[dict[str, Any]], reading: Reading) -> None:
    """Degrade a sound reading where an interval is longer than two others and a second:
    its time stamp may be wrong, or lines may be missing."""
    known = [row["seconds"] for row in rows if row["seconds"]]
    usual = statistics.median_low(known) if known else 0.0
    for row in rows:
        if (gap := row["seconds"] or 0.0) > 2 * usual + 1 and reading.status == "ok":
            cause = remark("other_gap", gap=gap, usual=usual)
            reading.problems.append(Problem(cause, row["position"]))
            reading.judge("degraded", cause)


def utc_of(
    local: dt.datetime | None, zone: str | None, line: int, reading: Reading
) -> str | None:
    """A local time in UTC; a problem where the clock showed it twice."""
    if local is None or zone is None:
        return None
    info = zone_info(zone)
    if is_ambiguous(local, info):
        reading.problems.append(
            Problem(remark("local_time_ambiguous", "local time is ambiguous"), line)
        )
    return local_text(local, info)


def cpu_row(
    shares: dict[str, float], cpus: int | None, seconds: float | None, basis: str
) -> dict[str, Any]:
    """A ``cpu_interval`` row of a whole system from its shares in percent.

    ``busy_pct`` is 100 − idle − iowait; ``busy_seconds`` are without what the
    hypervisor stole, which nobody on this system used.
    """
    busy = round(100 - shares["idle"] - shares.get("iowait", 0.0), 2)
    used = busy - shares.get("steal", 0.0)
    known = seconds is not None and cpus is not None
    return {
        "cpu_type": "CP",
        "seconds": seconds,
        "online_cpus": cpus,
        "busy_pct": busy,
        "busy_seconds": used / 100 * (cpus or 0) * (seconds or 0) if known else None,
        "steal_pct": shares.get("steal"),
        "scope": "system",
        "basis": basis,
    }


def is_sound(shares: dict[str, float], by: float = 0.6) -> bool:
    """Whether shares are percentages that make 100 together."""
    within = all(0 <= share <= 100.01 for share in shares.values())
    return within and abs(sum(shares.values()) - 100) < by


def is_between(
    shares: dict[str, float], each: Sequence[dict[str, Any]], cpus: int | None
) -> bool:
    """Whether shares of all CPUs lie between those of each: a mean does, whatever the
    weights. True where not each of so many CPUs is there."""
    if not each or len(each) != cpus:
        return True
    return all(
        min(told) - 0.02 <= share <= max(told) + 0.02
        for name, share in shares.items()
        if (told := [one[name] for one in each if name in one])
    )


def is_one_report(heads: Sequence[int], reading: Reading) -> bool:
    """Whether a file has one report or none; ``heads`` are the lines of their headings.

    Reports behind one another fail the reading: each has its own date or command.
    """
    if len(heads) < 2:
        return True
    reading.problems = [
        Problem(remark("another_report_begins"), line) for line in heads[1:]
    ]
    reading.status = "failed"
    reading.cause = remark(
        "counted_reports", f"{len(heads)} reports in one file; put each in its own"
    )
    return False


def is_cut_json(text: str, reading: Reading) -> bool:
    """Whether JSON is not whole; the status of the reading then says so."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        told = getattr(error, "msg", "too deep")
        line = getattr(error, "lineno", 1)
        reading.problems.append(Problem(remark("not_whole_json", what=told), line))
        reading.judge("truncated", remark("json_cut_off_damaged"))
        if told == "Extra data":
            reading.judge("failed", remark("several_reports"))
        return True
    return False
