"""PPTX, slides to show and edit in an office program; its figures are PNG."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Iterator
from io import BytesIO
from pathlib import Path

from lxml import etree

from analysis.errors import Issue, Place
from analysis.report.document.document import Document
from analysis.report.engines.pandoc import plain_file
from analysis.report.engines.raster import add_pictures
from analysis.report.output import Output
from analysis.report.slides.reference_deck import REFERENCE
from analysis.report.text.texts import SLIDES

PPI = 320  # of a drawing as wide as a page of A4: 200 and more on a slide of 10 inches
_TO = (
    "--to=pptx",
    f"--reference-doc={REFERENCE}",
    "--slide-level=2",
    "--lua-filter=house.lua",
    "--lua-filter=deck.lua",
    "--output=-",
)
_ACTIVE = ("vbaProject.bin", "activeX", "embeddings/")
_MUTE = "//*[local-name()='pic']//*[local-name()='cNvPr'][not(normalize-space(@descr))]"
_AGAIN = "build the edition again: make report"


def pptx_file(document: Document, fonts: Path) -> bytes:
    """The slides as a file of PowerPoint."""
    prepare(document.folder, fonts)
    return plain_file(document, _TO)


def prepare(folder: Path, fonts: Path) -> None:
    """The figures of a document's folder as pictures of pixels."""
    add_pictures(folder, fonts, "figures/*.svg", PPI)


def check_pptx(path: Path, _files: Collection[str]) -> list[Issue]:
    """Why a file must not be published: it is none of PowerPoint, or loads more."""
    try:
        with zipfile.ZipFile(BytesIO(path.read_bytes())) as file:
            file.getinfo("ppt/presentation.xml")
            return [Issue(w, Place(str(path)), _AGAIN) for w in _mistakes(file)]
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError):
        return [Issue("not slides of PowerPoint", Place(str(path)), _AGAIN)]


def _mistakes(file: zipfile.ZipFile) -> Iterator[str]:
    for name in file.namelist():
        if any(word in name for word in _ACTIVE):
            yield f"slides with {name}"
        elif name.endswith(".rels"):
            yield from _asks(etree.fromstring(file.read(name)))
        elif name.startswith("ppt/slides/slide"):
            root = etree.fromstring(file.read(name))
            if root.xpath(_MUTE):
                yield f"a picture without an alt text: {name}"


def _asks(relations: etree._Element) -> Iterator[str]:
    for one in relations:
        outside = one.get("TargetMode") == "External"
        if outside and not str(one.get("Type")).endswith("/hyperlink"):
            yield f"slides that ask for {one.get('Target')}"


OUTPUT = Output(
    id="pptx",
    name="{edition}.pptx",
    media_type="application/vnd.openxmlformats-officedocument"
    ".presentationml.presentation",
    link="PowerPoint",
    whole="slides for an office program",
    pandoc=pptx_file,
    quarto="pptx",
    gate=check_pptx,
    prepare=prepare,
    folder=SLIDES,
)
