"""Text, variables and tables of an element of an RMF document.

Files that an editor indented have line breaks and tabs around every text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Any

from analysis.ingest.rmf.columns import Convert, Shape, Texts

Element = Any  # an lxml element; lxml has no types


def clean(text: str | None) -> str:
    """Text with its white space collapsed; empty where there is none."""
    if not text:
        return ""
    text = text.strip()
    return " ".join(text.split()) if "\n" in text or "\t" in text else text


def text_of(element: Element | None, child: str = "") -> str:
    """Text of the element, or of its first child of that name; else empty."""
    if element is not None and child:
        element = _first(element, child)
    return "" if element is None else clean(element.text)


def _first(element: Element, child: str) -> Element | None:
    """The first child of that name: mostly one of the first, for which to ask for all
    of that name takes longer than to look."""
    for each in element:
        if each.tag == child:
            return each
    return None


def variables(element: Element) -> dict[str, str]:
    """The names and values of all ``var`` entries below the element."""
    said = {}
    for var in element.iter("var"):
        if len(var) == 2:
            name, value = var
            said[clean(name.text)] = clean(value.text)
    return said


@dataclass(frozen=True)
class Heads:
    """The headings of a table. Tables of the same kind share them.

    ``indented`` is whether an editor put line breaks into the texts of the document.
    """

    names: tuple[str, ...]
    indented: bool = False
    _columns: dict[tuple[str, ...], int | None] = field(default_factory=dict)
    _plans: dict[int, Plan] = field(default_factory=dict)
    _shapes: dict[int, tuple[Shape, Taker, int]] = field(default_factory=dict)

    def column(self, *words: str) -> int | None:
        """The first column whose heading has all these words, in any case."""
        if words not in self._columns:
            heads = [heading.lower() for heading in self.names]
            wanted = [word.lower() for word in words]
            found = (i for i, h in enumerate(heads) if all(w in h for w in wanted))
            self._columns[words] = next(found, None)
        return self._columns[words]

    def plan(self, fields: Fields) -> Plan:
        """Which column each field is in, and how it is read; absent ones left out."""
        key = id(fields)
        if key not in self._plans:
            self._plans[key] = [
                (name, index, read)
                for name, words, read in fields
                if (index := self.column(*words)) is not None
            ]
        return self._plans[key]

    def shape(self, fields: ColumnFields) -> tuple[Shape, Taker, int]:
        """The fields that have a column, what takes their texts out of a row, and
        the column of the first field, which the table must have."""
        key = id(fields)
        if key not in self._shapes:
            found = [(n, self.column(*words), read) for n, words, read in fields]
            there = [(n, at, read) for n, at, read in found if at is not None]
            columns = [at for _, at, _ in there]
            shape = tuple((name, read) for name, _, read in there)
            take = itemgetter(*columns) if columns[1:] else _only(columns[0])
            self._shapes[key] = shape, take, columns[0]
        return self._shapes[key]


Reader = Callable[[str], Any]
# The same of tables that are read column by column.
ColumnFields = tuple[tuple[str, tuple[str, ...], Convert], ...]
Taker = Callable[[list[str | None]], Texts]
# Constants of modules: name of the field, words of its heading, how it is read.
Fields = tuple[tuple[str, tuple[str, ...], Reader], ...]
Plan = list[tuple[str, int, Reader]]


def _only(column: int) -> Taker:
    return lambda row: (row[column],)


@lru_cache(maxsize=1024)
def _heads(texts: tuple[str, ...]) -> Heads:
    return Heads(tuple(map(clean, texts)), any("\n" in text for text in texts))


@dataclass
class Table:
    """A table of a report: headings and rows of text."""

    heads: Heads
    element: Element
    _read: tuple[list[list[str]], list[list[str]]] | None = None

    @property
    def name(self) -> str:
        """The name of the part of the report that the table is in."""
        return text_of(self.element.getparent(), "name")

    @property
    def rows(self) -> list[list[str]]:
        """The rows that are no totals."""
        return self._lines()[0]

    @property
    def sums(self) -> list[list[str]]:
        """The totals: rows of the type ``SUM``."""
        return self._lines()[1]

    def _lines(self) -> tuple[list[list[str]], list[list[str]]]:
        if self._read is None:
            self._read = [], []
            width = len(self.heads.names)
            for row in self.element.iterchildren("row"):
                cells = [text.strip() if (text := c.text) else "" for c in row]
                if self.heads.indented:
                    cells = [" ".join(cell.split()) for cell in cells]
                if len(cells) < width:
                    cells += [""] * (width - len(cells))
                self._read[row.get("type") == "SUM"].append(cells)
        return self._read

    def has(self, *words: str) -> bool:
        """Whether a heading has all these words, in any case."""
        return self.heads.column(*words) is not None

    def cell(self, row: list[str], *words: str) -> str:
        """The text of a row in that column; empty where there is none."""
        index = self.heads.column(*words)
        return "" if index is None else row[index]

    def fields(self, row: list[str], fields: Fields) -> dict[str, Any]:
        """The fields of a row that have a column in the table and are not empty."""
        plan = self.heads.plan(fields)
        return {name: read(cell) for name, at, read in plan if (cell := row[at])}

    def texts(self, fields: ColumnFields) -> tuple[Shape, list[Texts]]:
        """The fields that have a column in the table, of all rows that are no totals
        and have a text in the first of them."""
        shape, take, first = self.heads.shape(fields)
        width, found = len(self.heads.names), []
        for row in self.element.iterchildren("row"):
            cells = [cell.text for cell in row]
            if len(cells) < width:
                cells += [None] * (width - len(cells))
            key = cells[first]
            if key and not key.isspace() and row.get("type") != "SUM":
                found.append(take(cells))
        return shape, found


def tables(element: Element) -> Iterator[Table]:
    """The tables below an element."""
    for table in element.iter("table"):
        columns = _first(table, "column-headers")
        texts = () if columns is None else [column.text or "" for column in columns]
        yield Table(_heads(tuple(texts)), table)
