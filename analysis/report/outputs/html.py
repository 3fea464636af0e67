"""HTML: one page that holds all it needs, and asks the network for nothing."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from analysis.errors import raise_if
from analysis.report.document.document import Document, check_numbered
from analysis.report.engines.pandoc import FILTERS, run_pandoc, whole
from analysis.report.output import Output, outputs_of
from analysis.report.pages.fonts import font_css
from analysis.report.pages.inserts import put_inserts
from analysis.report.pages.policy import page_policy
from analysis.report.pages.safe_page import check_page

_TO = ("--to=html5", "--mathml")
_PAGE = ("--template=page.html", "--toc", "--toc-depth=4")
_STYLES = ("house.css", "reading.css", "page.css", "paper.css")
_SCRIPTS = ("theme.js", "page.js", "notes.js", "figures.js", "search.js")
# The PDF takes longer than the page, which therefore yields to it: a sixth of all time.
_BEHIND = 10


def html_page(document: Document, fonts: Path) -> bytes:
    """The page of a document, as UTF-8."""
    styles = [font_css(fonts), *(_text(document, name) for name in _STYLES)]
    first, *others = (_text(document, name) for name in _SCRIPTS)
    then = "".join(others)
    with tempfile.TemporaryDirectory() as name:
        head = Path(name, "head.html")
        # In the head, so that the page answers before all of it is read.
        style = f"<style>\n{''.join(styles)}</style>"
        parts = [f"<script>{first}</script>", style, f"<script>{then}</script>\n"]
        head.write_text("\n".join(parts), encoding="utf-8")
        options = (
            *_PAGE,
            f"--include-in-header={head}",
            f"--variable=policy:{page_policy([first, then])}",
            f"--variable-json=others:{json.dumps(_others(document))}",
        )
        page = whole(document, document.text, _TO, options, _BEHIND)
    raise_if(check_numbered(page, document))
    return put_inserts(page, document.folder).encode("utf-8")


def html_piece(document: Document, text: str) -> str:
    """The HTML of a piece of text with the filters of a document, and no page.

    The metadata ``labels`` say what references to other parts read.
    """
    piece = run_pandoc(document, (*FILTERS, *_TO), text).decode("utf-8")
    return put_inserts(piece, document.folder)


def _others(document: Document) -> list[dict[str, str]]:
    """The other formats of the edition, to which the head of the page leads."""
    return [
        {"file": output.file(document.edition), "link": output.link}
        for output in outputs_of(document)
        if output.id != OUTPUT.id
    ]


def _text(document: Document, name: str) -> str:
    return (document.folder / name).read_text(encoding="utf-8")


OUTPUT = Output(
    id="html",
    name="index.html",
    media_type="text/html; charset=utf-8",
    link="Read online",
    whole="one self-contained page",
    pandoc=html_page,
    quarto="html",
    quarto_file="index.html",
    gate=check_page,
    nice=_BEHIND,
)
