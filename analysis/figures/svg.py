"""A plot of plotnine as SVG: real text, small, stable, and safe to put in a page.

plotnine's own layout is used only where a file of a study draws: elsewhere every panel
has its place.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import plotnine as p9
from lxml import etree
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from pandas import option_context

from analysis.figures import page

AXIS = 1.1  # mm from an axis to its labels
ORIGIN = "origin-"  # what the ids of bars begin with, whose fill shows their origin
_TILES = {"synthetic": 2.0, "modelled": 4.0}  # points, the side of a pattern's tile
_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
# metadata carries a date, a style element would reach into the page around the
# figure, and nothing is drawn that needs clipping
_DROPPED = (f"{_SVG}metadata", f"{_SVG}style", f"{_SVG}clipPath")
_NUMBER = re.compile(r"-?\d+\.\d+")
_SHIFT = re.compile(r"translate\((\S+) (\S+)\)")
_TURNED = re.compile(r"rotate\(-?(?!0[ )])\d")
_NOTHING = {("stroke", "none"), ("text-anchor", "start"), ("font-weight", "400")}
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,  # a dollar sign in a label is a dollar sign
    "path.simplify": False,
    "text.hinting": "no_hinting",  # nor has text in an SVG
}
Span = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """Where a panel lies [mm from the left and the top], and what its axes are.

    ``ticks`` says whether labels of x stand below it, and ``ends`` from where to where
    its axis of y goes, as scaled.
    """

    x: Span
    y: Span
    ticks: bool
    ends: Span


def draw_plot(
    plot: p9.ggplot,
    panels: Sequence[Panel] | None,
    size: tuple[float, float],
    name: str,
) -> list[Any]:
    """The elements of a plot on a page of that ``size`` [mm]; see :func:`tidied`.

    Without ``panels`` plotnine lays it out, with axes, titles and legends.
    """
    page.use_report_font()
    stream = io.BytesIO()
    with mpl.rc_context(_SETTINGS | {"svg.hashsalt": name}):
        # Arrow keeps a million words well, and a dozen slowly.
        with option_context("mode.string_storage", "python"):
            figure = plot.draw()
        try:
            figure.dpi = 72  # that of an SVG
            figure.set_size_inches(size[0] / 25.4, size[1] / 25.4)
            if panels is not None:
                figure.set_layout_engine("none")
                for axes, panel in zip(figure.axes, panels, strict=True):
                    _put(axes, panel, size)
                for ground in figure.artists:
                    ground.set_visible(False)
            figure.patch.set_visible(False)
            # savefig would draw the figure twice
            FigureCanvasSVG(figure).print_svg(stream)
        finally:
            plt.close(figure)
    return list(tidied(stream.getvalue(), name))


def _put(axes: Axes, panel: Panel, size: tuple[float, float]) -> None:
    (left, right), (top, bottom), (width, height) = panel.x, panel.y, size
    place = (left / width, 1 - bottom / height)
    shares = ((right - left) / width, (bottom - top) / height)
    axes.set_position((*place, *shares))
    axes.patch.set_visible(False)
    axes.tick_params(pad=AXIS / page.POINT, labelbottom=panel.ticks)
    axes.set_ylim(panel.ends)


def tidied(svg: bytes, name: str) -> Any:
    """The same picture without prolog, dates and page-wide style.

    Ids that something refers to begin with ``name``, all others go, so that several
    figures can stand in one page. Bars take the pattern of their origin, and numbers
    are rounded to a hundredth of a point.
    """
    parser = etree.XMLParser(remove_comments=True, remove_blank_text=True)
    root = etree.fromstring(svg, parser)
    blank = [text for text in root.iter(f"{_SVG}text") if not text.text]
    for element in (*root.iter(*_DROPPED), *blank):
        element.getparent().remove(element)
    _give_patterns(root, name)
    used = dict.fromkeys(e.get(_HREF, "")[1:] for e in root.iter(f"{_SVG}use"))
    ids = {old: f"{name}-{i}" for i, old in enumerate(used)}
    for element in root.iter():
        _make_circle(element)
        _tidy(element, ids)
    _unwrap(root)
    return root


def _give_patterns(root: Any, name: str) -> None:
    """Bars of an origin other than measured filled by a pattern, one a colour."""
    made: dict[tuple[str, str], str] = {}
    for group in root.iter(f"{_SVG}g"):
        id = group.get("id", "")
        look = id.removeprefix(ORIGIN)
        if look in (id, "measured"):
            continue
        for bar in group.iter(f"{_SVG}path", f"{_SVG}use"):
            style = _style_of(bar)
            if "fill" not in style:  # the shape that several bars use
                continue
            fill = made.setdefault((look, style["fill"]), f"{name}-pattern-{len(made)}")
            style["fill"] = f"url(#{fill})" if look in _TILES else "none"
            bar.set("style", "; ".join(f"{k}: {v}" for k, v in style.items()))
    if patterns := [_pattern(*key, id) for key, id in made.items() if key[0] in _TILES]:
        defs = etree.Element(f"{_SVG}defs")
        defs.extend(patterns)
        root.insert(0, defs)


def _pattern(look: str, color: str, id: str) -> Any:
    """Dots of synthetic data, diagonal lines of predicted ones."""
    side = f"{_TILES[look]:g}"
    size = {"patternUnits": "userSpaceOnUse", "width": side, "height": side}
    pattern = etree.Element(f"{_SVG}pattern", {"id": id} | size)
    if look == "synthetic":
        dot = {"cx": "1", "cy": "1", "r": ".62", "fill": color}
        etree.SubElement(pattern, f"{_SVG}circle", dot)
    else:
        line = {"d": "M-1 1L1 -1M0 4L4 0M3 5L5 3", "stroke": color}
        etree.SubElement(pattern, f"{_SVG}path", line | {"stroke-width": ".9"})
    return pattern


def _style_of(element: Any) -> dict[str, str]:
    pairs = (part.partition(":") for part in element.get("style", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs if value}


def _tidy(element: Any, ids: dict[str, str]) -> None:
    """Short ids, style as attributes without what says nothing, rounded numbers."""
    values, style = element.attrib, _style_of(element)
    for name in ("clip-path", "style"):
        values.pop(name, None)
    id = values.pop("id", "")
    if kept := ids.get(id) or (id if "-pattern-" in id else ""):
        values["id"] = kept
    if element.tag == f"{_SVG}use":
        values["href"] = "#" + ids[values.pop(_HREF)[1:]]
        if style.get("fill") == "none":
            del style["fill"]
    if element.tag == f"{_SVG}text":
        place = values.pop("transform", "")
        moved = _SHIFT.search(place)
        if _TURNED.search(place):
            values["transform"] = place
        elif moved:
            values["x"], values["y"] = moved.groups()
    style.pop("font-family", None)
    for key, value in style.items():
        if (key, value) not in _NOTHING:
            value = value.removesuffix("px") if key == "font-size" else value
            values[key] = _shorten(key, value) if key.startswith("stroke") else value
    for key in ("d", "x", "y", "transform"):
        if key in values:
            values[key] = _shorten(key, values[key])


def _make_circle(element: Any) -> None:
    """A dot as a circle, not as eight curves from its lowest point and back."""
    path = element.get("d", "")
    if path.count("C") != 8 or path.count("M") != 1 or element.tag != f"{_SVG}path":
        return
    ends = [step.split()[-2:] for step in path.rstrip("z \n").split("C")]
    (x, bottom), (_, top) = ends[0], ends[4]
    middle, radius = (float(bottom) + float(top)) / 2, (float(bottom) - float(top)) / 2
    del element.attrib["d"]
    element.tag = f"{_SVG}circle"
    for name, value in (("cx", float(x)), ("cy", middle), ("r", radius)):
        element.set(name, _rounded(value))


def _shorten(key: str, value: str) -> str:
    value = _NUMBER.sub(lambda n: _rounded(float(n[0])), " ".join(value.split()))
    return re.sub(r" ?([A-Za-z]) ?", r"\1", value) if key == "d" else value


def _rounded(value: float) -> str:
    """A number to two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _unwrap(root: Any) -> None:
    """Take out groups that say nothing, and definitions that define nothing."""
    for element in reversed(list(root.iter(f"{_SVG}g", f"{_SVG}defs"))):
        if len(element) and (element.attrib or element.tag == f"{_SVG}defs"):
            continue
        parent = element.getparent()
        at = parent.index(element)
        parent[at : at + 1] = list(element)
