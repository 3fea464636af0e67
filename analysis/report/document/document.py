"""A document folder and its text, and anchors that are none on its page."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.declared.base import parse_yaml
from analysis.errors import Issue, Place
from analysis.report.document.parts import DocumentParts, read_parts
from analysis.report.pages.html_page import head_policy

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
        """What its YAML says."""
        found, _ = parse_yaml(self.parts.metadata, self.folder / INDEX, first_line=2)
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
    """The document that was assembled in a folder."""
    return Document(folder, read_parts((folder / INDEX).read_text(encoding="utf-8")))


def policy_of(folder: Path, extension: str) -> str:
    """The policy of the page of a document's folder: it allows its scripts alone."""
    return head_policy((folder / extension / HEAD).read_text(encoding="utf-8"))


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
