"""Parts of a whole, one after the other: bars, what could be one, and a limit."""

from __future__ import annotations

from typing import Any

import polars as pl
from plotnine import aes, geom_rect, geom_segment

from analysis.figures.grammar.geoms import geom_origin
from analysis.figures.grammar.rows import Rows
from analysis.figures.palette import INK

_BAR = 1.5  # mm, half the height of a bar


def part_bars(
    frame: pl.DataFrame, rows: Rows, colours: dict[str, str], potential: str
) -> list[Any]:
    """The parts of each bar, and as an outline what could be one."""
    by = ["workload", "configuration"]
    places = rows.frame.select(*by, "panel", "y")
    parts = _ends(frame).join(places, on=by, maintain_order="left")
    parts = parts.with_columns(
        fill=pl.col("pair").replace_strict(colours, return_dtype=pl.String),
        bottom=pl.col("y") - _BAR,
        top=pl.col("y") + _BAR,
    )
    shown = aes(
        xmin="start", xmax="end", ymin="bottom", ymax="top", fill="fill", look="look"
    )
    solid = parts.filter(pl.col("metric") != potential).to_pandas()
    outlined = _outlined(parts.filter(pl.col("metric") == potential))
    return [geom_origin(shown, solid, inherit_aes=False), *outlined]


def limit_line(rows: Rows, limit: float | None) -> list[Any]:
    """The most that the whole may be, as a line through all rows."""
    if limit is None:
        return []
    data = rows.frame.with_columns(limit=pl.lit(limit)).to_pandas()
    places = aes(x="limit", xend="limit", y="ymin", yend="ymax")
    return [geom_segment(places, data, inherit_aes=False, color=INK, size=0.6)]


def _ends(frame: pl.DataFrame) -> pl.DataFrame:
    """Where each part begins and ends, one after the other from zero."""
    whole = pl.col("value").cum_sum().over("workload", "configuration")
    return frame.with_columns(end=whole).with_columns(
        start=pl.col("end") - pl.col("value")
    )


def _outlined(potential: pl.DataFrame) -> list[Any]:
    """A part that could be, as an outline."""
    if potential.is_empty():
        return []
    places = aes(xmin="start", xmax="end", ymin="bottom", ymax="top")
    data = potential.to_pandas()
    return [
        geom_rect(
            places, data, inherit_aes=False, fill="none", color=INK, size=0.4,
            linetype="dashed",
        )
    ]  # fmt: skip
