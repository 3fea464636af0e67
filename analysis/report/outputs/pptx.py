"""PPTX, slides to show and edit in an office program.

What such a program can draw is a chart with its numbers, other figures are PNG.
"""

from __future__ import annotations

from pathlib import Path

from analysis.report.document.document import DECK, REPORT, Document
from analysis.report.engines.pandoc import plain_file
from analysis.report.output import Output
from analysis.report.outputs.native_charts import with_charts
from analysis.report.outputs.office import OfficeFile
from analysis.report.slides.compose import REFERENCE
from analysis.report.text.texts import SLIDES

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
    mute="//*[local-name()='pic' or (local-name()='graphicFrame' and "
    ".//*[local-name()='chart'])]//*[local-name()='cNvPr'][not(normalize-space(@descr))]",
    drawings="figures/*.svg",
    ppi=320,  # 200 and more on a slide of 10 inches
)
check_pptx = _SLIDES.check


def pptx_file(document: Document, fonts: Path) -> bytes:
    """The slides as a file of PowerPoint."""
    _SLIDES.prepare(document.folder, fonts)
    return with_charts(plain_file(document, _TO), document)


OUTPUT = Output(
    id="pptx",
    name="{edition}.pptx",
    media_type="application/vnd.openxmlformats-officedocument"
    ".presentationml.presentation",
    link="PowerPoint",
    whole="slides for an office program",
    pandoc=pptx_file,
    quarto="netperf-slides-pptx",
    amend=with_charts,
    gate=check_pptx,
    prepare=_SLIDES.prepare,
    folder=SLIDES,
)
