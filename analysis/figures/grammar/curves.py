"""Lines over a number: panels over one axis of x, each with an axis of y of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from plotnine import (
    aes,
    geom_hline,
    geom_line,
    geom_linerange,
    geom_point,
    geom_text,
    geom_vline,
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

from analysis.figures.grammar.columns import Heading
from analysis.figures.grammar.compose import Composed
from analysis.figures.grammar.facets import facet_panels
from analysis.figures.grammar.geoms import geom_words
from analysis.figures.grammar.numbers import is_wide, scaled, with_room
from analysis.figures.grammar.scales import change_labels, linear_breaks, value_labels
from analysis.figures.grammar.theme import around, theme_axes, theme_report, wrapped
from analysis.figures.page import BOLD, FAMILY, NORMAL, PageFormat, Words, text_width
from analysis.figures.palette import GROUND, INK, SOFT

_PANEL = 46.0  # mm, the height of a panel
_AXIS = 14.0  # mm of the labels of the axis of y
_APART = 4.2  # mm between two labels at the end of lines
_BELOW = 11.0  # mm of the labels and the title of the axis of x
_LINES = {"modelled": "dashed", "published": "dotted"}  # others are solid


@dataclass(frozen=True)
class Mark:
    """A place on the axis of x that matters in a panel, and what is said there."""

    panel: int
    x: float
    label: str


@dataclass(frozen=True)
class Curves:
    """Lines to draw: ``frame`` has ``panel``, ``x``, ``y``, ``series`` and ``colour``.

    ``low`` and ``high`` are intervals, ``stated`` published values, ``look`` the
    origin. ``title`` names x, ``steps`` are its labels.
    """

    frame: pl.DataFrame
    headings: Sequence[Heading]
    title: str
    steps: dict[float, str]
    percent: bool = False
    marks: Sequence[Mark] = ()


def draw_curves(curves: Curves, words: Words, format: PageFormat) -> Composed:
    """The panels below one another, over the axis that they share."""
    frame = curves.frame
    log_x, log_y = (is_wide(frame[name]) for name in ("x", "y"))
    log_y = log_y and not curves.percent
    heights = [_PANEL] * len(curves.headings)
    spacing = 5.0
    panels = sum(heights) + spacing * (len(heights) - 1)
    height = around(words, format) + panels + _BELOW
    ends = _line_ends(frame, log_y)
    plot = ggplot(frame.to_pandas(), aes(x="x", y="y", color="colour"))
    for part in (
        *_marks(curves, format),
        *_series(frame),
        *_zero(curves),
        _labels(ends, format),
        _headings(curves, ends, log_y, format),
        facet_panels(heights, [1] * len(heights)),
        _scale_x(curves, log_x, ends, format),
        _scale_y(curves, log_y),
        scale_color_identity(),
        scale_fill_identity(),
        scale_linetype_identity(),
        theme_report(format, height, spacing=spacing),
        theme_axes(format),
        labs(x=curves.title, y="", **wrapped(words, format)),
    ):
        plot += part
    return Composed(plot, panels - spacing * (len(heights) - 1))


def _series(frame: pl.DataFrame) -> list[Any]:
    """Lines, intervals, values, and what was published."""
    hollow = pl.col("look").is_in(["measured", "synthetic"])
    points = frame.with_columns(
        inside=pl.when(hollow).then(pl.col("colour")).otherwise(pl.lit(GROUND)),
        line=pl.col("look").replace_strict(_LINES, default="solid"),
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


def _labels(ends: pl.DataFrame, format: PageFormat) -> geom_text:
    """The name of each line at its end."""
    return geom_text(
        aes(x="x", y="place", label="name", color="colour"), ends.to_pandas(),
        inherit_aes=False, ha="left", va="center", size=format.text, family=FAMILY,
    )  # fmt: skip


def _line_ends(frame: pl.DataFrame, log: bool) -> pl.DataFrame:
    """Where each line ends, moved so that labels stand apart."""
    last = frame.filter(pl.col("x") == pl.col("x").max().over("panel", "series"))
    parts = []
    for part in last.partition_by("panel", maintain_order=True):
        of = frame.filter(pl.col("panel") == part["panel"][0])
        known = [v for c in ("y", "low", "high") for v in of[c].drop_nulls()]
        low, high = (scaled(x, log) for x in (min(known), max(known)))
        step = (high - low or 1.0) * _APART / (_PANEL * 0.7)
        ordered = part.sort("y", maintain_order=True)
        heights: list[float] = []
        for y in ordered["y"]:
            free = heights[-1] + step if heights else -np.inf
            heights.append(max(scaled(y, log), free))
        shown = [10**h if log else h for h in heights]
        parts.append(
            ordered.with_columns(
                place=pl.Series(shown, dtype=pl.Float64),
                name=pl.lit("\u2002") + pl.col("series") + "\u2002" + pl.col("printed"),
            )
        )
    return pl.concat(parts)


def _headings(
    curves: Curves, ends: pl.DataFrame, log: bool, format: PageFormat
) -> geom_words:
    """The name of each panel above its lines, and what goes with it at the right."""
    rows = []
    for number, heading in enumerate(curves.headings, 1):
        of = curves.frame.filter(pl.col("panel") == number)
        known = [v for c in ("y", "low", "high") for v in of[c].drop_nulls()]
        labels = ends.filter(pl.col("panel") == number)["place"]
        low, high = (scaled(v, log) for v in (min(known), max([*known, *labels])))
        top = high + (high - low or 1.0) * (0.34 if curves.percent else 0.2)
        y = 10**top if log else top
        rows.append((number, y, heading.name, 0.0, BOLD, INK))
        beside = text_width(heading.name, format.text, BOLD) + 3.0
        place = beside / (format.width - _AXIS)
        rows.append((number, y, heading.aside, place, NORMAL, SOFT))
    names = ["panel", "y", "label", "place", "fontweight", "ink"]
    data = pl.DataFrame(rows, schema=names, orient="row").to_pandas()
    places = aes(
        y="y", label="label", place="place", fontweight="fontweight", color="ink"
    )
    return geom_words(places, data, inherit_aes=False, size=format.text, level=False)


def _marks(curves: Curves, format: PageFormat) -> list[Any]:
    """Dashed lines at places that matter, each with its words at its foot."""
    if not curves.marks:
        return []
    low = curves.frame.group_by("panel").agg(y=pl.min_horizontal("y", "low").min())
    rows = pl.DataFrame([vars(mark) for mark in curves.marks]).with_columns(
        label=pl.col("label")
        + pl.lit("\n").repeat_by(pl.int_range(pl.len()).over("panel")).list.join("")
    )
    data = rows.join(low, on="panel", maintain_order="left").to_pandas()
    return [
        geom_vline(aes(xintercept="x"), data, linetype="dashed", color=SOFT, size=0.4),
        geom_text(
            aes(x="x", y="y", label="label"), data, inherit_aes=False, ha="right",
            va="bottom", size=format.small, color=SOFT, family=FAMILY,
        ),
    ]  # fmt: skip


def _scale_x(
    curves: Curves, log: bool, ends: pl.DataFrame, format: PageFormat
) -> scale_x_continuous | scale_x_log10:
    """A numeric axis with a label at each step that has room for it."""
    widest = max(text_width(name, format.text) for name in ends["name"])
    room = widest / (format.width - widest - _AXIS)
    kept = with_room(curves.steps, log, format.width * 0.75, format)
    kind = scale_x_log10 if log else scale_x_continuous
    return kind(
        breaks=kept,
        labels=[curves.steps[x] for x in kept],
        expand=(0.09, 0, room + 0.02, 0),
    )


def _scale_y(curves: Curves, log: bool) -> scale_y_continuous | scale_y_log10:
    if log:
        return scale_y_log10(labels=value_labels, expand=(0.05, 0))
    return scale_y_continuous(
        breaks=lambda limits: linear_breaks(limits, 5),
        labels=change_labels if curves.percent else value_labels,
        expand=(0.06, 0),
    )
