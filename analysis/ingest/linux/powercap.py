"""A snapshot of Linux' powercap counters: the energy of each processor package (RAPL).

Two snapshots, before and after a run, make its energy. One is the time in UTC, and
the files with their paths before them, as this command prints them:

    date -u +%FT%T.%NZ; grep . /sys/class/powercap/intel-rapl:*/{name,*energy*_uj}

Zones below a package are part of it, and those of ``intel-rapl-mmio`` tell of it once
more: neither counts. ``psys`` is of the whole platform, and not of processors alone.
Layout: Linux, ``Documentation/power/powercap/powercap.rst``.
"""

from __future__ import annotations

import datetime as dt
import re

from analysis.facts.remark import remark
from analysis.ingest.clock import parse_time, utc_text
from analysis.ingest.linux.cpu import CUT, is_one
from analysis.ingest.logs.result import Result, join_results
from analysis.ingest.logs.text import decode
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "powercap"
TITLE = "snapshot of powercap energy counters"
TESTED = "Linux 6, written by hand after its documentation"
_TIME = rb"\d{4}-\d\d-\d\dT[\d:.,]+Z"
_ZONE = rb"(?:/sys/[\w./-]*/)?intel-rapl[\w-]*:\d+[\w:]*/[\w]+:"
recognise = re.compile(rb"\s*(?:" + _TIME + rb"\s+)?" + _ZONE).match
_FILE = re.compile(r"(?:/sys/[\w./-]*/)?intel-rapl:(\d+)/(\w+):(.*)")
_PACKAGE = re.compile(r"package-\d+(?:-die-\d+)?")
_MICRO = 1e-6


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``energy_counter`` rows, one a processor package."""
    lines = decode(raw.read_bytes()).split("\n")
    out = Result(records={"package": 0})
    zones: dict[str, dict[str, str]] = {}
    time = None
    for number, line in enumerate(lines, 1):
        if re.fullmatch(_TIME.decode(), line.strip()):
            time = time or _moment(line.strip().replace(",", "."))
        if told := _FILE.fullmatch(line.strip()):
            zone = zones.setdefault(told[1], {"line": str(number)})
            if told[2] in zone:
                is_one([1, number], out, snapshots=True)
                return join_results(FORMAT, "Linux", [out])
            zone[told[2]] = told[3]
    rows = [
        {
            "zone": f"{number} {zone['name']}",
            "read_utc": utc_text(time) if time else None,
            "joules": int(zone["energy_uj"]) * _MICRO,
            "range_joules": _micro(zone.get("max_energy_range_uj", "")),
            "position": int(zone["line"]),
        }
        for number, zone in zones.items()
        if _PACKAGE.fullmatch(zone.get("name", "")) and _whole(zone.get("energy_uj"))
    ]
    if lines[-1]:
        out.judge("truncated", CUT)
    elif not rows:
        words = "it has no name and energy_uj of a processor package"
        out.judge("failed", remark("no_package", words))
    elif time is None:
        words = "no time before it; begin it with: date -u +%FT%T.%NZ"
        out.judge("failed", remark("no_time_of_snapshot", words))
    else:
        out.tables["energy_counter"] = rows
        out.records = {"package": len(rows)}
    return join_results(FORMAT, "Linux", [out])


def _moment(text: str) -> dt.datetime | None:
    try:
        return parse_time(text)
    except ValueError:
        return None


def _whole(text: str | None) -> bool:
    return re.fullmatch(r"\d{1,18}", text or "", re.ASCII) is not None


def _micro(text: str) -> float | None:
    return int(text) * _MICRO if _whole(text) else None
