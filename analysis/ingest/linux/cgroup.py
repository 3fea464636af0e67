"""Snapshots of a control group's CPU time: ``cpu.stat`` and ``cpuacct.stat``.

``cpu.stat`` (version 2) counts microseconds, ``cpuacct.stat`` (version 1) ticks of
1/100 s. Two snapshots, before and after a run, make the CPU time of one side. A file
``cpuacct.usage`` is a number alone, which its content does not tell from any other.
"""

from __future__ import annotations

import codecs
import re

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import CUT, is_one
from analysis.ingest.logs.result import Result, join_results
from analysis.ingest.printed import Resolved
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "cgroup"
TITLE = "snapshot of a control group's CPU time"
TESTED = "Linux, control groups of both versions"
recognise = re.compile(rb"usage_usec \d|user \d+\r?\nsystem \d+\s*(user |$)").match
_TICK = 0.01  # USER_HZ is 100 on all architectures in use
_MICRO = 1e-6


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``cgroup_counter`` row."""
    # Copied by way of Windows, it may have a mark before it and other line ends.
    data = raw.read_bytes().removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    out = Result(records={"snapshot": 0}, details={"scope": "cgroup"})
    lines = data.decode("ascii", "replace").split("\n")
    values: dict[str, Resolved] = {}
    for number, line in enumerate(lines, 1):
        if pair := re.fullmatch(r"(\w+?)(_usec)? (\d{1,15})", line):
            if pair[1] in values:
                is_one([1, number], out, snapshots=True)
                return join_results(FORMAT, "Linux", [out])
            step = _MICRO if pair[2] else _TICK
            values[pair[1]] = Resolved(int(pair[3]) * step, step)
        elif line:
            out.note(remark("no_name_and_number", "not a name and a number"), number)
    user, system = values.get("user"), values.get("system")
    both = None if user is None or system is None else user + system
    usage = both if lines[0].startswith("user ") else values.get("usage")
    if both is None or usage is None:
        lacks = remark("lacks_user_or_system", "it lacks user or system time")
        out.judge("truncated", lacks)
        return join_results(FORMAT, "Linux", [out])
    row = {
        "usage_seconds": usage,
        "user_seconds": user,
        "system_seconds": system,
        "throttled_seconds": values.get("throttled"),
        "position": 1,
    }
    out.tables["cgroup_counter"] = [row]
    out.records = {"snapshot": 1}
    if lines[-1]:
        out.judge("truncated", CUT)
    elif abs(both - usage) > 0.02 + 0.001 * usage:
        words = "user and system time do not make the whole"
        out.judge("degraded", remark("user_and_system", words), 1)
    return join_results(FORMAT, "Linux", [out])
