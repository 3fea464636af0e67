"""What the page of all editions is searched by: the sections of each edition's page.

A build has them in ``sections.json``, so that a list needs to read no page. Where an
edition comes as slides alone, each slide is a section.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lxml import html

from analysis.report.output import OUTPUTS
from analysis.report.pages.html_page import SEARCHED, script

PAGE, SECTIONS = "index.html", "sections.json"
_HEADS = {"h2": 2, "h3": 3, "h4": 4, "h5": 5}
_READ = {"p", "li", "caption", "figcaption", "td", "th", "dt", "dd"}
_WORD = re.compile(r"[^\s,;:.()\[\]“”\"]+(?:\.[^\s,;:.()\[\]“”\"]+)*")
_MOST = 2000  # sections that a list takes from an edition


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


def add_sections(rendered: Path, edition: str) -> None:
    """Write ``sections.json`` beside the page of an edition, if it comes as a page.

    Sections that are not on the first page say in ``page`` where they are.
    """
    pages = [rendered / PAGE, rendered / OUTPUTS["revealjs"].file(edition)]
    known = [page for page in pages if page.is_file()]
    found = {page.name: sections_of(page.read_text("utf-8")) for page in known}
    if found:
        name = next((name for name, sections in found.items() if sections), PAGE)
        page = {} if name == PAGE else {"page": name}
        sections = [section | page for section in found[name]]
        text = json.dumps(sections, ensure_ascii=False, indent=0)
        (rendered / SECTIONS).write_text(f"{text}\n", encoding="utf-8")


def read_sections(text: str | bytes | None) -> list[dict[str, str]]:
    """The sections of a build; none where its file is absent or damaged."""
    try:
        found = json.loads(text or "[]")
    except ValueError:
        return []
    known = found if isinstance(found, list) else []
    names = ("id", "title", "path", "words", "page", "finding")
    return [
        {name: str(one.get(name, "")) for name in names}
        for one in known[:_MOST]
        if isinstance(one, dict)
    ]


def site_search(
    editions: Iterable[tuple[str, str, list[dict[str, str]]]], templates: Path
) -> Mapping[str, Any]:
    """What a list needs to be searched: its data, and the scripts that do it.

    Of each edition the title, the address of its page, and its sections.
    """
    rows = [
        {"title": title, "address": address, "sections": sections}
        for title, address, sections in editions
        if sections
    ]
    data = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return {
        "site_sections": data.replace("<", "\\u003c") if rows else "",
        "scripts": [script(templates, *SEARCHED, "site.js")] if rows else [],
    }


def _text(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())
