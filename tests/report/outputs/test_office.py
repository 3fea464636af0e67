"""What an office program makes of PPTX and DOCX; needs LibreOffice (``soffice``)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from analysis.report.document.document import read_document
from analysis.report.outputs.docx import docx_file
from analysis.report.outputs.pptx import pptx_file
from tests.report.outputs.decks import SLIDES, sample_deck
from tests.report.sample_document import sample_document

SOFFICE, MATCH = shutil.which("soffice"), shutil.which("fc-match")
HOME = Path(SOFFICE).resolve().parents[1] if SOFFICE else Path("nowhere")


def needs(part: str) -> pytest.MarkDecorator:
    """Skips without LibreOffice or a part of it, which is a package of its own; each
    registers itself in a file of its name."""
    places = (HOME / at / "registry" for at in ("share", "Resources"))
    there = any((place / f"{part}.xcd").is_file() for place in places)
    reason = f"needs LibreOffice's {part}: apt install libreoffice-{part}"
    return pytest.mark.skipif(not there, reason=reason)


def as_wide_as_calibri() -> bool:
    """Whether there is Calibri, or Carlito that is as wide: decks are set in it."""
    done = subprocess.run([str(MATCH), "Calibri"], capture_output=True, text=True)
    return done.stdout.startswith(("Carlito", "Calibri", "calibri"))


def opened(content: bytes, name: str, folder: Path) -> list[PageObject]:
    """The pages that LibreOffice prints of a file."""
    (path := folder / name).write_bytes(content)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    to = ["--convert-to", "pdf", "--outdir", str(folder), str(path)]
    command = [str(SOFFICE), profile, "--headless", *to]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return list(PdfReader(path.with_suffix(".pdf")).pages)


def places(page: PageObject) -> list[tuple[float, float]]:
    """Where the texts of a page begin, in points from its lower left corner."""
    found = list[tuple[float, float]]()

    def visit(text: str, by: list[float], at: list[float], *_: Any) -> None:
        if text.strip():
            found.append((at[4] * by[0] + by[4], at[5] * by[3] + by[5]))

    page.extract_text(visitor_text=visit)
    return found


@needs("impress")
def test_a_deck_opens_with_a_page_for_each_slide(tmp_path: Path, fonts: Path) -> None:
    deck = pptx_file(sample_deck(tmp_path / "slides"), fonts)
    pages = opened(deck, "deck.pptx", tmp_path)
    assert len(pages) == 1 + len(SLIDES)
    for page in pages:
        assert page.extract_text().strip()
    if not MATCH or not as_wide_as_calibri():
        pytest.skip("needs the font Carlito: apt install fonts-crosextra-carlito")
    for page in pages:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        assert all(0 <= x < width and 0 <= y < height for x, y in places(page))


@needs("writer")
def test_a_report_opens_with_its_captions(tmp_path: Path, fonts: Path) -> None:
    document = read_document(sample_document(tmp_path / "document"))
    pages = opened(docx_file(document, fonts), "report.docx", tmp_path)
    said = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert "Figure 1" in said
    assert "Table 1" in said
