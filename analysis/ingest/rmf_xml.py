"""Reports of the RMF Postprocessor in XML (``<ddsml>``): CPU intervals of z/OS.

Of the reports, the CPU report is decoded; others are counted. Times in these files
are local and name no zone. Structure: z/OS RMF Reporter Programmer's Guide, chapter
1, and genuine documents of z/OS V2R5.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from analysis.ingest.clock import NO_ZONE, zone_info
from analysis.ingest.reading import Problem, Reading, Status
from analysis.ingest.rmf_xml_cpu import Average, averages, machine
from analysis.ingest.rmf_xml_stream import Part, Stream, text_of
from analysis.ingest.rmf_xml_time import Clock, window
from analysis.ingest.tables import frame

FORMAT = "rmf_xml"
TITLE = "RMF Postprocessor report (XML)"
_NO_DATA = "GPM0745E"
_OPTION_ECHO = "ERB103I"


@dataclass
class _State:
    """What was found so far."""

    reading: Reading
    clock: Clock
    rows: list[dict[str, Any]] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    messages: list[tuple[str, str]] = field(default_factory=list)
    reports: Counter[str] = field(default_factory=Counter)
    monitor3: Counter[str] = field(default_factory=Counter)
    local: list[dt.datetime] = field(default_factory=list)
    boosts: set[str] = field(default_factory=set)

    def problem(self, message: str, part: Part) -> None:
        """Note what is wrong with one report."""
        self.reading.problems.append(Problem(message, offset=part.offset))


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is XML of RMF, in the new or the old dialect."""
    return b"<ddsml" in head or b"<perf-config" in head


def read(path: Path, zone: str | None = None) -> Reading:
    """``cpu_interval`` rows: one for each CPU report and CPU type.

    ``busy_pct`` is LPAR busy. ``busy_seconds`` are the partition's dispatch seconds
    (``basis`` ``dispatch``, 1 ms), or LPAR busy × online CPUs × seconds
    (``lpar_busy``) where dispatch time is missing or contains waits. ``position`` is
    the byte offset of the report. Without ``zone`` rows have no ``start_utc``.
    """
    reading = Reading(FORMAT, tool="RMF Postprocessor")
    state = _State(reading, Clock(zone_info(zone) if zone else None))
    stream = Stream(path)
    for part in stream:
        _read_part(part, state)
    if stream.error:
        reading.problems.append(stream.error)
    reading.tables["cpu_interval"] = frame("cpu_interval", state.rows)
    reading.records = dict(sorted((state.reports + state.monitor3).items()))
    _describe(state)
    _judge(state, stream)
    return reading


def _read_part(part: Part, state: _State) -> None:
    element = part.element
    if element.tag == "server":
        state.reading.details["server"] = text_of(element, "version")
    elif element.tag == "report":
        metric = element.find("metric")
        state.monitor3[metric.get("id", "?") if metric is not None else "?"] += 1
    elif element.tag == "postprocessor":
        _read_report(part, state)
    elif element.tag in ("message", "rmf-mfpmsg"):
        _read_messages(element, state)


def _read_messages(element: Element, state: _State) -> None:
    found = [element] if element.tag == "message" else element.findall("message")
    for message in found:
        said = text_of(message, "description")
        state.messages.append((message.get("id", ""), said))
    for line in element.iterfind("mfpmsg"):
        if line.get("id") != _OPTION_ECHO:
            said = text_of(line).removeprefix("PPS:").strip()
            state.messages.append((line.get("id", ""), said))


def _read_report(part: Part, state: _State) -> None:
    report = part.element
    _read_messages(report, state)
    metric = report.find("metric")
    if metric is None:
        return
    name = metric.get("id", "?")
    state.reports[name] += 1
    system = text_of(report, "resource/resname")
    if system and system not in state.reading.systems:
        state.reading.systems.append(system)
    time = window(report)
    if time.doubt:
        state.problem(time.doubt, part)
    if time.start:
        end = time.start + dt.timedelta(seconds=time.seconds or 0)
        state.local += [time.start, end]
    if name == "CPU":
        _read_cpu(part, system, time.start, time.seconds, state)


def _read_cpu(
    part: Part,
    system: str,
    start: dt.datetime | None,
    seconds: float | None,
    state: _State,
) -> None:
    found, said = averages(part.element), machine(part.element)
    state.reading.details["machine"] = said
    for name in ("Boost Type", "Boost Class"):
        if said.get(name, "NONE").upper() not in ("NONE", "N/A"):
            state.boosts.add(f"{name} {said[name]}")
    if not found:
        state.problem("CPU report without a table of CPUs that were online", part)
    elif start is not None and seconds is not None:
        utc, twice = state.clock.utc(system, start)
        if twice:
            state.problem("the clock showed this time twice: order decides", part)
        _add(found, system, (start, utc), seconds, part, state)


def _add(
    found: list[Average],
    system: str,
    begin: tuple[dt.datetime, str | None],
    seconds: float,
    part: Part,
    state: _State,
) -> None:
    key = (system, begin, seconds, tuple(found))
    if key in state.seen:
        state.problem("this interval is here a second time and was left out", part)
        return
    state.seen.add(key)
    for average in found:
        for said in average.differences(seconds):
            state.problem(said, part)
        if average.busy_pct is None:
            state.problem(f"{average.kind} has no figure of LPAR busy", part)
            continue
        place = {"system": system, "start_utc": begin[1], "position": part.offset}
        state.rows.append(_row(average, seconds) | place)


def _row(average: Average, seconds: float) -> dict[str, Any]:
    used, basis = average.busy_seconds(seconds)
    return {
        "cpu_type": average.kind,
        "seconds": seconds,
        "online_cpus": average.online_cpus,
        "busy_pct": average.busy_pct,
        "busy_seconds": used,
        "mvs_busy_pct": average.mvs_busy_pct,
        "parked_pct": average.parked_pct,
        "basis": basis,
    }


def _describe(state: _State) -> None:
    """Fill in the details, and what other reports the file holds."""
    details = state.reading.details
    if state.local:
        details["local_start"] = min(state.local).isoformat()
        details["local_end"] = max(state.local).isoformat(timespec="seconds")
    if state.boosts:
        details["boost"] = sorted(state.boosts)
        said = "measured under System Recovery Boost, not comparable with other times"
        state.reading.problems.append(Problem(f"{said}: {', '.join(details['boost'])}"))
    others = sorted(set(state.reports) - {"CPU"})
    if others:
        details["present, not decoded"] = others
    for name, said in state.messages:
        state.reading.problems.append(Problem(f"{name} {said}".strip()))


def _judge(state: _State, stream: Stream) -> None:
    """Set the status: what could be used, and why not the rest."""
    reading = state.reading
    if state.rows and stream.error:
        reading.status, reading.reason = "truncated", stream.error.message
    elif state.rows and all(row["start_utc"] is None for row in state.rows):
        reading.status, reading.reason = "degraded", NO_ZONE
    elif overlap := _overlap(state.rows):
        said = "intervals overlap: the same time would count twice"
        reading.problems.append(Problem(said, offset=overlap["position"]))
        reading.status, reading.reason = "degraded", said
    elif not state.rows:
        reading.status, reading.reason = _nothing(state, stream)


def _overlap(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The first interval that begins before the one before it ended."""
    ends: dict[tuple[str, str], dt.datetime] = {}
    for row in sorted(rows, key=lambda row: str(row["start_utc"])):
        place = (row["system"], row["cpu_type"])
        start = dt.datetime.fromisoformat(row["start_utc"])
        # Real lengths wobble by some milliseconds.
        if place in ends and start < ends[place] - dt.timedelta(seconds=1):
            return row
        ends[place] = start + dt.timedelta(seconds=row["seconds"])
    return None


def _nothing(state: _State, stream: Stream) -> tuple[Status, str]:
    """Why a file has no row."""
    if stream.error:
        return "truncated", stream.error.message
    if stream.root == "perf-config":
        old = "XML of an older RMF (perf-config)"
        return "failed", f"{old}; make the CPU report again with a newer Postprocessor"
    if state.monitor3:
        told = ", ".join(state.monitor3)
        return "failed", f"Monitor III report ({told}); the Postprocessor's CPU is read"
    if state.messages:
        name, said = state.messages[0]
        return "empty" if name == _NO_DATA else "failed", f"{name} {said}".strip()
    if state.reports["CPU"]:
        return "failed", "no CPU report in it could be used"
    if state.reports:
        return "failed", f"no CPU report in it, only {', '.join(sorted(state.reports))}"
    return "empty", "the reply of the server holds no report"
