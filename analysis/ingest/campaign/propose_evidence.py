"""CPU evidence found beside the logs of runs, and the time that a reading covers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from analysis.ingest.reading import Reading

OF_RUN = ("run_cpu", "cpu_counter", "cgroup_counter")
_EVIDENCE = (*OF_RUN, "cpu_interval", "process_interval", "address_space_interval")


def is_evidence(reading: Reading) -> bool:
    """Whether a reading tells of CPU time."""
    return any(name in reading.tables for name in _EVIDENCE)


def evidence_of(log: str, logs: list[str], evidence: list[str]) -> list[str]:
    """Files beside or below a log; of several logs in a folder, by the names."""
    path = PurePosixPath(log)
    below = [f for f in evidence if PurePosixPath(f).is_relative_to(path.parent)]
    others = [o for o in logs if o != log and PurePosixPath(o).parent == path.parent]
    if path.parent == PurePosixPath(".") or others:
        stem = path.name.split(".")[0]
        return [f for f in below if _belongs(PurePosixPath(f).name, stem)]
    return below


def _belongs(name: str, stem: str) -> bool:
    rest = name.removeprefix(stem)
    return rest != name and rest[:1] in ("", ".", "-", "_")


def is_beside(file: str, folders: set[PurePosixPath]) -> bool:
    """Whether a file lies in a run's own folder, or below it."""
    return any(
        parent in folders and parent != PurePosixPath(".")
        for parent in PurePosixPath(file).parents
    )


def calls_of(log: str, logs: list[str], commands: Mapping[str, str]) -> str:
    """The text that calls the tool of a log: its own head, or a file of its run."""
    path = PurePosixPath(log)
    beside = [f for f in commands if f not in logs]
    own = [f for f in beside if PurePosixPath(f).parent == path.parent]
    named = [f for f in [log, *evidence_of(log, logs, own)] if f in commands]
    return "\n".join(commands[file] for file in named)


def days_of(
    runs: Iterable[tuple[str, str]],
    evidence: list[str],
    readings: Mapping[str, Reading],
) -> list[str]:
    """The first and the last day on which something ran, by the starts of runs or what
    their logs tell, else by the evidence; none where nothing tells any."""
    spans = ((start, readings[log]) for start, log in runs)
    told = [start or (span_of(reading) or ("",))[0] for start, reading in spans]
    told = list(filter(None, told)) or [
        moment for file in evidence for moment in span_of(readings[file]) or ()
    ]
    days = [moment[:10] for moment in told]
    return [min(days), max(days)] if days else []


def span_of(reading: Reading) -> tuple[str, str] | None:
    """The first and last moment of which a reading tells, UTC; None without a time."""
    timed = [(row["start_utc"], row["seconds"]) for row in reading.results]
    for table in reading.tables.values():
        if {"start_utc", "seconds"} <= set(table.columns):
            timed += table.select("start_utc", "seconds").rows()
    known = [
        (start, seconds) for start, seconds in timed if start and seconds is not None
    ]
    ends = [
        (dt.datetime.fromisoformat(start) + dt.timedelta(seconds=seconds)).isoformat()
        for start, seconds in known
    ]
    return (min(start for start, _ in known), max(ends)) if known else None


def source_of(readings: Mapping[str, Reading], evidence: list[str]) -> str:
    """Whose CPU time a campaign of these files counts."""
    tables = {name for file in evidence for name in readings[file].tables}
    methods = {
        method
        for file in evidence
        if "run_cpu" in readings[file].tables
        for method in readings[file].tables["run_cpu"]["method"].to_list()
    }
    if "cgroup" in methods or "cgroup_counter" in tables:
        return "cgroup"
    bases = {
        basis
        for file in evidence
        if "cpu_interval" in readings[file].tables
        for basis in readings[file].tables["cpu_interval"]["basis"].to_list()
    }
    return "lpar_busy" if bases & {"lpar_busy", "dispatch"} else "procstat"
