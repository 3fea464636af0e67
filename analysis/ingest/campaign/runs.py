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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.campaign import Campaign
from analysis.declared.vocabulary import SYSTEM_ROLES
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import Issue, Place
from analysis.files.csv_text import as_written
from analysis.ingest.clock import parse_time

REQUIRED = ("run", "configuration", "workload", "repetition", "start", "end", "log")
OPTIONAL = ("test", "order", *SYSTEM_ROLES, "cpu", "note")
_BETWEEN_FILES = re.compile(r"(?<!\\);")
Record = tuple[int, list[str]]  # a line, and its cells as they are written
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


def named_roles(row: RunRow) -> dict[str, str]:
    """The systems that a row names, by role."""
    return {role: row[role] for role in SYSTEM_ROLES if row[role]}


def declared_roles(campaign: Campaign) -> dict[str, list[str]]:
    """The systems of each role that ``campaign.yaml`` declares."""
    found: dict[str, list[str]] = {}
    for name, system in campaign.systems.items():
        if system.role is not None:
            found.setdefault(system.role, []).append(name)
    return found


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


@dataclass(frozen=True)
class RunRecords:
    """The records of ``runs.csv`` that are not blank, each with its first line."""

    header: tuple[str, ...]
    body: list[Record]

    def row(self, record: Record) -> RunRow:
        """A record with its cells by column."""
        return _row(*record, self.header)

    def cells(self, column: str) -> list[str]:
        """The cells of one column, empty where there is none; all have all columns."""
        if column not in self.header:
            return [""] * len(self.body)
        at = self.header.index(column)
        return [as_written(cells[at].strip()) for _, cells in self.body]


_NONE = RunRecords((), [])


def read_rows(path: Path) -> tuple[list[RunRow], list[Issue]]:
    """The rows of ``runs.csv``, and what is wrong with the file as a whole."""
    records, issues = read_records(path)
    return [records.row(record) for record in records.body], issues


def read_records(path: Path) -> tuple[RunRecords, list[Issue]]:
    """As :func:`read_rows`, without a row for each record."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        mend = "create it with one line a run; raw/README.md shows one"
        return _NONE, [Issue("this file is missing", Place(str(path)), mend)]
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return _NONE, [Issue("not UTF-8 text", Place(str(path), line), CSV_MEND)]
    lines, issues = _split(text, path)
    if not lines:
        return _NONE, issues or [_empty(path)]
    (line, names), body = lines[0], lines[1:]
    header = [name.strip() for name in names]
    issues += _check_header(header, Place(str(path), line))
    if issues:
        return _NONE, issues
    odd = ((n, cells) for n, cells in body if len(cells) != len(header))
    issues = [_wrong_width(cells, header, Place(str(path), n)) for n, cells in odd]
    return RunRecords(tuple(header), body), issues if body else [_empty(path)]


def _split(text: str, path: Path) -> tuple[list[Record], list[Issue]]:
    """Records that are not blank, each with the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records: list[Record] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                records.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        place = Place(str(path), line)
        return [], [Issue(f"not valid CSV: {error}", place, CSV_MEND)]
    return records, []


def _row(line: int, cells: list[str], header: Sequence[str]) -> RunRow:
    told = (as_written(cell.strip()) for cell in cells)
    return RunRow(line, dict(zip(header, told, strict=False)))


def _check_header(header: list[str], where: Place) -> list[Issue]:
    for mark, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and mark in header[0]:
            return [Issue(f"the columns are separated by {name}", where, CSV_MEND)]
    mend = f"the columns are {', '.join(REQUIRED)} and, if needed, " + ", ".join(
        OPTIONAL
    )
    found = [f"the column {c!r} is missing" for c in REQUIRED if c not in header]
    known = {*REQUIRED, *OPTIONAL}
    found += [f"there is no column {c!r}" for c in header if c not in known]
    found += [f"the column {c!r} is there twice" for c in _repeated(header)]
    return [Issue(what, where, mend) for what in found]


def _wrong_width(cells: list[str], header: list[str], where: Place) -> Issue:
    what = f"{len(cells)} cells, but the header has {len(header)} columns"
    mend = "quote cells that contain a comma, and keep empty cells"
    return Issue(what, where, mend)


def _repeated(names: list[str]) -> list[str]:
    return sorted({n for n in names if n and names.count(n) > 1})


def _empty(path: Path) -> Issue:
    return Issue("there are no runs in it", Place(str(path)), "add one line a run")
