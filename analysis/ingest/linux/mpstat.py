"""mpstat JSON (sysstat 11.5 and later): CPU intervals of one Linux system.

A timestamp is the local time at the end of its interval and carries no date; the
host entry has the date of the start. Percentages are shares of the clock ticks that
were accounted. Layout: ``mpstat.c`` and ``pr_stats.c`` of sysstat.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.clock import NO_ZONE
from analysis.ingest.linux.cpu import (
    cpu_row,
    is_between,
    is_cut_json,
    is_sound,
    judge_steps,
    lengths,
    local_times,
    read_clock,
    read_date,
    utc_of,
)
from analysis.ingest.logs.text import decode
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "mpstat"
TITLE = "mpstat CPU utilisation (JSON)"
TESTED = "sysstat 12.6.1"
SIGNS = ("sysstat",)
_NO_DATE = dt.date(1, 2, 1)
_SHARES = ("usr", "nice", "sys", "iowait", "irq", "soft", "steal", "guest", "gnice")


@dataclass(frozen=True)
class CpuSample:
    """One entry of ``statistics``: its local time of day, CPU rows and line."""

    time: dt.time
    cpus: list[dict[str, Any]]
    line: int


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is mpstat's JSON (and not that of sadf)."""
    return b'"sysstat"' in head and b'"date"' in head and b'"file-date"' not in head


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row an interval, all CPUs together.

    ``busy_pct`` is 100 − idle − iowait; ``steal_pct`` is a part of it that the
    benchmark did not use. Without ``zone`` the rows have no ``start_utc``.
    """
    text = decode(raw.read_bytes())
    reading = Reading(FORMAT, tool="sysstat mpstat")
    host = _host(text)
    reading.systems = [host["nodename"]] if "nodename" in host else []
    samples = _samples(text, reading)
    rows = _rows(samples, host, zone, reading)
    reading.tables["cpu_interval"] = frame("cpu_interval", rows)
    reading.records = {"interval": len(samples)}
    reading.details = {
        "date": host.get("date"),
        "highest_steal_pct": max((row["steal_pct"] for row in rows), default=None),
    }
    reading.circumstances = Circumstances(cpus=_cpus(host), release=host.get("release"))
    _judge(text, rows, zone, reading)
    judge_steps(rows, reading)
    _judge_cpus(samples, _cpus(host), reading)
    return reading


def _host(text: str) -> dict[str, str]:
    """The entries of the host before its statistics."""
    head = text.split('"statistics"')[0]
    pairs = re.findall(r'"([\w-]+)"\s*:\s*(?:"([^"]*)"|(\d+))', head)
    return {name: quoted or bare for name, quoted, bare in pairs}


def _samples(text: str, reading: Reading) -> list[CpuSample]:
    """All entries that are whole, also of a file that was cut off."""
    decoder = json.JSONDecoder(parse_float=printed)
    samples, line, position = [], 1, 0
    for start in re.finditer(r'\{\s*"timestamp"', text):
        line += text.count("\n", position, start.start())
        position = start.start()
        try:
            entry, _ = decoder.raw_decode(text, start.start())
            samples.append(CpuSample(_time(entry), _cpu_load(entry), line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            reading.problems.append(
                Problem(remark("not_whole_interval", error=str(error)), line)
            )
    return samples


def _time(entry: dict[str, Any]) -> dt.time:
    time = read_clock(entry["timestamp"])
    if time is None:
        raise ValueError(f"{entry['timestamp']!r} is not a time")
    return time


def _cpu_load(entry: dict[str, Any]) -> list[dict[str, Any]]:
    cpus = entry["cpu-load"]
    if not isinstance(cpus, list) or not all(isinstance(cpu, dict) for cpu in cpus):
        raise ValueError("cpu-load is not a list of CPUs")
    return cpus


def _rows(
    samples: list[CpuSample], host: dict[str, str], zone: str | None, reading: Reading
) -> list[dict[str, Any]]:
    if not samples:
        return []
    date = read_date(host.get("date", ""), reading)
    ends = local_times([sample.time for sample in samples], date or _NO_DATE)
    rows = []
    for sample, end, seconds in zip(samples, ends, lengths(ends), strict=True):
        shares = _shares(sample, _cpus(host), reading)
        if shares is None:
            continue
        known = date is not None and seconds is not None
        start = end - dt.timedelta(seconds=seconds or 0) if known else None
        rows.append(
            cpu_row(shares, _cpus(host), seconds, FORMAT)
            | {
                "system": host.get("nodename"),
                "start_utc": utc_of(start, zone, sample.line, reading),
                "position": sample.line,
            }
        )
    return rows


def _cpus(host: dict[str, str]) -> int | None:
    number = host.get("number-of-cpus", "")
    return int(number) if number.isdigit() and 0 < len(number) < 6 else None


def _shares(
    sample: CpuSample, cpus: int | None, reading: Reading
) -> dict[str, float] | None:
    """Percentages of all CPUs; null, and a problem, where they cannot be right."""
    rows = [cpu for cpu in sample.cpus if cpu.get("cpu") in ("all", "-1", -1)]
    rows = rows[:1] or (sample.cpus if len(sample.cpus) == cpus else [])
    each = [cpu for cpu in sample.cpus if cpu not in rows]
    agrees = True
    try:
        shares = {
            name: sum(row.get(name, 0.0) for row in rows) / max(len(rows), 1)
            for name in (*_SHARES, "idle")
        }
        agrees = is_between(shares, each, cpus)
    except (TypeError, ValueError):
        shares = {}
    if rows and shares and is_sound(shares) and agrees:
        return shares
    what = remark("shares_and_100") if agrees else remark("cpus_and_total")
    what = what if rows else remark("no_entry_of_all", "no entry for all CPUs")
    reading.problems.append(Problem(what, sample.line))
    return None


def _judge_cpus(samples: list[CpuSample], cpus: int | None, reading: Reading) -> None:
    """Degrade a sound reading whose host has another number of CPUs than its lines."""
    for sample in samples:
        names = {str(cpu.get("cpu")) for cpu in sample.cpus}
        listed = sum(name.isdigit() for name in names)
        if cpus and names & {"all", "-1"} and listed not in (0, cpus):
            cause = remark(
                "cpus_listed", f"the host has {cpus} CPUs, but {listed} are listed"
            )
            reading.problems.append(Problem(cause, sample.line))
            if reading.status == "ok":
                reading.judge("degraded", cause)
            return


def _judge(
    text: str, rows: list[dict[str, Any]], zone: str | None, reading: Reading
) -> None:
    """Set the status: damage first, then what the reader has to add."""
    damaged = bool(reading.problems and len(rows) < reading.records["interval"])
    if is_cut_json(text, reading):
        return
    if not rows:
        reading.status = "failed" if reading.problems else "empty"
        reading.cause = remark(
            "no_usable_interval", "it has no interval that could be used"
        )
    elif damaged:
        reading.status, reading.cause = "degraded", remark("unusable_intervals")
    elif any(row["seconds"] is None for row in rows):
        reading.status = "degraded"
        reading.cause = remark(
            "too_few_intervals", "too few intervals to tell how long one is"
        )
    elif zone is None:
        reading.status, reading.cause = "degraded", NO_ZONE
    elif any(row["start_utc"] is None for row in rows):
        reading.status, reading.cause = "degraded", remark("date_not_understood")
