"""HTML: one page that holds all it needs, and asks the network for nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from analysis.errors import raise_if
from analysis.report.document.document import (
    HEAD,
    REPORT,
    Document,
    check_numbered,
    policy_of,
)
from analysis.report.document.kept_sections import Known, Rendered, Source
from analysis.report.document.parts import DocumentParts
from analysis.report.engines.pandoc import new_bodies, source_of, whole
from analysis.report.output import Output, links_to_others
from analysis.report.pages.inserts import FACTS, put_inserts
from analysis.report.pages.safe_page import check_page

# Colours that no style of the page has would take three quarters of a sentence's time.
_TO = ("--to=html5", "--mathml", "--syntax-highlighting=none")
_PAGE = (f"--template={REPORT}/page.html", "--toc", "--toc-depth=4")
_NOTE = re.compile(
    r'<li id="fn(\d+)">.*?(?=\n<li id="fn\d+">|\n</ol>\n</section>)', re.DOTALL
)
_NUMBER = re.compile(r'id="(fnref\d+)"')
# The PDF takes longer than the page, which therefore yields to it: a sixth of all time.
_BEHIND = 10


def html_page(document: Document, _fonts: Path) -> bytes:
    """The page of a document, as UTF-8."""
    return rendered_page(document).text.encode("utf-8")


def rendered_page(document: Document) -> Rendered:
    """The page of a document, its frame and the bodies of its parts."""
    options = (
        *_PAGE,
        f"--include-in-header={REPORT}/{HEAD}",
        f"--variable=policy:{policy_of(document.folder, REPORT)}",
        f"--variable-json=others:{json.dumps(links_to_others(document, OUTPUT))}",
        *(["--variable=beside"] if (document.folder / FACTS).is_file() else []),
    )
    page = whole(document, document.parts, _TO, options, _BEHIND)
    raise_if(check_numbered(page.text, document))
    return replace(
        page,
        frame=tuple(put_inserts(text, document.folder) for text in page.frame),
        bodies=_with_inserts(page.bodies, document),
    )


def changed_page(
    document: Document, last: Rendered, parts: DocumentParts
) -> Rendered | None:
    """A page with the bodies that changed rendered, in the frame that it had.

    ``parts`` are its text now. None where the frame is another now as well but for what
    notes say, or where notes have other numbers.
    """
    source = source_of(document, parts, _TO)
    if source.frame_key != last.frame_key:
        return None
    made = new_bodies(document, source, last.bodies, _TO)
    if made is None or (frame := _with_notes(last, source, made[1])) is None:
        return None
    bodies = {**last.bodies, **_with_inserts(made[0], document)}
    keys = tuple(source.keys.values())
    pairs = zip(last.keys, keys, strict=True)
    if any(_numbers(last.bodies[old]) != _numbers(bodies[key]) for old, key in pairs):
        return None
    kept = {key: bodies[key] for key in keys}
    return replace(last, frame=frame, keys=keys, bodies=kept, notes=source.notes)


def _with_notes(last: Rendered, source: Source, made: str) -> tuple[str, ...] | None:
    """The frame with what notes say now, which stand in what was ``made`` behind all.

    None where one is missing.
    """
    changed = {
        number
        for place, notes in source.notes.items()
        if notes != last.notes.get(place)
        for number in source.numbers_of_notes(place)
    }
    if not changed:
        return last.frame
    *frame, end = last.frame
    new = {int(note[1]): note[0] for note in _NOTE.finditer(made)}
    old = {int(note[1]) for note in _NOTE.finditer(end)}
    if not changed <= old & new.keys():
        return None
    end = _NOTE.sub(lambda n: new[int(n[1])] if int(n[1]) in changed else n[0], end)
    return (*frame, end)


def _numbers(body: str) -> list[str]:
    """The anchors of the numbers of its notes."""
    return _NUMBER.findall(body) if "fnref" in body else []


def _with_inserts(bodies: Known, document: Document) -> Known:
    return {key: put_inserts(body, document.folder) for key, body in bodies.items()}


def finished_page(page: str, document: Document, _fonts: Path) -> bytes:
    """The page that Quarto made, if all that is numbered is on it."""
    raise_if(check_numbered(page, document))
    return page.encode("utf-8")


OUTPUT = Output(
    id="html",
    name="index.html",
    media_type="text/html; charset=utf-8",
    link="Read online",
    whole="one self-contained page",
    pandoc=html_page,
    quarto="netperf-html",
    gate=check_page,
    finish=finished_page,
    markup="html",
    nice=_BEHIND,
)
