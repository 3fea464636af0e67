"""Rows of a figure: where each fact stands, panel by panel, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.figures.page import POINT, PageFormat
from analysis.figures.select import groups

HEADING = 1.75  # lines that a panel's heading takes
_LINE = 1.38  # of the size of its text, the height of a line of words
_APART = 1.1  # mm between two blocks
_MARKS = 4.0  # mm of a row of marks below its words
_LANE = 1.6  # mm below the marks of a row, for what was published of its value
STATED = 2.5  # mm from the middle of the marks down to it


@dataclass(frozen=True)
class Rows:
    """Facts with their places: ``frame`` has a row each, ``heights`` are of panels.

    ``panel`` counts from 1 and ``y`` goes down from 0, the panel's top [mm]. Marks
    centre on ``y`` between ``ymin`` and ``ymax``, and what was published of a value
    stands ``STATED`` below; words stand at ``line_1`` and ``line_2``, and the name of a
    block at ``block_y`` of its first row.
    """

    frame: pl.DataFrame
    heights: tuple[float, ...]
    heading: float
    panels: tuple[pl.DataFrame, ...]

    @property
    def edges(self) -> pl.DataFrame:
        """Top and bottom of each panel, to which its scale of y reaches."""
        numbers = range(1, len(self.heights) + 1)
        ends = [(n, y) for n in numbers for y in (0.0, -self.heights[n - 1])]
        return pl.DataFrame(ends, schema=["panel", "y"], orient="row")


def lay_out(
    frame: pl.DataFrame,
    format: PageFormat,
    by: Sequence[str],
    block: str | None = None,
    lines: int = 1,
    marks: float = 0.0,
    heads: int = 1,
) -> Rows:
    """Places for the rows of a frame, a panel for each group ``by`` columns.

    Rows with the same ``block`` stand together under its name. On a phone words stand
    above their marks, in ``lines`` lines; elsewhere beside them. ``marks`` is the
    height of a row of marks, where the format's own does not do [mm]; ``heads`` are the
    lines of a panel's heading.
    """
    line = format.text * POINT * _LINE
    heading = line * (HEADING + heads - 1)
    rows: list[dict[str, Any]] = []
    heights, panels = [], []
    for number, (_, part) in enumerate(groups(frame, *by), 1):
        top, before = heading + 0.6, None
        for row in part.to_dicts():
            first = block is not None and row[block] != before
            top += _APART if first and before is not None else 0.0
            before = row[block] if block else None
            own = 1 if row["record"] == "stated" else lines
            placed = _place(row, number, top, format, line, own, first, marks)
            top = placed.pop("bottom")
            rows.append(placed)
        heights.append(top + 0.6)
        panels.append(part)
    # A column that nothing is known of keeps its kind: of one run each, no interval is.
    known = {name: kind for name, kind in frame.schema.items() if name in rows[0]}
    return Rows(
        pl.DataFrame(rows, infer_schema_length=None, schema_overrides=known),
        tuple(heights),
        heading,
        tuple(panels),
    )


def _place(
    row: dict[str, Any],
    panel: int,
    top: float,
    format: PageFormat,
    line: float,
    lines: int,
    first: bool,
    marks: float,
) -> dict[str, Any]:
    """One row with its places; ``bottom`` is where the next one begins."""
    above = line if first and format.stacked else 0.0
    begin = top + above
    if format.stacked:
        words = [begin + line * (i + 0.5) for i in range(lines)]
        high, start = marks or _MARKS, begin + line * lines
    else:
        high, start = marks or format.row, begin
        words = [start + high / 2] * lines
    lane = _LANE if row["record"] == "fact" and row.get("stated") is not None else 0.0
    return row | {
        "panel": panel,
        "first": first,
        "y": -(start + high / 2),
        "ymin": -(start + high + lane),
        "ymax": -start,
        "line_1": -words[0],
        "line_2": -words[-1],
        "block_y": -(top + line / 2 if format.stacked else start + high / 2),
        "bottom": start + high + lane + (1.0 if format.stacked else 0.0),
    }
