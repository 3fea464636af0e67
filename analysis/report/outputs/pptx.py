"""PPTX, slides to show and edit in an office program; its figures are PNG."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from analysis.errors import Issue
from analysis.report.document.document import DECK, REPORT, Document
from analysis.report.engines.pandoc import plain_file
from analysis.report.output import Output
from analysis.report.outputs.office import OfficeFile, add_pictures
from analysis.report.slides.compose import REFERENCE
from analysis.report.text.texts import SLIDES

PPI = 320  # of a drawing as wide as a page of A4: 200 and more on a slide of 10 inches
_TO = (
    "--to=pptx",
    f"--reference-doc={DECK}/{REFERENCE}",
    "--slide-level=2",
    f"--lua-filter={REPORT}/house.lua",
    f"--lua-filter={DECK}/deck.lua",
    "--output=-",
)
_SLIDES = OfficeFile(
    name="a deck",
    refusal="not slides of PowerPoint",
    main="ppt/presentation.xml",
    texts="ppt/slides/slide",
    mute="//*[local-name()='pic']//*[local-name()='cNvPr']"
    "[not(normalize-space(@descr))]",
)


def pptx_file(document: Document, fonts: Path) -> bytes:
    """The slides as a file of PowerPoint."""
    prepare(document.folder, fonts)
    return plain_file(document, _TO)


def prepare(folder: Path, fonts: Path) -> None:
    """The figures of a document's folder as pictures of pixels."""
    add_pictures(folder, fonts, "figures/*.svg", PPI)


def check_pptx(path: Path, _files: Collection[str]) -> list[Issue]:
    """Why a file must not be published: it is none of PowerPoint, or loads more."""
    return _SLIDES.check(path)


OUTPUT = Output(
    id="pptx",
    name="{edition}.pptx",
    media_type="application/vnd.openxmlformats-officedocument"
    ".presentationml.presentation",
    link="PowerPoint",
    whole="slides for an office program",
    pandoc=pptx_file,
    quarto="netperf-slides-pptx",
    gate=check_pptx,
    prepare=prepare,
    folder=SLIDES,
)
