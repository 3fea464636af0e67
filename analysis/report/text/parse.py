"""From a Markdown text to its tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from markdown_it.token import Token

from analysis.report.text.grammar import NONE, make_grammar
from analysis.report.text.tree import INDENT, Node, Tree, with_captions

_GRAMMAR = make_grammar()
_BLOCKS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "bullet_list_open": "bullet list",
    "ordered_list_open": "numbered list",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "div_open": "div",
    "table_open": "table",
    "tr_open": "row",
    "th_open": "cell",
    "td_open": "cell",
    "dl_open": "definition list",
    "dt_open": "term",
    "dd_open": "definition",
    "footnote_reference_open": "note",
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
    "link_open": "link",
    "image": "image",
    "span_open": "span",
    "citation": "citation",
    "footnote_ref": "note mark",
}
_THROUGH = ("thead_open", "tbody_open", "em_open", "strong_open")


def parse(text: str, lines: Sequence[int] = (), source: str = "") -> Tree:
    """The tree of a Markdown text.

    Where it was made from another, ``lines`` has the line there of each of its lines.
    """
    environment: dict[str, Any] = {}
    tokens = _GRAMMAR.parse(text, environment)
    lines = lines or range(1, text.count("\n") + 2)
    builder = _Builder(tokens, environment, text, lines)
    blocks = with_captions(tuple(builder.blocks(len(tokens))))
    links = tuple(
        (lines[link["map"][0]], link["href"], link["title"])
        for link in environment.get("references", {}).values()
    )
    return Tree(source or text, blocks, links)


class _Builder:
    """Turns the tokens of the parser into nodes, in one pass."""

    def __init__(
        self,
        tokens: list[Token],
        environment: dict[str, Any],
        text: str,
        lines: Sequence[int],
    ) -> None:
        self.tokens, self.place, self.line, self.lines = tokens, 0, 0, lines
        self.notes = environment.get("footnotes", {}).get("list", {})
        self.own = text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.own)]

    def blocks(self, end: int) -> Iterator[Node]:
        """The blocks up to the end of what holds them."""
        while self.place < end:
            token = self.tokens[self.place]
            if token.type.endswith("_close"):
                return
            self.place += 1
            if token.map:
                self.line = token.map[0]
            if token.type == "inline":
                yield from self._spans(token)
            elif token.type in _THROUGH:
                yield from self.blocks(end)
                self.place += 1
            else:
                yield self._block(token, end)

    def _block(self, token: Token, end: int) -> Node:
        first, last = token.map or (self.line, self.line + 1)
        level = int(token.tag[1]) if token.type == "heading_open" else 0
        children: tuple[Node, ...] = ()
        if token.nesting == 1:
            children = tuple(self.blocks(end))
            self.place += 1
        return Node(
            _BLOCKS.get(token.type, token.type),
            self.lines[first],
            self.lines[max(last, first + 1) - 1],
            words=token.content or token.meta.get("label", ""),
            mark=self._mark(token),
            level=level,
            attributes=token.meta.get("attributes", NONE),
            children=children,
        )

    def _mark(self, token: Token) -> str:
        if token.type == "tr_open":
            head = self.tokens[self.place - 2].type == "thead_open"
            return "head" if head else ""
        if token.type == "code_block":
            return INDENT
        return token.info if token.type == "fence" else token.markup

    def _spans(self, token: Token) -> list[Node]:
        own = token.children or []
        starts = list(self._starts(token.content))
        return _Spans(own, token.content, self.line, self, starts).read()

    def _starts(self, words: str) -> Iterator[tuple[int, int]]:
        """Where each line of a block's words begins in them, and in the text."""
        at = 0
        for line, own in enumerate(words.split("\n"), self.line):
            column = self.own[line].rfind(own) if line < len(self.own) else -1
            if column >= 0:
                yield at, self.starts[line] + column
            at += len(own) + 1


class _Spans:
    """The spans of one block, each with its line."""

    def __init__(
        self,
        tokens: list[Token],
        text: str,
        first: int,
        builder: _Builder,
        starts: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.tokens, self.text, self.first, self.builder = tokens, text, first, builder
        self.place, self.line, self.read_to, self.starts = 0, first, 0, starts

    def read(self) -> list[Node]:
        """The spans up to the end of what holds them."""
        found: list[Node] = []
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            if token.type in ("link_close", "span_close"):
                return found
            self.place += 1
            if "at" in token.meta:
                if token.type != "text":  # of words it is where they end
                    self.read_to = token.meta["at"]
                self.line = self._line(token.meta["at"])
            if token.type == "attributes" and found:
                own = token.meta["attributes"]
                found[-1] = replace(found[-1], attributes=own)
            elif token.type in _SPANS:
                found.append(self._span(token))
            if token.type in ("softbreak", "hardbreak"):
                self.line += 1
            elif "end" in token.meta:
                self.read_to = token.meta["end"]
                self.line = self._line(self.read_to)
        return found

    def _start(self, token: Token) -> int:
        """Where words begin in the text, which has marks between them alone."""
        if token.type != "text":
            return -1
        at = self.text.find(token.content, self.read_to)
        if at < 0:
            return -1
        self.read_to = at + len(token.content)
        before = [line for line in self.starts if line[0] <= at]
        return before[-1][1] + at - before[-1][0] if before else -1

    def _line(self, at: int) -> int:
        return self.first + self.text.count("\n", 0, at)

    def _span(self, token: Token) -> Node:
        line, kind, words = self.line, _SPANS[token.type], token.content
        mark, start = token.markup, self._start(token)
        children: list[Node] = []
        if kind == "link":
            words, mark = str(token.attrs["href"]), str(token.attrs.get("title", ""))
        elif kind == "image":
            words = str(token.attrs["src"])
        elif kind == "note mark":
            words, children = token.meta.get("label", ""), self._note(token)
        if token.nesting == 1:
            children = self.read()
            self._close()
        lines = self.builder.lines
        return Node(
            kind,
            lines[line],
            lines[self.line],
            words,
            mark,
            at=token.meta.get("at", -1),
            start=start,
            children=tuple(children),
        )

    def _close(self) -> None:
        for token in self.tokens[self.place : self.place + 1]:
            if "end" in token.meta:
                self.read_to = token.meta["end"]
                self.line = self._line(self.read_to)
        self.place += 1

    def _note(self, token: Token) -> list[Node]:
        """The spans of a note that stands where it is meant."""
        if "label" in token.meta:
            return []
        own = self.builder.notes[token.meta["id"]]
        return _Spans(own["tokens"], own["content"], self.line, self.builder).read()
