"""The parts of a ``<ddsml>`` document, one after the other, with byte offsets.

Only the part being read is kept in memory. A file may hold several documents, and
may end anywhere. Entities are refused and nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element
from xml.parsers import expat

from analysis.ingest.reading import Problem

_BLOCK = 1 << 20
_NEXT_DOCUMENT = {
    expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT],
    expat.errors.codes[expat.errors.XML_ERROR_MISPLACED_XML_PI],
}


@dataclass
class Part:
    """One child of ``<ddsml>``: its element and the byte offset of its tag."""

    element: Element
    offset: int


class EntityError(ValueError):
    """The document declares an entity, which no RMF report does."""


@dataclass
class Stream:
    """Iterate over it for the parts; then ``error`` says whether it was cut off."""

    path: Path
    root: str = ""
    error: Problem | None = None
    documents: int = 0
    _stack: list[Element] = field(default_factory=list)
    _done: list[Part] = field(default_factory=list)
    _base: int = 0
    _at: int = 0
    _parser: Any = None

    def __iter__(self) -> Iterator[Part]:
        with self.path.open("rb") as file:
            while True:
                following = yield from self._document(file)
                if following is None:
                    return
                file.seek(following)

    def _document(self, file: Any) -> Generator[Part, None, int | None]:
        """Yield the parts of one document; return the offset of the next one."""
        self._begin(file.tell())
        while True:
            block = file.read(_BLOCK)
            try:
                self._parser.Parse(block, not block)
            except expat.ExpatError as error:
                yield from self._take()
                return self._following(error)
            except (EntityError, LookupError, ValueError) as error:
                self.error = Problem(str(error), offset=self._offset())
                return None
            yield from self._take()
            if not block:
                return None

    def _begin(self, base: int) -> None:
        self.documents += 1
        self._base, self._stack = base, []
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        self._parser = parser

    def _following(self, error: expat.ExpatError) -> int | None:
        offset = self._base + self._parser.ErrorByteIndex
        if error.code in _NEXT_DOCUMENT and not self._stack and offset > self._base:
            return offset
        what = expat.ErrorString(error.code) or "damaged"
        self.error = Problem(f"the XML breaks off: {what}", offset=offset)
        return None

    def _take(self) -> Iterator[Part]:
        done, self._done = self._done, []
        yield from done

    def _offset(self) -> int:
        return self._base + max(self._parser.CurrentByteIndex, 0)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes)
        if not self._stack:
            self.root = self.root or tag
        elif len(self._stack) == 1:
            self._at = self._offset()
        else:
            self._stack[-1].append(element)
        self._stack.append(element)

    def _end(self, _tag: str) -> None:
        element = self._stack.pop()
        if len(self._stack) == 1:
            self._done.append(Part(element, self._at))

    def _text(self, text: str) -> None:
        element = self._stack[-1]
        if len(self._stack) > 1 and not len(element):
            element.text = (element.text or "") + text

    def _entity(self, name: str, *_: Any) -> None:
        raise EntityError(f"the document declares an entity ({name}); it is refused")


def text_of(element: Element | None, path: str = "") -> str:
    """Text below ``path`` with its white space collapsed; empty where there is none."""
    found = element.find(path) if element is not None and path else element
    return " ".join((found.text or "").split()) if found is not None else ""


def variables(element: Element) -> dict[str, str]:
    """The names and values of all ``var-list`` entries below the element."""
    return {text_of(v, "name"): text_of(v, "value") for v in element.iter("var")}


@dataclass
class Table:
    """A table of a report: headings and rows of text; ``SUM`` rows are apart."""

    columns: list[str]
    rows: list[list[str]]
    sums: list[list[str]]
    _columns: dict[str, int | None] = field(default_factory=dict)

    def column(self, words: str) -> int | None:
        """The first column whose heading has these words, in any case."""
        if words not in self._columns:
            heads = [heading.lower() for heading in self.columns]
            found = (i for i, heading in enumerate(heads) if words.lower() in heading)
            self._columns[words] = next(found, None)
        return self._columns[words]


def tables(element: Element) -> Iterator[Table]:
    """The tables below an element."""
    for table in element.iter("table"):
        heads = [text_of(col) for col in table.iterfind("column-headers/col")]
        rows: dict[bool, list[list[str]]] = {False: [], True: []}
        for row in table.iterfind("row"):
            cells = [text_of(col) for col in row.iterfind("col")]
            cells += [""] * (len(heads) - len(cells))
            rows[row.get("type") == "SUM"].append(cells)
        yield Table(heads, rows[False], rows[True])
