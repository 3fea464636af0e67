"""What reviewed text may not hold, by kinds of nodes: raw HTML, scripts, files; and
what spans, links and attributes may not be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from analysis.declared.mistakes import did_you_mean
from analysis.errors import Fix, Issue, Place
from analysis.files.limits import TITLE_CHARACTERS, TITLE_WORD
from analysis.report.text.characters import fit_for, unfit
from analysis.report.text.grammar import Attributes
from analysis.report.text.tree import (
    FIRST_MARK,
    INDENT,
    LEAVES,
    Node,
    Tree,
    parse,
    shown,
)

_TEX = re.compile(r"\\[A-Za-z]+|\$\$|\$\S(?:[^$]*\S)?\$(?!\d)")
_TAG = re.compile("</?[A-Za-z!?][^>\n]*>?")  # also one that no reader takes for a tag
_PLACES = ("https://", "http://", "mailto:", "#")
_SCRIPTS = ("javascript:", "vbscript:")
_TONES = ("note", "tip", "warning", "caution", "important")
_VERDICTS = ("improved", "regressed", "comparable", "inconclusive", "predicted")
SLIDE_CLASSES = {"agenda", "divider", "backup", "notes"}
CLASSES = {
    *SLIDE_CLASSES,
    "unnumbered",
    "unchecked",
    "verdict",
    *_VERDICTS,
    *(f"callout-{tone}" for tone in _TONES),
}
# What expressions print has these.
OWN = {"value", "average"}
PLAIN = "write plain Markdown; both formats are made from it"
STYLED = 'write {claim="…"}, {.callout-note}, {.unnumbered}, {#sec-…} or {#tbl-…}'
_LAYOUT = re.compile(r"\.?(panel|layout|columns?)\b")
_BELOW = "write its parts below each other: a review reads from top to bottom"
CLAIM = ("claim", "study")  # what a span may say: a claim, and of which study it is
LOOSE = "write it at the end of a caption, ': Caption. {#tbl-…}', below the table"
_BAR = "write \\| among words without `, or put the code below the table"
_ELSEWHERE = "a link to something that is neither a web page nor a place in the report"
Refused = tuple[int, str, str, str]  # line, what, the words, mend
_TOLD = 100  # issues of one text
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
    """The same for what an expression prints, in the words of its readers.

    Its tables and their looks are the program's, but what they hold people wrote.
    """
    if output.replace(" ", "").isalnum():
        return []
    tree = parse(output)
    found = [
        (line, *refused[1:])
        for refused in (*_blocks(tree), *check_links(tree))
        if refused[3] not in (STYLED, LOOSE)
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
            did_you_mean(cited.words, names),
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


def html(line: int, words: str) -> Refused:
    """Raw HTML is refused by its first line."""
    mend = "write plain Markdown; for a smaller-than sign write \\<"
    return line, "raw HTML", words.partition("\n")[0], mend


def check_leaf(leaf: Node) -> Iterator[Refused]:
    """What may not stand among the words of a paragraph, a heading or a cell."""
    lines, literal = [leaf.line], ""
    for child in leaf.children:
        literal += _literal(child)
        for node in child.walk():
            lines += [node.line + 1] if node.kind == "line end" else []
            yield from _span(node)
            if leaf.kind == "cell" and node.kind == "code" and "|" in node.words:
                yield node.line, "a | in code in a table", node.words, _BAR
            yield from check_attributes(node, node.attributes)
    for found in _TAG.finditer(literal):
        yield html(lines[literal.count("\n", 0, found.start())], found[0])
    for found in _TEX.finditer(literal):
        line = lines[literal.count("\n", 0, found.start())]
        mend = "write the characters themselves, such as µ, × or x²"
        yield line, "LaTeX or an equation", found[0], mend
    start = literal.find("{#tbl-")
    if start >= 0:
        yield _loose(lines[literal.count("\n", 0, start)], literal[start:])


def _literal(node: Node) -> str:
    """The words of a span as they are written, escaped characters as blanks."""
    if node.kind == "words" or (node.kind == "character" and node.words == node.mark):
        return node.words
    if node.kind == "line end":
        return "\n"
    return " " + "".join(_literal(child) for child in node.children) + " "


def _span(node: Node) -> Iterator[Refused]:
    if node.kind == "html":
        yield html(node.line, node.words)
    elif node.kind == "image":
        mend = "declare a figure in study.yaml, and refer to it as @fig-…"
        yield node.line, "a picture", f"![…]({node.words})", mend
    elif node.kind == "link":
        yield from _link(node.line, node.words)
        yield from check_address(node.line, node.words + node.mark)
    elif node.kind == "note mark":
        yield from check_address(node.line, node.words)
    elif node.kind == "character":
        yield from _character(node)
    elif node.kind == "code" and (
        node.attributes.classes
        or node.attributes.named
        or node.attributes.id
        or _executable(node.words)
    ):
        yield node.line, "a raw or executable block", f"`{node.words}`", PLAIN


def check_address(line: int, words: str) -> Iterator[Refused]:
    """No expression is part of an address or a label."""
    if _has_mark(words):
        what = "an expression in an address or a label"
        yield line, what, words, "print it among the words of the text"


def _has_mark(words: str) -> bool:
    return any(ord(character) >= FIRST_MARK for character in words)


def _executable(code: str) -> bool:
    """Whether Quarto would run it: `{python} 1 + 1`."""
    name, end, _ = code.removeprefix("{").partition("} ")
    return code.startswith("{") and bool(end) and name.isalnum()


def _character(node: Node) -> Iterator[Refused]:
    control = node.words == "\ufffd" or unicodedata.category(node.words[0]) == "Cc"
    if node.mark.startswith("&") and (control or any(unfit(node.words))):
        yield node.line, "a control character", node.mark, "delete it"


def check_links(tree: Tree) -> Iterator[Refused]:
    """Addresses that are defined apart from the words that lead there."""
    for line, address, title in tree.links:
        yield from _link(line, address)
        yield from check_address(line, address + title)


def _link(line: int, address: str) -> Iterator[Refused]:
    bare = "".join(address.split()).lower()
    if bare.startswith(_SCRIPTS):
        yield _script(line, address)
    elif not (address.startswith(_PLACES) or _has_mark(address)):
        mend = "begin it with https:// or mailto:, or refer to @fig-…, @sec-… or @tbl-…"
        yield line, _ELSEWHERE, address, mend


def _script(line: int, words: str) -> Refused:
    mend = "leave it out; reports carry no scripts of their authors"
    return line, "a script", words, mend


def _loose(line: int, words: str) -> Refused:
    return line, "the anchor of a table without a table", words, LOOSE


def check_attributes(node: Node, attributes: Attributes) -> Iterator[Refused]:
    """Classes and anchors that are not for texts, and attributes with values."""
    if node.kind == "code":  # is told already
        return
    claims = node.kind == "span" and bool(attributes.value("claim"))
    for name in (*attributes.named, *OWN.intersection(attributes.classes)):
        if name.lower().startswith("on"):
            yield _script(node.line, name)
        elif claims and name.partition("=")[0] in CLAIM:
            yield from check_address(node.line, name)
        else:
            mend = "leave it out; classes, such as {.callout-note}, and ids are enough"
            if name.startswith("title="):
                mend = "begin the note with its title as a heading: ## Title"
            mend = _BELOW if _LAYOUT.match(name) else mend
            yield node.line, "an attribute with a value", name, mend
    known = CLASSES | OWN
    unknown = [f".{name}" for name in attributes.classes if name not in known]
    anchor = attributes.id
    if anchor.startswith("tbl-") and node.kind != "caption":
        yield _loose(node.line, f"#{anchor}")
    elif anchor and not _is_anchor(anchor):
        unknown.append(f"#{anchor}")
    if "unchecked" in attributes.classes and (anchor or len(attributes.classes) > 1):
        unknown.append(".unchecked with others")
    for words in unknown:
        what = "a class or an anchor that is not for texts"
        yield node.line, what, words, _BELOW if _LAYOUT.match(words) else STYLED


def _is_anchor(anchor: str) -> bool:
    name = anchor.partition("-")[2]
    plain = "".join(c for c in name if c not in "_:.-")
    return anchor.startswith(("sec-", "tbl-")) and plain.isalnum()
