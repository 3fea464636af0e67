"""Start a campaign from a folder of logs.

'campaign init DIR' looks at every file below DIR, proposes systems, workloads,
repetitions and time windows, and writes campaign.yaml and runs.csv, to be corrected by
hand, and SHA256SUMS. It says what it could not know. Files that exist are never
overwritten: where campaign.yaml is there, it writes runs.csv to it, as of new runs of
what was declared once.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    RUNS_FILE,
    Campaign,
    read_campaign,
)
from analysis.declared.origin import Origin
from analysis.declared.schema_line import schema_line
from analysis.declared.shapes import SHAPES
from analysis.declared.workload import parse_workload
from analysis.errors import user_error
from analysis.files.atomic import write_text
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.files.csv_text import csv_text
from analysis.ingest.campaign.command import commands_of
from analysis.ingest.campaign.labels import is_labelled
from analysis.ingest.campaign.place import check_place
from analysis.ingest.campaign.propose import Proposal, propose
from analysis.ingest.campaign.proposed import (
    CONTRACT,
    call_as_declared,
    days_changed,
    split_of,
    told,
)
from analysis.ingest.campaign.runs import cpu_cell
from analysis.ingest.campaign.uperf_profile import profiles_of
from analysis.ingest.files import hash_files, list_files
from analysis.ingest.read_all import read_all

_ZONE = "UTC"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-command and the folder."""
    parser.add_argument("action", choices=["init"], help="write the two files")
    parser.add_argument("folder", type=Path, help="the campaign, raw/<campaign>")
    parser.add_argument(
        "--zone", help="time zone of local times (default: of campaign.yaml, or UTC)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the three files, say what was made up and what is still wrong."""
    folder: Path = args.folder
    declared = _declared(folder)
    zone = args.zone or (declared.zone if declared else _ZONE)
    files = list_files(folder)
    if not files:
        raise user_error("there is no file in it", folder, mend="copy the logs into it")
    readings = read_all(folder, files, zone)
    proposal = propose(readings, commands_of(folder, files), profiles_of(folder, files))
    if declared:
        call_as_declared(proposal, declared)
    if not proposal.runs:
        mend = (
            "python -m analysis inspect FILE says what a file is; results of a tool "
            f"that is not read are written as {CONTRACT} says"
        )
        lost = [split_of(log) for log in proposal.in_turn]
        what = lost[0] if lost else "no benchmark log was recognised"
        raise user_error(what, folder, mend=mend)
    if not proposal.days:
        proposal.days, said = days_changed(folder / run.log for run in proposal.runs)
        proposal.unknown.append(said)
    proposal.synthetic = [file for file in files if is_labelled(folder / file)]
    write_text(folder / RUNS_FILE, runs_csv(proposal))
    if not (folder / SUMS_FILE).exists():  # which may have come with the files
        write_text(folder / SUMS_FILE, checksums_text(hash_files(folder, files)))
    if not declared:
        path = folder / CAMPAIGN_FILE
        text = campaign_yaml(folder.resolve().name, proposal, zone)
        write_text(path, schema_line("campaign", path) + text)
    print("\n".join(told(folder, proposal, zone, declared)))
    return 0


def _declared(folder: Path) -> Campaign | None:
    """The declaration that is there, for whose new runs ``runs.csv`` is written."""
    check_place(folder)
    if (folder / RUNS_FILE).exists():
        mend = "correct it by hand, or move it away and run this again"
        raise user_error("this file exists already", folder / RUNS_FILE, mend=mend)
    return read_campaign(folder) if (folder / CAMPAIGN_FILE).exists() else None


def runs_csv(proposal: Proposal) -> str:
    """The text of ``runs.csv``."""
    timed = all(run.start for run in proposal.runs)
    header = ["run", *(["order"] if timed else []), "configuration", "workload"]
    header += ["repetition", "start", "end", *proposal.sides, "log"]
    header += ["test"] if any(run.test for run in proposal.runs) else []
    header += ["cpu", "note"]
    rows = [
        {
            "run": run.id,
            "order": order,
            "configuration": run.guess.configuration,
            "workload": run.guess.workload,
            "repetition": run.repetition,
            "start": run.start,
            "end": run.end,
            "log": run.log,
            "test": run.test,
            "cpu": cpu_cell(run.cpu),
            "note": "; ".join(run.notes),
            **proposal.sides,
        }
        for order, run in enumerate(proposal.runs, 1)
    ]
    return csv_text(header, rows)


def campaign_yaml(name: str, proposal: Proposal, zone: str) -> str:
    """The text of ``campaign.yaml``; a comment marks what was made up."""
    first, last = proposal.days
    configurations = sorted({run.guess.configuration for run in proposal.runs})
    lines = [
        f"# Proposed by 'campaign init {name}'.",
        "# Correct all that says 'check'. raw/README.md explains the entries.",
        f"title: {json.dumps(name)} # check",
        f"origin: {_origin(proposal)} # check",
        "measured:",
        '  by: "who measured" # check',
        f"  from: {first} # check",
        f"  to: {last} # check",
        '  how: "with which tool, how long, in which order" # check',
        f"zone: {zone} # check: of local times",
        *_think(proposal),
        "",
        "systems: # check",
        *(f"  {key}: {_flow(value)}" for key, value in proposal.systems.items()),
        "",
        "configurations: # check: what is compared",
        *(line for key in configurations for line in _configuration(key)),
        "",
        f"cpu: {{source: {proposal.source}, minimum_coverage: 0.8}} # check",
    ]
    return "\n".join(lines) + "\n"


def _think(proposal: Proposal) -> list[str]:
    """Clients that think: for how long, no log tells."""
    shapes = {parse_workload(run.guess.workload).shape for run in proposal.runs}
    thinks = any(SHAPES[shape].thinks for shape in shapes)
    return ["think: 0 # check: ms that a client waits between"] if thinks else []


def _origin(proposal: Proposal) -> Origin:
    return "synthetic" if proposal.synthetic else "measured"


def _flow(value: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{k}: {json.dumps(v)}" for k, v in value.items()) + "}"


def _configuration(key: str) -> list[str]:
    return [
        f"  {json.dumps(key)}:",
        f"    label: {json.dumps(key)} # check",
        "    details: {} # check: such as {MTU: 1500}",
    ]
