"""How much room the words of a slide take, in characters of an average width."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable

from analysis.report.slides.slide import Block
from analysis.report.text.parse import parse
from analysis.report.text.tree import Node

LISTS = ("bullet list", "numbered list")
# Characters are as wide as small letters of the typeface on average.
_CAPITALS = map(chr, range(ord("A"), ord("Z") + 1))
_WIDE = {**dict.fromkeys(_CAPITALS, 1.3), **dict.fromkeys("mwMW@%\u2014\u2026", 2.0)}
_SAID = ("words", "code", "character")


def width(words: str) -> float:
    """How wide words are, in characters."""
    return sum(_WIDE.get(one, float(_cells(one))) for one in words)


def cells(line: str) -> int:
    """How many places a line of code takes, tabs included."""
    return sum(map(_cells, line.expandtabs(8)))


def _cells(character: str) -> int:
    """Two for what East Asian scripts and pictures take, one for all else."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def plain(markdown: str) -> str:
    """The words of Markdown as a reader reads them."""
    return " ".join(map(plain_words, parse(markdown).blocks)).strip()


def plain_words(node: Node) -> str:
    """The words of a node as a reader reads them."""
    between = ("line end", "paragraph", "cell")
    return "".join(
        one.words if one.kind in _SAID else " " if one.kind in between else ""
        for one in node.walk()
    ).strip()


def texts(blocks: Iterable[Block]) -> list[Block]:
    """The bullets and paragraphs among the blocks of a slide."""
    return [block for block in blocks if block.kind in (*LISTS, "paragraph")]


def lines(blocks: Iterable[Block], length: int) -> int:
    """How many lines of ``length`` characters bullets and paragraphs need."""
    words = [
        plain_words(node)
        for block in texts(blocks)
        for node in (block.node.children if block.kind in LISTS else (block.node,))
    ]
    return sum(max(1, math.ceil(width(text) / length)) for text in words)
