"""The hand-written sample document, as the assemble step would hand it over."""

from __future__ import annotations

import shutil
from pathlib import Path

from analysis.report.document.assemble import add_extension
from analysis.report.document.document import Document, is_document, read_document
from analysis.report.engines.pandoc import FILTERS, run_pandoc
from analysis.report.pages.inserts import put_inserts
from tests.conftest import ROOT

SAMPLE = Path(__file__).parent / "fixture-document"


def sample_document(folder: Path) -> Path:
    """A copy of the sample with the extension, ready to be rendered."""
    shutil.copytree(SAMPLE, folder)
    add_extension(folder, ROOT / "templates", slides=False)
    return folder


def read_documents(folder: Path) -> dict[str, Document]:
    """The documents of a report and of its slides that a folder holds, as engines
    want them."""
    names = (name for name in ("", "slides") if is_document(folder / name))
    return {name: read_document(folder / name) for name in names}


def edit(document: Path, old: str, new: str) -> None:
    """Replace the first ``old`` of the sample's text, which must be there."""
    path = document / "index.qmd"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def html_piece(document: Document, text: str) -> str:
    """The HTML of a piece of text with the filters of a document, and no page."""
    options = (*FILTERS, "--to=html5", "--mathml")
    return put_inserts(run_pandoc(document, options, text).decode(), document.folder)
