"""What ``runs.csv`` declares of runs, and how the files of a run may differ from it.

Drivers name runs, and commands servers; a copy has the bytes, or all figures, of the
file of another run. Paths are no evidence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from analysis.declared.campaign import Campaign
from analysis.declared.workload import parse_workload
from analysis.ingest.campaign.choose_test import is_untold, together, unlike
from analysis.ingest.clock import utc_text
from analysis.ingest.joining import statements as files_say
from analysis.ingest.joining.statements import RawEvidence, Statement, Statements
from analysis.ingest.linux.procstat import BOOT_WOBBLE

_LATE = dt.timedelta(seconds=1)  # clocks of drivers are no better, nor starts of logs
_MORE = 1.05  # requests that a gateway may count beside those of the load
_ADDRESS = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)")


@dataclass(frozen=True)
class DeclaredEntry:
    """Something declared ``about`` what a file may speak of; ``text`` says it.

    It stands below ``keys`` of campaign.yaml, or in a ``line`` of runs.csv.
    """

    about: str
    text: str
    value: Any = None
    keys: tuple[str, ...] = ()
    line: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


Entries = Iterator[DeclaredEntry]
Differences = Iterator[tuple[Statement, str]]  # what a file says, in words


def runs(evidence: RawEvidence) -> Entries:
    """What each run is of."""
    sessions = {line.session for line in evidence.lines}
    for line in evidence.lines:
        text = f"the run is of {line.workload.name} on {line.configuration}"
        more = {"campaign": evidence.campaign, "sessions": sessions}
        yield DeclaredEntry(line.run, text, line, line=line.line, more=more)


def other_label(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """Another configuration or session that the campaign has, or another workload."""
    campaign: Campaign = entry.more["campaign"]
    for one in statements:
        name, workload = (one.value.get(n, "") for n in ("configuration", "workload"))
        if name in campaign.configurations and name != entry.value.configuration:
            yield one, f"says configuration {name}"
        session = one.value.get("session", "")
        if session in entry.more["sessions"] and session != entry.value.session:
            yield one, f"says session {session}"
        with suppress(ValueError):
            workload = parse_workload(workload, campaign.payload_units).name
            if workload != entry.value.workload.name:
                yield one, f"says workload {workload}"


def sessions(evidence: RawEvidence) -> Entries:
    """The first line of each session."""
    first: dict[str, int] = {}
    for line in evidence.lines:
        if line.session:
            first.setdefault(line.session, line.line)
    for session, number in first.items():
        text = f"the runs of session {session} have no restart between them"
        yield DeclaredEntry(session, text, line=number)


def started_anew(_entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """The first file by which a system was started after another run of the session."""
    first: dict[str, float] = {}
    for one in statements:
        system, boot, run = one.value
        if abs(first.setdefault(system, boot) - boot) > BOOT_WOBBLE:
            yield one, f"(run {run}) tells of another start of {system}"
            return


def servers(evidence: RawEvidence) -> Entries:
    """The addresses in the description of each run's server."""
    for line in evidence.lines:
        name = line.roles.get("server")
        words = evidence.campaign.systems[name].description if name else None
        if name and (known := _ADDRESS.findall(words or "")):
            text = f"the server {name} has the address {', '.join(known)}"
            yield DeclaredEntry(line.run, text, known, ("systems", name, "description"))


def other_server(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A command without any of these addresses, but with another one."""
    for one in statements:
        called = _ADDRESS.findall(one.value)
        if called and not {*called} & {*entry.value}:
            yield one, f"calls {', '.join(called)}"


def windows(evidence: RawEvidence) -> Entries:
    """Start and end of the runs of which they are declared."""
    for line in evidence.lines:
        if line.start and line.end:
            window = (line.start, line.end)
            text = "the run is from {} to {}".format(*map(utc_text, window))
            yield DeclaredEntry(line.run, text, window, line=line.line)


def beyond_window(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A run that a file tells of, and that has not all of the window."""
    for one in statements:
        first, last = map(dt.datetime.fromisoformat, one.value)
        if entry.value[0] < first - _LATE or entry.value[1] > last + _LATE:
            yield one, "tells of one from {} to {}".format(*one.value)


def other_time(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A log of another time."""
    for one in statements:
        begun, seconds = one.value["start_utc"], one.value["seconds"]
        if begun and _is_outside(entry, begun, begun, seconds):
            yield one, f"was written at {begun}, outside of it"


def other_cpu_time(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A file all of whose times are outside: of another run, or of another zone."""
    for one in statements:
        if _is_outside(entry, *one.value):
            yield one, f"begins at {one.value[0]}, outside of it"


def _is_outside(
    entry: DeclaredEntry, first: str, last: str, seconds: float | None
) -> bool:
    start, end = map(dt.datetime.fromisoformat, (first, last))
    end += dt.timedelta(seconds=seconds or 0)
    return start > entry.value[1] + _LATE or end < entry.value[0] - _LATE


def workloads(evidence: RawEvidence) -> Entries:
    """The workload of each run."""
    for line in evidence.lines:
        text = f"the workload is {line.workload.name}"
        yield DeclaredEntry(line.run, text, line.workload, line=line.line)


def other_workload(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A log of another shape, or with other sizes."""
    for one in statements:
        for name in unlike(entry.value, one.value):
            yield one, f"says {name.replace('_', ' ')} {one.value[name]}"


def other_clients(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """Rows of one log are added up: together they have the clients of the workload,
    unless they ran one after another."""
    rows = [one.value for one in statements]
    clients = together(rows)
    if clients == entry.value.clients:
        return
    if len(rows) == 1 and clients is not None:
        yield statements[0], f"says clients {clients}"
    elif clients is not None:
        yield statements[0], f"holds {len(rows)} results, of {clients} clients together"
    elif is_untold(rows):
        yield (
            statements[0],
            f"holds {len(rows)} results, not all of which tell their clients",
        )


def other_call(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A tool that was called for another workload."""
    for one in statements:
        for name, value in one.value.items():
            if value != getattr(entry.value, name):
                yield one, f"calls for {name.replace('_', ' ')} {value}"


def contents(evidence: RawEvidence) -> Entries:
    """The first run that has a file with these bytes."""
    return _first(files_say.contents(evidence), evidence)


def counts(evidence: RawEvidence) -> Entries:
    """The first run that has a log with these figures."""
    return _first(files_say.counts(evidence), evidence)


def _first(statements: Statements, evidence: RawEvidence) -> Entries:
    logs = {line.log for line in evidence.lines}
    first: dict[str, Statement] = {}
    for one in statements:
        first.setdefault(one.about, one)
    for about, one in first.items():
        run, line = one.value
        text, more = f"{one.file} is a file of run {run}", {"run": run, "logs": logs}
        yield DeclaredEntry(about, text, one.file, line=line, more=more)


def copied_log(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A log with the same bytes, under another name, of another run."""
    for one in _of_others(entry, statements):
        if one.file in entry.more["logs"]:
            yield one, f"(line {one.value[1]}) has the same bytes"


def copied_file(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """CPU evidence with the same bytes, under another name, of another run."""
    for one in _of_others(entry, statements):
        if one.file not in entry.more["logs"]:
            yield one, f"(line {one.value[1]}) has the same bytes"


def counted_alike(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A log with the same figures, of another run."""
    for one in _of_others(entry, statements):
        yield one, f"(line {one.value[1]}) has the same figures to the last digit"


def _of_others(entry: DeclaredEntry, statements: list[Statement]) -> Statements:
    """What is said of another file, which is of another run."""
    for one in statements:
        if one.file != entry.value and one.value[0] != entry.more["run"]:
            yield one


def repetitions(evidence: RawEvidence) -> Entries:
    """The first line of each workload on each configuration."""
    first: dict[str, int] = {}
    for line in evidence.lines:
        first.setdefault(files_say.repeated(line), line.line)
    for about, number in first.items():
        yield DeclaredEntry(about, f"the runs of {about} are repetitions", line=number)


def mixed_tools(_entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """A log of another tool than the first."""
    first, line = statements[0].value
    for one in statements:
        tool, other = one.value
        if tool != first:
            yield one, f"(line {other}) is a log of {tool}, and line {line} has {first}"
            return


def counted(evidence: RawEvidence) -> Entries:
    """Since when a run lasts, and how many requests its log has."""
    begun = dict(evidence.windows.select("run", "begin").iter_rows())
    for line in evidence.lines:
        made = sum(row["transactions"] or 0 for row in evidence.read.results[line.run])
        text, value = (
            f"the file is of run {line.run} alone",
            (begun.get(line.run), made),
        )
        yield DeclaredEntry(line.run, text, value, line=line.line)


def not_reset(entry: DeclaredEntry, statements: list[Statement]) -> Differences:
    """Statistics of a gateway that count more than the run."""
    start, made = entry.value
    for one in statements:
        since, requests = one.value
        if since and start and dt.datetime.fromisoformat(since) < start - _LATE:
            yield one, f"counts from {since}, and the run began at {utc_text(start)}"
        elif made and requests > made * _MORE:
            yield one, f"counts {requests:,} requests, and the log of the run {made:,}"
