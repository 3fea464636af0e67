"""A reviewed text as a tree: blocks, spans, where each begins, what each says."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from markdown_it.tree import SyntaxTreeNode as Parsed

from analysis.report.text.grammar import NONE, Attributes, caption_mark, make_grammar

FIRST_MARK = 0xF0000  # the character that stands for the first expression of a text
INDENT = "    "  # what begins the lines of code that has no fence
_HOLD = ("item", "quote", "div", "definition", "note", "bullet list", "numbered list")
LEAVES = ("paragraph", "heading", "caption", "term")
_GRAMMAR = make_grammar()
_BLOCKS = {
    "paragraph": "paragraph",
    "heading": "heading",
    "bullet_list": "bullet list",
    "ordered_list": "numbered list",
    "list_item": "item",
    "blockquote": "quote",
    "div": "div",
    "table": "table",
    "tr": "row",
    "th": "cell",
    "td": "cell",
    "dl": "definition list",
    "dt": "term",
    "dd": "definition",
    "footnote_reference": "note",
    "fence": "code block",
    "code_block": "code block",
    "html_block": "html",
    "hr": "rule",
}
_SPANS = {
    "text": "words",
    "text_special": "character",
    "softbreak": "line end",
    "hardbreak": "line end",
    "code_inline": "code",
    "html_inline": "html",
    "link": "link",
    "image": "image",
    "span": "span",
    "citation": "citation",
    "footnote_ref": "note mark",
}
_THROUGH = ("thead", "tbody", "em", "strong")  # are none of their own


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


def parse(text: str, lines: Sequence[int] = (), source: str = "") -> Tree:
    """The tree of a Markdown text.

    Where it was made from another, ``lines`` has the line there of each of its lines.
    """
    environment: dict[str, Any] = {}
    root = Parsed(_GRAMMAR.parse(text, environment))
    lines = lines or range(1, text.count("\n") + 2)
    notes = environment.get("footnotes", {}).get("list", {})
    blocks = with_captions(tuple(_Blocks(text, lines, notes).read(root.children)))
    links = tuple(
        (lines[link["map"][0]], link["href"], link["title"])
        for link in environment.get("references", {}).values()
    )
    return Tree(source or text, blocks, links)


class _Blocks:
    """Turns what the parser read into nodes, in one pass."""

    def __init__(self, text: str, lines: Sequence[int], notes: dict[int, Any]) -> None:
        self.lines, self.notes, self.line = lines, notes, 0
        self.own = text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.own)]

    def read(self, nodes: Iterable[Parsed]) -> Iterator[Node]:
        """The blocks, and the spans of those that have words."""
        for node in _flat(nodes):
            if node.map:
                self.line = node.map[0]
            if node.type == "inline":
                starts = list(self._starts(node.content))
                spans = _Spans(self, node.content, starts)
                yield from spans.read(node.children)
            else:
                yield self._block(node)

    def _block(self, node: Parsed) -> Node:
        first, last = node.map or (self.line, self.line + 1)
        return Node(
            _BLOCKS.get(node.type, node.type),
            self.lines[first],
            self.lines[max(last, first + 1) - 1],
            words=node.content or node.meta.get("label", ""),
            mark=_mark(node),
            level=int(node.tag[1]) if node.type == "heading" else 0,
            attributes=node.meta.get("attributes", NONE),
            children=tuple(self.read(node.children)),
        )

    def _starts(self, words: str) -> Iterator[tuple[int, int]]:
        """Where each line of a block's words begins in them, and in the text."""
        at = 0
        for line, own in enumerate(words.split("\n"), self.line):
            column = self.own[line].rfind(own) if line < len(self.own) else -1
            if column >= 0:
                yield at, self.starts[line] + column
            at += len(own) + 1


def _flat(nodes: Iterable[Parsed]) -> Iterator[Parsed]:
    for node in nodes:
        if node.type in _THROUGH:
            yield from _flat(node.children)
        else:
            yield node


def _mark(node: Parsed) -> str:
    if node.type == "code_block":
        return INDENT
    return node.info if node.type == "fence" else node.markup


class _Spans:
    """The spans of one block, each with its line."""

    def __init__(
        self, blocks: _Blocks, text: str, starts: Sequence[tuple[int, int]] = ()
    ) -> None:
        self.blocks, self.text, self.starts = blocks, text, starts
        self.first = self.line = blocks.line
        self.breaks = [at for at, sign in enumerate(text) if sign == "\n"]
        self.read_to = 0

    def read(self, nodes: Iterable[Parsed]) -> list[Node]:
        """The spans; an attribute is that of the one before."""
        found: list[Node] = []
        for node in _flat(nodes):
            if "at" in node.meta:
                if node.type != "text":  # of words it is where they end
                    self.read_to = node.meta["at"]
                self.line = self._line(node.meta["at"])
            if node.type == "attributes" and found:
                own = node.meta["attributes"]
                found[-1] = replace(found[-1], attributes=own)
            elif node.type in _SPANS:
                found.append(self._span(node))
            if node.type in ("softbreak", "hardbreak"):
                self.line += 1
            else:
                self._end(node.meta)
        return found

    def _end(self, meta: dict[str, Any]) -> None:
        if "end" in meta:
            self.read_to = meta["end"]
            self.line = self._line(self.read_to)

    def _start(self, node: Parsed) -> int:
        """Where words begin in the text, which has marks between them alone."""
        if node.type != "text":
            return -1
        at = self.text.find(node.content, self.read_to)
        if at < 0:
            return -1
        self.read_to = at + len(node.content)
        before = bisect_right(self.starts, at, key=lambda line: line[0])
        if not before:
            return -1
        own, start = self.starts[before - 1]
        return start + at - own

    def _line(self, at: int) -> int:
        return self.first + bisect_left(self.breaks, at)

    def _span(self, node: Parsed) -> Node:
        line, kind, words = self.line, _SPANS[node.type], node.content
        mark, start = node.markup, self._start(node)
        children: list[Node] = []
        if kind == "link":
            words, mark = str(node.attrs["href"]), str(node.attrs.get("title", ""))
        elif kind == "image":
            words = str(node.attrs["src"])
        elif kind == "note mark":
            words, children = node.meta.get("label", ""), self._note(node)
        if node.nester_tokens:
            children = self.read(node.children)
            self._end(node.nester_tokens.closing.meta)
        lines = self.blocks.lines
        return Node(
            kind,
            lines[line],
            lines[self.line],
            words,
            mark,
            at=node.meta.get("at", -1),
            start=start,
            children=tuple(children),
        )

    def _note(self, node: Parsed) -> list[Node]:
        """The spans of a note that stands where it is meant."""
        if "label" in node.meta:
            return []
        own = self.blocks.notes[node.meta["id"]]
        note = _Spans(self.blocks, own["content"])
        note.first = note.line = self.line
        return note.read(Parsed(own["tokens"]).children)
