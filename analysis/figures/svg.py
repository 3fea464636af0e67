"""A ggplot as SVG: small, stable, and safe to put in a page beside others."""

from __future__ import annotations

import io
import re
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from lxml import etree
from matplotlib.backends.backend_svg import FigureCanvasSVG
from plotnine import ggplot

from analysis.figures.theme import settings, use_report_font

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
# metadata carries a date, a style element would reach into the page around the
# figure, and nothing is drawn that needs clipping
_DROPPED = (f"{_SVG}metadata", f"{_SVG}style", f"{_SVG}clipPath")
_NUMBER = re.compile(r"-?\d+\.\d+")
_SHIFT = re.compile(r"translate\((\S+) 0\)")
_NO_EDGE = re.compile(r"; stroke: #000000; stroke-opacity: 0(; stroke-width: [\d.]+)?")


def render_svg(plot: ggplot, name: str) -> bytes:
    """The plot as SVG; ``name`` prefixes its ids and salts its hashes."""
    use_report_font()
    stream = io.BytesIO()
    with mpl.rc_context(settings(name)):
        figure = plot.draw()
        try:
            for patch in (figure.patch, *(axes.patch for axes in figure.axes)):
                patch.set_visible(False)
            # savefig would draw the figure twice
            FigureCanvasSVG(figure).print_svg(stream)
        finally:
            plt.close(figure)
    return tidy_svg(stream.getvalue(), name)


def tidy_svg(svg: bytes, name: str) -> bytes:
    """The same picture without prolog, dates and page-wide style.

    Ids that something refers to begin with ``name``, all others go, so that several
    figures can stand in one page; numbers are rounded to a hundredth of a point.
    """
    parser = etree.XMLParser(remove_comments=True, remove_blank_text=True)
    root = etree.fromstring(svg, parser)
    for element in list(root.iter(*_DROPPED)):
        element.getparent().remove(element)
    ids = _short_ids(root, name)
    for element in root.iter():
        _round_off(element)
        _tidy(element, ids)
    _unwrap(root)
    root.set("stroke-linejoin", "round")
    return bytes(etree.tostring(root, encoding="utf-8")) + b"\n"


def _short_ids(root: Any, name: str) -> dict[str, str]:
    """A short name of the figure's own for every id that is referred to."""
    used = dict.fromkeys(e.get(_HREF, "")[1:] for e in root.iter(f"{_SVG}use"))
    return {old: f"{name}-{i}" for i, old in enumerate(used)}


def _tidy(element: Any, ids: dict[str, str]) -> None:
    values = element.attrib
    values.pop("clip-path", None)
    own = ids.get(values.pop("id", ""))
    if own:
        values["id"] = own
    if _HREF in values:
        values[_HREF] = "#" + ids[values[_HREF][1:]]
        _place(values)
    for key in ("d", "x", "y", "width", "height", "viewBox", "transform", "style"):
        if key in values:
            values[key] = _shorten(key, values[key])


def _round_off(element: Any) -> None:
    """A dot as a circle, not as eight curves from its lowest point and back."""
    path = element.get("d", "")
    if path.count("C") != 8 or path.count("M") != 1 or element.tag != f"{_SVG}path":
        return
    ends = [step.split()[-2:] for step in path.rstrip("z \n").split("C")]
    (x, bottom), (_, top) = ends[0], ends[4]
    middle, radius = (float(bottom) + float(top)) / 2, (float(bottom) - float(top)) / 2
    del element.attrib["d"]
    element.tag = f"{_SVG}circle"
    for name, value in (("cx", float(x)), ("cy", middle)):
        element.set(name, f"{value:.2f}")
    element.set("r", f"{radius:.2f}")


def _place(values: Any) -> None:
    """A glyph's place on its line as ``x``, which is shorter than a transform."""
    shift = _SHIFT.fullmatch(values.get("transform", ""))
    if shift:
        del values["transform"]
        values["x"] = shift[1]


def _shorten(key: str, value: str) -> str:
    value = " ".join(_NO_EDGE.sub("", value).split())
    value = re.sub(r"scale\([^)]*\)|-?\d+\.\d+", _rounded, value)
    if key == "d":
        return re.sub(r" ?([A-Za-z]) ?", r"\1", value)
    return value.replace(": ", ":").replace("; ", ";") if key == "style" else value


def _rounded(found: re.Match[str]) -> str:
    """A number to two decimals; those of a scale, which multiply, to six."""
    digits = 6 if found[0].startswith("scale") else 2
    return _NUMBER.sub(
        lambda m: f"{float(m[0]):.{digits}f}".rstrip("0").rstrip("."), found[0]
    )


def _unwrap(root: Any) -> None:
    """Take out groups that say nothing, and definitions that define nothing."""
    for element in reversed(list(root.iter(f"{_SVG}g", f"{_SVG}defs"))):
        parent = element.getparent()
        if parent is None or (element.attrib and len(element)):
            continue
        if element.tag == f"{_SVG}defs" and len(element):
            continue
        at = parent.index(element)
        parent[at : at + 1] = list(element)
