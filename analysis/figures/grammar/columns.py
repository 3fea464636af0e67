"""Columns of words beside marks: what they say, how wide they are, what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import polars as pl

from analysis.figures.grammar.rows import Rows
from analysis.figures.grammar.theme import around, axis_height
from analysis.figures.page import (
    NORMAL,
    PageFormat,
    Words,
    text_width,
)
from analysis.figures.palette import INK

_LEAST = 38.0  # mm of marks; where columns leave less, they go above the marks
GAP = 3.0  # mm between columns
_APART = 2.4  # mm between panels
Row = dict[str, Any]


@dataclass(frozen=True)
class WordColumn:
    """A column of words: the label of a row, and how it is set.

    One of blocks has a label in the first row of each. On a phone, a column of the
    left side begins its ``line``, and one of the right side ends it.
    """

    label: Callable[[Row], str]
    side: Literal["left", "right"] = "right"
    ha: Literal["left", "right"] = "left"
    color: Callable[[Row], str] = lambda _: INK
    weight: Callable[[Row], int] = lambda _: NORMAL
    line: Literal[1, 2] = 1
    of_block: bool = False
    spans: bool = False
    tight: bool = False
    url: Callable[[Row], str] = lambda _: ""

    @property
    def gap(self) -> float:
        """The room to the next column [mm]."""
        return 1.2 if self.tight else GAP

    def width(self, rows: Iterable[Row], format: PageFormat) -> float:
        """The width of its widest label [mm]."""
        labels = ((self.label(row), self.weight(row)) for row in rows)
        widths = (text_width(text, format.text, weight) for text, weight in labels)
        return max(widths, default=0.0)


@dataclass(frozen=True)
class Heading:
    """What stands above a panel: its name, and at the right what goes with it."""

    name: str
    aside: str = ""


@dataclass(frozen=True)
class RowTable:
    """The words of a figure of rows, and the format for which they are set."""

    rows: Rows
    columns: Sequence[WordColumn]
    headings: Sequence[Heading]
    words: Words
    format: PageFormat
    axes: Sequence[int]
    widths: dict[int, float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        told = self.rows.frame.to_dicts()
        for i, column in enumerate(self.columns):
            self.widths[i] = column.width(told, self.format)

    def side(self, side: str) -> list[tuple[int, WordColumn]]:
        """The columns of a side with their numbers."""
        return [(i, c) for i, c in enumerate(self.columns) if c.side == side]

    def breadth(self, side: str) -> float:
        """The width of the columns of a side, with the gaps between them."""
        own = self.side(side)
        beside = sum(self.widths[i] + c.gap for i, c in own if not c.spans)
        return max([beside, *(self.widths[i] + GAP for i, c in own if c.spans)])

    @property
    def in_lines(self) -> bool:
        """Whether the words of a row stand in two lines, as one is too short."""
        frame = self.rows.frame
        return self.format.stacked and bool((frame["line_1"] != frame["line_2"]).any())

    @property
    def room(self) -> float:
        """The width that is left for marks [mm]."""
        if self.format.stacked:
            return self.format.width
        taken = self.breadth("left") + self.breadth("right")
        return self.format.width - taken

    @property
    def spacing(self) -> float:
        """The height between two panels [mm]."""
        own = len(set(self.axes)) > 1
        return _APART + (axis_height(self.format) if own else 0.0)

    @property
    def height(self) -> float:
        """The height of the figure [mm]."""
        between = self.spacing * (len(self.rows.heights) - 1)
        below = axis_height(self.format)
        return (
            around(self.words, self.format) + sum(self.rows.heights) + between + below
        )


def fitting(
    frame: pl.DataFrame, columns: Sequence[WordColumn], format: PageFormat
) -> tuple[PageFormat, int]:
    """How columns are set: beside the marks if these have room, else above them.

    Gives the format, and the lines of words of a row: two where one is too short.
    """
    rows = frame.to_dicts()
    widths = [(c, c.width(rows, format) + c.gap) for c in columns if not c.spans]
    says = max([0.0, *(c.width(rows, format) + GAP for c in columns if c.spans)])
    left = sum(width for c, width in widths if c.side == "left")
    right = max(says, sum(width for c, width in widths if c.side == "right"))
    stacked = format.stacked or format.width - left - right < _LEAST
    wide = sum(width for c, width in widths if not c.of_block)
    two = stacked and wide > format.width
    return replace(format, stacked=stacked), 2 if two else 1
