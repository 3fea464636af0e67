"""Tell one run at once, or two beside each other: rate, latency, CPU cost.

Name the log of a benchmark, or a folder with all files of one run; a second log or
folder is a second run. '--client' and '--server' name the files with the CPU time of
each side: /proc/stat or a control group before and after, mpstat, sar, vmstat, RMF or
SMF; write SYSTEM=FILE where a file speaks of several systems. No campaign is needed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from analysis.errors import user_error
from analysis.files.inputs import open_regular
from analysis.ingest.read_all import FileReader, read_all
from analysis.summary.measure import measure
from analysis.summary.sides import (
    SIDES,
    CpuEvidence,
    choose,
    key_of,
    listed,
    split_name,
)
from analysis.summary.table import as_json, markdown_lines, text_lines

_USABLE = ("ok", "degraded")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files, whose CPU time they tell, and the form of the answer."""
    parser.add_argument("files", type=Path, nargs="+", help="logs, or folders of runs")
    for side in SIDES:
        parser.add_argument(
            f"--{side}",
            action="append",
            nargs="+",
            default=[],
            metavar="FILE",
            help=f"CPU time of the {side}; once for each of two runs, or for both",
        )
    parser.add_argument("--test", default="", help="one test of a log that has several")
    parser.add_argument("--zone", default="UTC", help="time zone of local times")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object")
    form.add_argument("--markdown", action="store_true", help="a table in Markdown")


def run(args: argparse.Namespace) -> int:
    """Print the values; 0 if a run could be used, else 2."""
    groups = listed(args.files)
    sides = [
        (side, *split_name(given), number)
        for side in SIDES
        for number, files in enumerate(getattr(args, side))
        for given in files
    ]
    paths = [path for group in groups for path in group]
    paths += [path for _, _, path, _ in sides]
    for path in paths:
        open_regular(path).close()
    keys = list(dict.fromkeys(map(key_of, paths)))
    if not keys:
        raise user_error("there is no file in it", args.files[0])
    readings = read_all(FileReader(Path("/"), args.zone), keys)
    named = [
        (number, CpuEvidence(key_of(path), side, system))
        for side, system, path, number in sides
    ]
    runs = measure(choose(readings, groups, named), readings, args.test)
    if args.json:
        print(json.dumps(as_json(runs), ensure_ascii=False, indent=1))
    else:
        lines = markdown_lines if args.markdown else text_lines
        print(*lines(runs), sep="\n")
    return 0 if any(row["status"] in _USABLE for row in runs.rows) else 2
