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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from pathlib import Path

from benchmarks.cost import timed
from benchmarks.machine import describe
from benchmarks.project import copy_project
from tests.workflow.cluster import cluster, missing

NODES, CPUS = ("node1", "node2"), 2
PATIENCE = 10  # seconds that Slurm may take to find a free processor
_STEP = re.compile(r"\b(\w+):(?:(?:campaign|edition)=([\w.-]+),)?mark=\d+")
_HEAD = f"{'node':>6} {'ready':>6} {'asked':>6} {'start':>6} {'end':>6}  job"


Needs = Mapping[str, Sequence[str]]  # of a step, by name: the steps that it needs


@dataclass(frozen=True)
class Job:
    """A job: its node and processors, when it was asked for, began and ended, in
    seconds, and its steps."""

    node: str
    cpus: int
    asked: float
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


def _built(folder: Path) -> tuple[list[Job], Needs]:
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
    times = (_seconds(about[f"{name}Time"]) for name in ("Submit", "Start", "End"))
    asked, began, ended = (time - origin for time in times)
    cpus = int(about["NumCPUs"])
    return Job(about["NodeList"], cpus, asked, began, ended, frozenset(steps))


def _needs(copy: Path) -> Needs:
    asked = (
        "from workflow.plan import plan\n"
        "for name, step in plan('auto').steps.items(): print(name, *step.before)"
    )
    told = _said([str(copy / ".venv/bin/python"), "-c", asked], copy)
    return {(words := line.split())[0]: words[1:] for line in told.splitlines()}


def _printed(jobs: Sequence[Job], needs: Needs) -> list[str]:
    """Print a line for each job; those that waited, or made a step wait, for nothing.

    From what a job needs being *ready* until it is *asked* for, Snakemake looks at what
    ended; from then on Slurm looks for a processor.
    """
    ends = {step: job.end for job in jobs for step in job.steps}
    waited = []
    for job in jobs:
        others = {need for step in job.steps for need in needs[step]} - job.steps
        ready = max((ends[step] for step in others), default=0.0)
        times = (ready, job.asked, job.start, job.end)
        name = ", ".join(sorted(job.steps))
        print(f"{job.node:>6}", *(f"{time:>6.0f}" for time in times), f" {name}")
        if not _is_chain(job.steps, needs) or _was_room(jobs, job):
            waited.append(name)
    return waited


def _is_chain(steps: Collection[str], needs: Needs) -> bool:
    """Whether of any two steps one needs the other, so that neither waits in vain."""
    before = {step: _all_before(step, needs) for step in steps}
    return all(
        one in before[other] or other in before[one]
        for one, other in combinations(steps, 2)
    )


def _all_before(step: str, needs: Needs) -> set[str]:
    return {*needs[step]}.union(*(_all_before(need, needs) for need in needs[step]))


def _was_room(jobs: Sequence[Job], job: Job) -> bool:
    """Whether a node had the processors for a job long before it began."""
    moments = [job.asked, *(one.end for one in jobs if job.asked < one.end)]
    return any(
        _used(jobs, node, moment) + job.cpus <= CPUS
        for moment in moments
        if moment + PATIENCE < job.start
        for node in NODES
    )


def _used(jobs: Sequence[Job], node: str, moment: float) -> int:
    """The processors of a node that were in use from a moment on, for a while."""
    until = moment + PATIENCE
    there = [job for job in jobs if job.node == node]
    return sum(job.cpus for job in there if job.start < until and job.end > moment)


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _said(command: Sequence[str | Path], folder: Path | None = None) -> str:
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
