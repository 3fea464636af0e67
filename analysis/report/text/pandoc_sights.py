"""What Pandoc sees in a text: its JSON tree as a plain list."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.report.text.grammar import Attributes
from analysis.report.text.tree import FIRST_MARK, shown

_INLINES = ("Emph", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps")
_LEAVES = {"Para": "paragraph", "Plain": "paragraph", "LineBlock": "line block"}
_NEITHER = re.compile(rf"[^\w{chr(FIRST_MARK)}-{chr(sys.maxunicode)}]|_")
_LISTS = {"BulletList": "bullet list", "OrderedList": "numbered list"}


@dataclass(frozen=True)
class Sight:
    """One thing that a reader of Markdown sees, and on which line it begins."""

    what: str
    words: str = ""
    line: int = 0

    @cached_property
    def same(self) -> tuple[str, str]:
        """What two readers have to agree on: of words the letters and digits."""
        if self.what == "words":
            return self.what, _NEITHER.sub("", self.words)
        return self.what, "".join(self.words.split())

    def __str__(self) -> str:
        words = " ".join(self.words.split())[:40]
        return f"{self.what} {shown(words)}" if words else self.what


def told(own: Attributes) -> str:
    """Attributes as one text that two readers of them can compare."""
    classes = " ".join(f".{name}" for name in own.classes)
    return f"{own.id and '#' + own.id} {classes} {' '.join(own.named)}".strip()


def pandoc_sights(blocks: list[Any]) -> Iterator[Sight]:
    """What Pandoc sees in the blocks of a text, in order."""
    for block in blocks:
        yield from _their_block(block["t"], block.get("c"))


def _their_block(kind: str, content: Any) -> Iterator[Sight]:
    if kind in _LEAVES:
        inlines = (
            content if kind != "LineBlock" else [i for line in content for i in line]
        )
        yield from _within(_LEAVES[kind], _their_spans(inlines))
    elif kind == "Header":
        level, own, inlines = content
        told = f"{level} {_their_own(['', *own[1:]])}"
        yield from _within("heading", _their_spans(inlines), told)
    elif kind == "CodeBlock":
        yield Sight("code block", f"{' '.join(content[0][1])} {content[1]}")
    elif kind == "BlockQuote":
        yield from _within("quote", pandoc_sights(content))
    elif kind in _LISTS:
        example = kind == "OrderedList" and content[0][1]["t"] == "Example"
        items = content if kind == "BulletList" else content[1]
        name = "list of examples" if example else _LISTS[kind]
        yield from _within(name, _each("item", map(pandoc_sights, items)))
    elif kind == "DefinitionList":
        yield from _within("definition list", _definitions(content))
    elif kind == "Div":
        yield from _within("div", pandoc_sights(content[1]), _their_own(content[0]))
    elif kind == "Table":
        yield from _within("table", _their_table(content), _their_own(content[0]))
    elif kind == "HorizontalRule":
        yield from _within("rule", iter(()))
    else:
        yield Sight(kind)


def _within(kind: str, inner: Iterator[Sight], words: str = "") -> Iterator[Sight]:
    yield Sight(kind, words)
    yield from inner
    yield Sight(f"the end of a {kind}")


def _each(kind: str, parts: Iterable[Iterator[Sight]]) -> Iterator[Sight]:
    for part in parts:
        yield from _within(kind, part)


def _definitions(content: list[Any]) -> Iterator[Sight]:
    for term, definitions in content:
        yield from _within("term", _their_spans(term))
        yield from _each("definition", map(pandoc_sights, definitions))


def _their_table(content: list[Any]) -> Iterator[Sight]:
    _, (_, caption), _, head, bodies, foot = content
    for block in caption:
        yield from _within("caption", _their_spans(block["c"]))
    rows = [*head[1], *(row for body in bodies for row in (*body[2], *body[3]))]
    for _, cells in (*rows, *foot[1]):
        parts = (_cell(cell[4]) for cell in cells)
        yield from _within("row", _each("cell", parts))


def _cell(blocks: list[Any]) -> Iterator[Sight]:
    if len(blocks) == 1 and blocks[0]["t"] == "Plain":
        return _their_spans(blocks[0]["c"])
    return pandoc_sights(blocks)


def _their_own(own: list[Any]) -> str:
    id, classes, named = own
    values = tuple(f"{name}={value}" for name, value in named)
    return told(Attributes(id, tuple(classes), values))


def _their_spans(inlines: list[Any]) -> Iterator[Sight]:
    for inline in inlines:
        kind, content = inline["t"], inline.get("c")
        if kind == "Str":
            yield Sight("words", content)
        elif kind in _INLINES:
            yield from _their_spans(content)
        elif kind == "Quoted":
            yield from _their_spans(content[1])
        elif kind == "Code":
            yield Sight("code", f"{content[1]} {_their_own(content[0])}")
        elif kind == "Cite":
            yield from _citations(content[0])
        elif kind == "Link":
            yield from _link(*content)
        elif kind == "Span":
            yield from _within("span", _their_spans(content[1]), _their_own(content[0]))
        elif kind == "Note":
            yield from _within("note", pandoc_sights(content))
        elif kind in ("Space", "SoftBreak", "LineBreak"):
            yield Sight("words", " ")
        else:
            yield Sight(kind)


def _citations(cited: list[Any]) -> Iterator[Sight]:
    for citation in cited:
        yield from _their_spans(citation["citationPrefix"])
        yield Sight("citation", citation["citationId"])
        yield from _their_spans(citation["citationSuffix"])


def _link(own: list[Any], inlines: list[Any], target: list[str]) -> Iterator[Sight]:
    classes = [name for name in own[1] if name not in ("uri", "email")]
    told = f"{target[0]} {_their_own([own[0], classes, own[2]])}"
    yield from _within("link", _their_spans(inlines), told)
