"""``make bench``: the times that the project promises, measured in a fresh copy."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.jobs import jobs_since
from benchmarks.machine import describe
from benchmarks.project import copy_project

EDITION = "linux-veth"
SENTENCE = "\nThis sentence is new.\n"


def main() -> int:
    """Time each case once and print it beside its goal."""
    print(*describe(), sep="\n", end="\n\n")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        project = copy_project(Path(folder, "project"))
        _time("environment, packages cached", 60, project, ".venv/uv.lock")
        _time("first report", 30, project, "report", f"EDITION={EDITION}")
        _time("second report, nothing to do", 1.5, project, "report")
        text = project / "report" / EDITION / "studies/offload/observations.md"
        with text.open("a", encoding="utf-8") as file:
            file.write(SENTENCE)
        _time("one sentence edited", 4, project, "report")
        command = [str(project / ".venv/bin/python"), "-m", "benchmarks.preview"]
        subprocess.run(command, cwd=project, check=True)
    return 0


def _time(what: str, goal: float, project: Path, *command: str) -> None:
    """Run ``make`` in a project; print its wall time and the share of each stage."""
    wall, start = time.time(), time.perf_counter()
    done = subprocess.run(
        ["make", *command], cwd=project, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"make {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    print(f"{what:32} {seconds:6.2f} s   (goal: under {goal:g} s)", flush=True)
    jobs = jobs_since(project, wall)
    for job in jobs:
        taken = job.end - job.start
        print(f"    {job.rule:28} {taken:6.2f} s   {taken / seconds:4.0%}")
    if jobs:
        rest = seconds - sum(job.end - job.start for job in jobs)
        print(
            f"    {'start, plan and the rest':28} {rest:6.2f} s   {rest / seconds:4.0%}"
        )


if __name__ == "__main__":
    raise SystemExit(main())
