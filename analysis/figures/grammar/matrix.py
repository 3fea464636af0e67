"""Rows of names beside several columns of marks, each with an axis of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import polars as pl
from plotnine import ggplot, scale_x_continuous

from analysis.figures.grammar.changes import change_scale
from analysis.figures.grammar.columns import GAP, Heading, RowTable, WordColumn
from analysis.figures.grammar.compose import (
    Composed,
    dress,
    label_cell,
    rule,
    word_layer,
)
from analysis.figures.grammar.rows import Rows
from analysis.figures.grammar.theme import wrapped
from analysis.figures.page import BOLD, NORMAL, POINT, PageFormat, Words, wrap
from analysis.figures.palette import INK, SOFT

_NAMED = 0.29  # of the width of a page, for the names of rows
_STEP = 11.0  # mm between two labels of an axis
_LEADING = 1.15  # of the size of the text
_ROW = 4.7  # mm, of a row of one line
_AROUND = 1.7  # mm above and below the words of a row


def compose_matrix(
    frame: pl.DataFrame,
    names: Sequence[str],
    headings: Sequence[Heading],
    words: Words,
    format: PageFormat,
    marks: Callable[[pl.DataFrame], list[Any]],
) -> Composed:
    """A row for each of the names, a column of marks for each metric.

    ``frame`` has ``name``, ``metric``, ``threshold``, ``value`` and ``worst``, and may
    have ``told``, words in place of marks; ``marks`` draws the rows of a metric, which
    have their places.
    """
    room = format.width * _NAMED
    metrics = frame["metric"].unique(maintain_order=True).to_list()
    width = (format.width - room) / len(metrics)
    lines = {name: wrap(name, room - GAP, format.small) for name in names}
    heads = [
        [*wrap(h.name, width - GAP, format.small, BOLD), h.aside] for h in headings
    ]
    line = format.small * POINT * _LEADING
    rows = _places(lines, line, max(map(len, heads)) * line + 1.0)
    table = RowTable(
        rows, [WordColumn(lambda _: "", "left")], headings, words, format, [1]
    )
    plots = [_names(rows, lines, line, table)]
    for metric, head in zip(metrics, heads, strict=True):
        own = frame.filter(pl.col("metric") == metric)
        placed = rows.frame.join(own, on="name", how="left", maintain_order="left")
        cells = _head_cells(head, line, rows.heading) + _told(placed, width, table)
        top = word_layer(cells, table, format.small)
        drawn: list[Any] = [rule(table), *marks(placed), top]
        scale = change_scale(frame, width, _STEP)
        plots.append(dress(ggplot(), table, drawn, scale, True))
    widths = (room, *[width] * len(metrics))
    return Composed(reduce(or_, plots), sum(rows.heights), widths)


def _names(
    rows: Rows, lines: dict[str, list[str]], line: float, table: RowTable
) -> ggplot:
    """The panel of the names of the rows."""
    told = [
        label_cell(1, row["y"] + shift, 0.0, text, INK, NORMAL, "left")
        for row in rows.frame.to_dicts()
        for text, shift in _spread(lines[row["name"]], line)
    ]
    fixed = scale_x_continuous(limits=(0, 1), breaks=[], expand=(0, 0))
    layers = [word_layer(told, table, table.format.small), rule(table)]
    named = wrapped(table.words, table.format)
    return dress(ggplot(), table, layers, fixed, False, named)


def _told(rows: pl.DataFrame, width: float, table: RowTable) -> list[dict[str, Any]]:
    """The words that rows have in place of marks."""
    if "told" not in rows.columns:
        return []
    format = table.format
    step = format.text * POINT * _LEADING
    return [
        label_cell(1, row["y"] + shift, 0.0, text, SOFT, NORMAL, "left")
        for row in rows.drop_nulls("told").to_dicts()
        for text, shift in _spread(wrap(row["told"], width - GAP, format.text), step)
    ]


def _places(lines: dict[str, list[str]], line: float, heading: float) -> Rows:
    """Rows as high as their words; their tops go down from the heading."""
    top, found = heading + 0.6, []
    for name, words in lines.items():
        high = max(_ROW, len(words) * line + _AROUND)
        ends = {"y": -(top + high / 2), "ymin": -(top + high), "ymax": -top}
        found.append({"name": name, "panel": 1, "line_1": 0, "line_2": 0} | ends)
        top += high
    frame = pl.DataFrame(found)
    return Rows(frame, (top + 0.6,), heading, (frame,))


def _spread(words: Sequence[str], line: float) -> list[tuple[str, float]]:
    """Lines with how far each stands above the middle of its row [mm]."""
    middle = (len(words) - 1) / 2
    return [(text, (middle - i) * line) for i, text in enumerate(words)]


def _head_cells(
    words: Sequence[str], line: float, heading: float
) -> list[dict[str, Any]]:
    """The name of a metric, and below it which way is better."""
    first = heading - 1.0 - len(words) * line
    last = len(words) - 1
    return [
        label_cell(
            1,
            -(first + (i + 0.5) * line),
            0.0,
            text,
            SOFT if i == last else INK,
            NORMAL if i == last else BOLD,
            "left",
        )
        for i, text in enumerate(words)
    ]
