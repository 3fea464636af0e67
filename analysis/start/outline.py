"""What a new study compares: as options name it, or by the campaign and its runs, whose
raw files are read, so that it asks for nothing that they do not tell."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.declared.campaign import (
    GENERATED,
    GENERATORS,
    RUNS_FILE,
    campaign_folder,
    find_campaigns,
    read_campaign,
)
from analysis.declared.workload import parse_workload, workload_order
from analysis.derive.raw import read_raw
from analysis.derive.samples import RunEvidence
from analysis.errors import user_error
from analysis.usage import build_command

_SHOWN = 3  # runs of which it is said why none can be used
_Metrics = set[tuple[str, str | None]]  # with their roles


@dataclass(frozen=True)
class Outline:
    """What a new study compares: ids of the campaign, and the workloads of both.

    Without ``tests`` it has the values of one configuration, and compares nothing.
    ``control`` repeats the baseline unchanged, if a configuration does; ``metrics`` are
    those of each workload that runs of all of them have, as metrics.yaml orders them.
    """

    campaign: str
    baseline: str
    tests: tuple[str, ...]
    metrics: Mapping[str, tuple[str, ...]]
    title: str
    control: str | None = None

    @property
    def workloads(self) -> tuple[str, ...]:
        """The workloads, in the order of tables."""
        return tuple(self.metrics)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to compare, and where the folders are."""
    parser.add_argument("--campaign", help="folder name below raw/")
    parser.add_argument("--baseline", help="id of a configuration")
    parser.add_argument("--tests", nargs="*", default=[], help="ids of others")
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--templates", type=Path, default=Path("templates"))


def outline(args: argparse.Namespace) -> Outline:
    """What to compare: as named, else the first configurations that have values."""
    return outline_of(args.raw, args.campaign, args.baseline, args.tests)


def print_written(written: Sequence[Path], edition: str) -> None:
    """Print what was written, and the command that builds it."""
    print(*written, f"next: {build_command(edition)}", sep="\n")


def outline_of(
    raw: Path, campaign: str | None, baseline: str | None, tests: Sequence[str]
) -> Outline:
    """What to compare: as named, else the first configurations that have values.

    A :class:`UserError` names what can be chosen, or says why no run can be used.
    """
    name = campaign or _only_campaign(raw)
    folder = campaign_folder(raw, name)
    declared = read_campaign(folder)
    evidence = read_raw(folder)[0]
    values = _values(evidence)
    with_runs = [id for id in declared.configurations if id in values]
    if not with_runs:
        what = "no configuration has a run that can be used" + _why(evidence.runs)
        mend = "measure them again, or choose another campaign: --campaign NAME"
        raise user_error(what, folder / RUNS_FILE, mend=mend)
    for id in filter(None, (baseline, *tests)):
        _check_named(id, [baseline, *tests], with_runs, evidence, folder)
    repeats = {id: declared.configurations[id].control_of for id in with_runs}
    alone = [id for id in with_runs if repeats[id] is None]
    first = baseline or (alone or with_runs)[0]
    # neither the baseline nor a control, if there is another one
    unlike = [id for id in with_runs if id != first and repeats[id] != first]
    others = tuple(tests) or tuple(([id for id in alone if id != first] or unlike)[:1])
    shared = _shared([values[id] for id in (first, *others)], [*evidence.metrics])
    if not shared:
        loads = "; ".join(
            f"{id} has {', '.join(sorted(values[id], key=workload_order))}"
            for id in (first, *others)
        )
        what = f"there is no value of a workload in common: {loads}"
        mend = "choose others, --baseline ID --tests ID …, or measure one workload"
        raise user_error(what, folder / RUNS_FILE, mend=mend)
    labels = [declared.configurations[id].label for id in (first, *others)]
    title = " against ".join(filter(None, (labels[0], " and ".join(labels[1:]))))
    controls = (id for id in with_runs if repeats[id] == first and id not in others)
    control = next(controls, None) if others else None
    return Outline(name, first, others, shared, title, control)


def _values(evidence: RunEvidence) -> dict[str, dict[str, _Metrics]]:
    """Which metrics of its shape each configuration has a value of, by workload."""
    values = dict[str, dict[str, _Metrics]]()
    cells = evidence.values.select(
        "configuration", "workload", "metric", "role"
    ).unique()
    for configuration, workload, metric, role in cells.iter_rows():
        if parse_workload(workload).shape in evidence.metrics[metric].shapes:
            of = values.setdefault(configuration, {})
            of.setdefault(workload, set()).add((metric, role))
    return values


def _shared(
    sides: Sequence[Mapping[str, _Metrics]], order: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The metrics of each workload that all sides have, in their orders."""
    names = sorted(set.intersection(*map(set, sides)), key=workload_order)
    both = {name: set.intersection(*(side[name] for side in sides)) for name in names}
    metrics = {name: {metric for metric, _ in both[name]} for name in names}
    return {
        name: tuple(sorted(metrics[name], key=order.index))
        for name in names
        if metrics[name]
    }


def _why(runs: pl.DataFrame) -> str:
    """Why the first of some runs cannot be used, after a colon."""
    lost = runs.filter(~pl.col("used")).select("run", "status", "reason")
    words = [
        f"{run} {'is empty' if status == 'empty' else status}" + f": {why}" * bool(why)
        for run, status, why in lost.head(_SHOWN).iter_rows()
    ]
    more = [f"{lost.height - _SHOWN} more"] * (lost.height > _SHOWN)
    return f": {'; '.join([*words, *more])}" if words else ""


def _check_named(
    id: str,
    named: Sequence[str | None],
    with_runs: Sequence[str],
    evidence: RunEvidence,
    folder: Path,
) -> None:
    known = ", ".join(with_runs)
    if named.count(id) > 1:
        what = f"the configuration {id!r} is named {named.count(id)} times"
        mend = f"compare it with others: --baseline ID --tests ID …; there are {known}"
        raise user_error(what, folder / RUNS_FILE, mend=mend)
    if id not in with_runs:
        why = _why(evidence.runs.filter(pl.col("configuration") == id))
        what = f"there is no configuration {id!r} with runs that can be used{why}"
        raise user_error(what, folder / RUNS_FILE, mend=f"choose of {known}")


def _only_campaign(raw: Path) -> str:
    places = (raw, *(raw.parent / place for place in (GENERATED, GENERATORS)))
    names = sorted({name for place in places for name in find_campaigns(place)})
    if len(names) != 1:
        what = f"which campaign? There are: {', '.join(names) or 'none'}"
        raise user_error(what, raw, mend="name it: --campaign NAME")
    return names[0]
