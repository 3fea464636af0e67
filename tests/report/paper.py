"""What is wrong with the pages of a PDF: measured from the file, as readers see it.

Lengths are points, from the lower left corner of a page, as PDF has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, NamedTuple

from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

HEAD, FOOT = 842 - 24 * 72 / 25.4, 21 * 72 / 25.4  # between them stands the text
HALF = (HEAD - FOOT) / 2
NEAR = 60  # between a heading and what follows it, its own two lines among that
MARGIN = 60  # captions begin left of it, texts right of it
_NAME = re.compile(r"^(?:Figure|Table)\s\d+$")


class Word(NamedTuple):
    """Some text and where it begins."""

    x: float
    y: float
    text: str


class Heading(NamedTuple):
    """A heading: its page from 0, its upper edge, level and words."""

    page: int
    top: float
    level: int
    title: str


class Paper:
    """The pages of a PDF that Typst made and tagged."""

    def __init__(self, file: Path | IO[bytes]) -> None:
        self.pdf = PdfReader(file)

    def faults(self) -> list[str]:
        """All that a reader would stumble over, each with its page from 1."""
        return [
            *self.lone_headings(),
            *self.parted_lists(),
            *self.lone_rows(),
            *self.far_figures(),
            *self.missing_captions(),
            *self.empty_pages(),
        ]

    @cached_property
    def words(self) -> list[list[Word]]:
        """What stands on each page between its head and its foot."""
        return [
            sorted(
                (word for word in _words(page) if FOOT < word.y < HEAD + 4),
                key=lambda word: -word.y,
            )
            for page in self.pdf.pages
        ]

    @cached_property
    def headings(self) -> list[Heading]:
        """All headings that are bookmarks, in order."""

        def below(items: list[Any], level: int) -> Iterator[Heading]:
            for item in items:
                if isinstance(item, list):
                    yield from below(item, level + 1)
                else:
                    page = self.pdf.get_destination_page_number(item)
                    assert page is not None
                    yield Heading(page, float(item.top), level, str(item.title))

        return list(below(self.pdf.outline, 1))

    def lone_headings(self) -> Iterator[str]:
        """Headings that nothing follows on their page."""
        for page, top, _, title in self.headings:
            under = [word.y for word in self.words[page] if word.y < top - NEAR / 2]
            if not under or max(under) < top - 2 * NEAR:
                yield f"page {page + 1}: the heading {title!r} stands alone"

    def parted_lists(self) -> Iterator[str]:
        """Paragraphs that announce what does not follow them on their page."""
        for number, words in enumerate(self.words, 1):
            for x, y, text in words:
                if not text.endswith(":") or x < MARGIN:
                    continue
                if any(abs(word.y - y) < 2 and word.x > x for word in words):
                    continue  # it goes on in its line
                under = [word.y for word in words if word.y < y - 2]
                if not under or max(under) < y - NEAR:
                    yield f"page {number}: nothing follows {text!r}"

    def lone_rows(self) -> Iterator[str]:
        """Tables of several pages that have one row on one of them."""
        pages = {p.indirect_reference.idnum: n for n, p in enumerate(self.pdf.pages, 1)}  # type: ignore[union-attr]
        root: Any = self.pdf.trailer["/Root"]
        for table in _elements(root.get("/StructTreeRoot")):
            if table.get("/S") != "/Table":
                continue
            rows = [r for r in _elements(table.get("/K")) if r.get("/S") == "/TR"]
            counts = Counter(pages[_page(row)] for row in rows[1:])
            for page, count in counts.items():
                if count == 1 and len(counts) > 1:
                    yield f"page {page}: one row of a table"

    def far_figures(self) -> Iterator[str]:
        """Figures neither on a page of a text that refers to them nor on the next."""
        for name, page in self.captions.items():
            near = {page, page - 1} & self.mentions.get(name, {page})
            if name.startswith("Figure") and not near:
                yield f"page {page + 1}: {name} is far from its text"

    def missing_captions(self) -> Iterator[str]:
        """Figures and tables that a text refers to, and nobody finds."""
        for name, pages in self.mentions.items():
            if name not in self.captions:
                yield f"page {min(pages) + 1}: there is no {name}"

    @cached_property
    def captions(self) -> dict[str, int]:
        """The page of each figure and table, from 0, by names such as Figure 3."""
        return {
            f"{word.text} {after.text}": number
            for number, words in enumerate(self.words)
            for word, after in pairwise(words)
            if word.x < MARGIN and word.text in ("Figure", "Table")
        }

    @cached_property
    def mentions(self) -> dict[str, set[int]]:
        """The pages on which texts refer to each of them."""
        found: dict[str, set[int]] = {}
        for number, words in enumerate(self.words):
            for word in words:
                for name in _NAME.findall(word.text):
                    found.setdefault(" ".join(name.split()), set()).add(number)
        return found

    def empty_pages(self) -> Iterator[str]:
        """Pages half of which is empty; not cover, contents and the last.

        A figure that does not fit goes to the next page, and no text overtakes it.
        """
        for number, words in list(enumerate(self.words))[2:-1]:
            lines = [HEAD, *(word.y for word in words), FOOT]
            most, at = max((high - low, low) for high, low in pairwise(lines))
            if most > HALF:
                yield f"page {number + 1}: {most:.0f} points empty above {at:.0f}"


def _words(page: PageObject) -> list[Word]:
    found: list[Word] = []

    def visit(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        if text.strip():
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            found.append(Word(x, y, text.strip()))

    page.extract_text(visitor_text=visit)
    return found


def _elements(node: object) -> Iterator[DictionaryObject]:
    """The structure elements below a node."""
    found = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(found, ArrayObject):
        for child in found:
            yield from _elements(child)
    elif isinstance(found, DictionaryObject):
        yield found
        yield from _elements(found.get("/K"))


def _page(row: DictionaryObject) -> int:
    """The object of the page on which the first cell of a row stands."""
    refs = [e.raw_get("/Pg") for e in _elements(row) if "/Pg" in e]
    return int(refs[0].idnum)
