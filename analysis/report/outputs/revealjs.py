"""Slides for a browser: one page with reveal.js in it that asks for nothing."""

from __future__ import annotations

from pathlib import Path

from analysis.report.document.document import DECK, HEAD, REPORT, Document, policy_of
from analysis.report.engines.pandoc import plain_file
from analysis.report.output import Output
from analysis.report.pages.inserts import put_inserts
from analysis.report.pages.safe_page import check_page
from analysis.report.text.texts import SLIDES

_TO = (
    "--to=html5",
    "--mathml",
    f"--template={DECK}/deck.html",
    f"--lua-filter={REPORT}/house.lua",
    f"--lua-filter={DECK}/deck.lua",
    "--syntax-highlighting=none",
    "--variable=beside",
)


def deck_page(document: Document, fonts: Path) -> bytes:
    """The page of all slides, as UTF-8."""
    policy = policy_of(document.folder, DECK)
    own = (f"--include-in-header={DECK}/{HEAD}", f"--variable=policy:{policy}")
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
    quarto="netperf-slides-html",
    gate=check_page,
    finish=finished_deck,
    markup="html",
    folder=SLIDES,
)
