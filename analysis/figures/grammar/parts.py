"""Parts of a whole, one after the other: bars, what could be one, and a limit."""

from __future__ import annotations

from typing import Any

import polars as pl
from plotnine import aes, geom_rect, geom_segment

from analysis.figures.grammar.geoms import geom_origin
from analysis.figures.grammar.rows import Rows
from analysis.figures.palette import INK

_BAR = 1.5  # mm, half the height of a bar
_OUTLINE = 0.45  # mm, that an outline is above and below its bar
_BAR_OF = ("workload", "configuration")


def part_bars(
    frame: pl.DataFrame, potential: pl.DataFrame, rows: Rows, colours: dict[str, str]
) -> list[Any]:
    """The parts of each bar, and as an outline at its end how much could be the last.

    Both frames have ``workload``, ``configuration`` and ``part``, the name of a part.
    """
    y = pl.col("y")
    places = rows.frame.select(*_BAR_OF, "panel", bottom=y - _BAR, top=y + _BAR)
    parts = _ends(frame).join(places, on=_BAR_OF, maintain_order="left")
    parts = parts.with_columns(
        fill=pl.col("part").replace_strict(colours, return_dtype=pl.String)
    )
    shown = aes(
        xmin="start", xmax="end", ymin="bottom", ymax="top", fill="fill", look="look"
    )
    bars = geom_origin(shown, parts.to_pandas(), inherit_aes=False)
    return [bars, *_outlined(potential, parts)]


def limit_line(rows: Rows, limit: float | None) -> list[Any]:
    """The most that the whole may be, as a line through all rows."""
    if limit is None:
        return []
    data = rows.frame.with_columns(limit=pl.lit(limit)).to_pandas()
    places = aes(x="limit", xend="limit", y="ymin", yend="ymax")
    return [geom_segment(places, data, inherit_aes=False, color=INK, size=0.6)]


def _ends(frame: pl.DataFrame) -> pl.DataFrame:
    """Where each part begins and ends, one after the other from zero."""
    parts = frame.group_by(*_BAR_OF, "metric", "part", maintain_order=True).agg(
        pl.col("value").sum(), pl.col("look").first()
    )
    whole = pl.col("value").cum_sum().over(_BAR_OF)
    return parts.with_columns(end=whole).with_columns(
        start=pl.col("end") - pl.col("value")
    )


def _outlined(potential: pl.DataFrame, parts: pl.DataFrame) -> list[Any]:
    """What could be the last part, from the end of each bar back."""
    if potential.is_empty():
        return []
    could = potential.group_by(*_BAR_OF, maintain_order=True).agg(
        pl.col("value").sum(), pl.col("metric").first()
    )
    last = parts.group_by(_BAR_OF).agg(pl.col("end", "panel", "bottom", "top").last())
    data = could.join(last, on=_BAR_OF, maintain_order="left").with_columns(
        start=(pl.col("end") - pl.col("value")).clip(0),
        bottom=pl.col("bottom") - _OUTLINE,
        top=pl.col("top") + _OUTLINE,
    )
    places = aes(xmin="start", xmax="end", ymin="bottom", ymax="top")
    return [
        geom_rect(
            places, data.to_pandas(), inherit_aes=False, fill="none", color=INK,
            size=0.4, linetype="dashed",
        )
    ]  # fmt: skip
