"""The hand-written file that says what the columns of a CSV file mean.

It stands beside the CSV file, as ``<file>.mapping.yaml``, or serves several files of
its folder, as ``csv.mapping.yaml``. See docs/how-to/csv-mapping.md.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import Literal

from pydantic import Field

from analysis.declared.base import Declared, line_of, load_yaml, read_declared
from analysis.errors import Issue, Place, raise_if
from analysis.ingest.tables.catalog import TABLES

MAPPED = sorted(name for name in TABLES if name.endswith("_interval"))
_NEEDED = {"cpu_interval": ("cpu_type", "basis"), "class_interval": ("class",)}
_OWN = ("start_utc", "seconds", "run", "source", "position")


class MappedCell(Declared):
    """The cell of a column, as it is or times ``factor``; ``null_if`` means none."""

    column: str
    """Head of the column."""
    factor: float = 1
    """By which each number is multiplied, such as 60 for minutes."""
    null_if: list[str] = Field(default_factory=list)
    """Cells that stand for nothing, such as "-"."""


class Start(Declared):
    """Where the interval's start, or its end, stands, and how it is written."""

    column: str
    """Head of the column."""
    format: str = "%Y-%m-%d %H:%M:%S"
    """How it is written, in the codes of strftime."""
    zone: str | None = None
    """Time zone, if the cells do not tell it."""
    means: Literal["start", "end"] = "start"
    """Whether it is the start of an interval, or its end."""


class Mapping(Declared):
    """What the columns of a CSV file mean."""

    table: str
    """Table that the rows are for."""
    files: str = "*.csv"
    """Pattern of the files, where one mapping serves a folder."""
    delimiter: str = Field(default=",", min_length=1, max_length=1)
    """What separates cells."""
    decimal: Literal[".", ","] = "."
    """The decimal mark."""
    encoding: str = "utf-8-sig"
    """Of the text."""
    where: dict[str, list[str]] = Field(default_factory=dict)
    """Rows that count: by column, the cells that they have."""
    start: Start
    """When an interval starts."""
    seconds: float | MappedCell
    """Length of an interval: a number, or a column."""
    columns: dict[str, MappedCell | str | float]
    """Columns of the table: a column of the file, or the same text or number for all
    rows."""


def is_for(shared: Path, path: Path) -> bool:
    """Whether the mapping of a folder is for this file of it."""
    data, _ = load_yaml(shared)
    pattern = data.get("files", "*.csv") if isinstance(data, dict) else "*.csv"
    return fnmatch(path.name, str(pattern)) and path.suffix != ".yaml"


def read_mapping(path: Path) -> Mapping:
    """The mapping, checked; a ``UserError`` names file and line of every mistake."""
    mapping = read_declared(path, Mapping)
    _, node = load_yaml(path)
    issues = []

    def note(what: str, mend: str, *keys: str) -> None:
        issues.append(Issue(what, Place(str(path), line_of(node, keys)), mend))

    if mapping.table not in MAPPED:
        note(f"there is no table {mapping.table!r}", ", ".join(MAPPED), "table")
    else:
        known = [name for name in TABLES[mapping.table] if name not in _OWN]
        for name in mapping.columns:
            if name not in known:
                what = f"{mapping.table} has no column {name!r} to be filled"
                note(what, f"name one of {', '.join(known)}", "columns", name)
        for name in _NEEDED.get(mapping.table, ()):
            if name not in mapping.columns:
                note(f"{mapping.table} needs the column {name!r}", "add it", "columns")
    raise_if(issues)
    return mapping
