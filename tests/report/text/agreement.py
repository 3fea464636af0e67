"""Whether Pandoc reads in a text that was written what our grammar reads in the typed.

Both trees become a list of what a reader sees: blocks, links, code, notes, citations
and words, of which letters and digits count.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.programs.child import pandoc_program, run_child
from analysis.report.text.grammar import Attributes
from analysis.report.text.tree import FIRST_MARK, LEAVES, Node, Tree, shown
from analysis.report.text.write import READER

_SCRIPT = Path(__file__).with_name("read.lua")
_DEEP = 20  # notes within notes
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


def pandoc_trees(texts: Sequence[str]) -> list[Any]:
    """The trees that Pandoc makes of texts, in one call of it."""
    if not texts:
        return []
    command = [pandoc_program(), "lua", str(_SCRIPT), READER]
    done = run_child(command, Path.cwd(), json.dumps(texts).encode())
    assert done.code == 0, done.errors
    found: list[Any] = json.loads(done.output)
    return found


def difference(tree: Tree, pandoc: Any) -> str:
    """Where Pandoc's tree of a text is another than ours: what it sees instead of what;
    empty where both are alike."""
    if pandoc["meta"]:
        return "metadata"
    found = _difference(list(_ours(tree)), list(pandoc_sights(pandoc["blocks"])))
    return f"{found[1]} instead of {found[0]}" if found else ""


_END = Sight("the end of the text")


def _difference(ours: list[Sight], theirs: list[Sight]) -> tuple[Sight, Sight] | None:
    """The first that differs of what two readers see; words may come in pieces."""
    here, there = iter(_bare(ours)), iter(_bare(theirs))
    mine, yours = next(here, _END), next(there, _END)
    while mine.same == yours.same or "words" == mine.what == yours.what:
        if mine is _END:
            return None
        one, other = mine.same[1], yours.same[1]
        if mine.what == "words" and one != other:
            if one.startswith(other):
                mine, yours = replace(mine, words=one[len(other) :]), next(there, _END)
            elif other.startswith(one):
                mine, yours = next(here, _END), replace(yours, words=other[len(one) :])
            else:
                break
        else:
            mine, yours = next(here, _END), next(there, _END)
    while mine.what.startswith("the end of a ") and yours.what == "words":
        mine = next(here, _END)  # what begins here is no block to Pandoc
    return mine, yours


def _bare(sights: list[Sight]) -> Iterator[Sight]:
    return (sight for sight in sights if sight.what != "words" or sight.same[1])


def _ours(tree: Tree) -> Iterator[Sight]:
    for block in tree.blocks:
        yield from _block(block, tree.notes, 0)


def _block(node: Node, notes: dict[str, Node], depth: int) -> Iterator[Sight]:
    kind, line = node.kind, node.line
    if kind == "note":  # is seen where it is meant
        return
    if kind == "code block":
        yield Sight(kind, f"{node.mark.lower()} {node.words}", line)
        return
    own = told(node.attributes)
    if kind == "table":
        own = told(node.children[0].attributes)
    elif kind == "heading":  # Pandoc makes one up where there is none
        own = f"{node.level} {told(replace(node.attributes, id=''))}"
    yield Sight(kind, own if kind in ("table", "heading", "div") else "", line)
    for child in node.children:
        if kind in LEAVES or kind == "cell":
            yield from _span(child, notes, depth)
        else:
            yield from _block(child, notes, depth)
    yield Sight(f"the end of a {kind}", line=node.last)


def _span(node: Node, notes: dict[str, Node], depth: int) -> Iterator[Sight]:
    kind, line = node.kind, node.line
    if kind in ("words", "character"):
        yield Sight("words", node.words, line)
    elif kind in ("code", "citation", "image", "html"):
        yield Sight(kind, f"{node.words} {told(node.attributes)}", line)
    elif kind in ("link", "span"):
        yield Sight(kind, f"{node.words} {told(node.attributes)}", line)
        for child in node.children:
            yield from _span(child, notes, depth)
        yield Sight(f"the end of a {kind}", line=node.last)
    elif kind == "note mark" and depth < _DEEP:
        yield Sight("note", line=line)
        if node.words:
            for child in notes[node.words].children:
                yield from _block(child, notes, depth + 1)
        else:
            yield Sight("paragraph", line=line)
            for child in node.children:
                yield from _span(child, notes, depth + 1)
            yield Sight("the end of a paragraph", line=line)
        yield Sight("the end of a note", line=line)


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
