"""Whether the files that a line of runs.csv names are of its run, and of no other one.

Drivers name runs, and commands servers; a copy has the bytes, or all figures, of the
file of another run. Paths are no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from analysis.declared.campaign import Campaign
from analysis.declared.workload import parse_workload
from analysis.ingest.joining import statements
from analysis.ingest.joining.statements import (
    DeclaredEntry,
    Differences,
    Entries,
    RawEvidence,
    Statement,
)

_ADDRESS = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)")


def assigned(of: RawEvidence) -> Entries:
    """What each run is of."""
    more = {"campaign": of.campaign}
    for line in of.lines:
        told = {
            "configuration": line.configuration,
            "workload": line.workload.name,
        }
        text = "the run is of {workload} on {configuration}"
        yield DeclaredEntry(
            line.run, text.format(**told), told, line=line.line, more=more
        )


def other_label(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """Another configuration that the campaign has, or another workload."""
    campaign: Campaign = entry.more["campaign"]
    for one in said:
        name, workload = (one.value.get(n, "") for n in ("configuration", "workload"))
        if name in campaign.configurations and name != entry.value["configuration"]:
            yield one, f"says configuration {name}"
        with suppress(ValueError):
            workload = parse_workload(workload, campaign.payload_units).name
            if workload != entry.value["workload"]:
                yield one, f"says workload {workload}"


def servers(of: RawEvidence) -> Entries:
    """The addresses in the description of each run's server."""
    for line in of.lines:
        name = line.roles.get("server")
        words = of.campaign.systems[name].description if name else None
        if name and (known := _ADDRESS.findall(words or "")):
            text = f"the server {name} has the address {', '.join(known)}"
            keys = ("systems", name, "description")
            yield DeclaredEntry(line.run, text, known, keys)


def other_server(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """A command without any of these addresses, but with another one."""
    for one in said:
        called = _ADDRESS.findall(one.value)
        if called and not {*called} & {*entry.value}:
            yield one, f"calls {', '.join(called)}"


def contents(of: RawEvidence) -> Entries:
    """The first run that has a file with these bytes."""
    yield from _first(statements.contents(of), of)


def counts(of: RawEvidence) -> Entries:
    """The first run that has a log with these figures."""
    yield from _first(statements.counts(of), of)


def _first(said: Iterator[Statement], of: RawEvidence) -> Entries:
    logs = {line.log for line in of.lines}
    first: dict[str, Statement] = {}
    for one in said:
        first.setdefault(one.about, one)
    for about, one in first.items():
        text = f"{one.file} is a file of run {one.value[0]}"
        more = {"run": one.value[0], "logs": logs}
        yield DeclaredEntry(about, text, one.file, line=one.value[1], more=more)


def copied_log(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """A log with the same bytes, under another name, of another run."""
    for one in _of_others(entry, said):
        if one.file in entry.more["logs"]:
            yield one, f"(line {one.value[1]}) has the same bytes"


def copied_file(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """CPU evidence with the same bytes, under another name, of another run."""
    for one in _of_others(entry, said):
        if one.file not in entry.more["logs"]:
            yield one, f"(line {one.value[1]}) has the same bytes"


def counted_alike(entry: DeclaredEntry, said: list[Statement]) -> Differences:
    """A log with the same figures, of another run."""
    for one in _of_others(entry, said):
        yield one, f"(line {one.value[1]}) has the same figures to the last digit"


def _of_others(entry: DeclaredEntry, said: list[Statement]) -> Iterator[Statement]:
    """What is said of another file, which is of another run."""
    for one in said:
        if one.file != entry.value and one.value[0] != entry.more["run"]:
            yield one
