"""Drawings, files and facts are put in the place of the filters' marks."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from analysis.figures.palette import COLOURS
from analysis.report.document.document import Document
from analysis.report.pages.inserts import PALETTE, inline_svg, put_inserts
from tests.report.conftest import ROOT
from tests.report.sample_document import SAMPLE, html_piece, sample_document

SVG = """<?xml version="1.0"?>
<svg width="9pt" height="4pt" viewBox="0 0 9 4"><metadata>who</metadata><!-- x -->
<path id="a" fill="#0072B2" stroke="#0072b2ff"/><use href="#a" clip-path="url(#a)"/>
<path fill="#123456" stroke-width="2"/></svg>"""
FIGURE = """![R](figures/noise-runs/figure.svg){#fig-noise-runs fig-alt="A & \\"b\\"."}

::: {.figure-links figure="noise-runs"}
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
    data = base64.b64encode((SAMPLE / "data/noise-runs.csv").read_bytes()).decode()
    assert f'<a href="data:text/csv;base64,{data}" download="noise-runs.csv">' in piece
    assert not re.search("data-drawing|embed:", piece)


def test_the_facts_are_put_in(tmp_path: Path) -> None:
    (tmp_path / "facts.html").write_text("<p>\\1</p>", encoding="utf-8")
    mark = '<div data-insert="facts.html"></div>'
    assert put_inserts(f"<main>{mark}</main>", tmp_path) == "<main><p>\\1</p></main>"


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/x.csv", "none.csv", "x.txt"])
def test_a_text_brings_in_no_file_of_another_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.csv").write_text("1", encoding="utf-8")
    (tmp_path / "document").mkdir()
    (tmp_path / "document/x.txt").write_text("1", encoding="utf-8")
    link = f'<a href="embed:{name}">x</a>'
    assert put_inserts(link, tmp_path / "document") == link
