"""Ten times the studies of edition zos-cs-3.2: ``python -m benchmarks.tenfold``.

Two projects are made in temporary copies, with one edition each: the edition as it is,
and one in which each study stands ten times, under ids of its own. Both read the same
campaign. Timed are the verbs ``derive``, ``figures`` and ``report``, which are all that
depends on the number of studies; raw files are ingested once before, untimed. Goal: at
most eleven times the time.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from benchmarks.cost import Cost, timed
from benchmarks.machine import describe
from benchmarks.project import copy_project

EDITION = "zos-cs-3.2"
FACTOR = 10
GOAL = 11.0
STAGES = (
    ("derive",),
    ("figures", "--edition", EDITION),
    ("report", "--edition", EDITION),
)
_NOTE = re.compile(r"\[\^([\w-]+)\]")


def main() -> int:
    """Print the time of each stage for both, and the ratio."""
    print(*describe(), sep="\n", end="\n\n")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        one, ten = Path(folder, "one"), Path(folder, "ten")
        for project in (one, ten):
            _copy(project)
        multiply(ten / "report" / EDITION, FACTOR)
        _ingest(one)
        shutil.copytree(one / "data/build", ten / "data/build")
        small, large = Cost(0, 0), Cost(0, 0)
        for stage in STAGES:
            costs = _verb(one, *stage), _verb(ten, *stage)
            _tell(stage[0], *costs)
            small, large = small + costs[0], large + costs[1]
    _tell("all three", small, large, f"   (goal: at most {GOAL:g} times)")
    return int(large.cpu > GOAL * small.cpu)


def multiply(edition: Path, factor: int) -> None:
    """Let each study of an edition stand so many times, under ids of its own."""
    file = edition / "edition.yaml"
    declared = yaml.safe_load(file.read_text(encoding="utf-8"))
    declared["studies"] = _many(declared["studies"], factor)
    file.write_text(yaml.safe_dump(declared, allow_unicode=True), encoding="utf-8")
    for study in sorted((edition / "studies").iterdir()):
        for number in range(2, factor + 1):
            _copy_study(study, number)


def _many(entries: list[Any], factor: int) -> list[Any]:
    """Groups with all copies of their studies, and the copies of studies alone."""
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, dict):
            found.append(entry | {"studies": _many(entry["studies"], factor)})
        else:
            found += [entry, *(f"{entry}-{n}" for n in range(2, factor + 1))]
    return found


def _copy_study(study: Path, number: int) -> None:
    """The same study again; its footnotes get names of their own, as ids must."""
    copy = study.with_name(f"{study.name}-{number}")
    shutil.copytree(study, copy)
    for path in copy.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        path.write_text(_NOTE.sub(rf"[^\1-{number}]", text), encoding="utf-8")


def _copy(project: Path) -> None:
    copy_project(project)
    for path in (project / "report").iterdir():
        if path.is_dir() and path.name != EDITION:
            shutil.rmtree(path)


def _ingest(project: Path) -> None:
    raw, tables = f"data/build/raw/{EDITION}", f"data/build/ingest/{EDITION}"
    timed((sys.executable, "-m", "synthetic", EDITION, "--out", raw), project)
    _verb(project, "ingest", "--campaign", raw, "--out", tables)
    _verb(project, "load", "--tables", tables, "--out", "data/build/perf.duckdb")
    _verb(project, "backtest")


def _verb(project: Path, *arguments: str) -> Cost:
    return timed((sys.executable, "-m", "analysis", *arguments), project)


def _tell(stage: str, small: Cost, large: Cost, goal: str = "") -> None:
    ratio = (
        f"{large.wall / small.wall:.1f} times, CPU {large.cpu / small.cpu:.1f} times"
    )
    print(f"{stage:10} {small}   tenfold {large}   {ratio}{goal}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
