"""A sheet in millimetres on which a figure kind sets its marks; a ggplot in the end.

Charts with names, values and intervals in aligned columns need exact places, so the
kinds compute them from the width of real text. Each sort of mark is one plotnine layer.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Literal

import polars as pl
from plotnine import (
    aes,
    geom_path,
    geom_point,
    geom_rect,
    geom_segment,
    geom_text,
    ggplot,
)

from analysis.figures.canvas import UNIT, Canvas
from analysis.figures.palette import GROUND, INK, SOFT
from analysis.figures.theme import (
    NORMAL,
    POINT,
    PageFormat,
    drop,
    text_width,
    wrap,
)

Align = Literal["left", "center", "right"]


class Sheet:
    """Marks at places in mm from the top left; ``y`` is where the next line begins."""

    def __init__(self, format: PageFormat) -> None:
        self.format = format
        self.y = 0.0
        self._rects: list[dict[str, Any]] = []
        self._lines: list[dict[str, Any]] = []
        self._paths: list[dict[str, Any]] = []
        self._points: list[dict[str, Any]] = []
        self._texts: list[dict[str, Any]] = []

    def rect(
        self,
        x: tuple[float, float],
        y: tuple[float, float],
        fill: str,
        alpha: float = 1,
    ) -> None:
        """A filled rectangle without an edge."""
        self._rects.append(
            {
                "xmin": x[0],
                "xmax": x[1],
                "ymin": -y[1],
                "ymax": -y[0],
                "fill": fill,
                "alpha": alpha,
            }
        )

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        color: str,
        width: float = 0.5,
        linetype: str = "solid",
        alpha: float = 1,
    ) -> None:
        """A straight line; ``width`` in points."""
        self._lines.append(
            {
                "x": start[0],
                "y": -start[1],
                "xend": end[0],
                "yend": -end[1],
                "color": color,
                "size": width / UNIT,
                "linetype": linetype,
                "alpha": alpha,
            }
        )

    def frame(
        self,
        x: tuple[float, float],
        y: tuple[float, float],
        color: str,
        width: float = 0.8,
        linetype: str = "solid",
    ) -> None:
        """The edge of a rectangle; ``width`` in points."""
        corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]), (x[0], y[0])]
        if linetype == "solid":
            self.path(corners, color, width)
            return
        for start, end in itertools.pairwise(corners):
            self.line(start, end, color, width, linetype)

    def path(
        self,
        places: Sequence[tuple[float, float]],
        color: str,
        width: float = 0.5,
        alpha: float = 1,
    ) -> None:
        """A line through several places; ``width`` in points."""
        group = self._paths[-1]["group"] + 1 if self._paths else 0
        self._paths += [
            {
                "x": x,
                "y": -y,
                "color": color,
                "size": width / UNIT,
                "alpha": alpha,
                "group": group,
            }
            for x, y in places
        ]

    def point(
        self,
        at: tuple[float, float],
        color: str,
        shape: str = "o",
        size: float = 2.0,
        hollow: bool = False,
        edge: float = 0.0,
        alpha: float = 1,
    ) -> None:
        """A mark ``size`` mm wide; ``edge`` in points.

        A hollow mark has the ground's colour inside, a solid one's edge has it: so
        marks that touch stay apart.
        """
        edge = (edge or 1.1) if hollow else edge
        self._points.append(
            {
                "x": at[0],
                "y": -at[1],
                "shape": shape,
                "color": color if hollow else GROUND,
                "fill": GROUND if hollow else color,
                "size": (size / POINT - edge) / UNIT - edge / UNIT,
                "stroke": edge / UNIT,
                "alpha": alpha,
            }
        )

    def text(
        self,
        at: tuple[float, float],
        label: str,
        size: float = 0,
        color: str = INK,
        weight: int = NORMAL,
        align: Align = "left",
        middle: bool = True,
    ) -> None:
        """A label; its digits centre on ``y``, or stand on it if not ``middle``."""
        if not label:
            return
        size = size or self.format.text
        base = at[1] + drop(size) if middle else at[1]
        self._texts.append(
            {
                "x": at[0],
                "y": -base,
                "label": label,
                "size": size,
                "color": color,
                "fontweight": weight,
                "ha": align,
            }
        )

    def run_on(self, x: float, y: float, *parts: tuple[str, float, str, int]) -> None:
        """Labels one after the other on one line: (label, size, colour, weight)."""
        base = y + drop(max(size for _, size, _, _ in parts))
        for label, size, color, weight in parts:
            self.text((x, base), label, size, color, weight, middle=False)
            x += text_width(label, size, weight)

    def paragraph(
        self,
        label: str,
        size: float,
        color: str = SOFT,
        weight: int = NORMAL,
        span: tuple[float, float] | None = None,
    ) -> None:
        """Wrapped lines over ``span`` or the whole page; ``y`` moves below them."""
        left, right = span or (0.0, self.format.width)
        for line in wrap(label, right - left, size, weight):
            self.text(
                (left, self.y + size * 0.95 * POINT),
                line,
                size,
                color,
                weight,
                middle=False,
            )
            self.y += size * 1.28 * POINT

    def plot(self) -> ggplot:
        """The sheet as a ggplot, as high as its marks need."""
        plot = Canvas(self.format.width, self.y)
        for layer in self._layers():
            plot += layer  # unlike +, this does not copy all that came before
        return plot

    def _layers(self) -> list[Any]:
        layers: list[Any] = []
        # a layer has lines of one type, which is how matplotlib draws them at once
        types = dict.fromkeys(line["linetype"] for line in self._lines)
        lines = [[x for x in self._lines if x["linetype"] == t] for t in types]
        for rows, geom in (
            (self._rects, geom_rect),
            *((each, geom_segment) for each in lines),
            (self._paths, geom_path),
            (self._points, geom_point),
            (self._texts, geom_text),
        ):
            if rows:
                names = {name: name for name in rows[0]}
                layers.append(geom(aes(**names), pl.DataFrame(rows)))
        return layers
