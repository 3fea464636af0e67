"""Direct labels of what a panel draws: chips with names in the line of its heading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from plotnine import aes

from analysis.figures.grammar.columns import Heading
from analysis.figures.grammar.geoms import geom_words
from analysis.figures.grammar.rows import Rows
from analysis.figures.page import BOLD, NORMAL, PageFormat, text_width
from analysis.figures.palette import INK, SOFT
from analysis.figures.setting import Setting

_CHIP = "■\N{THIN SPACE}"
_APART = 4.0  # mm between two names
_TAKEN = 12.0  # mm of the labels of an axis of y
_NAMES = ["panel", "y", "label", "place", "fontweight", "ink"]


def legend_lines(setting: Setting, format: PageFormat) -> list[list[tuple[str, str]]]:
    """A chip and the label of each configuration, in lines of a page's width."""
    named = [(setting.colours[id], setting.label(id)) for id in setting.configurations]
    return swatch_lines(named, format.width - _TAKEN, format)


def legend(
    headings: Sequence[Heading],
    lines: Sequence[Sequence[tuple[str, str]]],
    format: PageFormat,
    y: float,
    step: float,
) -> list[Any]:
    """The heading of each panel, and a ``step`` above ``y`` for each line of chips."""
    rows = []
    for number, heading in enumerate(headings, 1):
        rows.append((number, y + step * len(lines), heading.name, 0.0, BOLD, INK))
        for i, named in enumerate(reversed(lines)):
            rows += chips(
                number, y + step * i, named, 0.0, format.width - _TAKEN, format
            )
    data = pl.DataFrame(rows, schema=_NAMES, orient="row").to_pandas()
    places = aes(
        y="y", label="label", place="place", fontweight="fontweight", color="ink"
    )
    return [geom_words(places, data, inherit_aes=False, size=format.text, level=False)]


def chips(
    panel: int,
    y: float,
    named: Sequence[tuple[str, str]],
    at: float,
    room: float,
    format: PageFormat,
) -> list[tuple[Any, ...]]:
    """Chips in their colours, each with its name, from ``at`` mm of ``room`` on."""
    rows: list[tuple[Any, ...]] = []
    for color, name in named:
        rows.append((panel, y, _CHIP, at / room, NORMAL, color))
        at += text_width(_CHIP, format.text) + 0.6
        rows.append((panel, y, name, at / room, NORMAL, SOFT))
        at += text_width(name, format.text) + _APART
    return rows


def swatch_lines(
    named: Sequence[tuple[str, str]], room: float, format: PageFormat
) -> list[list[tuple[str, str]]]:
    """Chips with their names in as many lines of ``room`` mm as they need."""
    lines: list[list[tuple[str, str]]] = [[]]
    left = room
    for color, name in named:
        width = text_width(_CHIP + name, format.text) + 0.6
        if lines[-1] and width > left:
            lines.append([])
            left = room
        lines[-1].append((color, name))
        left -= width + _APART
    return lines


def swatches(
    lines: Sequence[Sequence[tuple[str, str]]], rows: Rows, room: float,
    format: PageFormat,
) -> list[Any]:  # fmt: skip
    """Lines of chips with names in the heading of a figure of rows, from its axis."""
    step = rows.heading / len(lines)
    found = [
        cell
        for panel in range(1, len(rows.heights) + 1)
        for i, named in enumerate(lines)
        for cell in chips(panel, -(i + 0.5) * step, named, 0.0, room, format)
    ]
    data = pl.DataFrame(found, schema=_NAMES, orient="row").to_pandas()
    places = aes(
        y="y", label="label", place="place", fontweight="fontweight", color="ink"
    )
    return [geom_words(places, data, inherit_aes=False, size=format.text)]
