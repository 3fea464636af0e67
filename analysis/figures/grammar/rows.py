"""Figures of rows: names, marks and numbers side by side, panel by panel.

On a phone, and wherever words leave too little room, they stand above their marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl

from analysis.figures import page
from analysis.figures.grammar.theme import axis_height, plot_of
from analysis.figures.select import groups
from analysis.figures.sheet import Sheet
from analysis.figures.svg import Panel

GAP = 3.0  # mm between columns
STATED = 2.5  # mm from the middle of the marks down to what was published
_LEAST = 38.0  # mm of marks; where columns leave less, they go above the marks
_PANELS = 2.4  # mm between panels
_EDGE = 1.0  # mm from the edge of a page to marks, as labels of axes are long
_HEADING = 1.75  # lines that a panel's heading takes
_LINE = 1.38  # of the size of its text, the height of a line of words
_BLOCKS = 1.1  # mm between two blocks
_MARKS = 4.0  # mm of a row of marks below its words
_LANE = 1.6  # mm below the marks of a row, for what was published of its value
Row = dict[str, Any]


@dataclass(frozen=True)
class WordColumn:
    """A column of words: the label of a row, or the column of rows that has it, and how
    it is set, in all rows alike or by row.

    One ``of_block`` has a label in the first row of each. On a phone, a column of the
    left side begins its ``line``, and one of the right side ends it. One that ``spans``
    takes the place of all others of its side.
    """

    label: str | Callable[[Row], str]
    side: Literal["left", "right"] = "right"
    ha: Literal["left", "right"] = "left"
    color: str | Callable[[Row], str] = page.INK
    weight: int | Callable[[Row], int] = page.NORMAL
    line: Literal[1, 2] = 1
    of_block: bool = False
    spans: bool = False
    gap: float = GAP

    def width(self, rows: Iterable[Row], format: page.PageFormat) -> float:
        """The width of its widest label [mm]."""
        labels = ((self.text(row), self.look(row)["weight"]) for row in rows)
        widths = (page.text_width(text, format.text, weight) for text, weight in labels)
        return max(widths, default=0.0)

    def text(self, row: Row) -> str:
        """What it says of a row."""
        return (
            (row[self.label] or "") if isinstance(self.label, str) else self.label(row)
        )

    def look(self, row: Row) -> dict[str, Any]:
        """Colour and weight of a row."""
        looks = {"color": self.color, "weight": self.weight}
        return {k: look(row) if callable(look) else look for k, look in looks.items()}


@dataclass(frozen=True)
class Heading:
    """What stands above a panel: its name, and at the right what goes with it."""

    name: str
    aside: str = ""

    def width(self, format: page.PageFormat) -> float:
        """The width of both, side by side [mm]."""
        name = page.text_width(self.name, format.text, page.BOLD)
        return name + GAP + page.text_width(self.aside, format.text)


class RowTable:
    """The rows of a figure in their places, and the columns of their words.

    There is a panel for each group of the rows ``by`` columns, with its ``heading``.
    Rows with the same ``block`` stand together under its name. ``marks`` is the height
    of a row of marks, where the format's own does not do [mm]; ``heads`` are the lines
    of a heading, more where it is too long.

    ``frame`` has a row each with its ``panel`` from 1. Marks centre on ``y``, which
    goes down from 0 at the panel's top [mm], between ``ymin`` and ``ymax``; what was
    published of a value stands ``STATED`` below. Columns ``begins``, ``line_1``,
    ``line_2`` and ``block_y`` place its words. ``panels`` are the rows of each.
    ``room`` is the width that is left for marks [mm].
    """

    def __init__(
        self,
        sheet: Sheet,
        frame: pl.DataFrame,
        columns: Sequence[WordColumn],
        by: Sequence[str],
        heading: Callable[[pl.DataFrame], Heading],
        block: str | None = None,
        marks: float = 0.0,
        heads: int = 1,
    ) -> None:
        self.sheet, format, rows = sheet, sheet.format, frame.to_dicts()
        self.columns = [(column, column.width(rows, format)) for column in columns]
        left, right = self._breadth("left"), self._breadth("right")
        stacked = format.stacked or format.width - left - right < _LEAST
        self.format = format = replace(format, stacked=stacked)
        self.left, self.room = (
            (_EDGE, format.width - 2 * _EDGE)
            if stacked
            else (left, format.width - left - right)
        )
        beside = [(c, width + c.gap) for c, width in self.columns if not c.spans]
        wide = sum(width for column, width in beside if not column.of_block)
        self.lines = 2 if stacked and wide > format.width else 1
        self.line = format.text * page.POINT * _LINE
        self.marks = (marks or (_MARKS if stacked else format.row)) * format.air
        self.panels = [part for _, part in groups(frame, *by)]
        self.headings = [heading(panel) for panel in self.panels]
        self.apart = any(h.width(format) > format.width for h in self.headings)
        self.heading = self.line * (_HEADING + heads - 1 + self.apart)
        self.heights: list[float] = []
        placed = [
            row
            for number, part in enumerate(self.panels, 1)
            for row in self._placed(number, part.to_dicts(), block)
        ]
        # A column that nothing is known of keeps its kind: of one run each, no
        # interval is.
        known = {name: kind for name, kind in frame.schema.items() if name in placed[0]}
        self.frame = pl.DataFrame(
            placed, infer_schema_length=None, schema_overrides=known
        )

    def _breadth(self, side: str) -> float:
        """The width of the columns of a side, with the gaps between them."""
        widths = [(c, width + c.gap) for c, width in self.columns if c.side == side]
        beside = sum(width for column, width in widths if not column.spans)
        return max([beside, *(width for column, width in widths if column.spans)])

    def _placed(self, panel: int, rows: list[Row], block: str | None) -> Iterable[Row]:
        """The rows of a panel with their places; tells the panel's height."""
        stacked, line = self.format.stacked, self.line
        top, before = self.heading + 0.6, None
        for row in rows:
            first = block is not None and row[block] != before
            top += _BLOCKS if first and before is not None else 0.0
            before = row[block] if block else None
            words, marked = top, top
            lines = 1 if row["record"] == "stated" else self.lines
            if stacked:
                words += line if first else 0.0
                marked = words + line * lines
            stated = row["record"] == "fact" and row.get("stated") is not None
            end = marked + self.marks + (_LANE if stated else 0.0)
            middle = marked + self.marks / 2
            one, two = middle, middle
            if stacked:
                one, two = words + line / 2, words + line * (lines - 0.5)
            yield row | {
                "panel": panel, "begins": first, "y": -middle, "ymin": -end,
                "ymax": -marked, "line_1": one, "line_2": two,
                "block_y": top + line / 2 if stacked else middle,
            }  # fmt: skip
            top = end + (1.0 if stacked else 0.0)
        self.heights.append(top + 0.6)

    def draw(self, marks: Sequence[Any], scale: Any, axes: Sequence[int] = ()) -> None:
        """Panels of one number in ``axes`` share the labels of x, which stand below the
        last of them."""
        sheet, right = self.sheet, self.format.width
        numbers = axes or [1] * len(self.heights)
        follow = zip(numbers, [*numbers[1:], 0], strict=True)
        tall = zip(self.heights, self.headings, follow, strict=True)
        x = (self.left, self.left + self.room)
        for number, (height, heading, (axis, next_axis)) in enumerate(tall, 1):
            ticks, top = axis != next_axis, sheet.y
            middle, below = top + self.heading / 2, top + self.heading
            off = self.line / 2 * self.apart
            sheet.text((0.0, middle - off), heading.name, weight=page.BOLD)
            sheet.text(
                (right, middle + off), heading.aside, color=page.SOFT, align="right"
            )
            sheet.line((0.0, below), (right, below), page.RULE, 0.6)
            rows = self.frame.filter(pl.col("panel") == number).to_dicts()
            for place, column, width in self._places():
                self._write(top, rows, column, place, width)
            for row in rows:
                first = min(row["line_1"] - self.line / 2, -row["ymax"])
                keys = row.get("keys", row.get("key")) or ""
                at = (top + first, top - row["ymin"])
                sheet.hit((0.0, right), at, keys, row.get("workload") or "")
            sheet.y = top + height
            sheet.panels.append(Panel(x, (top, sheet.y), ticks, (-height, 0.0)))
            sheet.y += axis_height(self.format) if ticks else 0.0
            sheet.y += _PANELS if next_axis else 0.0
        sheet.plot = plot_of([*marks, scale], self.format)

    def _places(self) -> Iterable[tuple[float, WordColumn, float]]:
        """Where each column begins [mm], and its width; on a phone, in its line."""
        stacked, end = self.format.stacked, self.format.width
        for side, columns in (("left", self.columns), ("right", self.columns[::-1])):
            taken = {1: 0.0, 2: 0.0}
            for column, width in columns:
                if column.side != side:
                    continue
                if column.spans:
                    yield end if stacked else self.left + self.room + GAP, column, 0.0
                elif column.of_block and stacked:
                    yield 0.0, column, width
                else:
                    line = column.line if self.lines > 1 else 1
                    at = taken[line] if side == "left" else end - taken[line] - width
                    taken[line] += width + column.gap
                    yield at, column, width

    def _write(
        self, top: float, rows: list[Row], column: WordColumn, left: float, width: float
    ) -> None:
        """The words of a column in a panel that begins at ``top``."""
        at_end = self.format.stacked and column.side == "right"
        align: Literal["left", "right"] = "right" if at_end else column.ha
        height = "block_y" if column.of_block else f"line_{column.line}"
        for row in rows:
            if column.of_block and not row["begins"]:
                continue
            at = (left + width * (align == "right"), top + row[height])
            self.sheet.text(at, column.text(row), align=align, **column.look(row))
