"""A report of RMF, whichever form it came in: parts of values, and of rows of cells.

Printed pages, XML, JSON and lines of an overview all become this; what the columns of a
part mean is declared once for all forms, as :data:`Fields`. A text that prints other
headings than the XML of the same report mostly gets those of the XML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from analysis.ingest.rmf.figures import Window

Row = dict[str, Any]
Cells = list[str]
Read = Callable[[str], Any]
# A column of a table, how its cell is read, and the words of its heading: it has all of
# them, in any case and order. Of several choices the first counts that has a heading.
Fields = tuple[tuple[str, Read, tuple[tuple[str, ...], ...]], ...]


def column(name: str, read: Read, *headings: str) -> tuple[str, Read, Any]:
    """One field; ``util% + lpar`` are two words of one heading."""
    return name, read, tuple(tuple(head.split(" + ")) for head in headings)


@dataclass(slots=True)
class ReportPart:
    """One part of a report: values by their names, and a table.

    ``section`` is what the parts around it have in common, and ``number`` tells two
    sections apart. Rows have a cell for each of the ``heads``, perhaps more; ``totals``
    are rows that sum up others. ``places`` are those of the rows and ``place`` that of
    the part, where they are not the report's.
    """

    section: str = ""
    number: int = 0
    name: str = ""
    values: dict[str, str] = field(default_factory=dict)
    heads: tuple[str, ...] = ()
    rows: list[Cells] = field(default_factory=list)
    totals: list[Cells] = field(default_factory=list)
    place: int | None = None
    places: list[int] = field(default_factory=list)

    def at(self, heading: str) -> int | None:
        """Where the first heading with all these words stands; null without one."""
        return _at(self.heads, tuple(heading.split(" + ")))

    def cell(self, cells: Cells, heading: str) -> str:
        """The text of a row below a heading; empty where there is none."""
        at = self.at(heading)
        return "" if at is None else cells[at]

    def read(self, fields: Fields, rows: list[Cells] | None = None) -> Iterator[Row]:
        """The fields of each row that are not empty, and its ``position``, if it has
        one of its own."""
        plan = _plan(self.heads, fields)
        read_rows = (
            {name: read(cell) for name, read, at in plan if (cell := cells[at])}
            for cells in (self.rows if rows is None else rows)
        )
        if not self.places:
            return read_rows
        return (
            row | {"position": place}
            for row, place in zip(read_rows, self.places, strict=True)
        )


@dataclass
class Report:
    """One report: its name, system, interval, place in the file, and parts.

    ``content`` are bytes by which the same report is known again, ``resource`` is what
    Monitor III says that it is of. ``start_utc`` is null until its collector begins it,
    and where there is no zone.
    """

    name: str
    system: str
    window: Window
    place: int
    content: bytes = b""
    parts: list[ReportPart] = field(default_factory=list)
    resource: str = ""
    is_overview: bool = False
    start_utc: str | None = None

    @property
    def seconds(self) -> float:
        """Its length; 0 where unknown, as it may be of Monitor III alone."""
        return self.window.seconds or 0.0

    @property
    def values(self) -> dict[str, str]:
        """The values of all parts, without empty ones."""
        return {k: v for part in self.parts for k, v in part.values.items() if v}


@lru_cache(maxsize=4096)
def _at(heads: tuple[str, ...], words: tuple[str, ...]) -> int | None:
    wanted = [word.lower() for word in words]
    lower = enumerate(head.lower() for head in heads)
    return next((at for at, head in lower if all(w in head for w in wanted)), None)


@lru_cache(maxsize=1024)  # tables of one kind share their headings
def _plan(heads: tuple[str, ...], fields: Fields) -> list[tuple[str, Read, int]]:
    """Name, reader and column of each field that has one."""
    columns: dict[str, tuple[str, Read, int]] = {}
    for name, read, choices in fields:
        known = (at for words in choices if (at := _at(heads, words)) is not None)
        if (at := next(known, None)) is not None:
            columns.setdefault(name, (name, read, at))
    return list(columns.values())
