"""A sheet in millimetres on which a figure kind sets its marks; a ggplot in the end.

Charts with names, values and intervals in aligned columns need exact places, so the
kinds compute them from the width of real text. Each sort of mark is one plotnine layer.
"""

from __future__ import annotations

from typing import Any, Literal

import polars as pl
from plotnine import (
    aes,
    coord_cartesian,
    geom_point,
    geom_rect,
    geom_segment,
    geom_text,
    ggplot,
    scale_alpha_identity,
    scale_color_identity,
    scale_fill_identity,
    scale_linetype_identity,
    scale_shape_identity,
    scale_size_identity,
    scale_stroke_identity,
    scale_x_continuous,
    scale_y_continuous,
)

from analysis.figures.palette import GROUND, INK, SOFT
from analysis.figures.theme import (
    FAMILY,
    NORMAL,
    POINT,
    Format,
    drop,
    report_theme,
    text_width,
    wrap,
)

_UNIT = 3.141592653589793**0.5  # plotnine's sizes are points divided by this
_IDENTITIES = (
    scale_alpha_identity,
    scale_color_identity,
    scale_fill_identity,
    scale_linetype_identity,
    scale_shape_identity,
    scale_size_identity,
    scale_stroke_identity,
)
Align = Literal["left", "center", "right"]


class Sheet:
    """Marks at places in mm from the top left; ``y`` is where the next line begins."""

    def __init__(self, format: Format) -> None:
        self.format = format
        self.y = 0.0
        self._rects: list[dict[str, Any]] = []
        self._lines: list[dict[str, Any]] = []
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
                "size": width / _UNIT,
                "linetype": linetype,
                "alpha": alpha,
            }
        )

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
                "size": (size / POINT - edge) / _UNIT - edge / _UNIT,
                "stroke": edge / _UNIT,
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
        self, label: str, size: float, color: str = SOFT, weight: int = NORMAL
    ) -> None:
        """Wrapped lines over the whole width; ``y`` moves below them."""
        for line in wrap(label, self.format.width, size, weight):
            self.text(
                (0, self.y + size * 0.95 * POINT),
                line,
                size,
                color,
                weight,
                middle=False,
            )
            self.y += size * 1.28 * POINT

    def plot(self) -> ggplot:
        """The sheet as a ggplot, as high as its marks need."""
        width, height = self.format.width, self.y
        plot = ggplot()
        for part in (
            report_theme(width, height),
            *self._layers(),
            *(identity() for identity in _IDENTITIES),
            scale_x_continuous(expand=(0, 0)),
            scale_y_continuous(expand=(0, 0)),
            coord_cartesian(xlim=(0, width), ylim=(-height, 0), expand=False),
        ):
            plot += part  # unlike +, this does not copy all that came before
        return plot

    def _layers(self) -> list[Any]:
        layers: list[Any] = []
        for rows, geom, fixed in (
            (self._rects, geom_rect, {"color": "none"}),
            (self._lines, geom_segment, {"lineend": "butt"}),
            (self._points, geom_point, {}),
            (self._texts, geom_text, {"family": FAMILY, "va": "baseline"}),
        ):
            if rows:
                # one group, or plotnine would draw the marks sorted by colour
                names = {name: name for name in rows[0]} | {"group": "1"}
                layers.append(geom(aes(**names), pl.DataFrame(rows), **fixed))
        return layers
