"""A drawn figure made small, stable, and safe to put in a page beside others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from analysis.figures.page import FAMILIES

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
# metadata carries a date, a style element would reach into the page around the
# figure, and nothing is drawn that needs clipping
_DROPPED = (f"{_SVG}metadata", f"{_SVG}style", f"{_SVG}clipPath")
_NUMBER = re.compile(r"-?\d+\.\d+")
_SHIFT = re.compile(r"translate\((\S+) (\S+)\)")
_ORIGIN = "origin-"
_TILES = {"synthetic": 2.0, "modelled": 4.0}  # points, the side of a pattern's tile
_KEPT = ("fill", "stroke", "font-size", "font-weight", "text-anchor")
_NOTHING = {("stroke", "none"), ("text-anchor", "start"), ("font-weight", "400")}


def tidy_svg(svg: bytes, name: str) -> bytes:
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
    ids = _short_ids(root, name)
    for element in root.iter():
        _round_off(element)
        _tidy(element, ids)
    _unwrap(root)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.set("stroke-linejoin", "round")
    root.set("font-family", FAMILIES)
    etree.cleanup_namespaces(root)
    return bytes(etree.tostring(root, encoding="utf-8")) + b"\n"


def _give_patterns(root: Any, name: str) -> None:
    """Bars of an origin other than measured filled by a pattern, one a colour."""
    made: dict[tuple[str, str], str] = {}
    for group in root.iter(f"{_SVG}g"):
        look = group.get("id", "").removeprefix(_ORIGIN)
        if not group.get("id", "").startswith(_ORIGIN) or look == "measured":
            continue
        for bar in group.iter(f"{_SVG}path", f"{_SVG}use"):
            style = _style_of(bar)
            if "fill" not in style:  # the shape that several bars use
                continue
            key = (look, style["fill"])
            fill = made.setdefault(key, f"{name}-pattern-{len(made)}")
            style["fill"] = f"url(#{fill})" if look in _TILES else "none"
            bar.set("style", "; ".join(f"{k}: {v}" for k, v in style.items()))
    patterns = [_pattern(look, fill, id) for (look, fill), id in made.items()]
    if kept := [pattern for pattern in patterns if pattern is not None]:
        defs = etree.Element(f"{_SVG}defs")
        defs.extend(kept)
        root.insert(0, defs)


def _pattern(look: str, color: str, id: str) -> Any:
    """Dots of synthetic data, diagonal lines of predicted ones."""
    if look not in _TILES:
        return None
    side = f"{_TILES[look]:g}"
    pattern = etree.Element(
        f"{_SVG}pattern",
        {"id": id, "patternUnits": "userSpaceOnUse", "width": side, "height": side},
    )
    if look == "synthetic":
        dot = {"cx": "1", "cy": "1", "r": ".62", "fill": color}
        etree.SubElement(pattern, f"{_SVG}circle", dot)
    else:
        line = {
            "d": "M-1 1L1 -1M0 4L4 0M3 5L5 3",
            "stroke": color,
            "stroke-width": ".9",
        }
        etree.SubElement(pattern, f"{_SVG}path", line)
    return pattern


def _style_of(element: Any) -> dict[str, str]:
    pairs = (part.partition(":") for part in element.get("style", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs if value}


def _short_ids(root: Any, name: str) -> dict[str, str]:
    """A short name of the figure's own for every id that is referred to."""
    used = dict.fromkeys(e.get(_HREF, "")[1:] for e in root.iter(f"{_SVG}use"))
    return {old: f"{name}-{i}" for i, old in enumerate(used)}


def _tidy(element: Any, ids: dict[str, str]) -> None:
    values = element.attrib
    values.pop("clip-path", None)
    id = values.pop("id", "")
    own = ids.get(id) or (id if "-pattern-" in id else "")
    if own:
        values["id"] = own
    if _HREF in values and element.tag == f"{_SVG}use":
        values["href"] = "#" + ids[values.pop(_HREF)[1:]]
    if element.tag == f"{_SVG}text":
        _place(values)
    for key, value in _attributes(element):
        values[key] = value
    for key in ("d", "x", "y", "viewBox", "transform"):
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
    for name, value in (("cx", float(x)), ("cy", middle), ("r", radius)):
        element.set(name, _rounded_number(value))


def _place(values: Any) -> None:
    """The place of a text as ``x`` and ``y``, never as a transform."""
    moved = _SHIFT.search(values.pop("transform", ""))
    if moved:
        values["x"], values["y"] = moved.groups()


def _attributes(element: Any) -> Iterator[tuple[str, str]]:
    """The style of an element as attributes, without what says nothing."""
    style = _style_of(element)
    element.attrib.pop("style", None)
    style.pop("font-family", None)
    if element.tag == f"{_SVG}use":
        style.pop("fill", None) if style.get("fill") == "none" else None
    for key, value in style.items():
        if (key, value) not in _NOTHING:
            value = value.removesuffix("px") if key == "font-size" else value
            yield key, _shorten(key, value) if key.startswith("stroke") else value


def _shorten(key: str, value: str) -> str:
    value = _NUMBER.sub(_rounded, " ".join(value.split()))
    return re.sub(r" ?([A-Za-z]) ?", r"\1", value) if key == "d" else value


def _rounded(found: re.Match[str]) -> str:
    return _rounded_number(float(found[0]))


def _rounded_number(value: float) -> str:
    """A number to two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


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
