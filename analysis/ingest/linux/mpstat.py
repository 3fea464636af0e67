"""mpstat JSON (sysstat 11.5 and later): CPU intervals of one Linux system.

A timestamp is the local time at the end of its interval and carries no date; the
host entry has the date of the start. Percentages are shares of the clock ticks that
were accounted. Layout: ``mpstat.c`` and ``pr_stats.c`` of sysstat.
"""

from __future__ import annotations

from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import LinuxReport, lengths, read_clock
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "mpstat"
TITLE = "mpstat CPU utilisation (JSON)"
TESTED = "sysstat 12.6.1"


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is mpstat's JSON (and not that of sadf)."""
    return b'"sysstat"' in head and b'"date"' in head and b'"file-date"' not in head


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``cpu_interval`` row an interval, all CPUs together.

    ``busy_pct`` is 100 − idle − iowait; ``steal_pct`` is a part of it that the
    benchmark did not use. Without ``zone`` the rows have no ``start_utc``.
    """
    report = LinuxReport(FORMAT, zone)
    entries = report.json_entries(raw)
    timed = []
    for entry, line in entries:
        if time := read_clock(str(entry["timestamp"])):
            timed.append((time, entry.get("cpu-load"), line))
        else:
            wrong = "its time is no time of day"
            report.note(remark("not_whole_interval", error=wrong), line)
    ends = report.local_times([time for time, *_ in timed])
    rows = []
    for (_, loads, line), end, seconds in zip(timed, ends, lengths(ends), strict=True):
        if shares := report.json_shares(loads, line):
            rows.append(report.cpu_row(shares, end, seconds, line))
    report.finish(
        rows,
        remark("unusable_intervals") if len(rows) < len(entries) else None,
        remark("no_usable_interval", "it has no interval that could be used"),
        remark("too_few_intervals", "too few intervals to tell how long one is"),
    )
    report.judge_steps(rows)
    _judge_cpus(timed, report)
    report.records = {"interval": len(entries)}
    report.details = {
        "date": report.date or None,
        "highest_steal_pct": max((row["steal_pct"] for row in rows), default=None),
    }
    return report.reading(FORMAT, "sysstat mpstat")


def _judge_cpus(timed: list[tuple[Any, Any, int]], report: LinuxReport) -> None:
    """Doubt a report whose host has another number of CPUs than its lines."""
    cpus = report.cpus
    for _, loads, line in timed:
        names = {str(cpu.get("cpu")) for cpu in loads or () if isinstance(cpu, dict)}
        listed = sum(name.isdigit() for name in names)
        if cpus and names & {"all", "-1"} and listed not in (0, cpus):
            words = f"the host has {cpus} CPUs, but {listed} are listed"
            report.judge("degraded", remark("cpus_listed", words), line)
            return
