"""Drawings, files and facts are put in the place of the filters' marks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.figures.page import COLOURS
from analysis.report.document.document import Document
from analysis.report.pages.inserts import PALETTE, inline_svg, put_inserts
from tests.report.conftest import ROOT
from tests.report.sample_document import html_piece, sample_document

SVG = """<?xml version="1.0"?>
<svg width="9pt" height="4pt" viewBox="0 0 9 4"><metadata>who</metadata><!-- x -->
<path id="a" fill="#0072B2" stroke="#0072b2ff"/><use href="#a" clip-path="url(#a)"/>
<path fill="#123456" stroke-width="2"/></svg>"""
FIGURE = """![R](figures/noise-runs/figure.svg){#fig-noise-runs fig-alt="A & \\"b\\"."}

::: {.figure-links figure="noise-runs" study="noise"}
[Data (CSV)](data/noise-runs.csv)
:::
"""


def test_a_drawing_takes_the_colours_of_the_page() -> None:
    drawn = inline_svg(SVG, "wide", "A line.")
    assert drawn.startswith(
        '<div class="drawing wide" style="aspect-ratio: 9 / 4"><svg class="wide" '
        'role="img" aria-label="A line." focusable="false" viewBox="0 0 9 4">'
    )
    assert 'fill="var(--data-1, #0072B2)" stroke="#0072b2ff"' in drawn
    assert 'fill="#123456" stroke-width="2"' in drawn
    assert not re.search("metadata|<!--|xml", drawn)


def test_the_narrow_layout_has_ids_of_its_own() -> None:
    drawn = inline_svg(SVG, "narrow", "A line.")
    assert 'id="a-narrow"' in drawn
    assert '<use href="#a-narrow" clip-path="url(#a-narrow)"/>' in drawn


def test_every_colour_of_the_figures_is_one_of_the_page() -> None:
    style = (ROOT / "templates/house.css").read_text("utf-8")
    assert set(COLOURS) <= set(PALETTE)
    for colour, name in PALETTE.items():
        assert f"--{name}: light-dark({colour}, " in style


def test_a_piece_of_a_page_has_its_drawings_and_files(tmp_path: Path) -> None:
    document = Document(sample_document(tmp_path / "document"), "")
    piece = html_piece(document, FIGURE)
    assert re.findall(r'<svg class="(\w+)"', piece) == ["wide", "narrow"]
    assert piece.count('aria-label="A &amp; &quot;b&quot;."') == 2
    link = '<a href="data/noise-runs.csv" download="noise-runs.csv">'
    assert link in piece
    assert '<a href="explorer.html?study=noise">Numbers</a>' in piece
    assert "data-drawing" not in piece


def test_what_cards_show_is_put_in_as_data(tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text('{"a":"\\\\1"}', encoding="utf-8")
    mark = '<div data-insert="cards.json"></div>'
    assert put_inserts(f"<main>{mark}</main>", tmp_path) == (
        '<main><script type="application/json" id="cards">{"a":"\\\\1"}</script></main>'
    )


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/x.csv", "x.html", "x y.csv"])
def test_a_text_makes_no_download_of_another_folder(tmp_path: Path, name: str) -> None:
    document = Document(sample_document(tmp_path / "document"), "")
    text = f"::: {{.figure-links figure=x}}\n[x](<{name}>)\n:::\n"
    assert "<a " not in html_piece(document, text)
