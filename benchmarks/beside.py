"""Two states of the project side by side: ``python -m benchmarks.beside OLD [NEW]``.

Both are checkouts with an environment; what is committed in each is cloned, and every
case runs in both clones by turns, so that a machine that gets slower gets slower for
both. Printed are the least times of each, and their ratio. CPU seconds say what the
program costs; seconds on the clock hold for a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import math
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cost import Cost, timed
from benchmarks.machine import describe
from benchmarks.project import ROOT

BUILT = ("data/build", "report/build", ".snakemake")
TEXT = "report/linux-veth/studies/offload/observations.md"
SENTENCE = "\nThis sentence is new.\n"
# What the readers' own benchmarks print, without the time in which they make files.
READERS = {
    "SMF, MB/s of CPU time": (r"speed +([\d,]+) MB/s", "smf_decode", "--size", "200"),
    "RMF XML, MB/s of CPU time": (r"all .* ([\d.]+) MB/s ", "rmf_xml", "20"),
    "10,000 logs, ms each": (r"10,000 logs .* ([\d.]+) ms", "ingest_logs"),
}


@dataclass(frozen=True)
class Case:
    """Something to time: the command, and what happens to a clone before."""

    name: str
    command: tuple[str, ...]
    prepare: Callable[[Path], None] | None = None


def main() -> int:
    """Time all cases in both and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print(*describe(), sep="\n", end="\n\n")
    with tempfile.TemporaryDirectory(prefix="beside-") as folder:
        clones = [
            _clone(checkout.resolve(), Path(folder, name))
            for name, checkout in (("old", args.old), ("new", args.new))
        ]
        for case in _cases():
            _tell(case.name, *_least(case, clones, args.rounds))
        for name, (pattern, module, *options) in READERS.items():
            rounds = [
                [_rate(clone, pattern, module, *options) for clone in clones]
                for _ in range(args.rounds)
            ]
            old, new = map(statistics.median, zip(*rounds, strict=True))
            print(f"{name:26} old {old:.4g}   new {new:.4g}   {new / old:.2f} times")
    return 0


def _cases() -> list[Case]:
    # Not make: it would look at the dates of a clone's lock, and build an environment.
    python = (".venv/bin/python", "-m")
    report = (*python, "workflow.build")
    return [
        Case("cold build, both editions", report, _forget),
        Case("nothing to do", report),
        Case("one sentence edited", report, _edit),
        Case("check", (*python, "analysis", "check")),
    ]


def _clone(checkout: Path, to: Path) -> Path:
    subprocess.run(["git", "clone", "-q", checkout, to], check=True)
    for name in (".venv", ".bootstrap"):
        (to / name).symlink_to((checkout / name).resolve())
    return to


def _forget(project: Path) -> None:
    for name in BUILT:
        shutil.rmtree(project / name, ignore_errors=True)


def _edit(project: Path) -> None:
    with (project / TEXT).open("a", encoding="utf-8") as file:
        file.write(SENTENCE)


def _least(case: Case, clones: list[Path], rounds: int) -> list[Cost]:
    """The least wall and CPU time of a case in each clone, run by turns."""
    costs: list[list[Cost]] = [[] for _ in clones]
    for _ in range(rounds):
        for clone, found in zip(clones, costs, strict=True):
            if case.prepare:
                case.prepare(clone)
            found.append(timed(case.command, clone))
    return [Cost(min(c.wall for c in of), min(c.cpu for c in of)) for of in costs]


def _rate(project: Path, pattern: str, module: str, *options: str) -> float:
    """What a reader's benchmark prints in a clone."""
    command = [".venv/bin/python", "-m", f"benchmarks.{module}", *options]
    done = subprocess.run(
        command, cwd=project, capture_output=True, text=True, check=True
    )
    told = re.search(pattern, done.stdout)
    return float(told[1].replace(",", "")) if told else math.nan


def _tell(name: str, old: Cost, new: Cost) -> None:
    ratios = f"{new.wall / old.wall:.2f} times, CPU {new.cpu / old.cpu:.2f} times"
    print(f"{name:26} old {old}   new {new}   {ratios}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
