"""The blocks of a text, with their sentences and clauses, for the checks of wording.

A block is the least that can be read alone: a cell or an item of a list, with the words
that it hangs on. Checks of numbers read whole paragraphs, which ``page_texts`` has.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from analysis.report.text.characters import reader_text
from analysis.report.text.tree import FIRST_MARK, LEAVES, Node, Tree

_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^a-z\s])")
_CLAUSE = re.compile(
    r"[;:]\s|\s[–—]\s|,\s(?=(?:and|but|or|nor|while|whereas|although|though|because|since"
    r"|so|which|who|when|where|if|unless|yet|as|until|before|after|then|for)\b)"
    r"|\s(?=(?:while|whereas|although|though|because|unless|if|whether)\b)",
    re.IGNORECASE,
)
_SUPPOSITION = re.compile(
    r"\W*(?:if|unless|had|were|once|whenever|should)\b[^,;:]*,\s", re.IGNORECASE
)
_APART = re.compile(r"(?<!\w)(?:[A-Za-z] ){3,}[A-Za-z](?!\w)")
_HOLDERS = ("quote", "div", "note")
_MARK = re.compile(f"[{chr(FIRST_MARK)}-\U0010ffff]")
_READ = re.compile(f"[^{chr(FIRST_MARK)}-\U0010ffff]+")
_LISTS = ("bullet list", "numbered list")
UNCHECKED = "unchecked"  # the class of words that no data check


@dataclass(frozen=True)
class Span:
    """A stretch of a block's words: a sentence, or a clause of one."""

    start: int
    end: int

    def holds(self, at: int) -> bool:
        """Whether a place is in it."""
        return self.start <= at < self.end


@dataclass(frozen=True)
class TextBlock:
    """A paragraph, heading, cell or item: its words in one line, marks among them.

    ``lines`` has the offset and the line of the file of each of its lines, ``around``
    the words that it hangs on: of the item above it, or the heads of row and column.
    ``whole`` numbers what belongs together: a paragraph with its notes, a list item
    with those below it. ``unchecked`` are words that no data check, as their author
    says.
    """

    kind: str
    words: str
    lines: tuple[tuple[int, int], ...]
    around: tuple[str, ...] = ()
    whole: int = 0
    unchecked: tuple[Span, ...] = ()

    def line(self, at: int) -> int:
        """The line of the file of a place in the words."""
        return self.lines[bisect_right(self.lines, (at, 1 << 30)) - 1][1]

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences, in order."""
        return tuple(_parts(self.words, Span(0, len(self.words)), _SENTENCE))

    def clauses(self, sentence: Span) -> tuple[Span, ...]:
        """The clauses of a sentence, in order; what it supposes first is one."""
        found = _SUPPOSITION.match(self.words, sentence.start, sentence.end)
        if not found:
            return tuple(_parts(self.words, sentence, _CLAUSE))
        supposed = Span(sentence.start, found.end())
        rest = Span(found.end(), sentence.end)
        return (supposed, *_parts(self.words, rest, _CLAUSE))


def text_blocks(tree: Tree) -> list[TextBlock]:
    """All blocks of a text, in its order."""
    return list(_BlockWalk().blocks(tree.blocks, ()))


def block_of(words: str, line: int = 1, around: tuple[str, ...] = ()) -> TextBlock:
    """Words that stand alone, such as a title, on one line of a file."""
    return TextBlock("title", " ".join(words.split()), ((0, line),), around)


class _BlockWalk:
    def __init__(self) -> None:
        self.whole, self.unchecked = 0, False

    def blocks(
        self, blocks: Iterable[Node], around: tuple[str, ...], inner: bool = False
    ) -> Iterator[TextBlock]:
        before = ""
        for block in blocks:
            self.whole += not inner
            if block.kind in _LISTS:
                hangs = inner or before.rstrip().endswith(":")
                own = (*around, before) if hangs else around
                for item in block.children:
                    self.whole += not inner
                    yield from self.blocks(item.children, own, inner=True)
            elif block.kind == "table":
                yield from self._table(block, around)
            elif block.kind == "definition list":
                yield from self._definitions(block.children, around)
            elif block.kind in _HOLDERS:
                before_it = self.unchecked
                self.unchecked = before_it or UNCHECKED in block.attributes.classes
                yield from self.blocks(block.children, around, inner)
                self.unchecked = before_it
            elif block.kind in LEAVES:
                yield (found := self._leaf(block, around))
                before = found.words

    def _definitions(
        self, blocks: Iterable[Node], around: tuple[str, ...]
    ) -> Iterator[TextBlock]:
        own = around
        for block in blocks:
            if block.kind == "term":
                yield (term := self._leaf(block, around))
                own = (*around, term.words)
            else:
                yield from self.blocks(block.children, own, inner=True)

    def _table(self, table: Node, around: tuple[str, ...]) -> Iterator[TextBlock]:
        heads: list[str] = []
        for row in table.children:
            if row.kind != "row":
                yield self._leaf(row, around)
                continue
            found = [self._leaf(cell, around) for cell in row.children]
            if row.mark == "head":
                heads = [cell.words for cell in found]
                yield from found
                continue
            for place, cell in enumerate(found):
                column = heads[place : place + 1]
                first = [found[0].words] if place else []
                own = (*around, *first, *column)
                yield replace(cell, around=own)

    def _leaf(self, leaf: Node, around: tuple[str, ...]) -> TextBlock:
        words, lines, unchecked = "", [(0, leaf.line)], list[Span]()
        for node in leaf.children:
            for line, text, marked in _read(node, self.unchecked):
                if line != lines[-1][1]:
                    lines.append((len(words), line))
                start = len(words)
                words += _READ.sub(lambda found: reader_text(found[0]), text)
                unchecked += [Span(start, len(words))] if marked else []
        words = _APART.sub(_joined, words)
        own = tuple(unchecked)
        return TextBlock(leaf.kind, words, tuple(lines), around, self.whole, own)


def _read(node: Node, marked: bool) -> Iterator[tuple[int, str, bool]]:
    """Line by line what a span says, and whether it is marked as unchecked."""
    marked = marked or UNCHECKED in node.attributes.classes
    if node.kind == "citation":
        yield node.line, f"@{node.words}", marked
    elif node.kind in ("words", "character", "code"):
        yield node.line, node.words.replace("\n", " "), marked
    elif node.kind in ("line end", "note mark"):
        yield node.line, " ", marked
    for child in node.children:
        yield from _read(child, marked)


def _joined(found: re.Match[str]) -> str:
    """Letters that are set apart are still read as a word."""
    return found[0].replace(" ", "").ljust(len(found[0]))


def _parts(words: str, whole: Span, border: re.Pattern[str]) -> Iterator[Span]:
    start = whole.start
    for found in border.finditer(words, whole.start, whole.end):
        yield Span(start, found.end())
        start = found.end()
    if start < whole.end:
        yield Span(start, whole.end)


def marks(words: str, span: Span | None = None) -> Iterator[tuple[int, int]]:
    """The marks of expressions in a stretch, or all: their place and number."""
    ends = (span.start, span.end) if span else (0, len(words))
    for found in _MARK.finditer(words, *ends):
        yield found.start(), ord(found[0]) - FIRST_MARK
