"""Marks that show an origin by their fill and lines, not by colour alone.

Measured is solid, synthetic dotted at 60%, modelled hatched with a dashed edge, and
published an open diamond.
"""

from __future__ import annotations

from typing import Any

from analysis.declared.origin import Origin
from analysis.figures.axis import Axis
from analysis.figures.palette import INK, LINES
from analysis.figures.sheet import Sheet

FAINT = 0.6  # how strong synthetic data is drawn
_SOLID, _TINT = 0.32, 0.1
_STEP = 1.5  # mm between the lines of a hatch
_DOTS = 0.75  # mm between the rows of dots
Span = tuple[float, float]


def strength(row: dict[str, Any]) -> float:
    """How strong a row is drawn: synthetic data fainter than any other."""
    return FAINT if row["origin"] == "synthetic" else 1.0


def draw_bar(sheet: Sheet, x: Span, y: Span, color: str, look: Origin) -> None:
    """A bar over ``x`` and ``y`` (mm), filled as its origin asks."""
    left, right = sorted(x)
    if right - left < 0.2:
        return
    if look == "measured":
        sheet.rect((left, right), y, color, _SOLID)
    elif look == "synthetic":
        _draw_dots(sheet, (left, right), y, color)
    elif look == "modelled":
        sheet.path(hatch((left, right), y), color, 0.6)
    else:
        sheet.frame((left, right), y, color, 0.6)


def hatch(x: Span, y: Span) -> list[tuple[float, float]]:
    """One line that hatches a bar: parallel diagonals, joined along its edges.

    The joints lie on the upper and the lower edge in turn, which dashes both.
    """
    (left, right), (top, bottom) = x, y
    lean = bottom - top
    places = [(left, top), (left, bottom)]
    foot, upward = left, True
    while foot + lean <= right:
        low, high = (foot, bottom), (foot + lean, top)
        places += [low, high] if upward else [high, low]
        foot, upward = foot + _STEP, not upward
    corners = [(right, top), (right, bottom)]
    return [*places, *(reversed(corners) if upward else corners)]


def draw_whisker(
    sheet: Sheet, axis: Axis, row: dict[str, Any], y: float, color: str
) -> None:
    """The interval of a row as a line; that of a prediction has ends."""
    if row["low"] is None or row["high"] is None:
        return
    ends = (axis.at(row["low"]), axis.at(row["high"]))
    look: Origin = row["look"]
    sheet.line((ends[0], y), (ends[1], y), color, 1.4, LINES[look], strength(row))
    if look == "modelled":
        for x in ends:
            sheet.line((x, y - 1.1), (x, y + 1.1), color, 1.0, "solid", strength(row))


def draw_diamond(sheet: Sheet, at: tuple[float, float], size: float = 2.5) -> None:
    """A published value."""
    sheet.point(at, INK, "D", size, hollow=True, edge=0.9)


def _draw_dots(sheet: Sheet, x: Span, y: Span, color: str) -> None:
    """Rows of dots, every second one shifted by half a step."""
    sheet.rect(x, y, color, _TINT)
    rows = max(2, round((y[1] - y[0]) / _DOTS))
    for i in range(rows):
        level = y[0] + (i + 0.5) * (y[1] - y[0]) / rows
        left = x[0] + 0.25 + (i % 2) * 0.47
        if left < x[1]:
            sheet.line((left, level), (x[1], level), color, 1.2, "dotted", FAINT)
