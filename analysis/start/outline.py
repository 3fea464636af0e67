"""What a new study compares: as options name it, or by the campaign and its runs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.campaign import (
    GENERATED,
    GENERATORS,
    RUNS_FILE,
    Campaign,
    campaign_folder,
    find_campaigns,
    read_campaign,
)
from analysis.declared.workload import parse_workload
from analysis.errors import raise_if, user_error
from analysis.ingest.campaign.runs import RunRow, read_rows
from analysis.usage import build_command


@dataclass(frozen=True)
class Outline:
    """What a new study compares: ids of the campaign, and the workloads of both.

    Without ``tests`` it has the values of one configuration, and compares nothing.
    ``control`` repeats the baseline unchanged, if a configuration does; ``cpu`` says
    whether the runs, or their logs, have evidence of CPU time.
    """

    campaign: str
    baseline: str
    tests: tuple[str, ...]
    workloads: tuple[str, ...]
    title: str
    control: str | None = None
    cpu: bool = False


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to compare, and where the folders are."""
    parser.add_argument("--campaign", help="folder name below raw/")
    parser.add_argument("--baseline", help="id of a configuration")
    parser.add_argument("--tests", nargs="*", default=[], help="ids of others")
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--templates", type=Path, default=Path("templates"))


def outline(args: argparse.Namespace) -> Outline:
    """What to compare: as named, else the first configurations that have runs."""
    return outline_of(args.raw, args.campaign, args.baseline, args.tests)


def print_written(written: Sequence[Path], edition: str) -> None:
    """Print what was written, and the command that builds it."""
    print(*written, f"next: {build_command(edition)}", sep="\n")


def outline_of(
    raw: Path, campaign: str | None, baseline: str | None, tests: Sequence[str]
) -> Outline:
    """What to compare: as named, else the first configurations that have runs.

    A :class:`UserError` names what can be chosen.
    """
    name = campaign or _only_campaign(raw)
    folder = campaign_folder(raw, name)
    declared = read_campaign(folder)
    rows = _rows(folder)
    workloads = _workloads(rows, declared)
    with_runs = [id for id in declared.configurations if id in workloads]
    _check_named([id for id in (baseline, *tests) if id], with_runs, folder)
    repeats = {id: declared.configurations[id].control_of for id in with_runs}
    alone = [id for id in with_runs if repeats[id] is None]
    first = baseline or next(iter(alone or with_runs), None)
    if not first:
        mend = "add runs, or choose another campaign: --campaign NAME"
        raise user_error("no configuration has runs", folder / RUNS_FILE, mend=mend)
    # neither the baseline nor a control, if there is another one
    unlike = [id for id in with_runs if id != first and repeats[id] != first]
    others = tuple(tests) or tuple(([id for id in alone if id != first] or unlike)[:1])
    shared = [w for w in workloads[first] if all(w in workloads[t] for t in others)]
    if not shared:
        what = f"{first} and {', '.join(others)} have no workload in common"
        mend = "choose others: --baseline ID --tests ID …"
        raise user_error(what, folder / RUNS_FILE, mend=mend)
    labels = [declared.configurations[id].label for id in (first, *others)]
    title = " against ".join(filter(None, (labels[0], " and ".join(labels[1:]))))
    controls = (id for id in with_runs if repeats[id] == first and id not in others)
    control = next(controls, None) if others else None
    cpu = any(row["cpu"] for row in rows if row["configuration"] in (first, *others))
    cpu = cpu or declared.cpu.source == "process"  # which the logs themselves tell
    return Outline(name, first, others, tuple(shared), title, control, cpu)


def _check_named(wanted: list[str], with_runs: list[str], folder: Path) -> None:
    known = ", ".join(with_runs)
    for id in wanted:
        if wanted.count(id) > 1:
            what = f"the configuration {id!r} is named {wanted.count(id)} times"
            mend = (
                f"compare it with others: --baseline ID --tests ID …; there are {known}"
            )
            raise user_error(what, folder / RUNS_FILE, mend=mend)
        if id not in with_runs:
            what = f"there is no configuration {id!r} with runs"
            raise user_error(what, folder / RUNS_FILE, mend=f"choose of {known}")


def _only_campaign(raw: Path) -> str:
    places = (raw, *(raw.parent / place for place in (GENERATED, GENERATORS)))
    names = sorted({name for place in places for name in find_campaigns(place)})
    if len(names) != 1:
        what = f"which campaign? There are: {', '.join(names) or 'none'}"
        raise user_error(what, raw, mend="name it: --campaign NAME")
    return names[0]


def _rows(folder: Path) -> list[RunRow]:
    rows, issues = read_rows(folder / RUNS_FILE)
    raise_if(issues)
    return rows


def _workloads(rows: Sequence[RunRow], declared: Campaign) -> dict[str, list[str]]:
    """The workloads of each configuration that has runs, in the order of tables."""
    ran: dict[str, set[str]] = {}
    for row in rows:
        ran.setdefault(row["configuration"], set()).add(row["workload"])
    units = declared.payload_units
    return {
        id: sorted(names, key=lambda name: parse_workload(name, units).order)
        for id, names in ran.items()
    }
