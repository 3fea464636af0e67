"""``sadf -j``: CPU intervals of one Linux system from sar's binary files.

A time stamp is the end of its interval, whose length stands beside it; it is UTC if
``utc`` is 1, else local. sadf writes whole JSON also of a file that was cut off, so
that a short file is not known to be short. Layout: ``json_stats.c`` of sysstat.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import SHARE_OF, LinuxReport
from analysis.ingest.logs.text import real
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "sadf"
TITLE = "sadf -j (sar's data as JSON)"
TESTED = "sysstat 12.6.1"
_LOADS = ("cpu-load", "cpu-load-all")


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is JSON of sadf (and not that of mpstat)."""
    return b'"sysstat"' in head and b'"file-date"' in head


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row an interval, all CPUs together."""
    report = LinuxReport(FORMAT, zone)
    entries = report.json_entries(raw)
    loaded = [each for each in entries if not each[0].keys().isdisjoint(_LOADS)]
    rows = [row for each in loaded if (row := _row(*each, report))]
    report.finish(
        rows,
        remark("unusable_intervals") if len(rows) < len(loaded) else None,
        remark("no_usable_cpu_interval", "it has no CPU interval that could be used"),
    )
    report.records = {"interval": len(entries)}
    report.details = {"date": report.date or None}
    return report.reading(FORMAT, "sysstat sadf")


def _row(
    entry: dict[str, Any], line: int, report: LinuxReport
) -> dict[str, Any] | None:
    loads = next(entry[name] for name in _LOADS if name in entry)
    if isinstance(loads, list) and all(isinstance(cpu, dict) for cpu in loads):
        loads = [{SHARE_OF.get(n, n): v for n, v in cpu.items()} for cpu in loads]
    shares = report.json_shares(loads, line)
    if shares is None:
        return None
    stamp = entry["timestamp"] if isinstance(entry["timestamp"], dict) else {}
    length = real(stamp.get("interval")) or 0.0
    seconds = length if 0 < length < 1e6 else None
    zone = "UTC" if stamp.get("utc") == 1 or stamp.get("tz") == "UTC" else None
    end = None
    try:
        end = dt.datetime.fromisoformat(f"{stamp['date']} {stamp['time']}")
        end = end.replace(tzinfo=None)
    except (KeyError, ValueError):
        wrong = "its time is not understood"
        report.note(remark("time_not_understood", wrong), line)
    return report.cpu_row(shares, end, seconds, line, zone)
