"""DOCX for reviewers who comment in a word processor; its figures are PNG."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from analysis.errors import Issue
from analysis.report.document.document import REPORT, Document
from analysis.report.engines.pandoc import whole_file
from analysis.report.output import Output
from analysis.report.outputs.office import OfficeFile, add_pictures

PPI = 200
_TO = (
    "--to=docx",
    f"--reference-doc={REPORT}/reference.docx",
    f"--lua-filter={REPORT}/word.lua",
    "--toc",
    "--toc-depth=2",
)
_WORD = OfficeFile(
    name="a document",
    refusal="not a document of Word",
    main="word/document.xml",
    texts="word/document.xml",
    mute="//*[local-name()='docPr'][not(normalize-space(@descr))]",
)


def docx_file(document: Document, fonts: Path) -> bytes:
    """The document as a file of Word."""
    prepare(document.folder, fonts)
    return whole_file(document, document.parts.without_html_only(), _TO)


def prepare(folder: Path, fonts: Path) -> None:
    """The drawings of a document's folder as pictures of pixels."""
    add_pictures(folder, fonts, "figures/*/figure.svg", PPI)


def check_docx(path: Path, _files: Collection[str]) -> list[Issue]:
    """Why a file must not be published: it is none of Word, or loads more."""
    return _WORD.check(path)


OUTPUT = Output(
    id="docx",
    name="{edition}.docx",
    media_type="application/vnd.openxmlformats-officedocument"
    ".wordprocessingml.document",
    link="Word",
    whole="one document to comment in",
    pandoc=docx_file,
    quarto="netperf-docx",
    gate=check_docx,
    prepare=prepare,
)
