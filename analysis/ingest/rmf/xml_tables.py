"""Text, variables and tables of an element of an RMF document.

Files that an editor indented have line breaks and tabs around every text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from analysis.ingest.rmf.columns import Columns, Convert, Shape
from analysis.ingest.rmf.xml_condensed import TOTALS, lines_of

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
    """The first child of that name: mostly the first of all, which is quickly asked."""
    if len(element) and (first := element[0]).tag == child:
        return first
    return next(element.iterchildren(child), None)


def variables(element: Element) -> dict[str, str]:
    """The names and values of all ``var`` entries below the element."""
    said = {}
    for var in element.iter("var"):
        if len(var) == 2:
            said[clean(var[0].text)] = clean(var[1].text)  # an iterator takes longer
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
    _shapes: dict[int, tuple[Shape, Columns]] = field(default_factory=dict)

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

    def shape(self, fields: ColumnFields) -> tuple[Shape, Columns]:
        """The fields that have a column, and these columns of :func:`lines_of`."""
        key = id(fields)
        if key not in self._shapes:
            found = [(n, self.column(*words), read) for n, words, read in fields]
            there = [(n, at + 1, read) for n, at, read in found if at is not None]
            columns = tuple(at for _, at, _ in there)
            self._shapes[key] = tuple((n, read) for n, _, read in there), columns
        return self._shapes[key]


Reader = Callable[[str], Any]
# The same of tables that are read column by column.
ColumnFields = tuple[tuple[str, tuple[str, ...], Convert], ...]
# Constants of modules: name of the field, words of its heading, how it is read.
Fields = tuple[tuple[str, tuple[str, ...], Reader], ...]
Plan = list[tuple[str, int, Reader]]


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
            for is_sum, texts in self._rows():
                cells = [text.strip() if text else "" for text in texts]
                if self.heads.indented:
                    cells = [" ".join(cell.split()) for cell in cells]
                if len(cells) < width:
                    cells += [""] * (width - len(cells))
                self._read[is_sum].append(cells)
        return self._read

    def _rows(self) -> Iterator[tuple[bool, Sequence[str | None]]]:
        """The rows, each with whether it is one of totals."""
        for row in self.element.iterchildren("row"):
            yield row.get("type") == "SUM", [cell.text for cell in row]
        for line in lines_of(self.element):
            attributes, *cells = line.split("\t")
            yield attributes.endswith(TOTALS), cells

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

    def texts(self, fields: ColumnFields) -> tuple[Shape, Columns, list[str]]:
        """The fields that have a column in the table, and the table's lines, as of
        :func:`lines_of`; none where no row has a text in the first of the fields."""
        shape, columns = self.heads.shape(fields)
        lines = []
        for row in filter(len, self.element.iterchildren("row")):
            attributes = TOTALS if row.get("type") == "SUM" else ""
            lines.append("\t".join([attributes, *(clean(cell.text) for cell in row)]))
        lines += lines_of(self.element)
        told = any(_has_text(line.split("\t"), columns[0]) for line in lines)
        return shape, columns, lines if told else []


def _has_text(line: list[str], column: int) -> bool:
    """Whether a line that is none of totals has a text in a column."""
    is_sum = line[0].endswith(TOTALS)
    return not is_sum and len(line) > column and bool(line[column].strip())


def tables(element: Element) -> Iterator[Table]:
    """The tables below an element."""
    for table in element.iter("table"):
        columns = _first(table, "column-headers")
        texts = () if columns is None else [column.text or "" for column in columns]
        yield Table(_heads(tuple(texts)), table)
