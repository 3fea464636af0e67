"""What goes into a page past Pandoc: drawings, and what cards of numbers show.

They are most of a large page, and nothing in them is Pandoc's work. The filters leave
a mark in the place of each, and the engine puts them into what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

# Colours of the figures' light theme, and the variables that the page gives them.
PALETTE = {
    "#ffffff": "paper",
    "#161616": "ink",
    "#525252": "ink-2",
    "#6f6f6f": "ink-3",
    "#8d8d8d": "data-0",
    "#c6c6c6": "line-2",
    "#e0e0e0": "line",
    "#f4f4f4": "ground",
    "#0f62fe": "accent",
    "#0072b2": "data-1",
    "#b8860b": "data-2",
    "#8a3ffc": "data-3",
    "#cc79a7": "data-4",
    "#009e73": "better",
    "#da1e28": "worse",
}
_DRAWING = re.compile(r'<svg data-drawing="([^"]*)" aria-label="([^"]*)"></svg>')
FACTS, CARDS = "facts.html", "cards.json"
_CARDS = f'<div data-insert="{CARDS}"></div>'
_DATA = '<script type="application/json" id="cards">{}</script>'
_NO_PICTURE = re.compile(r"<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}(?![0-9a-fA-F])")
# What the colours of a drawing are for that has those of a company.
_COLOURS = re.compile(r"\A[^<]*(?:<[?!](?!--)[^>]*>\s*)*<!-- colours ([^>]*) -->")
_IDS = (r'id="[^"]+', r'href="#[^"]+', r"url\(#[^)]+")
_SIZE = re.compile(r'\s(?:width|height)="[^"]*"')
_VIEW = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


def put_inserts(html: str, folder: Path) -> str:
    """HTML with what its marks stand for, from the files of a document folder.

    A drawing that has a narrow layout beside it comes in both, of which the page shows
    one at a time; the other one lies in a template.
    """

    def inline(mark: re.Match[str]) -> str:
        return drawing(folder / unescape(mark[1]), mark[2])

    html = _DRAWING.sub(inline, html)
    if _CARDS not in html:
        return html
    data = (folder / CARDS).read_text(encoding="utf-8")
    return html.replace(_CARDS, _DATA.format(data))


def inline_svg(text: str, layout: str, label: str) -> str:
    """The text of an SVG file as an element of the page, in the page's colours.

    ``layout`` is its class, ``label`` its alt text as HTML.
    """
    noted = _COLOURS.search(text)
    named = dict(pair.split("=") for pair in noted[1].split()) if noted else {}
    text = _NO_PICTURE.sub("", text[text.index("<svg") :])
    text = _COLOUR.sub(lambda colour: _variable(colour[0], named), text)
    # Two layouts of one figure stand in the same page: their ids must differ.
    if layout == "narrow":
        for pattern in _IDS:
            text = re.sub(pattern, r"\g<0>-narrow", text)
    head, _, rest = text.removeprefix("<svg").partition(">")
    head = _SIZE.sub("", head)
    label = f'role="img" aria-label="{label}" focusable="false"'
    svg = f'<svg class="{layout}" {label}{head}>{rest}'
    view = _VIEW.search(head)
    if not view:
        return svg
    ratio = f"aspect-ratio: {view[1]} / {view[2]}"
    return f'<div class="drawing {layout}" style="{ratio}">{svg}</div>'


def drawing(path: Path, label: str) -> str:
    """An SVG file in its layouts, as the page holds them; ``label`` is HTML."""
    narrow = path.with_name(f"{path.stem}-narrow.svg")
    wide = path.read_text(encoding="utf-8")
    if not narrow.is_file():
        return inline_svg(wide, "plot", label)
    slim = inline_svg(narrow.read_text(encoding="utf-8"), "narrow", label)
    shown = inline_svg(wide, "wide", label)
    return f'{shown}\n<template class="layout">{slim}</template>'


def _variable(colour: str, named: Mapping[str, str]) -> str:
    hex = colour.lower()
    name = named.get(hex) or PALETTE.get(hex)
    return f"var(--{name}, {colour})" if name else colour
