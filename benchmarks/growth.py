"""How builds grow with what they are given: ``make bench GROWTH=1``.

Projects are made in temporary folders: campaigns of more and more runs, more and more
campaigns, editions, and megabytes of SMF. Each is built, built again with nothing to
do, built with one log more, with one sentence more and, where there are dumps, with one
of 1 GB at most more. A line tells what each took: seconds of the clock and of the
processors, and the memory of the largest process. All of a table is of one run on one
machine, so that its lines may be compared; the first line says how busy the machine was
with other work.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import growth_projects as made
from benchmarks.cost import peaked
from benchmarks.machine import describe

RUNS, CAMPAIGNS, EDITIONS, MEGABYTES = (
    (100, 1_000, 10_000),
    (10,),
    (1, 10),
    (100, 1_000),
)
FEW = 100  # runs of a campaign where something else grows
GOALS = """\
goals on 2 cores: cold linear within 1.2 from 1,000 to 100,000 runs; at 100,000 runs
one log more under 10 s, nothing to do under 3 s; memory under 2 GiB always"""
SETTLED = 3  # seconds; what is younger when it is looked at is looked at again
STEPS = ("cold", "nothing", "one log", "sentence", "one dump")
MORE = 1_000  # megabytes of a dump that is added, at most
HEAD = " ".join([" " * 18, *(f"{step:>15} " for step in STEPS), "    peak"])


@dataclass(frozen=True)
class Case:
    """What is built: how it is called, how many campaigns and editions it has, and how
    a campaign is written to a folder, given its number; ``runs`` each."""

    name: str
    write: Callable[[Path, int], None]
    runs: int = FEW
    campaigns: int = 1
    editions: int = 1
    megabytes: int = 0


def main() -> int:
    """Print a line for each project."""
    asked = _asked()
    print(*describe(), sep="\n")
    print(f"load before: {os.getloadavg()[0]:.1f}", GOALS, "", HEAD, sep="\n")
    for case in _cases(asked):
        with tempfile.TemporaryDirectory(prefix="growth-", dir=asked.folder) as folder:
            print(
                f"{case.name:>18} {_measured(case, Path(folder, 'project'))}",
                flush=True,
            )
    return 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.growth", description=__doc__)
    for name, sizes in (
        ("runs", RUNS),
        ("campaigns", CAMPAIGNS),
        ("editions", EDITIONS),
        ("megabytes", MEGABYTES),
    ):
        parser.add_argument(f"--{name}", type=int, nargs="*", default=sizes)
    parser.add_argument("--folder", type=Path, help="where the projects are made")
    return parser.parse_args()


def _cases(asked: argparse.Namespace) -> Iterator[Case]:
    def logs(runs: int) -> Callable[[Path, int], None]:
        return lambda folder, nth: made.write_logs(folder, runs, nth * runs)

    def dumps(size: int) -> Callable[[Path, int], None]:
        return lambda folder, _: made.write_dumps(folder, size)

    for runs in asked.runs:
        yield Case(f"{runs:,} runs", logs(runs), runs)
    for many in asked.campaigns:
        yield Case(f"{many:,} campaigns", logs(FEW), campaigns=many)
    for many in asked.editions:
        yield Case(f"{many:,} editions", logs(FEW), editions=many)
    for size in asked.megabytes:
        yield Case(f"{size:,} MB of SMF", dumps(size), made.DUMP_RUNS, megabytes=size)


def _measured(case: Case, folder: Path) -> str:
    made.project(folder)
    names = [f"lab-{nth}" for nth in range(case.campaigns)]
    for nth, name in enumerate(names):
        case.write(folder / "raw" / name, nth)
    texts = [made.write_edition(folder, nth, names) for nth in range(case.editions)]
    first = folder / "raw" / names[0]
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: None,
        lambda: made.more_log(first, case.runs),
        lambda: made.add_sentence(texts[0]),
    ]
    if case.megabytes:
        steps.append(lambda: made.more_dump(first, min(case.megabytes, MORE)))
    time.sleep(SETTLED)
    build = [str(folder / ".venv/bin/python"), "-m", "workflow.build"]
    told, most = [], 0
    for change in steps:
        change()
        cost, peak = peaked(build, folder)
        told.append(f"{cost.wall:>7.1f} ({cost.cpu:>5.1f}) ")
        most = max(most, peak)
    untold = [" " * len(told[0])] * (len(STEPS) - len(told))
    return f"{' '.join([*told, *untold])} {most / 2**30:>4.1f} GiB"


if __name__ == "__main__":
    sys.exit(main())
