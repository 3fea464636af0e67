"""What the page of all editions is searched by: the sections of each edition's page.

A build has them in ``search.json``, so that a list needs to read no page, with what
questions are answered from. Where an edition comes as slides alone, each slide is a
section.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lxml import etree, html

from analysis.report.beside.answers import (
    SEARCH,
    SearchIndex,
    answer_index,
    shape_patterns,
)
from analysis.report.checks.claims import Checked
from analysis.report.output import OUTPUTS
from analysis.report.pages.html_page import SEARCHED, script

PAGE = "index.html"
ANSWERS = "answers.html"  # of a document: what its page is answered from
_FIELD = 'id="search"'  # of a page that has a search
_HEADS = {"h2": 2, "h3": 3, "h4": 4, "h5": 5}
_READ = {"p", "li", "caption", "figcaption", "td", "th", "dt", "dd"}
_WORD = re.compile(r"[^\s,;:.()\[\]“”\"]+(?:\.[^\s,;:.()\[\]“”\"]+)*")
_ANSWERED = etree.XPath("//*[@class='answer']//@data-keys")


def sections_of(page: str) -> list[dict[str, str]]:
    """The sections of a page: ``id``, ``title``, ``path`` of what it is in, ``words``,
    and of a study its ``finding``, how its answer begins.

    Words are those of its text, each once and in small letters. A slide is in the part
    of the talk that a divider begins.
    """
    found: list[tuple[dict[str, str], dict[str, None]]] = []
    heads: list[tuple[int, str]] = []
    words: dict[str, None] = {}
    for element in html.document_fromstring(page).iter():
        level, id = _heading(element)
        if level and id:
            title = _text(element)
            heads = [head for head in heads if head[0] < level]
            path = " › ".join(name for _, name in heads)
            about = {"id": id, "title": title, "path": path}
            words = {}
            found.append((about, words))
            heads.append((level, title))
        elif element.tag in _READ and found:
            if _answers(element):
                found[-1][0].setdefault("finding", _text(element))
            words.update(dict.fromkeys(_WORD.findall(_text(element).lower())))
    return [about | {"words": " ".join(words)} for about, words in found]


def _answers(element: html.HtmlElement) -> bool:
    parent = element.getparent()
    return parent is not None and parent.get("class") == "answer"


def _heading(element: html.HtmlElement) -> tuple[int, str]:
    """The level of a heading, 0 for anything else, and its id or that of its slide."""
    level = _HEADS.get(str(element.tag), 0)
    parent = element.getparent() if level else None
    if parent is None or parent.tag != "section":
        return level, str(element.get("id") or "")
    begins = {"divider", "backup"} & set(str(parent.get("class")).split())
    return level if begins else level + 1, str(parent.get("id") or "")


def add_search(
    rendered: Path,
    edition: str,
    checked: Checked | None = None,
    document: Path | None = None,
) -> None:
    """Write ``search.json`` beside the page of an edition, if it comes as a page.

    It has the page's sections, and of what was ``checked`` all that questions are
    answered from; that stands in the page as well, where it is the first one, and in
    the folder of its ``document``, for whoever renders that. Sections that are
    elsewhere say in ``page`` where they are.
    """
    pages = [rendered / PAGE, rendered / OUTPUTS["revealjs"].file(edition)]
    known = {page.name: page for page in pages if page.is_file()}
    texts = {name: page.read_text("utf-8") for name, page in known.items()}
    found = {name: sections_of(text) for name, text in texts.items()}
    if not found:
        return
    name = next((name for name, sections in found.items() if sections), PAGE)
    page = {} if name == PAGE else {"page": name}
    sections = [section | page for section in found[name]]
    index: dict[str, Any] = {"edition": edition, "sections": sections}
    if checked:
        answers = answer_index(
            checked, _ANSWERED(html.document_fromstring(texts[name]))
        )
        for study in answers["studies"]:
            study |= _section_of(study, sections)
        index |= {"title": checked.material.edition.title, **answers}
        bare: dict[str, Any] = {"claims": [], "figures": []}  # which pages do not show
        studies = [study | bare for study in answers["studies"]]
        data = _as_data({**index, "sections": [], "studies": studies})
        before, end, after = texts[name].rpartition("</body>")
        if _FIELD in before:
            block = f'<script type="application/json" id="answers">{data}</script>\n'
            known[name].write_text(f"{before}{block}{end}{after}", encoding="utf-8")
            if document:
                (document / ANSWERS).write_text(block, encoding="utf-8")
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (rendered / SEARCH).write_text(f"{text}\n", encoding="utf-8")


def _section_of(
    study: dict[str, Any], sections: list[dict[str, str]]
) -> dict[str, str]:
    """Where a study stands, its title there, how it is answered, and its words."""
    at = next((s for s in sections if s["id"] == f"sec-{study['id']}"), None)
    if not at:
        return {"at": "", "finding": "", "words": ""}
    parts = [s for s in sections if at["title"] in s["path"].split(" › ")]
    words = dict.fromkeys(" ".join(s["words"] for s in (at, *parts)).split())
    about = {"at": at["id"], "title": at["title"], "finding": at.get("finding", "")}
    return about | {"words": " ".join(words)}


def site_search(
    editions: Iterable[tuple[str, str, SearchIndex]], templates: Path
) -> Mapping[str, Any]:
    """What a list needs to be searched: its data, and the scripts that do it.

    Of each edition the title, the address of its page, and its index, the newest first.
    """
    rows = [
        # The program's own expressions: one of a release may never come to an end.
        index.model_dump()
        | {"title": title, "address": address, "shapes": shape_patterns()}
        for title, address, index in editions
        if index.sections
    ]
    return {
        "site_sections": _packed(rows) if rows else "",
        "scripts": [script(templates, *SEARCHED, "site.js")] if rows else [],
    }


def _as_data(content: object) -> str:
    """JSON as a page can hold it."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return data.replace("<", "\\u003c")


def _packed(content: object) -> str:
    """JSON as a list holds it: a third of the size, in a string."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(data.encode(), 9)).decode("ascii")
    return f'"{packed}"'


def _text(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())
