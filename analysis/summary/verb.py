"""Tell one run at once, or two beside each other: rate, latency, CPU cost.

Name the log of a benchmark, or a folder with all files of one run; a second log or
folder is a second run. '--client' and '--server' name the files with the CPU time of
each side: /proc/stat or a control group before and after, mpstat, sar, vmstat, RMF or
SMF; write SYSTEM=FILE where a file speaks of several systems. No campaign is needed.
Folders of repetitions, one log or folder each, are compared with the first one, as a
report would.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from analysis.declared.metrics import Metric
from analysis.declared.workload import parse_workload
from analysis.errors import user_error
from analysis.facts.units import format_number, format_percent, format_unit
from analysis.files.inputs import open_regular
from analysis.ingest.read_all import FileReader, read_all
from analysis.statistics.median_change import measure_change
from analysis.summary.measure import REPEATED, MeasuredRuns, measure
from analysis.summary.repetitions import FORMS, are_repetitions, compare_folders
from analysis.summary.sides import (
    SIDES,
    CpuEvidence,
    choose,
    key_of,
    listed,
    split_name,
)

_USABLE = ("ok", "degraded")
_ALWAYS = ("rate", "latency", "throughput")
_NO_VALUE = "–"


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
    form.add_argument(
        "--csv", action="store_true", help="of folders of repetitions: a table as CSV"
    )


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
    if are_repetitions(args.files, groups, readings):
        if sides:
            what = "--client and --server are for one run or two"
            raise user_error(what, mend="put the files of each run in its folder")
        compared = compare_folders(args.files, groups, readings, args.test)
        print(compared.text(next((f for f in FORMS if getattr(args, f)), "text")))
        return 0 if compared.rows else 2
    if args.csv:
        raise user_error("--csv is for folders of repetitions", mend="write --json")
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


@dataclass(frozen=True)
class RunQuantity:
    """One quantity of one run or two; ``change`` in percent, from the first."""

    metric: str
    label: str
    of: str
    unit: str
    values: tuple[float | None, ...]
    change: float | None = None


def rows_of(runs: MeasuredRuns) -> list[RunQuantity]:
    """The quantities that the runs have, in the order of metrics.yaml."""
    rows: list[RunQuantity] = []
    for id, metric in runs.metrics.items():
        if _is_shown(id, metric, runs):
            rows += _of_metric(id, metric, runs)
    return [_with_change(row) for row in rows]


def _is_shown(id: str, metric: Metric, runs: MeasuredRuns) -> bool:
    if metric.repeats and id not in REPEATED:
        return False
    shapes = {parse_workload(row["workload"]).shape for row in runs.rows}
    return id in _ALWAYS or bool(shapes & set(metric.shapes))


def _of_metric(id: str, metric: Metric, runs: MeasuredRuns) -> Iterator[RunQuantity]:
    rows = runs.values.filter(metric=id)
    for role in rows["role"].unique(maintain_order=True).to_list():
        with_role = rows.filter(rows["role"].eq_missing(role))
        values = dict(with_role.select("run", "value").iter_rows())
        each = tuple(values.get(row["run"]) for row in runs.rows)
        labels = {s.label for s in runs.systems.values() if s.role == role}
        label = " or ".join(sorted(labels)) or role or ""
        yield RunQuantity(id, metric.label, label, metric.unit, each)


def _with_change(row: RunQuantity) -> RunQuantity:
    if len(row.values) != 2 or None in row.values:
        return row
    first, second = (np.array([value]) for value in row.values)
    change = measure_change(first, second)
    return row if change is None else replace(row, change=change.value)


def as_json(runs: MeasuredRuns) -> dict[str, Any]:
    """The object of ``--json``."""
    return {
        "runs": [_about(row) for row in runs.rows],
        "values": [asdict(row) for row in rows_of(runs)],
        "notes": runs.notes,
    }


def _about(row: dict[str, Any]) -> dict[str, Any]:
    names = ("workload", "status", "reason", "origin", "clients", "transactions")
    log = {"log": f"/{row['run']}", "tool": ", ".join(row["tools"] or [])}
    return log | {name: row[name] for name in names}


def text_lines(runs: MeasuredRuns) -> Iterator[str]:
    """For a terminal: columns in line."""
    yield from _runs(runs)
    if cells := _table(runs):
        yield ""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *rest in cells:
        ends = (c.rjust(w) for c, w in zip(rest, widths[1:], strict=True))
        yield "  ".join([first.ljust(widths[0]), *ends]).rstrip()
    yield from _ending(runs, "")


def markdown_lines(runs: MeasuredRuns) -> Iterator[str]:
    """A pipe table, with the notes as a list."""
    yield from (f"- {line}" for line in _runs(runs))
    if cells := _table(runs):
        head, *rows = map(_piped, cells)
        yield from ("", head, "|---" + "|---:" * (len(cells[0]) - 1) + "|", *rows)
    yield from _ending(runs, "- ")


def _table(runs: MeasuredRuns) -> list[list[str]]:
    """Cells, with a head above them; none where there is no value."""
    rows = [_cells(row) for row in rows_of(runs)]
    return [_head(runs), *rows] if rows else []


def _piped(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _head(runs: MeasuredRuns) -> list[str]:
    names = [f"run {number}" for number, _ in enumerate(runs.rows, 1)]
    return ["", *names, "unit", *(["change"] if len(names) > 1 else [])]


def _cells(row: RunQuantity) -> list[str]:
    label = f"{row.label}, {row.of}" if row.of else row.label
    values = [_NO_VALUE if v is None else format_number(v) for v in row.values]
    change = _NO_VALUE if row.change is None else format_percent(row.change)
    ends = [change] if len(row.values) > 1 else []
    return [label, *values, format_unit(row.unit), *ends]


def _runs(runs: MeasuredRuns) -> Iterator[str]:
    for number, row in enumerate(runs.rows, 1):
        about = _about(row)
        mark = "" if row["origin"] == "measured" else f", {row['origin']}"
        why = f": {row['reason']}" if row["reason"] else ""
        name = PurePosixPath(about["log"])
        yield f"run {number}: {name} ({about['tool']}), {row['status']}{why}{mark}"


def _ending(runs: MeasuredRuns, mark: str) -> Iterator[str]:
    notes = list(runs.notes)
    if len(runs.rows) > 1:
        notes.append("one run each: a change without an interval proves nothing")
    yield from ["", *(f"{mark}{note}" for note in notes)] if notes else []
