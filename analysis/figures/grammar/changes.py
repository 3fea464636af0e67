"""Changes in percent: their bars, intervals and limits, and the axes they share."""

from __future__ import annotations

from typing import Any

import polars as pl
from plotnine import (
    aes,
    geom_point,
)

from analysis.figures.grammar.geoms import geom_ground, geom_interval, geom_origin
from analysis.figures.grammar.rows import STATED, Rows
from analysis.figures.grammar.scales import is_ratio, ratio_trans, scale_change
from analysis.figures.palette import GROUND, INK, QUIET, VERDICT_COLOURS
from analysis.figures.select import groups

_ALIKE = 4.0  # metrics whose extents differ by more than this have axes of their own
_SEEN = 0.02  # of an axis, from which on a limit shows beside the line of zero
_REACH = 2.0  # of the limit, that an axis shows at least
_BAR = 1.25  # mm, half the height of a bar
_COLUMNS = ("value", "low", "high", "stated")


def axes_of(frame: pl.DataFrame) -> list[int]:
    """The number of the axis of each panel: one a metric, or one for all of them."""
    extents = [_extent(part) for _, part in groups(frame, "metric")]
    metrics = frame["metric"].unique(maintain_order=True).to_list()
    own = max(extents) > _ALIKE * min(extents) and not has_ratios(frame)
    panels = [metric for (metric, _), _ in groups(frame, "metric", "role")]
    return [metrics.index(metric) + 1 if own else 1 for metric in panels]


def has_ratios(frame: pl.DataFrame) -> bool:
    """Whether the axis of a figure of changes shows ratios."""
    return is_ratio(_known(frame))


def change_scale(frame: pl.DataFrame, room: float, gap: float = 15.0) -> Any:
    """The scale of the changes of a figure, on ``room`` mm with steps of ``gap``."""
    return scale_change(has_ratios(frame), room, gap)


def change_marks(rows: Rows) -> list[Any]:
    """The layers of changes: limit, grid, bars from zero, intervals, published ones."""
    y = pl.col("y")
    marks = rows.frame.with_columns(
        zero=pl.lit(0.0),
        bottom=y - _BAR,
        top=y + _BAR,
        fill=pl.col("verdict")
        .cast(pl.String)
        .replace_strict(VERDICT_COLOURS, default=QUIET, return_dtype=pl.String),
        capped=pl.col("model").is_not_null(),
    )
    facts = marks.filter(pl.col("record") == "fact").to_pandas()
    layers = [
        change_ground(rows.frame),
        geom_origin(
            aes(xmin="zero", xmax="value", ymin="bottom", ymax="top", fill="fill",
                look="look"),
            facts, inherit_aes=False,
        ),
        geom_interval(
            aes(x="value", xmin="low", xmax="high", y="y", capped="capped"), facts,
            inherit_aes=False,
        ),
        published_marks(marks.filter(pl.col("stated").is_not_null())),
    ]  # fmt: skip
    return [layer for layer in layers if layer is not None]


def change_ground(rows: pl.DataFrame) -> geom_ground:
    """What lies below changes: the limit, a grid, zero, room for twice the limit."""
    reach = pl.col("threshold").fill_null(1.0)
    limits = rows.select(
        "panel", "ymin", "ymax",
        x=-pl.col("threshold"), xend=pl.col("threshold"), zero=pl.lit(0.0),
        least=-_REACH * reach, most=_REACH * reach,
    )  # fmt: skip
    places = aes(
        ymin="ymin", ymax="ymax", x="x", xend="xend", xintercept="zero", xmin="least",
        xmax="most",
    )  # fmt: skip
    return geom_ground(places, limits.to_pandas(), inherit_aes=False)


def published_marks(stated: pl.DataFrame) -> Any:
    """Open diamonds where published numbers lie, below the marks of a row."""
    if stated.is_empty():
        return None
    below = pl.when(pl.col("record") == "fact").then(STATED).otherwise(0.0)
    data = stated.with_columns(y=pl.col("y") - below).to_pandas()
    return geom_point(
        aes(x="stated", y="y"), data, inherit_aes=False,
        size=1.7, stroke=0.55, shape="D", fill=GROUND, color=INK,
    )  # fmt: skip


def shows_limit(frame: pl.DataFrame) -> bool:
    """Whether the limit of what counts is wide enough to be seen on an axis."""
    limits = frame["threshold"].drop_nulls().to_list()
    if not limits:
        return False
    place = ratio_trans.transform if has_ratios(frame) else float
    ends = [place(x) for x in (min([0.0, *_known(frame)]), max([0.0, *_known(frame)]))]
    return bool(place(max(limits)) > _SEEN * (ends[1] - ends[0]))


def axis_words(frame: pl.DataFrame) -> list[str]:
    """What counts, what the axis is, and which metrics have their own."""
    limits = sorted(set(frame["threshold"].drop_nulls().to_list()))
    said = []
    if limits:
        ends = " to ".join(
            f"±{limit:.2g}%" for limit in dict.fromkeys(limits[:: len(limits) - 1 or 1])
        )
        shaded = shows_limit(frame)
        told = "Shaded: within {}, too" if shaded else "Changes within {} are too"
        said.append(f"{told.format(ends)} little to count.")
    if has_ratios(frame):
        said.append("Equal steps on the axis are equal ratios.")
    if len(set(axes_of(frame))) > 1:
        said.append("Each metric has an axis of its own.")
    return said


def _known(frame: pl.DataFrame) -> list[float]:
    """What an axis of changes has to show; of a span, both of its ends."""
    columns = [name for name in (*_COLUMNS, "worst") if name in frame.columns]
    return [v for name in columns for v in frame[name].drop_nulls().to_list()]


def _extent(part: pl.DataFrame) -> float:
    limits = part["threshold"].drop_nulls().to_list()
    return max([*map(abs, _known(part)), _REACH * max(limits, default=1.0)])
