"""Runs as dots: moved aside by rule where they would hide one another."""

from __future__ import annotations

from typing import Any

import polars as pl
from plotnine import aes, geom_point

from analysis.figures.grammar.values import Ends, coloured
from analysis.figures.palette import GROUND
from analysis.figures.select import groups
from analysis.figures.setting import Setting
from analysis.figures.swarm import stack, swarm

DOT = 1.7  # mm
_REACH = 2.4  # mm that dots may lie off their line before they overlap
_ABOVE = 1.4  # mm from the middle of a row to the line of its dots
_TALLEST = 14.0  # mm that a column of dots may reach


def swarmed(runs: pl.DataFrame, ends: Ends, room: float) -> pl.DataFrame:
    """Runs about a line, each as near to it as leaves the others seen."""
    parts = []
    for (panel, _), part in groups(runs, "panel", "key"):
        offsets = swarm(_places(part, ends[panel], room), DOT)
        reach = max(map(abs, offsets), default=0.0)
        squeeze = min(1.0, _REACH / reach) if reach else 1.0
        moved = pl.Series([_ABOVE - offset * squeeze for offset in offsets])
        parts.append(part.with_columns(y=pl.col("y") + moved))
    return pl.concat(parts) if parts else runs


def stacked(runs: pl.DataFrame, ends: Ends, room: float) -> pl.DataFrame:
    """Runs as a dot plot: in columns that stand at their places, ``level`` by level."""
    parts = []
    for (panel, _), part in groups(runs, "panel", "key"):
        part = part.sort("value", maintain_order=True)
        columns = stack(_places(part, ends[panel], room), DOT)
        low, high = ends[panel]
        scale = (high - low) / room
        parts.append(
            part.with_columns(
                value=pl.Series([low + x * scale for x, _ in columns]),
                level=pl.Series([level for _, level in columns], dtype=pl.Int64),
            )
        )
    return pl.concat(parts) if parts else runs.with_columns(level=pl.lit(0))


def step_of(levels: int) -> float:
    """How far the dots of a column are apart [mm]."""
    return min(DOT, _TALLEST / max(levels, 1))


def dots(runs: pl.DataFrame, setting: Setting) -> list[Any]:
    """A dot a run: solid where it was measured, else an edge."""
    layers: list[Any] = []
    for hollow in (False, True):
        own = runs.filter(pl.col("look").is_in(["measured"]) != hollow)
        if own.height:
            data = coloured(own, setting).with_columns(ground=pl.lit(GROUND))
            edge = "colour" if hollow else "ground"
            fill = "ground" if hollow else "colour"
            places = aes(x="value", y="y", color=edge, fill=fill)
            layers.append(
                geom_point(
                    places, data.to_pandas(), inherit_aes=False,
                    shape="o", size=2.0, stroke=0.5 if hollow else 0.35,
                )
            )  # fmt: skip
    return layers


def _places(part: pl.DataFrame, ends: tuple[float, float], room: float) -> list[float]:
    low, high = ends
    return [(value - low) / (high - low) * room for value in part["value"]]
