"""A document folder and its text, and what is checked before an engine renders it.

An issue names its line in ``index.qmd``: references without a target, pictures without
a file or alt text, citations and bound numbers that lead nowhere.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.declared.base import parse_yaml
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.report.document.parts import DocumentParts, read_parts
from analysis.report.pages.html_page import head_policy
from analysis.report.text.bibliography import bibliography_keys

INDEX, REFERENCES = "index.qmd", "references.bib"
# Filters, templates and formats for both engines, and the head of the page with its
# styles and scripts. Quarto is told of them by a file among them, ``_extension.yml``.
REPORT = "_extensions/netperf"
DECK = "_extensions/netperf-slides"  # it has what slides alone need
HEAD = "head.html"
_SHOWN = re.compile(r'<(?:figure|table)\b[^>]*?\bid="([^"]+)"')


@dataclass(frozen=True)
class Document:
    """A document folder: its text, part by part, and its metadata."""

    folder: Path
    parts: DocumentParts

    @property
    def text(self) -> str:
        """The Markdown of ``index.qmd``."""
        return self.parts.text

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """What its YAML says; a :class:`UserError` where that is no mapping."""
        path = self.folder / INDEX
        found, _ = parse_yaml(self.parts.metadata, path, first_line=2)
        if not isinstance(found or {}, dict):
            raise user_error("the metadata are not a mapping", path, 1)
        return found or {}

    @property
    def edition(self) -> str:
        """The edition's id, which names the PDF."""
        return str(self.metadata["edition"])

    @property
    def build(self) -> str:
        """The build's id, which is a hash of its folder."""
        return str(self.metadata["build"])

    @property
    def timestamp(self) -> int:
        """Midnight UTC of the document's date, in seconds since 1970."""
        date = dt.date.fromisoformat(str(self.metadata["date"]))
        return int(dt.datetime(*date.timetuple()[:3], tzinfo=dt.UTC).timestamp())

    def place(self, offset: int) -> Place:
        """The line of a character of the text."""
        line = self.text.count("\n", 0, offset) + 1
        return Place(str(self.folder / INDEX), line)


def is_document(folder: Path) -> bool:
    """Whether a folder holds a document."""
    return (folder / INDEX).is_file()


def read_document(folder: Path) -> Document:
    """The document of a folder; a :class:`UserError` where a check finds an issue."""
    path = folder / INDEX
    if not is_document(folder):
        raise user_error("there is no document to render", path, mend="assemble it")
    document = Document(folder, read_parts(path.read_text(encoding="utf-8")))
    raise_if(check_document(document))
    return document


def policy_of(folder: Path, extension: str) -> str:
    """The policy of the page of a document's folder: it allows its scripts alone."""
    return head_policy((folder / extension / HEAD).read_text(encoding="utf-8"))


def check_document(document: Document) -> list[Issue]:
    """Every issue that would spoil the pages, in the order of the text."""
    missing = [n for n in ("title", "edition", "date") if not document.metadata.get(n)]
    issues = [
        Issue(f"the metadata lack {name!r}", document.place(0), f"add '{name}:'")
        for name in missing
    ]
    for check in (_references, _citations, _images, _links):
        issues += check(document)
    return issues


def check_numbered(html: str, document: Document) -> list[Issue]:
    """Anchors of figures and tables that the page of a document has not as such.

    Whatever else bears such an anchor would shift the numbers of all that follow.
    """
    shown = set(_SHOWN.findall(html))
    return [
        Issue(
            f"#{found.name} is the anchor of no figure or table",
            document.place(found.at),
            "rename the anchor, or put the caption next to its table",
        )
        for found in document.parts.numbered
        if found.name not in shown
    ]


def _references(document: Document) -> Iterator[Issue]:
    known = set(document.parts.ids)
    for found in document.parts.all(lambda own: own.references):
        if found.name not in known:
            yield Issue(
                f"nothing has the id of the reference @{found.name}",
                document.place(found.at),
                f"correct the id, or give the target {{#{found.name}}}",
            )


def _citations(document: Document) -> Iterator[Issue]:
    path = document.folder / REFERENCES
    known = set(bibliography_keys(path)) if path.is_file() else set()
    for found in document.parts.all(lambda own: own.citations):
        if found.name not in known:
            yield Issue(
                f"no reference has the key @{found.name}",
                document.place(found.at),
                "add it to the edition's bibliography, or correct the key",
            )


def _images(document: Document) -> Iterator[Issue]:
    for part in document.parts:
        for image in part.content.images:
            place = document.place(part.at + image.at)
            if not (document.folder / image.path).is_file():
                what = f"the picture {image.path} is missing"
                yield Issue(what, place, "draw it again")
            if not image.alt:
                yield Issue(
                    f"the picture {image.path} has no alt text",
                    place,
                    'say in words what it shows: fig-alt="…"',
                )


def _links(document: Document) -> Iterator[Issue]:
    for found in document.parts.all(lambda own: own.links):
        if not (document.folder / found.name).exists():
            yield Issue(
                f"the link leads to {found.name}, which is missing",
                document.place(found.at),
                "correct the link, or add the file",
            )
