"""Runs as dots: moved aside by rule where they would hide one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from plotnine import aes, geom_point

from analysis.figures.grammar.values import Ends, coloured
from analysis.figures.palette import GROUND
from analysis.figures.select import groups
from analysis.figures.setting import Setting

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


def swarm(places: Sequence[float], apart: float) -> list[float]:
    """How far each dot moves up (negative) or down off its line, in the same unit.

    Dots are set from left to right, each as near to the line as leaves it ``apart``
    from those already set.
    """
    offsets = [0.0] * len(places)
    done: list[tuple[float, float]] = []
    for i in sorted(range(len(places)), key=lambda i: (places[i], i)):
        offsets[i] = _nearest_free(places[i], done, apart)
        done.append((places[i], offsets[i]))
    return offsets


def stack(places: Sequence[float], width: float) -> list[tuple[float, int]]:
    """Dots of a dot plot: where each column stands, and which place up a dot takes.

    A column holds the values within ``width`` of its lowest and stands at their mean,
    or farther right by less than ``width`` where it would run into the one before
    (L. Wilkinson, Dot Plots, The American Statistician 53(3), 1999, 276-281).
    """
    columns: list[list[float]] = []
    for place in sorted(places):
        if columns and place - columns[-1][0] < width:
            columns[-1].append(place)
        else:
            columns.append([place])
    dots: list[tuple[float, int]] = []
    for column in columns:
        mean = sum(column) / len(column)
        x = max(mean, dots[-1][0] + width) if dots else mean
        dots += [(x, level) for level in range(len(column))]
    return dots


def _nearest_free(x: float, done: list[tuple[float, float]], apart: float) -> float:
    near = [(a - x, b) for a, b in done if abs(a - x) < apart]
    touching = [
        b + side * (apart**2 - a**2) ** 0.5 for a, b in near for side in (1, -1)
    ]
    free = (
        offset
        for offset in sorted([0.0, *touching], key=lambda o: (abs(o), -o))
        if all(a**2 + (b - offset) ** 2 >= apart**2 * 0.999 for a, b in near)
    )
    return next(free)  # beyond the outermost dot there always is a place
