"""DOCX for reviewers who comment in a word processor; its figures are PNG."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Iterator
from io import BytesIO
from pathlib import Path

from lxml import etree

from analysis.errors import Issue, Place
from analysis.report.document.document import Document
from analysis.report.engines.pandoc import whole_file
from analysis.report.engines.raster import add_pictures
from analysis.report.output import Output

PPI = 200
_TO = (
    "--to=docx",
    "--reference-doc=reference.docx",
    "--lua-filter=word.lua",
    "--toc",
    "--toc-depth=2",
)
_PART = "word/document.xml"
_ACTIVE = ("vbaProject.bin", "activeX", "embeddings/")
_AGAIN = "build the edition again: make report"


def docx_file(document: Document, fonts: Path) -> bytes:
    """The document as a file of Word."""
    prepare(document.folder, fonts)
    return whole_file(document, document.parts.without_html_only(), _TO)


def prepare(folder: Path, fonts: Path) -> None:
    """The drawings of a document's folder as pictures of pixels."""
    add_pictures(folder, fonts, "figures/*/figure.svg", PPI)


def check_docx(path: Path, _files: Collection[str]) -> list[Issue]:
    """Why a file must not be published: it is none of Word, or loads more."""
    try:
        with zipfile.ZipFile(BytesIO(path.read_bytes())) as file:
            return [Issue(w, Place(str(path)), _AGAIN) for w in _mistakes(file)]
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError):
        return [Issue("not a document of Word", Place(str(path)), _AGAIN)]


def _mistakes(file: zipfile.ZipFile) -> Iterator[str]:
    root = etree.fromstring(file.read(_PART))
    for name in file.namelist():
        if any(word in name for word in _ACTIVE):
            yield f"a document with {name}"
        if name.endswith(".rels"):
            yield from _asks(etree.fromstring(file.read(name)))
    unnamed = "//*[local-name()='docPr'][not(normalize-space(@descr))]"
    if root.xpath(unnamed):
        yield "a picture without an alt text"


def _asks(relations: etree._Element) -> Iterator[str]:
    """What a document would load from elsewhere; its links load nothing."""
    for one in relations:
        outside = one.get("TargetMode") == "External"
        if outside and not str(one.get("Type")).endswith("/hyperlink"):
            yield f"a document that asks for {one.get('Target')}"


OUTPUT = Output(
    id="docx",
    name="{edition}.docx",
    media_type="application/vnd.openxmlformats-officedocument"
    ".wordprocessingml.document",
    link="Word",
    whole="one document to comment in",
    pandoc=docx_file,
    quarto="docx",
    gate=check_docx,
    prepare=prepare,
)
