"""Projects and campaigns of any size, made for benchmarks and tests.

Logs are those that the emitters of :mod:`synthetic` write; CPU time is in dumps of SMF
(:mod:`benchmarks.dump`) or in RMF's XML.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.ingest.files import hash_files
from benchmarks.dump import make
from benchmarks.project import ROOT, copy_project
from synthetic.emitters.netperf import netperf_log
from synthetic.emitters.rmf_xml import Interval, Processor, document
from synthetic.emitters.uperf import UperfLog
from synthetic.smf.dump import START
from tests.ingest.rmf import ddsml_more as xml

EDITION, STUDY = "growth", "study"
CONFIGURATIONS = ("A", "B")
SIZES = range(100, 125)  # bytes of a message: one workload each, of each tool
CELLS = 2 * len(SIZES) * len(CONFIGURATIONS)
APART, LENGTH = dt.timedelta(seconds=200), dt.timedelta(seconds=130)
INTERVAL = dt.timedelta(minutes=30)
FOLDER = 200  # logs in one folder
FEW_RUNS = 100  # of a campaign that is large by other files
DUMP_MEGABYTES = 8_000  # of one file; what is more is another dump
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
  A: {{label: the first, details: {{Setting: low}}}}
  B: {{label: the other, details: {{Setting: high}}}}
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


def project(folder: Path, root: Path = ROOT) -> Path:
    """A copy of a checkout without its campaigns and editions."""
    editions = [path.parent for path in (root / "report").glob("*/edition.yaml")]
    left_out = ["raw", "tests", "docs", "synthetic/campaigns", *map(str, editions)]
    copy_project(folder, left_out, root)
    (folder / "synthetic/campaigns").mkdir()
    (folder / "raw").mkdir()
    return folder


def write_edition(folder: Path, campaigns: list[str]) -> None:
    """An edition of one study of these campaigns."""
    edition = folder / "report" / EDITION
    study = edition / "studies" / STUDY
    study.mkdir(parents=True)
    (edition / "edition.yaml").write_text(EDITION_TEXT.format(study=STUDY))
    (edition / "references.bib").write_text("")
    declared = STUDY_TEXT.format(campaigns=", ".join(campaigns))
    (study / "study.yaml").write_text(declared)
    for name in ("answer", "background", "environment", "observations"):
        (study / f"{name}.md").write_text(TEXT)


def write_logs(campaign: Path, runs: int) -> None:
    """A campaign of so many runs with a log each."""
    _write(campaign, runs, [], "SYSA", "SYSB")


def write_dumps(campaign: Path, megabytes: int) -> None:
    """A campaign of a few runs whose CPU time is in dumps of so many MB altogether."""
    campaign.mkdir(parents=True)
    files: list[str] = []
    quarter = 0
    for begin in range(0, megabytes, DUMP_MEGABYTES):
        files.append(f"dump-{len(files)}.smf")
        size = min(DUMP_MEGABYTES, megabytes - begin)
        quarter = make(campaign / files[-1], size, quarter)
    _write(campaign, FEW_RUNS, files, "SYS0", "SYS1")


def write_xml(campaign: Path, megabytes: int) -> None:
    """A campaign of a few runs whose CPU time is in RMF's XML of so many MB: reports
    of CPUs, workloads, channels and devices."""
    campaign.mkdir(parents=True)
    cpus = (Processor(dispatched=24.36, mvs_busy=23.94),) * 8
    ziips = (Processor("IIP", dispatched=9.1, mvs_busy=9.0),) * 4
    written, time = 0, START
    with (campaign / "rmf.xml").open("w", encoding="utf-8") as file:
        head, tail = document("\0").split("\0")
        file.write(head)
        while written < megabytes * 10**6:
            start = f"{time:%m/%d/%Y-%H.%M.%S}"
            report = Interval(cpus + ziips, start=start, end="").xml()
            end = "</postprocessor>"
            written += file.write(report.replace(end, xml.queues() + end))
            for kind in (xml.workload, xml.channels, xml.devices):
                written += file.write(kind(start))
            time += INTERVAL
        file.write(tail)
    _write(campaign, FEW_RUNS, ["rmf.xml"], "SYSA", "SYSB")


def more_log(campaign: Path) -> None:
    """Add one run, with its line in ``runs.csv`` and its checksum."""
    runs = campaign / "runs.csv"
    line = _log(campaign, runs.read_text().count("\n") - 1)
    with runs.open("a") as file:
        file.write(f"{line}\n")
    with (campaign / SUMS_FILE).open("a") as file:
        file.write(checksums_text(hash_files(campaign, [line.split(",")[8]])))


def _write(
    campaign: Path, runs: int, files: list[str], server: str, client: str
) -> None:
    campaign.mkdir(parents=True, exist_ok=True)
    lines = [_log(campaign, nth) + ";".join(files) for nth in range(runs)]
    (campaign / "runs.csv").write_text(HEAD + "\n".join(lines) + "\n")
    logs = [line.split(",")[8] for line in lines]
    sums = checksums_text(hash_files(campaign, [*logs, *files]))
    (campaign / SUMS_FILE).write_text(sums)
    declared = CAMPAIGN.format(name=campaign.name, server=server, client=client)
    (campaign / "campaign.yaml").write_text(declared)


def _log(campaign: Path, nth: int) -> str:
    """Write the log of one run; its line of ``runs.csv``, without files of CPU time.

    Its client and server are those that the campaign declares.
    """
    tool, cell = ("uperf", "netperf")[nth % 2], nth // 2 % (CELLS // 2)
    clients, rate = (1 if tool == "netperf" else 4), 10_000 + nth % 5_000
    begin = START + APART * nth
    message = SIZES[cell // len(CONFIGURATIONS)]
    values: dict[str, Any] = {
        "seed": str(nth),
        "clients": clients,
        "request_bytes": message,
        "response_bytes": message,
        "transactions": rate * 120,
        "rate": float(rate),
        "latency_us": 1e6 * clients / rate,
    }
    if tool == "uperf":
        log = UperfLog(**values, shape="RR", start=begin, seconds=120.0).write()
    else:
        log = netperf_log(**values)
    name = f"{nth // FOLDER:04d}/{nth:06d}.txt"
    path = campaign / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(log)
    configuration = CONFIGURATIONS[cell % len(CONFIGURATIONS)]
    workload = f"RR{clients}({message}B),{nth // CELLS + 1}"
    window = f"{begin:%FT%TZ},{begin + LENGTH:%FT%TZ}"
    run = f"{campaign.name}-{nth},{configuration},{workload},{window}"
    return f"{run},,,{name},"
