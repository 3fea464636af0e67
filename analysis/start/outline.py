"""What a new study compares, by what the campaign declares and by its runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


@dataclass(frozen=True)
class Outline:
    """What a new study compares: ids of the campaign, and the workloads of both.

    Without ``tests`` it has the values of one configuration, and compares nothing.
    ``control`` repeats the baseline unchanged, if a configuration does; ``cpu`` says
    whether the runs name evidence of CPU time.
    """

    campaign: str
    baseline: str
    tests: tuple[str, ...]
    workloads: tuple[str, ...]
    title: str
    control: str | None = None
    cpu: bool = False


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
    own = [id for id in with_runs if declared.configurations[id].control_of is None]
    first = baseline or next(iter(own or with_runs), None)
    others = tuple(tests) or tuple(_tests(declared, with_runs, first))
    if not first:
        raise user_error(
            "no configuration has runs",
            folder / RUNS_FILE,
            mend="add runs, or choose another campaign: --campaign NAME",
        )
    shared = [w for w in workloads[first] if all(w in workloads[t] for t in others)]
    if not shared:
        raise user_error(
            f"{first} and {', '.join(others)} have no workload in common",
            folder / RUNS_FILE,
            mend="choose others: --baseline ID --tests ID …",
        )
    labels = [declared.configurations[id].label for id in (first, *others)]
    title = " against ".join(filter(None, (labels[0], " and ".join(labels[1:]))))
    control = _control(declared, with_runs, first, others) if others else None
    cpu = any(row["cpu"] for row in rows if row["configuration"] in (first, *others))
    return Outline(name, first, others, tuple(shared), title, control, cpu)


def _check_named(wanted: list[str], with_runs: list[str], folder: Path) -> None:
    for id in wanted:
        if wanted.count(id) > 1:
            raise user_error(
                f"the configuration {id!r} is named {wanted.count(id)} times",
                folder / RUNS_FILE,
                mend="compare it with others: --baseline ID --tests ID …; "
                f"there are {', '.join(with_runs)}",
            )
        if id not in with_runs:
            raise user_error(
                f"there is no configuration {id!r} with runs",
                folder / RUNS_FILE,
                mend=f"choose of {', '.join(with_runs)}",
            )


def _only_campaign(raw: Path) -> str:
    places = (raw, *(raw.parent / place for place in (GENERATED, GENERATORS)))
    names = sorted({name for place in places for name in find_campaigns(place)})
    if len(names) != 1:
        found = ", ".join(names) or "none"
        raise user_error(
            f"which campaign? There are: {found}", raw, mend="name it: --campaign NAME"
        )
    return names[0]


def _rows(folder: Path) -> list[RunRow]:
    rows, issues = read_rows(folder / RUNS_FILE)
    raise_if(issues)
    return rows


def _workloads(rows: Sequence[RunRow], declared: Campaign) -> dict[str, list[str]]:
    """The workloads of each configuration that has runs, in the order of tables."""
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["configuration"], set()).add(row["workload"])
    units = declared.payload_units
    return {
        id: sorted(names, key=lambda name: parse_workload(name, units).order)
        for id, names in found.items()
    }


def _tests(
    declared: Campaign, with_runs: Sequence[str], baseline: str | None
) -> Iterator[str]:
    """The first configuration that is neither the baseline nor a control."""
    others = [id for id in with_runs if id != baseline]
    own = [id for id in others if declared.configurations[id].control_of is None]
    known = declared.configurations
    unlike = [id for id in others if known[id].control_of != baseline]
    yield from (own or unlike)[:1]


def _control(
    declared: Campaign, with_runs: Sequence[str], baseline: str, tests: Sequence[str]
) -> str | None:
    """The configuration that repeats the baseline unchanged and is no test itself."""
    return next(
        (
            id
            for id in with_runs
            if declared.configurations[id].control_of == baseline and id not in tests
        ),
        None,
    )
