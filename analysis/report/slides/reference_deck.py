"""The deck from which PowerPoint files take their look: Pandoc's own, in the house's.

Its layouts have the places of the page of slides, 1280 by 720, and its feet say what
the document says of itself. Dates are those of the document, so that equal documents
give equal bytes.
"""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

from analysis.errors import user_error
from analysis.programs.child import run_child
from analysis.report.text.pandoc_program import pandoc_program

REFERENCE = "reference.pptx"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_NAMES = {
    "a": _DRAWING,
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
}
_A = f"{{{_DRAWING}}}"
_SPACES = " ".join(f'xmlns:{name}="{space}"' for name, space in _NAMES.items())
_EMU = 9_144_000 / 1280  # in a pixel of the page of slides
_COLOURS = {
    "dk2": "161616", "lt2": "F4F4F4", "accent1": "0F62FE", "accent2": "D55E00",
    "accent3": "009E73", "accent4": "CC79A7", "accent5": "0072B2", "accent6": "8D8D8D",
    "hlink": "161616",
}  # fmt: skip


class _Box(NamedTuple):
    """A place: its left, top, width and height in pixels, and the size of its text."""

    left: int
    top: int
    width: int
    height: int
    size: int = 0  # hundredths of a point
    anchor: str = "t"


_TITLE = _Box(56, 36, 1168, 96, 2150)
_WHOLE = _Box(56, 148, 1168, 500, 1800)
_FOOT, _NUMBER = _Box(56, 672, 900, 32, 850), _Box(1064, 672, 160, 32, 850)
_FEET = ("ftr", "sldNum")
_APART = 600  # hundredths of a point between paragraphs
# By part of the deck: the place of each placeholder, by its type or number.
_PLACES = {
    "slideMasters/slideMaster1": {
        "title": _TITLE, "1": _WHOLE, "ftr": _FOOT, "sldNum": _NUMBER,
    },
    "slideLayouts/slideLayout1": {
        "ctrTitle": _Box(76, 190, 1100, 150, 3400, "b"),
        "subTitle": _Box(76, 352, 1100, 190, 1600),
    },
    "slideLayouts/slideLayout3": {
        "title": _Box(76, 240, 1100, 130, 3000, "b"),
        "1": _Box(76, 396, 1100, 120, 1600),
    },
    "slideLayouts/slideLayout4": {
        "1": _Box(56, 140, 744, 520, 1400),
        "2": _Box(840, 140, 384, 520, 1400, "ctr"),
    },
    "slideLayouts/slideLayout5": {
        "title": _TITLE,
        "1": _Box(56, 524, 1168, 130, 1600),
        "2": _Box(56, 148, 568, 360, 1400),
        "4": _Box(656, 148, 568, 360, 1400),
    },
    "slideLayouts/slideLayout8": {
        "title": _TITLE,
        "1": _Box(56, 148, 1168, 360, 1400),
        "2": _Box(56, 524, 1168, 130, 1600),
    },
}  # fmt: skip
_BARRED = ("slideLayouts/slideLayout1", "slideLayouts/slideLayout3")
_BAR = _Box(0, 0, 20, 720)
_SHADED = "slideLayouts/slideLayout3"  # dividers
# Lines between rows and no fill, under the id that Pandoc gives to tables.
_TABLES = b"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
 def="{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"><a:tblStyle
 styleId="{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}" styleName="Lines"><a:wholeTbl>
<a:tcTxStyle><a:schemeClr val="tx1"/></a:tcTxStyle><a:tcStyle><a:tcBdr>
<a:bottom><a:ln w="12700"><a:solidFill><a:srgbClr val="8D8D8D"/></a:solidFill></a:ln>
</a:bottom><a:insideH><a:ln w="6350"><a:solidFill><a:srgbClr val="C6C6C6"/>
</a:solidFill></a:ln></a:insideH></a:tcBdr><a:fill><a:noFill/></a:fill></a:tcStyle></a:wholeTbl>
<a:firstRow><a:tcTxStyle b="on"><a:schemeClr val="tx1"/></a:tcTxStyle><a:tcStyle>
<a:tcBdr><a:top><a:ln w="19050"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill>
</a:ln></a:top><a:bottom><a:ln w="12700"><a:solidFill><a:schemeClr val="tx1"/>
</a:solidFill></a:ln></a:bottom></a:tcBdr><a:fill><a:noFill/></a:fill></a:tcStyle>
</a:firstRow></a:tblStyle></a:tblStyleLst>"""


def reference_deck(foot: str, date: dt.date) -> bytes:
    """The deck, with words at the foot of its slides."""
    made, moment = BytesIO(), (date.year, date.month, date.day, 0, 0, 0)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in _parts():
            changed = _changed(name, content, foot)
            new.writestr(zipfile.ZipInfo(name, moment), changed)
    return made.getvalue()


def _parts() -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(BytesIO(_pandoc_deck())) as deck:
        yield from ((name, deck.read(name)) for name in deck.namelist())


@cache
def _pandoc_deck() -> bytes:
    command = [pandoc_program(), "--print-default-data-file", REFERENCE]
    done = run_child(command, Path.cwd())
    if done.code != 0:
        raise user_error("Pandoc has no deck for PowerPoint", mend="install it again")
    return done.output


def _changed(name: str, content: bytes, foot: str) -> bytes:
    part = name.removeprefix("ppt/").removesuffix(".xml")
    if part == "theme/theme1":
        return _coloured(content)
    if part == "tableStyles":
        return _TABLES
    if part == "presentation":
        return content.replace(b'sz="1800"', b'sz="1400"')  # of the text in tables
    if not re.fullmatch(r"slide(Masters|Layouts)/\w+", part):
        return content
    root = etree.fromstring(content)
    for shape in root.findall(".//p:sp", _NAMES):
        _place(shape, _PLACES.get(part, {}), foot, part.startswith("slideMasters"))
    if part in _BARRED:
        _add_bar(root, shaded=part == _SHADED)
    for style in root.iterfind(".//p:titleStyle/a:lvl1pPr", _NAMES):
        style.set("algn", "l")
        style.find("a:defRPr", _NAMES).set("b", "1")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _coloured(theme: bytes) -> bytes:
    text = theme.decode("utf-8")
    for name, colour in _COLOURS.items():
        text = re.sub(rf'(<a:{name}><a:srgbClr val=")\w+', rf"\g<1>{colour}", text)
    return text.encode("utf-8")


def _place(shape: Any, places: dict[str, _Box], foot: str, master: bool) -> None:
    kind = shape.find(".//p:ph", _NAMES)
    if kind is None:
        return
    name = kind.get("type", "")
    if name == "dt" or (name in _FEET and not master):
        shape.getparent().remove(shape)
        return
    if box := places.get(name) or places.get(kind.get("idx", "")):
        _set_box(shape, box)
    if name == "ftr":
        paragraph = shape.find(".//a:p", _NAMES)
        paragraph.clear()
        run = etree.SubElement(paragraph, f"{_A}r")
        etree.SubElement(run, f"{_A}t").text = foot
    if name == "sldNum":
        shape.find(".//a:lstStyle/a:lvl1pPr", _NAMES).set("algn", "r")
    if name in _FEET:  # a place is shown where a slide fills it, and a text always
        kind.getparent().remove(kind)


def _add_bar(layout: Any, shaded: bool) -> None:
    """The bar at the left of title and dividers; the ground of dividers is a shade."""
    slide = layout.find("p:cSld", _NAMES)
    left, top, width, height = (round(side * _EMU) for side in _BAR[:4])
    bar = etree.fromstring(
        f'''<p:sp {_SPACES}><p:nvSpPr><p:cNvPr id="90" name="Bar"/><p:cNvSpPr/>
        <p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr><a:xfrm><a:off x="{left}" y="{top}"/>
        <a:ext cx="{width}" cy="{height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>
        </a:prstGeom><a:solidFill><a:schemeClr val="accent1"/></a:solidFill>
        <a:ln><a:noFill/></a:ln></p:spPr></p:sp>'''
    )
    slide.find("p:spTree", _NAMES).insert(2, bar)
    if shaded:
        ground = etree.fromstring(
            f"""<p:bg {_SPACES}><p:bgPr><a:solidFill><a:srgbClr val="EDF5FF"/>
            </a:solidFill><a:effectLst/></p:bgPr></p:bg>"""
        )
        slide.insert(0, ground)


def _set_box(shape: Any, box: _Box) -> None:
    properties = shape.find("p:spPr", _NAMES)
    for old in properties.findall("a:xfrm", _NAMES):
        properties.remove(old)
    frame = etree.Element(f"{_A}xfrm")
    left, top, width, height = (f"{round(side * _EMU)}" for side in box[:4])
    etree.SubElement(frame, f"{_A}off", x=left, y=top)
    etree.SubElement(frame, f"{_A}ext", cx=width, cy=height)
    properties.insert(0, frame)
    shape.find(".//a:bodyPr", _NAMES).set("anchor", box.anchor)
    style = shape.find(".//a:lstStyle", _NAMES)
    style.clear()
    level = etree.SubElement(style, f"{_A}lvl1pPr", algn="l")
    if box.anchor != "b":  # words of a list stand apart, lines of a title do not
        before = etree.SubElement(level, f"{_A}spcBef")
        etree.SubElement(before, f"{_A}spcPts", val=f"{_APART}")
    etree.SubElement(level, f"{_A}defRPr", sz=f"{box.size}")
