"""All editions by both engines, where ``QUARTO`` names a real Quarto."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement
from pypdf import PdfReader

from analysis.declared.edition import find_editions, read_edition
from benchmarks.project import ROOT

QUARTO = os.environ.get("QUARTO", "")
ENGINE_TESTS = [
    pytest.mark.skipif(not QUARTO, reason="needs Quarto 1.9 or later: QUARTO names it"),
    pytest.mark.xdist_group("engines"),
]
EDITIONS = find_editions(ROOT / "report")
FORMATS = {id: read_edition(ROOT / "report" / id).formats for id in EDITIONS}
REPORTS = [id for id, formats in FORMATS.items() if "html" in formats]
DECKS = [id for id, formats in FORMATS.items() if "revealjs" in formats]
ENGINES = ("pandoc", "quarto")
# The only difference that is meant: a build by another engine is another build.
MEANT = re.compile(r"\b[0-9a-f]{12}\b")
BUILD = (sys.executable, "-m", "workflow.build")


@dataclass(frozen=True)
class Builds:
    """The finished reports of a project, by engine, in folders of that name."""

    folder: Path

    def page(self, engine: str, edition: str) -> HtmlElement:
        return html.document_fromstring(self.text(engine, edition))

    def text(self, engine: str, edition: str) -> str:
        return (self.folder / engine / edition / "index.html").read_text("utf-8")

    def pdf(self, engine: str, edition: str) -> PdfReader:
        return PdfReader(self.folder / engine / edition / f"{edition}.pdf")


def elements(page: HtmlElement) -> list[str]:
    """Every element of a page with its attributes and the text before its first."""
    found = [one for one in page.iter() if isinstance(one.tag, str)]
    texts = (" ".join((one.text or "").split()) for one in found)
    return [
        MEANT.sub("BUILD", f"{one.tag} {sorted(one.attrib.items())} {text}")
        for one, text in zip(found, texts, strict=True)
    ]
