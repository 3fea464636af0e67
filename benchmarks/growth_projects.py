"""Projects that grow: campaigns of any number of runs, editions, dumps of any size."""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Iterator
from pathlib import Path

from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.ingest.files import hash_files
from benchmarks.ingest_logs import START, netperf, uperf
from benchmarks.project import ROOT, copy_project
from benchmarks.smf_made import make

EDITION, STUDY = "growth", "study"
CONFIGURATIONS = ("A", "B")
SIZES = range(100, 125)  # bytes of a message: one workload each, of each tool
CELLS = 2 * len(SIZES) * len(CONFIGURATIONS)
LENGTH = dt.timedelta(seconds=130)
FOLDER = 200  # logs in one folder
DUMP_RUNS = 100
DUMP_BYTES = 8 * 10**9  # of one file; what is more is another dump
HEAD = "run,configuration,workload,repetition,start,end,client,server,log,cpu\n"
CAMPAIGN = """\
title: {name}, made for a benchmark
origin: synthetic
measured: {{by: this program, from: 2026-03-02, to: 2027-12-31, how: made}}
zone: UTC
systems:
  {server}: {{role: server, cps: 8}}
  {client}: {{role: client, cps: 8}}
configurations:
  A: {{label: the first, details: {{MTU: 1500}}}}
  B: {{label: the other, details: {{MTU: 9000}}}}
cpu: {{source: lpar_busy, minimum_coverage: 0.1}}
"""
EDITION_TEXT = """\
title: An edition of a benchmark
authors: [A program]
date: 2026-01-31
front: []
studies: [{study}]
"""
STUDY_TEXT = """\
title: Growth
question: Does it grow as it should?
campaigns: [{campaigns}]
baseline: A
tests: [B]
workloads: ["RR1(100B)", "RR4(100B)", "RR1(101B)", "RR4(101B)"]
metrics: [rate, latency]
figures:
  - {{id: rate, kind: delta, metrics: [rate], workloads: "RR*",
     question: Which is faster?}}
"""
TEXT = "Two setups are compared.\n"


def project(folder: Path) -> Path:
    """A project without campaigns and editions, in the environment of this one."""
    left_out = ["raw", "tests", "docs", "synthetic/campaigns"]
    copy_project(folder, [*left_out, *map(str, _editions())])
    for name in (".venv", ".bootstrap"):
        (folder / name).symlink_to((ROOT / name).resolve())
    (folder / "synthetic/campaigns").mkdir()
    (folder / "raw").mkdir()
    return folder


def _editions() -> list[Path]:
    found = (ROOT / "report").glob("*/edition.yaml")
    return [path.parent.relative_to(ROOT) for path in found]


def write_edition(folder: Path, number: int, campaigns: list[str]) -> Path:
    """An edition of one study; the path of the study's text."""
    edition = folder / "report" / f"{EDITION}-{number}"
    study = edition / "studies" / STUDY
    study.mkdir(parents=True)
    told = EDITION_TEXT.format(number=number, study=STUDY)
    (edition / "edition.yaml").write_text(told)
    (edition / "references.bib").write_text("")
    named = STUDY_TEXT.format(campaigns=", ".join(campaigns))
    (study / "study.yaml").write_text(named)
    for name in ("answer", "background", "environment", "observations"):
        (study / f"{name}.md").write_text(TEXT)
    return study / "observations.md"


def write_logs(campaign: Path, runs: int, first: int = 0) -> None:
    """A campaign of so many runs with a log each; ``first`` is the number of the first
    log, so that those of two campaigns differ."""
    campaign.mkdir(parents=True)
    lines = [add_log(campaign, nth, first) for nth in range(runs)]
    _write(campaign, lines, "SYSA", "SYSB")


def add_log(campaign: Path, nth: int, first: int = 0) -> str:
    """Write the log of one run; its line of runs.csv."""
    tool, cell = nth % 2, nth // 2 % (CELLS // 2)
    size = SIZES[cell // len(CONFIGURATIONS)]
    configuration = CONFIGURATIONS[cell % len(CONFIGURATIONS)]
    name = f"{nth // FOLDER:04d}/{nth:06d}.txt"
    path = campaign / name
    path.parent.mkdir(exist_ok=True)
    path.write_text((netperf if tool else uperf)(nth + first, size))
    of = f"{configuration},RR{1 if tool else 4}({size}B),{nth // CELLS + 1}"
    start = dt.datetime.fromtimestamp(START + 200 * (nth + first), dt.UTC)
    window = f"{start:%FT%TZ},{start + LENGTH:%FT%TZ}"
    return f"{campaign.name}-{nth},{of},{window},SYSB,SYSA,{name},"


def more_log(campaign: Path, runs: int) -> None:
    """One run more in a campaign of so many; its checksums are added, as the verb
    would."""
    line = add_log(campaign, runs).replace(",SYSB,SYSA,", ",,,")  # those declared
    with (campaign / "runs.csv").open("a") as file:
        file.write(line + "\n")
    name = line.split(",")[8]
    with (campaign / SUMS_FILE).open("a") as file:
        file.write(checksums_text(hash_files(campaign, [name])))


def write_dumps(campaign: Path, megabytes: int) -> None:
    """A campaign of some runs whose CPU time is in dumps of so many MB altogether."""
    campaign.mkdir(parents=True)
    lines = [add_log(campaign, nth) for nth in range(DUMP_RUNS)]
    files: list[str] = []
    quarter = 0
    for size in _dumps(megabytes):
        files.append(f"dump-{len(files)}.smf")
        quarter = make(campaign / files[-1], size, False, quarter)
    told = [line + ";".join(files) for line in lines]
    _write(campaign, told, "SYS0", "SYS1")


def more_dump(campaign: Path, megabytes: int) -> None:
    """One dump more, of times behind those of the others, for all runs."""
    files = [*campaign.glob("dump-*.smf")]
    name = f"dump-{len(files)}.smf"
    behind = sum(file.stat().st_size for file in files) // 10**6  # quarters are larger
    make(campaign / name, megabytes, False, behind)
    runs = campaign / "runs.csv"
    lines = runs.read_text().splitlines()
    runs.write_text("\n".join([*(_also(line, name) for line in lines), ""]))
    with (campaign / SUMS_FILE).open("a") as file:
        file.write(checksums_text(hash_files(campaign, [name])))


def _also(line: str, dump: str) -> str:
    return f"{line};{dump}" if line.endswith(".smf") else line


def _dumps(megabytes: int) -> Iterator[int]:
    most = DUMP_BYTES // 10**6
    for done in range(0, megabytes, most):
        yield min(most, megabytes - done)


def _write(campaign: Path, lines: list[str], server: str, client: str) -> None:
    named = [line.replace("SYSA", server).replace("SYSB", client) for line in lines]
    (campaign / "runs.csv").write_text(HEAD + "\n".join(named) + "\n")
    files = {file for line in lines for file in _files(line)}
    (campaign / SUMS_FILE).write_text(checksums_text(hash_files(campaign, files)))
    told = CAMPAIGN.format(name=campaign.name, server=server, client=client)
    (campaign / "campaign.yaml").write_text(told)


def _files(line: str) -> list[str]:
    *_, log, cpu = line.split(",")
    return [log, *filter(None, cpu.split(";"))]


def add_sentence(text: Path) -> None:
    """Edit one sentence of a study."""
    with text.open("a") as file:
        file.write("\nThis sentence is new.\n")


def remove(folder: Path) -> None:
    """Give back the room of a project."""
    shutil.rmtree(folder, ignore_errors=True)
