"""Snapshots of a control group's CPU time: ``cpu.stat`` and ``cpuacct.stat``.

``cpu.stat`` (version 2) counts microseconds, ``cpuacct.stat`` (version 1) ticks of
1/100 s. Two snapshots, before and after a run, make the CPU time of one side. A file
``cpuacct.usage`` is a number alone, which its content does not tell from any other.
"""

from __future__ import annotations

import codecs
import re
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.printed import Resolved
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "cgroup"
TITLE = "snapshot of a control group's CPU time"
TESTED = "Linux, control groups of both versions"
_V1 = re.compile(rb"user (\d{1,15})\nsystem (\d{1,15})\s*")
_MARK = re.compile(rb"usage_usec \d|user \d+\r?\nsystem \d+\s*(user |$)")
_TICK = 0.01  # USER_HZ is 100 on all architectures in use
_MICRO = 1e-6


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is CPU time of a control group."""
    return _MARK.match(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``cgroup_counter`` row."""
    # Copied by way of Windows, it may have a mark before it and other line ends.
    data = raw.read_bytes().removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    reading = Reading(FORMAT, tool="Linux")
    row = _version_1(data) or _version_2(data, reading)
    again = any(
        problem.remark.kind == "another_snapshot_begins" for problem in reading.problems
    )
    row = None if again else row
    reading.tables["cgroup_counter"] = frame("cgroup_counter", [row] if row else [])
    reading.records = {"snapshot": 1 if row else 0}
    reading.details = {"scope": "cgroup"}
    if again:
        reading.status = "failed"
        reading.cause = remark("several_snapshots")
    elif row is None:
        reading.status, reading.cause = (
            "truncated",
            remark("lacks_user_or_system", "it lacks user or system time"),
        )
    elif not data.endswith(b"\n"):
        reading.status, reading.cause = "truncated", remark("last_line_no_end")
    elif wrong := _contradiction(row):
        reading.status, reading.cause = "degraded", wrong
        reading.problems = [Problem(wrong, 1)]
    return reading


def _version_1(data: bytes) -> dict[str, Any] | None:
    found = _V1.fullmatch(data)
    if found is None:
        return None
    user, system = (Resolved(int(found[n]) * _TICK, _TICK) for n in (1, 2))
    return _row(user + system, user, system, None)


def _version_2(data: bytes, reading: Reading) -> dict[str, Any] | None:
    values: dict[str, int] = {}
    for number, line in enumerate(data.decode("ascii", "replace").split("\n"), 1):
        if found := re.fullmatch(r"(\w+) (\d{1,15})", line):
            if found[1] in values or found[1] == "user":  # of version 1
                reading.problems.append(
                    Problem(remark("another_snapshot_begins"), number)
                )
                break
            values[found[1]] = int(found[2])
        elif line:
            reading.problems.append(
                Problem(remark("no_name_and_number", "not a name and a number"), number)
            )
    needed = [values.get(f"{name}_usec") for name in ("usage", "user", "system")]
    usage, user, system = (
        None if v is None else Resolved(v * _MICRO, _MICRO) for v in needed
    )
    if usage is None or user is None or system is None:
        return None
    throttled = values.get("throttled_usec")
    return _row(usage, user, system, None if throttled is None else throttled * _MICRO)


def _row(
    usage: float, user: float, system: float, throttled: float | None
) -> dict[str, Any]:
    return {
        "usage_seconds": usage,
        "user_seconds": user,
        "system_seconds": system,
        "throttled_seconds": throttled,
        "position": 1,
    }


def _contradiction(row: dict[str, Any]) -> Remark | None:
    both = row["user_seconds"] + row["system_seconds"]
    if abs(both - row["usage_seconds"]) > 0.02 + 0.001 * row["usage_seconds"]:
        return remark("user_and_system", "user and system time do not make the whole")
    return None
