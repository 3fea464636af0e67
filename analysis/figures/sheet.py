"""The sheet of a figure: words, lines and boxes in millimetres, and a plot among them.

What has a place of its own, as all words have, is put there; what stands where its
values are is drawn by plotnine, in panels that lie on the sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotnine as p9
from lxml import etree

from analysis.figures import page
from analysis.figures.svg import Panel, Span, draw_plot

CHIP = 2.0  # mm of the square with a colour
BESIDE_CHIP = CHIP + 1.4  # mm from the begin of that square to the name beside it
_APART = 4.0  # mm between such a name and the next square
RING = 2.1  # mm, the radius of the ring round the number of a path
_ANCHORS = {"left": "", "center": "middle", "right": "end"}
Place = tuple[float, float]
Named = Sequence[tuple[str, str]]  # colours and what they stand for


@dataclass(frozen=True)
class TextCell:
    """Words in a row, wrapped between two places [mm] and set at one of these ends."""

    text: str
    x: Span
    color: str = page.INK
    weight: int = page.NORMAL
    align: Literal["left", "right"] = "left"


class Sheet:
    """Marks at places in mm from the top left; ``y`` is where the next line begins.

    ``plot`` is drawn below them, its panels in the places of ``panels``. Widths of
    lines are in points.
    """

    def __init__(self, format: page.PageFormat) -> None:
        self.format = format
        self.y = 0.0
        self.shapes: list[tuple[str, dict[str, str], str]] = []
        self.plot: p9.ggplot | None = None
        self.panels: list[Panel] = []
        self.pictures: list[Any] = []

    def _add(self, tag: str, text: str = "", **values: str) -> None:
        known = {name.replace("_", "-"): v for name, v in values.items() if v}
        self.shapes.append((tag, known, text))

    def rect(self, x: Span, y: Span, fill: str, alpha: float = 1) -> None:
        """A filled rectangle without an edge."""
        size = {"width": _point(x[1] - x[0]), "height": _point(y[1] - y[0])}
        alpha_text = f"{alpha:g}" if alpha < 1 else ""
        place = {"x": _point(x[0]), "y": _point(y[0])}
        self._add("rect", **place, **size, fill=fill, fill_opacity=alpha_text)

    def line(
        self, start: Place, end: Place, color: str = page.INK, width: float = 0.5,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        """A straight line."""
        self.path([start, end], color, width, dashed)

    def frame(
        self, x: Span, y: Span, color: str = page.INK, width: float = 0.8,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        """The edge of a rectangle."""
        corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]), (x[0], y[0])]
        self.path(corners, color, width, dashed)

    def path(
        self, places: Sequence[Place], color: str = page.INK, width: float = 0.5,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        """A line through several places."""
        steps = "L".join(f"{_point(x)} {_point(y)}" for x, y in places)
        dashes = "4 2.4" if dashed else ""
        look = {"stroke": color, "stroke_width": f"{width:g}"}
        self._add("path", d=f"M{steps}", fill="none", **look, stroke_dasharray=dashes)

    def dot(self, at: Place, radius: float, edge: str, fill: str) -> None:
        """A circle with an edge."""
        place = {"cx": _point(at[0]), "cy": _point(at[1]), "r": _point(radius)}
        self._add("circle", **place, fill=fill, stroke=edge, stroke_width="0.9")

    def numbered(self, places: Sequence[Place], number: str, width: float) -> None:
        """A line through several places that gives way, in the middle of its last
        part, to a number in a ring; without a number, the line alone."""
        if not number:
            self.path(places, page.INK, width)
            return
        *before, (x, y), (end, _) = places
        middle, side = (x + end) / 2, RING if end > x else -RING
        self.path([*before, (x, y), (middle - side, y)], page.INK, width)
        self.path([(middle + side, y), (end, y)], page.INK, width)
        place = {"cx": _point(middle), "cy": _point(y), "r": _point(RING)}
        look = {"stroke": page.INK, "stroke_width": f"{width:g}"}
        self._add("circle", **place, fill="none", **look)
        self.text((middle, y), number, weight=page.BOLD, align="center")

    def text(
        self,
        at: Place,
        label: str,
        size: float = 0,
        color: str = page.INK,
        weight: int = page.NORMAL,
        align: Literal["left", "center", "right"] = "left",
        middle: bool = True,
    ) -> None:
        """A label; its digits centre on ``y``, or stand on it if not ``middle``."""
        if not label:
            return
        size = size or self.format.text
        place = {
            "x": _point(at[0]),
            "y": _point(at[1] + page.drop(size) if middle else at[1]),
        }
        bold = str(weight) if weight != page.NORMAL else ""
        look = {"font_size": f"{size:g}", "font_weight": bold, "fill": color}
        self._add("text", label, **place, **look, text_anchor=_ANCHORS[align])

    def label(self, at: Place, label: str, side: int) -> None:
        """A value that ends (``side`` −1) or begins at a place, on a ground of its own:
        lines of the plot give way."""
        width, half = page.text_width(label, self.format.text), self.format.text * 0.19
        x = (at[0], at[0] + side * width)
        self.rect((min(x), max(x)), (at[1] - half, at[1] + half), page.GROUND)
        self.text(at, label, align="right" if side < 0 else "left")

    def hit(
        self, x: Span, y: Span, keys: str, workload: str = "", series: str = ""
    ) -> None:
        """Where a page shows the facts of these ``keys``, parted by spaces, to who
        points there; nothing is seen of it."""
        if not keys:
            return
        about = {"data_keys": keys, "data_of": workload, "data_series": series}
        place = {"x": _point(x[0]), "y": _point(y[0])}
        size = {"width": _point(x[1] - x[0]), "height": _point(y[1] - y[0])}
        self._add("rect", **place, **size, fill="none", pointer_events="all", **about)

    def lines(
        self, at: Place, labels: Iterable[str], step: float, **look: Any
    ) -> float:
        """Labels below one another, ``step`` mm each; where the last line ends."""
        x, y = at
        for label in labels:
            self.text((x, y + step / 2), label, **look)
            y += step
        return y

    def row(
        self, cells: Sequence[TextCell], step: float, around: float = 0.0,
        least: float = 0.0, down: bool = False,
    ) -> None:  # fmt: skip
        """Cells side by side in lines of ``step`` mm, with room ``around`` them.

        They stand in the middle of the row, or ``down`` at its foot; it is ``least`` mm
        high, and ``y`` moves below it.
        """
        size = self.format.text
        words = [page.wrap(c.text, c.x[1] - c.x[0], size, c.weight) for c in cells]
        high = max(least, max(map(len, words)) * step + around)
        for cell, lines in zip(cells, words, strict=True):
            free = high - len(lines) * step
            at = (cell.x[cell.align == "right"], self.y + (free if down else free / 2))
            look = {"color": cell.color, "weight": cell.weight, "align": cell.align}
            self.lines(at, lines, step, **look)
        self.y += high

    def rule(self, right: float, color: str = page.RULE, width: float = 0.4) -> None:
        """A line below a row, from the left to ``right``."""
        self.line((0.0, self.y), (right, self.y), color, width)

    def paragraph(
        self, label: str, size: float, color: str = page.SOFT, weight: int = page.NORMAL
    ) -> None:
        """Wrapped lines over the whole page; ``y`` moves below them."""
        for line in page.wrap(label, self.format.width, size, weight):
            base = self.y + size * 0.95 * page.POINT
            self.text((0.0, base), line, size, color, weight, middle=False)
            self.y += size * 1.28 * page.POINT

    def picture(self, elements: Iterable[Any], height: float) -> None:
        """Elements of SVG that are drawn already, ``height`` mm high."""
        place = f"translate(0 {_point(self.y)})"
        group = etree.Element("{http://www.w3.org/2000/svg}g", transform=place)
        group.extend(elements)
        self.pictures.append(group)
        self.y += height

    def head(self, title: str, subtitle: str) -> None:
        """Title and subtitle; ``y`` moves below them."""
        if title:
            self.paragraph(title, self.format.title, page.INK, page.BOLD)
            self.y += 0.6
        if subtitle:
            self.paragraph(subtitle, self.format.text, page.SOFT)
            self.y += 2.6

    def foot(self, line: str) -> None:
        """The foot line, the last thing on a sheet."""
        self.y += 2.2
        self.paragraph(line, self.format.small, page.QUIET)
        self.y += 0.4

    def chip(self, left: float, y: float, color: str) -> None:
        """The square with a colour; ``y`` is its middle."""
        self.rect((left, left + CHIP), (y - CHIP / 2, y + CHIP / 2), color)

    def legend(self, at: Place, lines: Sequence[Named], step: float) -> float:
        """Lines of squares with what they stand for, ``step`` mm each; their end."""
        left, y = at
        for named in lines:
            x = left
            for color, name in named:
                self.chip(x, y + step / 2, color)
                self.text((x + BESIDE_CHIP, y + step / 2), name, color=page.SOFT)
                x += BESIDE_CHIP + page.text_width(name, self.format.text) + _APART
            y += step
        return y

    def svg(self, name: str) -> bytes:
        """The sheet as SVG, as high as its marks need; ids begin with ``name``."""
        size = (self.format.width, self.y)
        root = etree.Element("svg", nsmap={None: "http://www.w3.org/2000/svg"})
        root.set("viewBox", f"0 0 {' '.join(map(_point, size))}")
        root.set("font-family", page.FAMILIES)
        root.set("stroke-linejoin", "round")
        if self.plot is not None:
            root.extend(draw_plot(self.plot, self.panels, size, name))
        root.extend(self.pictures)
        if len(root):
            etree.cleanup_namespaces(root)
        for tag, values, text in self.shapes:
            etree.SubElement(root, tag, values).text = text or None
        return bytes(etree.tostring(root, encoding="utf-8")) + b"\n"


def legend_lines(named: Named, room: float, format: page.PageFormat) -> list[Named]:
    """Squares with what they stand for in as many lines of ``room`` mm as they need."""
    lines: list[list[tuple[str, str]]] = [[]]
    left = room
    for color, name in named:
        width = BESIDE_CHIP + page.text_width(name, format.text)
        if lines[-1] and width > left:
            lines.append([])
            left = room
        lines[-1].append((color, name))
        left -= width + _APART
    return [*lines]


def widest(labels: Iterable[str], size: float, weight: int = page.NORMAL) -> float:
    """The width of the widest label in mm, 0 for none."""
    return max((page.text_width(label, size, weight) for label in labels), default=0.0)


def _point(length: float) -> str:
    """Millimetres in points, to a hundredth."""
    return f"{length / page.POINT:.2f}".rstrip("0").rstrip(".")
