"""HTML: one page that holds all it needs, and asks the network for nothing."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

from analysis.errors import raise_if
from analysis.report.document.document import Document, check_numbered
from analysis.report.document.kept_sections import Known, Rendered
from analysis.report.document.parts import DocumentParts
from analysis.report.engines.pandoc import new_bodies, source_of, whole
from analysis.report.output import Output, outputs_of
from analysis.report.pages.fonts import font_css
from analysis.report.pages.inserts import FACTS, put_inserts
from analysis.report.pages.policy import page_policy
from analysis.report.pages.safe_page import check_page

_TO = ("--to=html5", "--mathml")
_PAGE = ("--template=page.html", "--toc", "--toc-depth=4")
_STYLES = (
    "house.css",
    "reading.css",
    "search.css",
    "page.css",
    "narrow.css",
    "paper.css",
)
_SCRIPTS = (
    "theme.js",
    "page.js",
    "notes.js",
    "cite.js",
    "figures.js",
    "words.js",
    "entries.js",
    "search.js",
)
# The PDF takes longer than the page, which therefore yields to it: a sixth of all time.
_BEHIND = 10


def html_page(document: Document, fonts: Path) -> bytes:
    """The page of a document, as UTF-8."""
    return rendered_page(document, fonts).text.encode("utf-8")


def rendered_page(document: Document, fonts: Path) -> Rendered:
    """The page of a document, its frame and the bodies of its parts."""
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
            *(["--variable=beside"] if (document.folder / FACTS).is_file() else []),
        )
        page = whole(document, document.parts, _TO, options, _BEHIND)
    raise_if(check_numbered(page.text, document))
    return replace(
        page,
        frame=tuple(put_inserts(text, document.folder) for text in page.frame),
        bodies=_with_inserts(page.bodies, document),
    )


def frame_key(document: Document, parts: DocumentParts) -> str:
    """What stands for the frame of a page whose text are the parts."""
    return source_of(document, parts, _TO).frame_key


def changed_page(
    document: Document, last: Rendered, parts: DocumentParts
) -> Rendered | None:
    """A page with the bodies that changed rendered, in the frame that it had.

    ``parts`` are its text now. None where the frame is another now as well.
    """
    source = source_of(document, parts, _TO)
    if source.frame_key != last.frame_key:
        return None
    new = new_bodies(document, source, last.bodies, _TO)
    if new is None:
        return None
    bodies = {**last.bodies, **_with_inserts(new, document)}
    keys = tuple(source.keys.values())
    return replace(last, keys=keys, bodies={key: bodies[key] for key in keys})


def _with_inserts(bodies: Known, document: Document) -> Known:
    return {key: put_inserts(body, document.folder) for key, body in bodies.items()}


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
