"""When jobs of a cluster run and for what: ``python -m benchmarks.schedule``.

A Slurm cluster of two nodes with two processors each is started on this machine, and
builds all editions from nothing in a temporary copy. The schedule tells of each job
when what it needs was there, when it started and when it ended. Its nodes share the
machine's cores and disk, so the seconds are no promise of a cluster's; the order is.
It needs the programs of Slurm (slurmctld, slurmd, munge).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.cost import timed
from benchmarks.machine import describe
from benchmarks.project import copy_project
from tests.workflow.cluster import cluster, missing

NODES, CPUS = ("node1", "node2"), 2
# Slurm tells whole seconds; Snakemake looks every two whether a job has ended and then
# submits those that waited for it, one after the other.
LOOKS = 10
_STEP = re.compile(r"\b(\w+):(?:(?:campaign|edition)=([\w.-]+),)?mark=\d+")
_HEAD = f"{'node':>6} {'ready':>6} {'start':>6} {'end':>6}  job"


@dataclass(frozen=True)
class Job:
    """A job: its node, its processors, seconds of its start and end, and its steps."""

    node: str
    cpus: int
    start: float
    end: float
    steps: frozenset[str]


def main() -> int:
    """Print the schedule; 1 where a job waited without need."""
    if lacking := missing():
        print(f"not installed: {', '.join(lacking)}")
        return 2
    print(*describe(), sep="\n")
    with tempfile.TemporaryDirectory(prefix="schedule-") as folder:
        jobs, needs = _built(Path(folder))
    waited = _printed(sorted(jobs, key=lambda job: job.start), needs)
    print(f"waited without need: {', '.join(waited) or 'none'}")
    return 1 if waited else 0


def _built(folder: Path) -> tuple[list[Job], dict[str, list[str]]]:
    """The jobs of a build, and the steps that each step needs."""
    copy = folder / "project"
    copy_project(copy)
    timed(["make", ".venv/uv.lock"], copy)
    at = folder / "cluster"
    at.mkdir()
    with cluster(at, NODES, CPUS) as commands:
        os.environ["PATH"] = os.pathsep.join([str(commands), os.environ["PATH"]])
        print(timed(["make", "report", "PROFILE=slurm"], copy), "", _HEAD, sep="\n")
        jobs = _jobs(commands / "scontrol")
    return jobs, _needs(copy)


def _jobs(scontrol: Path) -> list[Job]:
    told = _said([scontrol, "show", "job", "-o"])
    start = min(map(_seconds, re.findall(r"SubmitTime=(\S+)", told)))
    return [_job(scontrol, line, start) for line in told.splitlines() if line]


def _job(scontrol: Path, line: str, origin: float) -> Job:
    about = dict(re.findall(r"(\w+)=(\S*)", line))
    script = _said([scontrol, "write", "batch_script", about["JobId"], "-"])
    targets = script.partition("--target-jobs")[2].partition(" --")[0]
    steps = {"-".join(filter(None, found)) for found in _STEP.findall(targets)}
    began, ended = (_seconds(about[name]) for name in ("StartTime", "EndTime"))
    return Job(
        about["NodeList"],
        int(about["NumCPUs"]),
        began - origin,
        ended - origin,
        frozenset(steps),
    )


def _needs(copy: Path) -> dict[str, list[str]]:
    asked = (
        "from workflow.plan import plan\n"
        "for name, step in plan('auto').steps.items(): print(name, *step.before)"
    )
    told = _said([str(copy / ".venv/bin/python"), "-c", asked], copy)
    return {(words := line.split())[0]: words[1:] for line in told.splitlines()}


def _printed(jobs: Sequence[Job], needs: dict[str, list[str]]) -> list[str]:
    """Print a line for each job; those that waited while a processor was free."""
    ends = {step: job.end for job in jobs for step in job.steps}
    waited = []
    for job in jobs:
        others = {need for step in job.steps for need in needs[step]} - job.steps
        ready = max((ends[step] for step in others), default=0.0)
        name = ", ".join(sorted(job.steps))
        if _idle(jobs, ready + LOOKS, job):
            waited.append(name)
        print(f"{job.node:>6} {ready:>6.0f} {job.start:>6.0f} {job.end:>6.0f}  {name}")
    return waited


def _idle(jobs: Sequence[Job], since: float, job: Job) -> bool:
    """Whether processors that a job asks for were free on a node while it waited."""
    moments = [since, *(one.end + LOOKS for one in jobs)]
    return any(
        _used(jobs, node, moment) + job.cpus <= CPUS
        for moment in moments
        if since <= moment < job.start
        for node in NODES
    )


def _used(jobs: Sequence[Job], node: str, moment: float) -> int:
    """The processors of a node that jobs have at a moment, and soon after one ended."""
    return sum(
        job.cpus
        for job in jobs
        if job.node == node and job.start <= moment < job.end + LOOKS
    )


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _said(command: Sequence[str | Path], folder: Path | None = None) -> str:
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
