"""``sadf -j``: CPU intervals of one Linux system from sar's binary files.

A time stamp is the end of its interval, whose length stands beside it; it is UTC if
``utc`` is 1, else local. sadf writes whole JSON also of a file that was cut off, so
that a short file is not known to be short. Layout: ``json_stats.c`` of sysstat.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.clock import NO_ZONE
from analysis.ingest.linux.cpu import cpu_row, is_cut_json, is_sound, utc_of
from analysis.ingest.logs.text import decode
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "sadf"
TITLE = "sadf -j (sar's data as JSON)"
TESTED = "sysstat 12.6.1"
SIGNS = ("sysstat",)
_LOADS = ("cpu-load", "cpu-load-all")
_NAMES = {"user": "usr", "system": "sys"}
_SHARES = (
    "usr", "nice", "sys", "iowait", "steal", "irq", "soft", "guest", "gnice", "idle",
)  # fmt: skip


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is JSON of sadf (and not that of mpstat)."""
    return b'"sysstat"' in head and b'"file-date"' in head


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row an interval, all CPUs together."""
    text = decode(raw.read_bytes())
    reading = Reading(FORMAT, tool="sysstat sadf")
    host = _host(text)
    reading.systems = [host["nodename"]] if "nodename" in host else []
    entries = _entries(text, reading)
    rows = [row for entry in entries if (row := _row(*entry, host, zone, reading))]
    reading.tables["cpu_interval"] = frame("cpu_interval", rows)
    reading.records = {"interval": len(entries)}
    reading.details = {"date": host.get("file-date")}
    reading.circumstances = Circumstances(cpus=_cpus(host), release=host.get("release"))
    _judge(text, rows, reading)
    return reading


def _host(text: str) -> dict[str, str]:
    head = text.split('"statistics"')[0]
    pairs = re.findall(r'"([\w-]+)"\s*:\s*(?:"([^"]*)"|(\d+))', head)
    return {name: quoted or bare for name, quoted, bare in pairs}


def _cpus(host: dict[str, str]) -> int | None:
    number = host.get("number-of-cpus", "")
    return int(number) if number.isdigit() and 0 < len(number) < 6 else None


def _entries(text: str, reading: Reading) -> list[tuple[dict[str, Any], int]]:
    """All entries that are whole, each with its line, also of a cut file."""
    decoder = json.JSONDecoder(parse_float=printed)
    entries, line, position = [], 1, 0
    for start in re.finditer(r'\{\s*"timestamp"', text):
        line += text.count("\n", position, start.start())
        position = start.start()
        try:
            entry, _ = decoder.raw_decode(text, start.start())
            entries.append((entry, line))
        except (ValueError, RecursionError) as error:
            reading.problems.append(
                Problem(remark("not_whole_interval", error=str(error)), line)
            )
    return entries


def _row(
    entry: dict[str, Any],
    line: int,
    host: dict[str, str],
    zone: str | None,
    reading: Reading,
) -> dict[str, Any] | None:
    shares = _shares(entry)
    if shares is None:
        if any(name in entry for name in _LOADS):
            reading.problems.append(Problem(remark("shares_and_100"), line))
        return None
    seconds = _seconds(entry)
    start = _start(entry, seconds, zone, line, reading)
    return cpu_row(shares, _cpus(host), seconds, "sadf") | {
        "system": host.get("nodename"),
        "start_utc": start,
        "position": line,
    }


def _shares(entry: dict[str, Any]) -> dict[str, float] | None:
    loads = next((entry[name] for name in _LOADS if name in entry), None)
    rows = loads if isinstance(loads, list) else []
    for row in rows:
        if isinstance(row, dict) and row.get("cpu") in ("all", "-1", -1):
            named = {_NAMES.get(name, name): value for name, value in row.items()}
            values = {name: named[name] for name in _SHARES if name in named}
            if all(_is_number(value) for value in values.values()) and "idle" in values:
                return values if is_sound(values) else None
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _seconds(entry: dict[str, Any]) -> float | None:
    stamp = entry.get("timestamp")
    seconds = stamp.get("interval") if isinstance(stamp, dict) else None
    if seconds is None or not _is_number(seconds):
        return None
    return float(seconds) if 0 < seconds < 1e6 else None


def _start(
    entry: dict[str, Any],
    seconds: float | None,
    zone: str | None,
    line: int,
    reading: Reading,
) -> str | None:
    stamp = entry.get("timestamp")
    if not isinstance(stamp, dict) or seconds is None:
        return None
    try:
        end = dt.datetime.fromisoformat(f"{stamp['date']} {stamp['time']}")
        start = end.replace(tzinfo=None) - dt.timedelta(seconds=seconds)
    except (KeyError, ValueError, OverflowError):
        reading.problems.append(
            Problem(remark("time_not_understood", "its time is not understood"), line)
        )
        return None
    known = "UTC" if stamp.get("utc") == 1 or stamp.get("tz") == "UTC" else zone
    return utc_of(start, known, line, reading)


def _judge(text: str, rows: list[dict[str, Any]], reading: Reading) -> None:
    if is_cut_json(text, reading):
        return
    if not rows:
        reading.status = "failed" if reading.problems else "empty"
        reading.cause = remark(
            "no_usable_cpu_interval", "it has no CPU interval that could be used"
        )
    elif len(rows) < reading.records["interval"]:
        reading.status, reading.cause = "degraded", remark("unusable_intervals")
    elif any(row["start_utc"] is None for row in rows):
        reading.status, reading.cause = "degraded", NO_ZONE
