"""Drawings for slides: whether a file is one that can be placed, and its alt text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from lxml import etree

from analysis.errors import Issue, Place, raise_if, user_error
from analysis.report.slides.slide import Slide

_SIZE = re.compile(r"0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)")
_MEND = "delete that file and run 'make report'"
_SVG = "{http://www.w3.org/2000/svg}svg"


def check_drawing(path: Path) -> list[Issue]:
    """Why a file is no drawing: it is damaged, or something else, or has no size."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(path.read_bytes(), parser)
    except etree.XMLSyntaxError as error:
        where = Place(str(path), error.lineno or None)
        return [Issue("this drawing is damaged: no whole SVG", where, _MEND)]
    size = _SIZE.fullmatch(root.get("viewBox", "")) if root.tag == _SVG else None
    if size is None or not float(size[1]) or not float(size[2]):
        return [Issue("this is no drawing that has a size", Place(str(path)), _MEND)]
    return []


def read_alts(path: Path, slides: Iterable[Slide]) -> dict[str, str]:
    """The alt text of each drawing; a :class:`UserError` if one of slides has none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise user_error("these alt texts are damaged: no JSON", path, mend=_MEND)
    issues = [
        Issue(f"{path} has no alt text of {id}", Place(str(slide.path), line), _MEND)
        for slide in slides
        for id, line in zip(slide.figures, slide.lines, strict=True)
        if not str(found.get(id, "")).strip()
    ]
    raise_if(issues)
    return found
