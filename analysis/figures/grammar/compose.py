"""Names, marks and numbers side by side: panels that share their rows.

plotnine gives the panels of a composition equal widths. Ours are as wide as their
words, so a :class:`Composed` tells the widths, which are set after it is laid out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from plotnine import (
    aes,
    ggplot,
    labs,
    scale_color_identity,
    scale_fill_identity,
    scale_x_continuous,
    scale_y_continuous,
)
from plotnine.composition import Compose

from analysis.figures.grammar.columns import GAP, RowTable, WordColumn
from analysis.figures.grammar.facets import facet_panels
from analysis.figures.grammar.geoms import geom_rule, geom_words
from analysis.figures.grammar.theme import theme_report, wrapped
from analysis.figures.page import BOLD, NORMAL
from analysis.figures.palette import INK, SOFT

_OWN = 0.9  # of the room for marks, that the panel of marks has at least
_CELLS = ("panel", "y", "place", "label", "color", "fontweight", "ha", "url")


@dataclass(frozen=True)
class Composed:
    """A figure ready to be drawn.

    ``height`` is that of all panels of a column, and ``widths`` those of the columns,
    if it has several [mm].
    """

    plot: ggplot | Compose
    height: float
    widths: tuple[float, ...] = ()


def compose(table: RowTable, marks: Sequence[Any], scale: Any) -> Composed:
    """The figure: names | marks | numbers, or on a phone one above the other."""
    named = wrapped(table.words, table.format)
    base = ggplot(table.rows.frame.to_pandas(), aes(y="y"))
    if table.format.stacked:
        cells = [*_headings(table, "left"), *_headings(table, "right")]
        cells += [cell for side in ("left", "right") for cell in _cells(table, side)]
        layers = [rule(table), *marks, word_layer(cells, table)]
        plot = dress(base, table, layers, scale, True, named)
        return Composed(plot, sum(table.rows.heights))
    fixed = scale_x_continuous(limits=(0, 1), breaks=[], expand=(0, 0))
    left, right = (
        dress(
            ggplot(),
            table,
            [word_layer([*_headings(table, side), *_cells(table, side)], table)],
            fixed,
            False,
            named if side == "left" else None,
        )
        for side in ("left", "right")
    )
    middle = dress(base, table, [rule(table), *marks], scale, True)
    widths = (table.breadth("left"), table.room, table.breadth("right"))
    return Composed(left | middle | right, sum(table.rows.heights), widths)


def dress(
    plot: ggplot,
    table: RowTable,
    layers: Sequence[Any],
    scale: Any,
    ticks: bool,
    named: dict[str, str] | None = None,
) -> ggplot:
    """A plot with the panels, the rules and the theme of its figure."""
    rows = table.rows
    for part in (
        *layers,
        facet_panels(rows.heights, table.axes if ticks else [1] * len(rows.heights)),
        scale,
        scale_y_continuous(breaks=[], expand=(0, 0)),
        scale_color_identity(),
        scale_fill_identity(),
        theme_report(table.format, table.height, ticks, table.spacing),
        labs(x="", y="", **(named or {})),
    ):
        plot += part
    return plot


def word_layer(
    cells: list[dict[str, Any]], table: RowTable, size: float | None = None
) -> geom_words:
    """The words of a plot, and empty ones at the top and bottom of each panel."""
    edges = [
        label_cell(row["panel"], row["y"], 0.0, "", INK, NORMAL, "left")
        for row in table.rows.edges.to_dicts()
    ]
    names = {name: name for name in _CELLS if name != "panel"}
    data = pl.DataFrame([*cells, *edges], infer_schema_length=None).to_pandas()
    size = table.format.text
    return geom_words(aes(**names), data, inherit_aes=False, size=size)


def rule(table: RowTable) -> geom_rule:
    """The hairlines below the headings, across all columns; panels as high as rows."""
    heights = table.rows.heights
    data = pl.DataFrame(
        {
            "panel": range(1, len(heights) + 1),
            "y": -table.rows.heading,
            "ymin": [-height for height in heights],
            "ymax": 0.0,
        }
    ).to_pandas()
    sides = {"before": 0.0, "after": 0.0}
    if not table.format.stacked:
        # the labels of the axis take some of the panel's own room at both ends
        room = table.room * _OWN
        sides = {
            "before": table.breadth("left") / room,
            "after": table.breadth("right") / room,
        }
    places = aes(y="y", ymin="ymin", ymax="ymax")
    return geom_rule(places, data, inherit_aes=False, **sides)


def _headings(table: RowTable, side: str) -> list[dict[str, Any]]:
    """The names of the panels at the left, what goes with them at the right."""
    y = -table.rows.heading / 2
    left = side == "left"
    return [
        label_cell(
            number,
            y,
            0.0 if left else 1.0,
            heading.name if left else heading.aside,
            INK if left else SOFT,
            BOLD if left else NORMAL,
            side,
        )
        for number, heading in enumerate(table.headings, 1)
    ]


def _cells(table: RowTable, side: str) -> list[dict[str, Any]]:
    """The words of the rows in the columns of a side."""
    stacked, cells = table.format.stacked, []
    own = table.side(side)
    total = table.format.width if stacked else table.breadth(side)
    for at, (i, column) in zip(_places(table, own, total), own, strict=True):
        for row in table.rows.frame.iter_rows(named=True):
            if column.of_block and not row["first"]:
                continue
            height = row["block_y"] if column.of_block else row[f"line_{column.line}"]
            ha = "right" if stacked and column.side == "right" else column.ha
            shift = table.widths[i] if ha == "right" and not column.spans else 0.0
            cells.append(
                label_cell(
                    row["panel"],
                    height,
                    (at + shift) / total,
                    column.label(row),
                    column.color(row),
                    column.weight(row),
                    ha,
                    column.url(row),
                )
            )
    return cells


def _places(
    table: RowTable, own: list[tuple[int, WordColumn]], total: float
) -> list[float]:
    """Where each column of a side begins [mm]."""
    ends = {1: 0.0, 2: 0.0}
    places = []
    right = bool(own) and own[0][1].side == "right"
    for i, column in reversed(own) if right else own:
        if column.spans:
            places.append(total if table.format.stacked else GAP)
            continue
        width, line = table.widths[i], column.line if table.in_lines else 1
        if right:
            places.append(total - ends[line] - width)
        else:
            places.append(
                0.0 if column.of_block and table.format.stacked else ends[line]
            )
        taken = column.of_block and table.format.stacked
        ends[line] += 0.0 if taken else width + column.gap
    return places[::-1] if right else places


def label_cell(
    panel: int,
    y: float,
    place: float,
    label: str,
    color: str,
    weight: int,
    ha: str,
    url: str = "",
) -> dict[str, Any]:
    """A label at ``place``, a share of the width, and at the height ``y`` [mm]."""
    values = (panel, y, place, label, color, weight, ha, url)
    return dict(zip(_CELLS, values, strict=True))
