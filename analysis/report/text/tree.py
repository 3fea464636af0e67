"""A reviewed text as a tree: blocks, spans, where each begins, what each says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from analysis.report.text.grammar import NONE, Attributes, caption_mark

FIRST_MARK = 0xF0000  # the character that stands for the first expression of a text
INDENT = "    "  # what begins the lines of code that has no fence
_HOLD = ("item", "quote", "div", "definition", "note", "bullet list", "numbered list")
LEAVES = ("paragraph", "heading", "caption", "term")


def shown(words: str) -> str:
    """Words of a text in quotes, as their author wrote them: ``{{ … }}`` for marks."""
    written = "".join("{{ … }}" if ord(c) >= FIRST_MARK else c for c in words)
    return repr(written).replace("\\\\", "\\")


@dataclass(frozen=True, slots=True)
class Node:
    """A block or a span: its ``kind``, its first and last line, from 1.

    ``words`` are the words, code, raw HTML, address, key or label; ``mark`` is what the
    text writes for it where that matters: a fence's language, a rule, an entity; of a
    link it is the title.
    ``at`` is where a span begins, as an offset into the words of its block, and
    ``start`` where words do in the text that was parsed; -1 where that is not known.
    """

    kind: str
    line: int
    last: int
    words: str = ""
    mark: str = ""
    level: int = 0
    at: int = -1
    start: int = -1
    attributes: Attributes = NONE
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """The node and all below it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Tree:
    """A text with its blocks, and the links that it defines: line, address, title.

    ``source`` is the text as the file has it.
    """

    source: str
    blocks: tuple[Node, ...]
    links: tuple[tuple[int, str, str], ...] = ()

    def walk(self) -> Iterator[Node]:
        """All nodes, in the order of the text."""
        for block in self.blocks:
            yield from block.walk()

    @cached_property
    def citations(self) -> tuple[Node, ...]:
        """All citations and references to figures, tables and sections."""
        return tuple(node for node in self.walk() if node.kind == "citation")

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """All anchors that the text gives, in its order."""
        return tuple(n.attributes.id for n in self.walk() if n.attributes.id)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return self.source.split("\n")

    @cached_property
    def notes(self) -> dict[str, Node]:
        """The notes by their labels."""
        return {node.words: node for node in self.walk() if node.kind == "note"}


def with_captions(blocks: tuple[Node, ...]) -> tuple[Node, ...]:
    """The blocks; a paragraph that is the caption of a table beside it is in that."""
    found: list[Node | None] = [
        replace(block, children=with_captions(block.children))
        if block.kind in _HOLD
        else block
        for block in blocks
    ]
    for place, block in enumerate(blocks):
        for near in (place + 1, place - 1):
            if block.kind != "table" or not 0 <= near < len(found):
                continue
            if (other := found[near]) and (caption := _as_caption(other)):
                children = (caption, *block.children)
                found[place], found[near] = replace(block, children=children), None
                break
    return tuple(block for block in found if block)


def _as_caption(block: Node) -> Node | None:
    """A paragraph as the caption of a table, without its mark; None if it is none."""
    first = block.children[0] if block.children else None
    if block.kind != "paragraph" or not first or not caption_mark(first.words):
        return None
    first = replace(first, words=first.words[caption_mark(first.words) :])
    return replace(block, kind="caption", children=(first, *block.children[1:]))
