"""What reviewed text may not hold, by kinds of nodes: raw HTML, scripts, files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from analysis.errors import Fix, Issue, Place
from analysis.files.limits import TITLE_CHARACTERS, TITLE_WORD
from analysis.report.expressions.lookup import nearest
from analysis.report.text.characters import fit_for, unfit
from analysis.report.text.parse import parse
from analysis.report.text.refused_spans import (
    LOOSE,
    OWN,
    PLAIN,
    SLIDE_CLASSES,
    STYLED,
    Refused,
    check_address,
    check_attributes,
    check_leaf,
    check_links,
    html,
)
from analysis.report.text.tree import INDENT, LEAVES, Node, Tree, shown

_TOLD = 100  # issues of one text
# What expressions print begins with these.
_PRINTED = (*OWN, "key=", "keys=", "origin=", "basis=")
_TABLE = "write | between cells and |---| below their heads; for a rule write ***"
_INNER = ("item", "quote", "definition", "note")


def check_tree(tree: Tree, path: Path) -> list[Issue]:
    """Issues of one text: raw HTML, LaTeX or Typst, scripts, files, attributes."""
    return _issues((*_blocks(tree), *check_links(tree)), path)


def check_no_slides(tree: Tree, path: Path) -> list[Issue]:
    """Issues of a text that is none of slides: classes that mean something there."""
    found = (
        (node.line, "a class of slides", f".{name}", "slides have a text of their own")
        for node in tree.walk()
        for name in SLIDE_CLASSES.intersection(node.attributes.classes)
    )
    return _issues(found, path)


def check_output(output: str, path: Path, line: int) -> list[Issue]:
    """The same for what an expression prints; its values have attributes of their own.

    Its tables and their looks are the program's, but what they hold people wrote.
    """
    if output.replace(" ", "").isalnum():
        return []
    tree = parse(output)
    found = [
        (line, *refused[1:])
        for refused in (*_blocks(tree), *check_links(tree))
        if refused[3] not in (STYLED, LOOSE) and not refused[2].startswith(_PRINTED)
    ]
    return _issues(found, path)


def check_characters(text: str, path: Path) -> list[Issue]:
    """Issues of a text with characters that have no meaning, or another than it seems.

    Private characters stand for expressions in a tree, so this comes before it.
    """
    found = sorted(dict.fromkeys(unfit(text)))
    return [
        replace(issue, fixes=(Fix("plain", fit_for(character), typed=character),))
        for issue, (_, _, character, _) in zip(
            _issues(found, path), found, strict=False
        )
    ]


def _issues(found: Iterable[Refused], path: Path) -> list[Issue]:
    return [
        Issue(
            f"{what} in reviewed text: {shown(words.strip()[:40])}",
            Place(str(path), line),
            mend,
        )
        for line, what, words, mend in sorted(dict.fromkeys(found))[:_TOLD]
    ]


def check_references(tree: Tree, path: Path, known: Iterable[str]) -> list[Issue]:
    """Issues of one text: citations and cross-references that lead nowhere."""
    names = sorted(known)
    return [
        Issue(
            f"@{cited.words} refers to nothing",
            Place(str(path), cited.line),
            nearest(cited.words, names),
        )
        for cited in tree.citations
        if cited.words not in names
    ]


def _blocks(tree: Tree) -> Iterator[Refused]:
    waiting: list[tuple[Node, bool]] = [(block, False) for block in tree.blocks]
    while waiting:
        node, inner = waiting.pop()
        yield from _block(node, inner, tree)
        yield from check_attributes(node, node.attributes)
        if node.kind in (*LEAVES, "cell"):
            yield from check_leaf(node)
        else:
            inside = inner or node.kind in _INNER
            waiting += [(child, inside) for child in node.children]


def _block(node: Node, inner: bool, tree: Tree) -> Iterator[Refused]:
    words = tree.lines[node.line - 1]
    if node.kind == "html":
        yield html(node.line, node.words)
    elif node.kind == "code block" and node.mark == INDENT:
        mend = "put ``` before and after code, and begin other lines without blanks"
        yield node.line, "code without a fence", words, mend
    elif node.kind == "note":
        yield from check_address(node.line, node.words)
        if not node.children:
            mend = "write it behind its label, or indent it by four blanks"
            yield node.line, "a footnote without words", words, mend
    elif node.kind == "code block" and not node.mark.strip().replace("-", "").isalnum():
        if node.mark.strip():
            yield node.line, "a raw or executable block", words, PLAIN
    elif node.kind == "rule" and node.mark.startswith("-"):
        if _parted(words):
            yield node.line, "a table that is drawn with lines", words, _TABLE
        else:
            yield _metadata(node.line, words)
    elif node.kind == "heading":
        yield from _heading(node, inner, tree)
    elif node.kind == "paragraph":
        for line in range(node.line, node.last + 1):
            words = tree.lines[line - 1].strip(" \t>")
            if words.startswith(("+-", "+=", "+:")) and words.endswith("+"):
                yield line, "a table that is drawn with lines", words, _TABLE
            elif words.startswith(":::"):
                mend = "put a blank line before the line with its :::"
                yield line, "a box that begins within a paragraph", words, mend
                return


def _heading(node: Node, inner: bool, tree: Tree) -> Iterator[Refused]:
    words = tree.lines[node.line - 1]
    title = "".join(n.words for n in node.walk() if n.kind in ("words", "code"))
    if not node.mark.startswith("#"):
        yield _metadata(node.last, tree.lines[node.last - 1])
    elif inner:
        mend = "write **bold** words, and \\# for the character"
        yield node.line, "a heading in a list or a quote", words, mend
    elif node.level == 1:
        mend = "begin at ## in front and back matter and at ### in a study"
        yield node.line, "a heading of the first level", words, mend
    elif len(title) > TITLE_CHARACTERS:
        mend = f"write {TITLE_CHARACTERS} or fewer characters; contents repeat them"
        yield node.line, "a heading that is too long", words, mend
    elif any(len(word) > TITLE_WORD for word in title.split()):
        mend = f"write words of at most {TITLE_WORD} characters each"
        yield node.line, "a heading with a word that no line holds", words, mend


def _parted(words: str) -> bool:
    """Whether dashes stand in groups, as below the heads of a table."""
    before = words.rstrip().rstrip("-")
    return before.rstrip().endswith("-") and before != before.rstrip()


def _metadata(line: int, words: str) -> Refused:
    what = "a line that could begin metadata or a heading"
    return line, what, words, "for a rule write ***, for a heading ##"
