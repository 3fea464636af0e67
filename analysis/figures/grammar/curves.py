"""Lines over a number: panels over one axis of x, each with an axis of y of its own."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import polars as pl
from mizani.breaks import breaks_log
from plotnine import (
    aes,
    expand_limits,
    geom_hline,
    geom_line,
    geom_linerange,
    geom_point,
    geom_rect,
    geom_text,
    ggplot,
    labs,
    scale_color_identity,
    scale_fill_identity,
    scale_linetype_identity,
    scale_x_continuous,
    scale_x_log10,
    scale_y_continuous,
    scale_y_log10,
)

from analysis.figures.grammar.compose import Composed
from analysis.figures.grammar.curve_words import (
    AXIS_MM,
    PANEL_MM,
    Curves,
    draw_marks,
    in_two_lines,
    line_ends,
    name_lines,
    name_panels,
)
from analysis.figures.grammar.facets import facet_panels
from analysis.figures.grammar.numbers import (
    are_ratios,
    is_wide,
    scaled,
    with_room,
)
from analysis.figures.grammar.scales import change_labels, linear_breaks, value_labels
from analysis.figures.grammar.theme import (
    around,
    axis_height,
    theme_axes,
    theme_report,
    wrapped,
)
from analysis.figures.page import FAMILY, PageFormat, Words, text_width
from analysis.figures.palette import GROUND, INK

_BEFORE, _AFTER = 0.09, 0.02  # of the length of the axis, free at both its ends
_BESIDE = 2.0  # mm, free right of the names of lines
_FREE, _LINE_OF = 0.88, 0.12  # of the axis of y, below headings, and a line of these
_LINES = {"modelled": "dashed", "published": "dotted"}  # others are solid


def draw_curves(curves: Curves, words: Words, format: PageFormat) -> Composed:
    """The panels below one another, over the axis that they share."""
    frame = curves.frame
    log_x = are_ratios(curves.steps)
    log_y = log_x and not curves.percent and any(map(is_wide, _values(frame)))
    heights = [PANEL_MM] * len(curves.headings)
    spacing = 5.0
    panels = sum(heights) + spacing * (len(heights) - 1)
    height = around(words, format) + panels + axis_height(format, lines=2)
    ends = line_ends(curves, log_y, format)
    zero = [expand_limits(y=0)] if curves.zero else []
    plot = ggplot(frame.to_pandas(), aes(x="x", y="y", color="colour"))
    for part in (
        _room_of_names(frame, log_y),
        *draw_marks(curves, ends, log_x, log_y, format),
        *_series(frame),
        *_zero(curves),
        *zero,
        name_lines(ends, format),
        name_panels(curves, ends, log_y, format),
        facet_panels(heights, [1] * len(heights)),
        _scale_x(curves, log_x, ends, format),
        _scale_y(curves, log_y, in_two_lines(curves, format)),
        scale_color_identity(),
        scale_fill_identity(),
        scale_linetype_identity(),
        theme_report(format, height, spacing=spacing),
        theme_axes(format),
        labs(x=curves.title, y="", **wrapped(words, format)),
    ):
        plot += part
    return Composed(plot, panels - spacing * (len(heights) - 1))


def _values(frame: pl.DataFrame) -> list[pl.Series]:
    return [panel["y"] for panel in frame.partition_by("panel")]


def _room_of_names(frame: pl.DataFrame, log_y: bool) -> geom_rect:
    """No grid right of the last values, where names of lines stand."""
    lowest = pl.col("y").min() if log_y else pl.lit(-math.inf)  # 0 has no logarithm
    rooms = frame.group_by("panel", maintain_order=True).agg(
        xmin=pl.lit(frame["x"].max()), xmax=pl.lit(math.inf),
        ymin=lowest, ymax=pl.lit(math.inf),
    )  # fmt: skip
    return geom_rect(
        aes(xmin="xmin", xmax="xmax", ymin="ymin", ymax="ymax"),
        rooms.to_pandas(), inherit_aes=False, fill=GROUND,
    )  # fmt: skip


def _series(frame: pl.DataFrame) -> list[Any]:
    """Lines, intervals, values, and what was published."""
    hollow = pl.col("look").is_in(["measured", "synthetic"])
    points = frame.with_columns(
        inside=pl.when(hollow).then(pl.col("colour")).otherwise(pl.lit(GROUND)),
        line=pl.when(pl.col("look").n_unique().over("panel", "series") > 1)
        .then(pl.lit("dashed"))
        .otherwise(pl.col("look").replace_strict(_LINES, default="solid")),
    )
    stated = frame.filter(pl.col("stated").is_not_null())
    layers = [
        geom_line(aes(group="series", linetype="line"), points.to_pandas(), size=0.6),
        geom_linerange(
            aes(ymin="low", ymax="high"), points.drop_nulls(["low"]).to_pandas(),
            size=1.0,
        ),
        geom_point(aes(fill="inside"), points.to_pandas(), size=1.7, stroke=0.5),
        geom_point(
            aes(y="stated"), stated.to_pandas(),
            size=1.9, stroke=0.55, shape="D", fill=GROUND, color=INK,
        ) if stated.height else None,
    ]  # fmt: skip
    return [layer for layer in layers if layer is not None]


def _zero(curves: Curves) -> list[Any]:
    """The line of no change, and the number of each change."""
    if not curves.percent:
        return []
    named = curves.frame.with_columns(
        above=pl.col("y") >= pl.col("y").mean().over("panel", "x"),
        last=pl.col("x") == pl.col("x").max().over("panel"),
    ).filter(~pl.col("last"))
    up = named.filter(pl.col("above")).unique(["panel", "x"], maintain_order=True)
    return [
        geom_hline(yintercept=0, color=INK, size=0.5),
        geom_text(
            aes(label="said"), up.to_pandas(), va="bottom", size=9, family=FAMILY,
            color=INK,
        ),
    ]  # fmt: skip


def _scale_x(
    curves: Curves, log: bool, ends: pl.DataFrame, format: PageFormat
) -> scale_x_continuous | scale_x_log10:
    """A numeric axis with a label at each step that has room for it."""
    lines = (line for name in ends["name"] for line in name.split("\n"))
    widest = max(text_width(line, format.text) for line in lines) + _BESIDE
    room = widest / (format.width - widest - AXIS_MM)
    length = (format.width - AXIS_MM) / (1 + _BEFORE + room + _AFTER)
    kept = with_room(curves.steps, log, length, format)
    kind = scale_x_log10 if log else scale_x_continuous
    return kind(
        breaks=kept,
        labels=[curves.steps[x] for x in kept],
        expand=(_BEFORE, 0, room + _AFTER, 0),
    )


def _scale_y(
    curves: Curves, log: bool, two_lines: bool
) -> scale_y_continuous | scale_y_log10:
    free = _FREE - _LINE_OF * two_lines
    if log:
        return scale_y_log10(
            breaks=lambda ends: _below(breaks_log()(ends), ends, log, free),
            labels=value_labels,
            expand=(0.05, 0),
        )
    return scale_y_continuous(
        breaks=lambda ends: _below(linear_breaks(ends, 5), ends, log, free),
        labels=change_labels if curves.percent else value_labels,
        expand=(0.06, 0),
    )


def _below(
    breaks: Iterable[float], ends: tuple[float, float], log: bool, free: float
) -> list[float]:
    """The breaks that are not where a panel's heading stands."""
    low, high = (scaled(end, log) for end in ends)
    return [x for x in breaks if scaled(x, log) < low + (high - low) * free]
