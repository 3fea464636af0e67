"""A sheet in millimetres on which a diagram is drawn, and its SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lxml import etree

from analysis.figures.page import (
    BOLD,
    FAMILIES,
    NORMAL,
    POINT,
    PageFormat,
    Words,
    drop,
    text_width,
    wrap,
)
from analysis.figures.palette import INK, QUIET, SOFT

CHIP = 2.0  # mm of the square with a configuration's colour
BESIDE_CHIP = CHIP + 1.4  # mm from the begin of that square to the configuration's name
RING = 2.1  # mm, the radius of the ring round the number of a path
_DASHES = {"dashed": "4 2.4", "solid": ""}
_ANCHORS = {"left": "", "center": "middle", "right": "end"}
Place = tuple[float, float]


class Sheet:
    """Marks at places in mm from the top left; ``y`` is where the next line begins."""

    def __init__(self, format: PageFormat) -> None:
        self.format = format
        self.y = 0.0
        self.shapes: list[tuple[str, dict[str, str], str]] = []

    def _add(self, tag: str, text: str = "", **values: str) -> None:
        known = {name.replace("_", "-"): v for name, v in values.items() if v}
        self.shapes.append((tag, known, text))

    def rect(self, x: Place, y: Place, fill: str, alpha: float = 1) -> None:
        """A filled rectangle without an edge."""
        self._add(
            "rect",
            x=_point(x[0]),
            y=_point(y[0]),
            width=_point(x[1] - x[0]),
            height=_point(y[1] - y[0]),
            fill=fill,
            fill_opacity=f"{alpha:g}" if alpha < 1 else "",
        )

    def line(
        self,
        start: Place,
        end: Place,
        color: str,
        width: float = 0.5,
        linetype: str = "solid",
    ) -> None:
        """A straight line; ``width`` in points."""
        self.path([start, end], color, width, linetype)

    def frame(
        self,
        x: Place,
        y: Place,
        color: str,
        width: float = 0.8,
        linetype: str = "solid",
    ) -> None:
        """The edge of a rectangle; ``width`` in points."""
        corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]), (x[0], y[0])]
        self.path(corners, color, width, linetype)

    def path(
        self,
        places: Sequence[Place],
        color: str,
        width: float = 0.5,
        linetype: str = "solid",
    ) -> None:
        """A line through several places; ``width`` in points."""
        steps = "L".join(f"{_point(x)} {_point(y)}" for x, y in places)
        self._add(
            "path",
            d=f"M{steps}",
            fill="none",
            stroke=color,
            stroke_width=f"{width:g}",
            stroke_dasharray=_DASHES[linetype],
        )

    def numbered(self, places: Sequence[Place], number: str, width: float) -> None:
        """A line through several places that gives way, in the middle of its last
        part, to a number in a ring; without a number, the line alone."""
        if not number:
            self.path(places, INK, width)
            return
        *before, (x, y), (end, _) = places
        middle, side = (x + end) / 2, RING if end > x else -RING
        self.path([*before, (x, y), (middle - side, y)], INK, width)
        self.path([(middle + side, y), (end, y)], INK, width)
        self._add(
            "circle",
            cx=_point(middle),
            cy=_point(y),
            r=_point(RING),
            fill="none",
            stroke=INK,
            stroke_width=f"{width:g}",
        )
        self.text((middle, y), number, weight=BOLD, align="center")

    def text(
        self,
        at: Place,
        label: str,
        size: float = 0,
        color: str = INK,
        weight: int = NORMAL,
        align: Literal["left", "center", "right"] = "left",
        middle: bool = True,
    ) -> None:
        """A label; its digits centre on ``y``, or stand on it if not ``middle``."""
        if not label:
            return
        size = size or self.format.text
        self._add(
            "text",
            label,
            x=_point(at[0]),
            y=_point(at[1] + drop(size) if middle else at[1]),
            font_size=f"{size:g}",
            font_weight=str(weight) if weight != NORMAL else "",
            fill=color,
            text_anchor=_ANCHORS[align],
        )

    def paragraph(
        self, label: str, size: float, color: str = SOFT, weight: int = NORMAL
    ) -> None:
        """Wrapped lines over the whole page; ``y`` moves below them."""
        for line in wrap(label, self.format.width, size, weight):
            base = self.y + size * 0.95 * POINT
            self.text((0.0, base), line, size, color, weight, middle=False)
            self.y += size * 1.28 * POINT

    def svg(self) -> bytes:
        """The sheet as SVG, as high as its marks need."""
        size = f"0 0 {_point(self.format.width)} {_point(self.y)}"
        root = etree.Element("svg", nsmap={None: "http://www.w3.org/2000/svg"})
        root.set("viewBox", size)
        root.set("font-family", FAMILIES)
        root.set("stroke-linejoin", "round")
        for tag, values, text in self.shapes:
            etree.SubElement(root, tag, values).text = text or None
        return bytes(etree.tostring(root, encoding="utf-8")) + b"\n"


def _point(length: float) -> str:
    """Millimetres in points, to a hundredth."""
    return f"{length / POINT:.2f}".rstrip("0").rstrip(".")


def draw_head(sheet: Sheet, words: Words) -> None:
    """Title and subtitle; ``sheet.y`` moves below them."""
    if words.title:
        sheet.paragraph(words.title, sheet.format.title, INK, BOLD)
        sheet.y += 0.6
    if words.subtitle:
        sheet.paragraph(words.subtitle, sheet.format.text, SOFT)
        sheet.y += 2.6


def draw_foot(sheet: Sheet, words: Words) -> None:
    """The foot line, the last thing on a sheet."""
    sheet.y += 2.2
    sheet.paragraph(words.foot, sheet.format.small, QUIET)
    sheet.y += 0.4


def draw_chip(sheet: Sheet, left: float, y: float, color: str) -> None:
    """The square with a configuration's colour; ``y`` is its middle."""
    sheet.rect((left, left + CHIP), (y - CHIP / 2, y + CHIP / 2), color)


def widest(labels: list[str], size: float, weight: int = NORMAL) -> float:
    """The width of the widest label in mm, 0 for none."""
    return max((text_width(label, size, weight) for label in labels), default=0.0)
