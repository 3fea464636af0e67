"""The slides of a text: ``##`` begins one, and what follows stands on it.

Classes of a heading say what a slide is for: ``{.agenda}``, ``{.divider}`` or
``{.backup}``. A box of ``{.notes}`` is for the speaker alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from analysis.report.bound import Number
from analysis.report.language.printed import Printed
from analysis.report.tables.blocks import PlacedFigure
from analysis.report.text.texts import Text
from analysis.report.text.tree import Node, parse

AGENDA, DIVIDER, BACKUP, NOTES = "agenda", "divider", "backup", "notes"
# What a size rests on: a slide says it once, beside its title.
_BASIS = re.compile(r"\[\([^\]]*\)\]\{\.basis [^}]*\}")
_ATTRIBUTES = re.compile(r"[ \t]\{[^{}]*\}[ \t]*$")


@dataclass(frozen=True)
class Block:
    """A paragraph, list, table or code of a slide: its Markdown, line and tree.

    ``lines`` are those of the items of a list. ``node`` is None for what is no block
    of a slide, such as a heading within it; ``kind`` says what that is.
    """

    kind: str
    line: int
    markdown: str
    node: Node
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Slide:
    """One slide: its title, what it is for, what stands on it and what is said.

    ``figures`` are ids of figures of the edition, and ``lines`` where they are placed;
    ``numbers`` are those that stand on it.
    """

    path: Path
    line: int
    title: str
    kind: str = ""
    blocks: tuple[Block, ...] = ()
    figures: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    notes: str = ""
    numbers: tuple[Number, ...] = ()

    @property
    def parts(self) -> bool:
        """Whether it begins a part of the talk."""
        return self.kind in (DIVIDER, BACKUP)


def read_slides(text: Text) -> list[Slide]:
    """The slides of a text in order; what stands before the first has no title."""
    found: list[Slide] = []
    ends = [*(block.line for block in text.tree.blocks), len(text.tree.lines) + 2]
    for node, (_, end) in zip(text.tree.blocks, pairwise(ends), strict=True):
        printed = [one for one in text.printed if node.line <= one.line < end]
        if node.kind == "heading" and node.level == 2:
            found.append(_with_numbers(_begun(text, node), printed))
            continue
        last = found.pop() if found else Slide(text.path, node.line, "")
        piece = _piece(text, node.line, end - 1)
        found.append(_with(last, node, piece, printed))
    return found


def _begun(text: Text, node: Node) -> Slide:
    words = _piece(text, node.line, node.last).removeprefix("##")
    title = _ATTRIBUTES.sub("", words).strip()
    kind = next(iter(node.attributes.classes), "")
    return Slide(text.path, node.line, title, kind)


def _with_numbers(slide: Slide, printed: list[Printed]) -> Slide:
    numbers = (number for one in printed for number in one.bound.numbers)
    return replace(slide, numbers=(*slide.numbers, *numbers))


def _with(slide: Slide, node: Node, markdown: str, printed: list[Printed]) -> Slide:
    if node.kind == "div" and node.attributes.classes == (NOTES,):
        inner = markdown.split("\n")[1:-1]  # without the box
        return replace(slide, notes="\n".join([slide.notes, *inner]).strip())
    placed = printed[0].value if len(printed) == 1 else None
    if isinstance(placed, PlacedFigure) and markdown.strip() == str(placed):
        figures, lines = (*slide.figures, placed.id), (*slide.lines, node.line)
        return replace(slide, figures=figures, lines=lines)
    blocks = (*slide.blocks, *_blocks(node, markdown))
    return _with_numbers(replace(slide, blocks=blocks), printed)


def _blocks(node: Node, markdown: str) -> Iterator[Block]:
    """What a block of a text is when its expressions have printed."""
    made = parse(markdown).blocks
    lines = tuple(child.line for child in node.children if child.kind == "item")
    for one in made[:1]:
        yield Block(one.kind, node.line, markdown.strip(), one, lines)


def _piece(text: Text, first: int, last: int) -> str:
    """What begins on some lines of a text's file, as Pandoc reads it."""
    numbers = text.marked.lines
    lines = range(bisect_left(numbers, first), bisect_right(numbers, last))
    return _BASIS.sub("", text.markdown(lines=lines))
