"""Check the lines of a campaign's runs.csv; every mistake is named."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, Campaign
from analysis.declared.names import RUN, WORDS, fits
from analysis.declared.vocabulary import SYSTEM_ROLES
from analysis.declared.workload import PayloadUnits, parse_workload
from analysis.errors import Issue, Place
from analysis.ingest.campaign.runs import (
    RunRow,
    declared_roles,
    named_roles,
    parse_count,
    parse_cpu,
)
from analysis.ingest.clock import parse_time
from analysis.ingest.files import (
    BACK,
    INSIDE,
    misplaced,
)


def check_rows(
    rows: list[RunRow], campaign: Campaign | None, folder: Path, plain: Collection[str]
) -> list[Issue]:
    """Mistakes in the lines of runs.csv, in the order of the lines.

    ``plain`` are the files that need no further look at their names and places.
    Without a campaign, because its declaration is not sound, names of configurations
    and systems are not looked at.
    """
    where = str(folder / RUNS_FILE)
    found = [
        (row.line, what, mend)
        for row in rows
        for what, mend in _check_row(row, campaign, folder, plain)
    ]
    found += check_across(rows)
    found.sort(key=lambda item: item[0])
    return [Issue(what, Place(where, line), mend) for line, what, mend in found]


def check_across(rows: list[RunRow]) -> list[tuple[int, str, str]]:
    """Lines that contradict other ones: the line, what is wrong, how to mend it."""
    return [*_check_unique(rows), *_check_order(rows)]


Found = Iterable[tuple[str, str]]  # what is wrong, how to mend it


def _check_row(
    row: RunRow, campaign: Campaign | None, folder: Path, plain: Collection[str]
) -> Found:
    if not row["run"]:
        yield "the run has no id", "give it one, for example A-RR1(100B)-01"
    elif not fits(row["run"], RUN):
        mend = f"write {WORDS[RUN]} ({RUN})"
        yield f"the run's id {row['run']!r} will not do here", mend
    yield from _check_cells(row, campaign)
    yield from _check_paths(row, folder, plain)
    if campaign is not None:
        yield from _check_names(row, campaign)


def _check_names(row: RunRow, campaign: Campaign) -> Found:
    """Configurations and systems that are not declared."""
    name = row["configuration"]
    if name not in campaign.configurations:
        mend = known_names(name, campaign.configurations)
        yield f"there is no configuration {name!r}", mend
    yield from _check_roles(row, campaign)
    for entry in parse_cpu(row["cpu"]):
        if entry.system is not None and entry.system not in campaign.systems:
            mend = known_names(entry.system, campaign.systems)
            yield f"cpu: there is no system {entry.system!r}", mend


def _check_cells(row: RunRow, campaign: Campaign | None) -> Found:
    """Cells that cannot be read as what they should be."""
    units: PayloadUnits = campaign.payload_units if campaign else "binary"
    time = partial(parse_time, zone=campaign.zone if campaign else "")
    readers: list[tuple[str, Callable[[str], object]]] = [
        ("workload", lambda text: parse_workload(text, units)),
        ("repetition", parse_count),
        ("start", time),
        ("end", time),
    ]
    if row["order"]:
        readers.append(("order", parse_count))
    for column, read in readers:
        try:
            read(row[column])
        except ValueError as error:
            what, _, mend = str(error).partition("; ")
            yield f"{column}: {what}", mend
    yield from _check_window(row)


def _check_window(row: RunRow) -> Found:
    try:
        start, end = parse_time(row["start"]), parse_time(row["end"])
    except ValueError:
        return
    if start and end and end <= start:
        yield f"the run ends at {row['end']}, before it starts", "mend start or end"
    if (start is None) != (end is None):
        yield "only one of start and end is given", "give both, or leave both empty"


def _check_roles(row: RunRow, campaign: Campaign) -> Found:
    named = named_roles(row)
    if not named:
        yield from _check_declared_roles(campaign)
    of_system: dict[str, str] = {}
    for role, name in named.items():
        system = campaign.systems.get(name)
        if system is None:
            mend = known_names(name, campaign.systems)
            yield f"{role}: there is no system {name!r}", mend
        elif system.role not in (None, role):
            mend = f"name another system, or take the role off it in {CAMPAIGN_FILE}"
            yield f"{role}: the system {name!r} is a {system.role}", mend
        elif (first := of_system.setdefault(name, role)) != role:
            mend = "declare each side as a system, both with the same 'host'"
            yield f"the system {name!r} is {first} and {role} of one run", mend


def _check_declared_roles(campaign: Campaign) -> Found:
    """What keeps a row from having the roles that are declared: none, or two alike."""
    declared = declared_roles(campaign)
    columns = f"name one in a column of {', '.join(SYSTEM_ROLES)}"
    if not declared:
        yield "no system took part", columns
    for role, names in declared.items():
        if len(names) > 1:
            yield f"which {role} took part, {' or '.join(names)}?", columns


def _check_paths(row: RunRow, folder: Path, plain: Collection[str]) -> Found:
    if not row["log"]:
        yield "the run has no log", "name the benchmark's log below the folder"
    for file in (name for name in named_files(row) if name not in plain):
        if reason := misplaced(folder, file):
            yield f"the file {file!r} {reason}", INSIDE
        elif not (folder / file).is_file():
            yield f"the file {file!r} does not exist", BACK
    files = [entry.file for entry in parse_cpu(row["cpu"])]
    for file in sorted({file for file in files if files.count(file) > 1}):
        yield f"cpu: the file {file!r} is named twice", "name it once"


def _check_unique(rows: list[RunRow]) -> list[tuple[int, str, str]]:
    """Lines that name again what belongs to one run alone."""
    keys: list[tuple[str, Callable[[RunRow], str], str]] = [
        ("the run", lambda r: r["run"], "give each run its own id"),
        ("the repetition", _repetition, "count the repetitions 1, 2, 3 …"),
        ("the log", _log, "each run has its own log, or its own test in the log"),
        ("the order", lambda r: r["order"], "number the runs as they were made"),
    ]
    found = []
    for name, key, mend in keys:
        first: dict[str, int] = {}
        for row in rows:
            value = key(row)
            line = first.setdefault(value, row.line)
            if value and line != row.line:
                what = f"{name} {value!r} is already in line {line}"
                found.append((row.line, what, mend))
    return found + _check_shared_logs(rows)


def _check_order(rows: list[RunRow]) -> Iterator[tuple[int, str, str]]:
    """Lines whose run was over when one of an earlier order began."""
    known = []
    for row in rows:
        with suppress(ValueError):
            start, end = parse_time(row["start"]), parse_time(row["end"])
            # That a run ends before it starts is told already.
            if row["order"] and start and (end is None or end >= start):
                known.append((parse_count(row["order"]), start, end or start, row))
    known.sort(key=lambda run: run[0])
    for (_, begun, _, first), (order, _, end, row) in pairwise(known):
        if end < begun:
            what = f"order {order} ended before order {first['order']} began"
            mend = "number the runs as they were made, or mend the start of one"
            yield row.line, f"{what}, line {first.line}", mend


def _check_shared_logs(rows: list[RunRow]) -> list[tuple[int, str, str]]:
    """Lines that take all of a log of which another line takes one test."""
    split = {row["log"] for row in rows if row["test"]}
    mend = "name a test in the column test of each run of this log"
    return [
        (row.line, f"another run has one test of the log {row['log']!r}", mend)
        for row in rows
        if row["log"] in split and not row["test"]
    ]


def _log(row: RunRow) -> str:
    """The log with the test; without a test all of the log is the run's."""
    return " ".join(filter(None, (row["log"], row["test"])))


def _repetition(row: RunRow) -> str:
    cells = [row[c] for c in ("configuration", "workload", "repetition")]
    try:
        cells[1] = parse_workload(cells[1]).name
        cells[2] = str(parse_count(cells[2]))
    except ValueError:
        return ""
    return " ".join(cells)


def named_files(row: RunRow) -> list[str]:
    """The files that a line names, each once."""
    files = [row["log"], *(entry.file for entry in parse_cpu(row["cpu"]))]
    return sorted({file for file in files if file})


def known_names(name: str, known: Iterable[str]) -> str:
    """How to mend a name that the campaign does not declare."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}{CAMPAIGN_FILE} declares {', '.join(names) or 'none'}"
