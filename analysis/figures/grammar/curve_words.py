"""Curves to draw, and their words: names of lines and panels, marks on the axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from plotnine import aes, geom_rect, geom_segment, geom_text

from analysis.facts.units import format_unit
from analysis.figures.grammar.columns import Heading
from analysis.figures.grammar.geoms import geom_words
from analysis.figures.grammar.numbers import scaled
from analysis.figures.page import BOLD, FAMILY, NORMAL, PageFormat, text_width, wrap
from analysis.figures.palette import BAND, INK, SOFT

PANEL_MM = 46.0  # mm, the height of a panel
AXIS_MM = 14.0  # mm of the labels of the axis of y
_APART = 4.2  # mm between two labels at the end of lines
# Above the values, as parts of what they span:
_HEAD = 0.2  # where a panel's heading stands
_LINE = 0.2  # a line of the words of marks, which stand below the heading
_GAP = "\u2002"
_NAMES = 0.4  # of the width, the most that the names of lines take


@dataclass(frozen=True)
class Mark:
    """What matters on the axis of x of a panel, and what is said there.

    It is the place ``x``, or lies somewhere up to ``xend``.
    """

    panel: int
    x: float
    label: str
    xend: float | None = None


@dataclass(frozen=True)
class Curves:
    """Lines to draw: ``frame`` has ``panel``, ``x``, ``y``, ``series`` and ``colour``.

    ``low`` and ``high`` are intervals, ``stated`` published values, ``look`` the
    origin. ``title`` names x, ``steps`` are its labels. Axes of y may begin at
    ``zero``.
    """

    frame: pl.DataFrame
    headings: Sequence[Heading]
    title: str
    steps: dict[float, str]
    percent: bool = False
    zero: bool = False
    marks: Sequence[Mark] = ()


def name_lines(ends: pl.DataFrame, format: PageFormat) -> geom_text:
    """The name of each line at its end."""
    return geom_text(
        aes(x="x", y="place", label="name", color="colour"), ends.to_pandas(),
        inherit_aes=False, ha="left", va="center", size=format.text, family=FAMILY,
    )  # fmt: skip


def line_ends(curves: Curves, log: bool, format: PageFormat) -> pl.DataFrame:
    """Where each line ends, moved so that labels, wrapped if long, stand apart."""
    frame = curves.frame
    last = frame.filter(pl.col("x") == pl.col("x").max().over("panel", "series"))
    parts = []
    for part in last.partition_by("panel", maintain_order=True):
        known = _known(curves, part["panel"][0])
        low, high = (scaled(x, log) for x in (min(known), max(known)))
        step = (high - low or 1.0) * _APART / (PANEL_MM * 0.6)
        ordered = part.sort("y", maintain_order=True)
        names = [_name(row, format) for row in ordered.to_dicts()]
        heights: list[float] = []
        for y, before, own in zip(ordered["y"], names[:1] + names, names, strict=False):
            apart = step * (len(before) + len(own)) / 2
            free = heights[-1] + apart if heights else -np.inf
            heights.append(max(scaled(y, log), free))
        # a stack of names stands beside the ends of its lines, not above them
        above = max((heights[-1] - scaled(max(ordered["y"]), log)) / 2, 0.0)
        down = min(above, max(heights[0] - low, 0.0))
        shown = [10 ** (h - down) if log else h - down for h in heights]
        parts.append(
            ordered.with_columns(
                place=pl.Series(shown, dtype=pl.Float64),
                name=pl.Series(["\n".join(f"{_GAP}{w}" for w in n) for n in names]),
            )
        )
    return pl.concat(parts)


def _name(row: dict[str, Any], format: PageFormat) -> list[str]:
    """The name of a line and its last value, in lines; the heading has the unit."""
    value = row["printed"].removesuffix(format_unit(row["unit"])).rstrip()
    value = row["printed"] if row["unit"] == "%" else value
    return wrap(f"{row['series']} {value}", format.width * _NAMES, format.text)


def _known(curves: Curves, panel: int) -> list[float]:
    """What the axis of y of a panel reaches to, at least."""
    of = curves.frame.filter(pl.col("panel") == panel)
    known = [v for c in ("y", "low", "high") for v in of[c].drop_nulls()]
    return [*known, 0.0] if curves.zero else known


def _spans(curves: Curves, ends: pl.DataFrame, log: bool) -> list[tuple[float, float]]:
    """The lowest and the highest place that each panel uses, as scaled."""
    spans = []
    for number in range(1, len(curves.headings) + 1):
        known = _known(curves, number)
        labels = ends.filter(pl.col("panel") == number)["place"]
        spans.append((scaled(min(known), log), scaled(max([*known, *labels]), log)))
    return spans


def _above(span: tuple[float, float], part: float, log: bool) -> float:
    """A place above the values, in parts of what they span."""
    low, high = span
    top = high + (high - low or 1.0) * part
    return float(10**top) if log else top


def name_panels(
    curves: Curves, ends: pl.DataFrame, log: bool, format: PageFormat
) -> geom_words:
    """The name of each panel above its lines, and what goes with it at the right."""
    rows = []
    spans = _spans(curves, ends, log)
    raised = _HEAD + max(_LINE * curves.percent, _LINE * _most_marks(curves))
    below, room = in_two_lines(curves, format), format.width - AXIS_MM
    for number, (heading, span) in enumerate(
        zip(curves.headings, spans, strict=True), 1
    ):
        y = _above(span, raised, log)
        above = _above(span, raised + _LINE * below, log)
        rows.append((number, above, heading.name, 0.0, BOLD, INK))
        place = 0.0 if below else _beside(heading, format) / room
        rows.append((number, y, heading.aside, place, NORMAL, SOFT))
    names = ["panel", "y", "label", "place", "fontweight", "ink"]
    data = pl.DataFrame(rows, schema=names, orient="row").to_pandas()
    places = aes(
        y="y", label="label", place="place", fontweight="fontweight", color="ink"
    )
    return geom_words(places, data, inherit_aes=False, size=format.text, level=False)


def in_two_lines(curves: Curves, format: PageFormat) -> bool:
    """Whether the name of a panel leaves no room beside it for unit and direction."""
    room = format.width - AXIS_MM
    return any(
        _beside(h, format) + text_width(h.aside, format.text) > room
        for h in curves.headings
    )


def _beside(heading: Heading, format: PageFormat) -> float:
    """Where the words beside the name of a panel begin [mm]."""
    return text_width(heading.name, format.text, BOLD) + 3.0


def _most_marks(curves: Curves) -> int:
    """How many marks the panel with the most of them has."""
    return max(Counter(mark.panel for mark in curves.marks).values(), default=0)


def draw_marks(
    curves: Curves, ends: pl.DataFrame, log_x: bool, log_y: bool, format: PageFormat
) -> list[Any]:
    """Dashed lines at places that matter and bands where one lies somewhere inside,
    each with its words above the values."""
    if not curves.marks:
        return []
    data = _placed(curves, _spans(curves, ends, log_y), log_x, log_y).to_pandas()
    band = aes(xmin="x", xmax="xend", ymin="foot", ymax="top")
    line = aes(x="x", xend="x", y="foot", yend="end")
    words = aes(x="at", y="top", label="label", ha="side")
    wide = data["x"] != data["xend"]
    return [
        geom_rect(band, data[wide], inherit_aes=False, fill=BAND, color="none"),
        geom_segment(
            line, data[~wide], inherit_aes=False, linetype="dashed", color=SOFT,
            size=0.4,
        ),
        geom_text(
            words, data, inherit_aes=False, va="top", size=format.small, color=SOFT,
            family=FAMILY,
        ),
    ]  # fmt: skip


def _placed(
    curves: Curves, spans: list[tuple[float, float]], log_x: bool, log_y: bool
) -> pl.DataFrame:
    """The marks with their places; words of one panel stand below each other."""
    rows: list[dict[str, Any]] = []
    # of several, words reach to the left above the lines that stand there
    for mark in sorted(curves.marks, key=lambda mark: -mark.x):
        span = spans[mark.panel - 1]
        others = sum(row["panel"] == mark.panel for row in rows)
        label, side, at = _told(mark, curves, log_x)
        rows.append(
            {
                "panel": mark.panel,
                "x": mark.x,
                "xend": mark.x if mark.xend is None else mark.xend,
                "at": at,
                "foot": _above(span, -1.1, log_y),
                "top": _above(span, _LINE * _most_marks(curves), log_y),
                "end": _above(span, _LINE * (_most_marks(curves) - others), log_y),
                "label": "\n" * others + label,
                "side": side,
            }
        )
    return pl.DataFrame(rows)


def _told(mark: Mark, curves: Curves, log: bool) -> tuple[str, str, float]:
    """What is said of a mark, to which side of its place, and that place."""
    if mark.xend == max(curves.steps):  # names of lines stand to its right
        return mark.label + _GAP, "right", mark.xend
    if mark.xend is not None:
        middle = (scaled(mark.x, log) + scaled(mark.xend, log)) / 2
        return mark.label, "center", float(10**middle) if log else middle
    steps = [scaled(x, log) for x in curves.steps]
    left = scaled(mark.x, log) > (min(steps) + max(steps)) / 2
    label = mark.label + _GAP if left else _GAP + mark.label
    return label, "right" if left else "left", mark.x
