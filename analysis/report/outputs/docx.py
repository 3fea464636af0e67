"""DOCX for reviewers who comment in a word processor; its figures are PNG."""

from __future__ import annotations

from pathlib import Path

from analysis.report.document.document import REPORT, Document
from analysis.report.engines.pandoc import whole_file
from analysis.report.output import Output
from analysis.report.outputs.office import OfficeFile

_TO = (
    "--to=docx",
    f"--reference-doc={REPORT}/reference.docx",
    f"--lua-filter={REPORT}/cover.lua",
    "--toc",
    "--toc-depth=2",
)
_WORD = OfficeFile(
    name="a document",
    refusal="not a document of Word",
    main="word/document.xml",
    texts="word/document.xml",
    mute="//*[local-name()='docPr'][not(normalize-space(@descr))]",
    drawings="figures/*/figure.svg",
    ppi=200,
)
check_docx = _WORD.check


def docx_file(document: Document, fonts: Path) -> bytes:
    """The document as a file of Word."""
    _WORD.prepare(document.folder, fonts)
    return whole_file(document, document.parts.without_html_only(), _TO)


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
    prepare=_WORD.prepare,
)
