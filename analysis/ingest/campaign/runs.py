"""``runs.csv``: one line a run, as the author wrote it.

A row is kept as text with its line until every check is done, so that all mistakes
can be named at once. :func:`run_line` then gives the typed line.
"""

from __future__ import annotations

import csv
import datetime as dt
import functools
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.campaign import Campaign
from analysis.declared.vocabulary import SYSTEM_ROLES
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import Issue, Place
from analysis.files.csv_text import as_written
from analysis.ingest.clock import parse_time

REQUIRED = ("run", "configuration", "workload", "repetition", "start", "end", "log")
OPTIONAL = ("session", "test", "order", *SYSTEM_ROLES, "cpu", "note")
_BETWEEN_FILES = re.compile(r"(?<!\\);")
CSV_MEND = "save it as CSV, comma separated, UTF-8"


@dataclass(frozen=True)
class RunRow:
    """One line of ``runs.csv`` as text: its line number and its cells by column."""

    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True)
class CpuFile:
    """A file with CPU evidence of a run, and its system where the author named it."""

    file: str
    system: str | None = None


@dataclass(frozen=True)
class RunLine:
    """One run. ``roles`` maps a role to its system; times are UTC or unknown."""

    line: int
    run: str
    configuration: str
    workload: Workload
    repetition: int
    start: dt.datetime | None
    end: dt.datetime | None
    roles: Mapping[str, str]
    log: str
    cpu: tuple[CpuFile, ...]
    test: str = ""  # which of several results of the log
    session: str = ""  # empty where it is not recorded


def named_roles(row: RunRow) -> dict[str, str]:
    """The systems that a row names, by role."""
    return {role: row[role] for role in SYSTEM_ROLES if row[role]}


def declared_roles(campaign: Campaign) -> dict[str, list[str]]:
    """The systems of each role that ``campaign.yaml`` declares."""
    roles: dict[str, list[str]] = {}
    for name, system in campaign.systems.items():
        if system.role is not None:
            roles.setdefault(system.role, []).append(name)
    return roles


def run_line(row: RunRow, campaign: Campaign) -> RunLine:
    """The typed line of a row that has passed the checks.

    A row that names no system has the roles that the campaign declares.
    """
    of_campaign = {role: names[0] for role, names in declared_roles(campaign).items()}
    return RunLine(
        line=row.line,
        run=row["run"],
        configuration=row["configuration"],
        workload=parse_workload(row["workload"], campaign.payload_units),
        repetition=parse_count(row["repetition"]),
        start=parse_time(row["start"]),
        end=parse_time(row["end"]),
        roles=named_roles(row) or of_campaign,
        log=row["log"],
        cpu=parse_cpu(row["cpu"]),
        test=row["test"],
        session=row["session"],
    )


def parse_count(text: str) -> int:
    """A whole number of 1 or more; ``ValueError`` otherwise."""
    if not (re.fullmatch(r"[0-9]{1,9}", text) and int(text) > 0):
        raise ValueError(f"{text!r} is not a whole number of 1 or more")
    return int(text)


@functools.lru_cache(maxsize=1024)  # the checks ask for each cell several times
def parse_cpu(text: str) -> tuple[CpuFile, ...]:
    r"""The files of a cpu cell: ``file;file``, each may be written ``system=file``.

    A file whose path has a ``=`` before its first ``/`` is written ``./file``. A ``;``
    in a path is written ``\;``: no path of a campaign has a backslash.
    """
    entries = [entry.strip() for entry in _BETWEEN_FILES.split(text)]
    return tuple(_cpu_file(e.replace(r"\;", ";")) for e in entries if e)


def cpu_cell(entries: Iterable[str]) -> str:
    """The cell that :func:`parse_cpu` reads as these entries."""
    return ";".join(entry.replace(";", r"\;") for entry in entries)


def _cpu_file(entry: str) -> CpuFile:
    system, named, file = entry.partition("=")
    if named and "/" not in system:
        return CpuFile(file.strip(), system.strip())
    return CpuFile(entry.removeprefix("./"))


def read_rows(path: Path) -> tuple[list[RunRow], list[Issue]]:
    """The rows of ``runs.csv`` that are not blank, each with its first line, and what
    is wrong with the file as a whole."""

    def wrong(what: str, mend: str = CSV_MEND, line: int | None = None) -> Issue:
        return Issue(what, Place(str(path), line), mend)

    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        mend = "create it with one line a run; docs/campaigns.md shows one"
        return [], [wrong("this file is missing", mend)]
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return [], [wrong("not UTF-8 text", line=line)]
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                records.append((line, [as_written(cell.strip()) for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        return [], [wrong(f"not valid CSV: {error}", line=line)]
    empty = wrong("there are no runs in it", "add one line a run")
    if not records:
        return [], [empty]
    (line, header), body = records[0], records[1:]
    if issues := [wrong(*wrong_head, line) for wrong_head in _check_header(header)]:
        return [], issues
    mend = "quote cells that contain a comma, and keep empty cells"
    issues = [
        wrong(f"{len(cells)} cells, but the header has {len(header)} columns", mend, n)
        for n, cells in body
        if len(cells) != len(header)
    ]
    rows = [RunRow(n, dict(zip(header, cells, strict=False))) for n, cells in body]
    return rows, issues if body else [empty]


def _check_header(header: list[str]) -> Iterator[tuple[str, str]]:
    """What is wrong, and how to mend it."""
    for mark, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and mark in header[0]:
            yield f"the columns are separated by {name}", CSV_MEND
            return
    known = [*REQUIRED, *OPTIONAL]
    missing = [f"the column {c!r} is missing" for c in REQUIRED if c not in header]
    missing += [f"there is no column {c!r}" for c in header if c not in known]
    twice = sorted({c for c in header if c and header.count(c) > 1})
    missing += [f"the column {c!r} is there twice" for c in twice]
    mend = f"the columns are {', '.join(REQUIRED)} and, if needed, "
    yield from ((what, mend + ", ".join(OPTIONAL)) for what in missing)
