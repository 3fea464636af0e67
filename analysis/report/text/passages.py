"""The passages of a text with their sentences: what checks, reviews and pages share.

A passage is the least that can be read alone: a paragraph, a heading, a cell or an item
of a list.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.report.text.characters import reader_text
from analysis.report.text.tree import FIRST_MARK, LEAVES, Node, Tree

_END = re.compile(
    r"[.!?\u2026][\"')\]\u201d\u2019]*\s+(?=[^a-z\s])|[\u3002\uff01\uff1f]"
)
_SHORT = re.compile(
    r"\b(?:e\.g|i\.e|cf|vs|approx|ca|resp|etc|pp?|nos?|figs?|eq|sec|ch|vol|eds?|Inc|Corp"
    r"|Ltd|Mr|Mrs|Dr|St)\.$",
    re.IGNORECASE,
)
_APART = re.compile(r"(?<!\w)(?:[A-Za-z] ){3,}[A-Za-z](?!\w)")
_HOLDERS = ("quote", "div", "note", "definition list", "definition")
_MARK = re.compile(f"[{chr(FIRST_MARK)}-\U0010ffff]")
_LISTS = ("bullet list", "numbered list")


@dataclass(frozen=True)
class Span:
    """A stretch of a passage's words."""

    start: int
    end: int

    def holds(self, at: int) -> bool:
        """Whether a place is in it."""
        return self.start <= at < self.end


@dataclass(frozen=True)
class TextPassage:
    """The words of a paragraph, heading, cell or item in one line, marks among them.

    ``lines`` has the offset and the line of the file of each of its lines, ``places``
    where each character stands in the text with marks, -1 where that is not known
    (of words in which a letter became several: where they begin).
    ``whole`` numbers what belongs together: a paragraph with its notes, a list item
    with those below it. ``claimed`` are the words that stand with
    claims, each with its claims.
    """

    kind: str
    words: str
    lines: tuple[tuple[int, int], ...]
    places: tuple[int, ...] = ()
    whole: int = 0
    claimed: tuple[tuple[Span, str], ...] = ()

    def line(self, at: int) -> int:
        """The line of the file of a place in the words."""
        return self.lines[bisect_right(self.lines, (at, 1 << 30)) - 1][1]

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences, in order."""
        found, start = [], 0
        for end in _END.finditer(self.words):
            if not _SHORT.search(self.words, start, end.start() + 1):
                found.append(Span(start, end.end()))
                start = end.end()
        return (
            (*found, Span(start, len(self.words))) if self.words[start:] else (*found,)
        )

    def source(self, span: Span) -> Span | None:
        """Where a stretch stands in the text with marks; None where nobody knows."""
        known = [place for place in self.places[span.start : span.end] if place >= 0]
        return Span(known[0], known[-1] + 1) if known else None


def passages(tree: Tree) -> list[TextPassage]:
    """All passages of a text, in its order."""
    return list(_Walk().passages(tree.blocks))


class _Walk:
    def __init__(self) -> None:
        self.whole = 0

    def passages(
        self, blocks: Iterable[Node], inner: bool = False
    ) -> Iterator[TextPassage]:
        for block in blocks:
            self.whole += not inner
            if block.kind in _LISTS:
                for item in block.children:
                    self.whole += not inner
                    yield from self.passages(item.children, inner=True)
            elif block.kind == "table":
                rows = (row.children for row in block.children if row.kind == "row")
                yield from (self._leaf(cell) for row in rows for cell in row)
            elif block.kind in _HOLDERS:
                yield from self.passages(block.children, inner)
            elif block.kind in LEAVES:
                yield self._leaf(block)

    def _leaf(self, leaf: Node) -> TextPassage:
        words, places = "", list[int]()
        lines, claimed = [(0, leaf.line)], list[tuple[Span, str]]()
        for node, claims in _read(leaf.children):
            if node.line != lines[-1][1]:
                lines.append((len(words), node.line))
            start = len(words)
            read = reader_text(text := _text(node))
            at: Sequence[int] = range(node.start, node.start + len(text))
            if node.start < 0 or len(read) != len(text):  # no letter for a letter
                at = [node.start] * len(read)
            words, places = words + read, [*places, *at]
            claimed += [(Span(start, len(words)), claims)] if claims else []
        words = _APART.sub(_joined, words)
        told = tuple(lines), tuple(places), self.whole, tuple(claimed)
        return TextPassage(leaf.kind, words, *told)


def _read(nodes: Iterable[Node], claims: str = "") -> Iterator[tuple[Node, str]]:
    """The spans that say something, and the claims that they stand with."""
    for node in nodes:
        own = claims or node.attributes.value("claim")
        yield node, own
        yield from _read(node.children, own)


def _text(node: Node) -> str:
    if node.kind == "citation":
        return f"@{node.words}"
    if node.kind in ("words", "character", "code"):
        return node.words.replace("\n", " ")
    return " " if node.kind in ("line end", "note mark") else ""


def _joined(found: re.Match[str]) -> str:
    """Letters that are set apart are still read as a word."""
    return found[0].replace(" ", "").ljust(len(found[0]))


def marks(words: str, span: Span) -> Iterator[tuple[int, int]]:
    """The marks of expressions in a stretch: their place and number."""
    for found in _MARK.finditer(words, span.start, span.end):
        yield found.start(), ord(found[0]) - FIRST_MARK
