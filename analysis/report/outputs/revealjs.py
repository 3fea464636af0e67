"""Slides for a browser: one page with reveal.js in it that asks for nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

from analysis.report.document.document import Document
from analysis.report.engines.pandoc import plain_file
from analysis.report.output import Output
from analysis.report.pages.html_page import deck_head
from analysis.report.pages.inserts import put_inserts
from analysis.report.pages.safe_page import check_page
from analysis.report.text.texts import SLIDES

_TO = (
    "--to=html5",
    "--mathml",
    "--template=deck.html",
    "--lua-filter=house.lua",
    "--lua-filter=deck.lua",
    "--syntax-highlighting=none",
    "--variable=beside",
)


def deck_page(document: Document, fonts: Path) -> bytes:
    """The page of all slides, as UTF-8."""
    made = deck_head(document.folder, fonts)
    with tempfile.TemporaryDirectory() as name:
        head = Path(name, "head.html")
        head.write_text(made.text, encoding="utf-8")
        own = (f"--include-in-header={head}", f"--variable=policy:{made.policy}")
        page = plain_file(document, (*_TO, *own))
    return finished_deck(page.decode("utf-8"), document, fonts)


def finished_deck(page: str, document: Document, _fonts: Path) -> bytes:
    """A page with its drawings."""
    return put_inserts(page, document.folder).encode("utf-8")


OUTPUT = Output(
    id="revealjs",
    name="{edition}-slides.html",
    media_type="text/html; charset=utf-8",
    link="Slides",
    whole="slides for a browser",
    pandoc=deck_page,
    quarto="html",
    gate=check_page,
    finish=finished_deck,
    markup="html",
    folder=SLIDES,
)
