"""The paragraphs of a text, each with its words and what its expressions printed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analysis.report.language.printed import Printed
from analysis.report.text.characters import PRINTED, reader_text
from analysis.report.text.tree import FIRST_MARK, LEAVES, Node, Tree

_MARK = re.compile(f"[{chr(FIRST_MARK)}-{chr(sys.maxunicode)}]")
_STARTS = "-+*#>0123456789.)"  # what begins a line of Markdown


@dataclass(frozen=True)
class Paragraph:
    """A paragraph or an item of a list: its first line, its source, what it prints.

    ``words`` are what a reader reads of it, line for line, in plain letters and digits:
    headings, footnotes, titles of links and code as well. A citation is its key after
    an @, code of several words stands in backquotes, and what an expression prints is
    one character, :data:`analysis.report.text.characters.PRINTED`.
    """

    line: int
    source: str
    words: str
    printed: tuple[Printed, ...]

    @property
    def keys(self) -> set[str]:
        """The keys of the facts that the paragraph prints."""
        return {key for printed in self.printed for key in printed.keys}

    @property
    def start(self) -> str:
        """The first words, by which a person finds the paragraph."""
        words = bare(self.source).split()
        first = words[1:] if words and not words[0].strip(_STARTS) else words
        return " ".join(first[:6])


_MARKS = str.maketrans("", "", "*_`[]")
_ATTRIBUTES = re.compile(r"\]\{[^{}]*\}")


def bare(source: str) -> str:
    """A text without its marks, attributes and expressions."""
    return _ATTRIBUTES.sub("", without_expressions(source)).translate(_MARKS)


def paragraphs(tree: Tree, printed: Iterable[Printed] = ()) -> Iterator[Paragraph]:
    """The paragraphs and items of the outer lists of a text, in order."""
    printed, words = list(printed), _words(tree)
    for first, end in _spans(tree):
        read = "\n".join(words.get(line, "") for line in range(first, end + 1))
        yield Paragraph(
            first,
            "\n".join(tree.lines[first - 1 : end]),
            reader_text(read),
            tuple(p for p in printed if first <= p.line <= end),
        )


def _spans(tree: Tree) -> Iterator[tuple[int, int]]:
    """The first and last line of each paragraph: blank lines and items part them."""
    lists = (block for block in tree.blocks if block.kind.endswith(" list"))
    items = {item.line for block in lists for item in block.children}
    code = {
        line
        for node in tree.walk()
        if node.kind == "code block"
        for line in range(node.line + 1, node.last + 1)
    }
    start = 0
    for line, source in enumerate([*tree.lines, ""], 1):
        blank = not source.strip() and line not in code
        if start and (blank or line in items):
            yield start, line - 1
            start = 0
        if not blank and not start:
            start = line


def _words(tree: Tree) -> dict[int, str]:
    """What a reader reads on each line."""
    found: dict[int, str] = {}
    for leaf in tree.walk():
        if leaf.kind == "numbered list":
            first = tree.lines[leaf.line - 1].split()[0].rstrip(".)")
            found[leaf.line] = "" if first in ("0", "1") else f"{first} "
        elif leaf.kind == "code block":
            for line, words in enumerate(leaf.words.split("\n"), leaf.line + 1):
                found[line] = found.get(line, "") + _code(words)
        elif leaf.kind in (*LEAVES, "cell"):
            for child in leaf.children:
                for line, words in _read(child):
                    found[line] = found.get(line, "") + words
            found[leaf.last] = found.get(leaf.last, "") + _end(leaf)
    for line, _, title in tree.links:
        found[line] = found.get(line, "") + title
    return found


def _end(leaf: Node) -> str:
    """What parts the words of a block from those of the next one on its line."""
    return " | " if leaf.kind == "cell" else " "


def _read(node: Node) -> Iterator[tuple[int, str]]:
    if node.kind == "citation":
        yield node.line, f"@{node.words}"
    elif node.kind in ("words", "character"):
        yield node.line, _printed(node.words)
    elif node.kind == "code":
        yield node.line, _code(node.words)
    elif node.kind == "link" and node.mark:
        yield node.line, f"({node.mark}) "
    elif node.kind == "note mark" and node.children:
        yield node.line, " "
    for child in node.children:
        yield from _read(child)


def _printed(words: str) -> str:
    return _MARK.sub(PRINTED, words)


def _code(words: str) -> str:
    """Code as a reader reads it: a single word or number is one like any other."""
    bare = words.strip()
    plain = bare.isalpha() or not any(c.isalpha() for c in bare)
    return _printed(f" {bare} " if plain else f"`{bare}`")


def without_expressions(source: str) -> str:
    """A text as its author wrote it, … for each expression."""
    first, *others = source.split("{{")
    return first + "".join(f"…{part.partition('}}')[2]}" for part in others)
