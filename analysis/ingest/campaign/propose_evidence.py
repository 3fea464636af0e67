"""CPU evidence found beside the logs of runs, and the time that a reading covers."""

from __future__ import annotations

import datetime as dt
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
