"""Text, variables and tables of an element of an RMF document.

Files that an editor indented have line breaks and tabs around every text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

Element = Any  # an lxml element; lxml has no types


def clean(text: str | None) -> str:
    """Text with its white space collapsed; empty where there is none."""
    if not text:
        return ""
    text = text.strip()
    return " ".join(text.split()) if "\n" in text or "\t" in text else text


def text_of(element: Element | None, path: str = "") -> str:
    """Text below ``path``; empty where there is no such element."""
    found = element.find(path) if element is not None and path else element
    return clean(found.text) if found is not None else ""


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


Reader = Callable[[str], Any]
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

    @cached_property
    def name(self) -> str:
        """The name of the part of the report that the table is in."""
        return text_of(self.element.getparent(), "name")

    @cached_property
    def rows(self) -> list[list[str]]:
        """The rows that are no totals."""
        return self._rows(total=False)

    @cached_property
    def sums(self) -> list[list[str]]:
        """The totals: rows of the type ``SUM``."""
        return self._rows(total=True)

    def _rows(self, total: bool) -> list[list[str]]:
        found, width = [], len(self.heads.names)
        for row in self.element.iterchildren("row"):
            if (row.get("type") == "SUM") is total:
                cells = [text.strip() if (text := c.text) else "" for c in row]
                if self.heads.indented:
                    cells = [" ".join(cell.split()) for cell in cells]
                if len(cells) < width:
                    cells += [""] * (width - len(cells))
                found.append(cells)
        return found

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


def tables(element: Element) -> Iterator[Table]:
    """The tables below an element."""
    for table in element.iter("table"):
        columns = table.find("column-headers")
        heads = () if columns is None else tuple(col.text or "" for col in columns)
        yield Table(_heads(heads), table)
