"""Which jobs a build ran and how long each took, as Snakemake recorded them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """One job that ran, well or not: its rule, start and end in seconds since 1970."""

    rule: str
    start: float
    end: float


def jobs_since(project: Path, since: float) -> list[Job]:
    """The jobs of a project that started after a time, in the order of their start."""
    jobs = set()
    for path in (project / ".snakemake" / "metadata").rglob("*"):
        if path.is_file():
            record = json.loads(path.read_text(encoding="utf-8"))
            jobs.add(Job(record["rule"], record["starttime"], record["endtime"]))
    return sorted((job for job in jobs if job.start >= since), key=lambda j: j.start)
