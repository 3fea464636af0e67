"""``make bench``: the times that the project promises, each edition in a fresh copy.

Wall times hold for a machine that does nothing else; CPU seconds stand beside them.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from analysis.programs.quarto_program import wanted_quarto
from benchmarks.cost import timed
from benchmarks.jobs import jobs_since
from benchmarks.machine import describe
from benchmarks.project import copy_project

SENTENCE = "\nThis sentence is new.\n"
ENVIRONMENT_GOAL = 60.0


@dataclass(frozen=True)
class Goals:
    """The seconds promised for an edition, and the study in which text is edited."""

    edition: str
    study: str
    first: float
    second: float
    edited: float
    preview: float
    check: float
    quarto: float
    quarto_edited: float


EDITIONS = (
    Goals("zos-cs-3.2", "osh-osd", 60, 2, 6, 0.6, 2, 40, 15),
    Goals("linux-veth", "offload", 30, 1.5, 4, 0.3, 2, 15, 8),
)


def main() -> int:
    """Time each case once and print it beside its goal."""
    print(*describe(), sep="\n")
    print(f"load before the start: {os.getloadavg()[0]:.1f}", end="\n\n")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        first = Path(folder, EDITIONS[0].edition)
        copy_project(first)
        _time("environment, packages cached", ENVIRONMENT_GOAL, first, ".venv/uv.lock")
        for goals in EDITIONS:
            project = Path(folder, goals.edition)
            if project != first:
                copy_project(project)
                for name in (".venv", ".bootstrap"):
                    (project / name).symlink_to(first / name)
            _bench(project, goals)
    return 0


def _bench(project: Path, goals: Goals) -> None:
    print(f"\n{goals.edition}")
    edition = ("report", f"EDITION={goals.edition}")
    report = (*edition, "ENGINE=pandoc")
    _time("first report, from raw bytes", goals.first, project, *report)
    _time("second report, nothing to do", goals.second, project, *report)
    _edit(project, goals)
    _time("one sentence edited", goals.edited, project, *report)
    _bench_quarto(project, goals, *edition)
    _time("check", goals.check, project, "check", f"EDITION={goals.edition}")
    command = (str(project / ".venv/bin/python"), "-m", "benchmarks.preview")
    places = ("--edition", goals.edition, "--study", goals.study)
    subprocess.run(
        [*command, *places, "--goal", str(goals.preview)], cwd=project, check=True
    )


def _bench_quarto(project: Path, goals: Goals, *report: str) -> None:
    """The same report by Quarto, where it is installed."""
    if not wanted_quarto("auto"):
        print("no Quarto here: its reports are not timed")
        return
    own = (*report, "ENGINE=quarto")
    _time("the same report by Quarto", goals.quarto, project, *own)
    _edit(project, goals)
    _time("one sentence edited, by Quarto", goals.quarto_edited, project, *own)


def _edit(project: Path, goals: Goals) -> None:
    text = project / "report" / goals.edition / "studies" / goals.study
    with (text / "observations.md").open("a", encoding="utf-8") as file:
        file.write(SENTENCE)


def _time(what: str, goal: float, project: Path, *target: str) -> None:
    """Run ``make`` in a project; print its time and the share of each stage."""
    since = time.time()
    cost = timed(("make", *target), project)
    print(f"{what:32} {cost}   (goal: under {goal:g} s)", flush=True)
    jobs = jobs_since(project, since)
    for job in jobs:
        taken = job.end - job.start
        print(f"    {job.rule:28} {taken:6.2f} s   {taken / cost.wall:4.0%}")
    if jobs:
        rest = cost.wall - sum(job.end - job.start for job in jobs)
        share = rest / cost.wall
        print(f"    {'start, plan and the rest':28} {rest:6.2f} s   {share:4.0%}")


if __name__ == "__main__":
    raise SystemExit(main())
