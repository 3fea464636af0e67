"""A text of slides, read as an edition's is, and a figure of any size."""

from __future__ import annotations

from pathlib import Path

from analysis.report.language.functions import evaluate
from analysis.report.slides.limits import check_slide
from analysis.report.slides.slide import Slide, read_slides
from analysis.report.tables.blocks import PlacedFigure
from analysis.report.text.reviewed import Reviewed
from analysis.report.text.texts import Text


def slides_of(markdown: str) -> list[Slide]:
    path = Path("slides.md")
    source, own = Reviewed(path, markdown), {"figure": _figure}
    printed = evaluate(source.marked.expressions, own, path)
    return read_slides(Text(path.name, None, source, printed))


def _figure(id: str) -> PlacedFigure:
    return PlacedFigure(id)


def told(markdown: str, picture: Path = Path("none.svg")) -> list[str]:
    """What is wrong with slides, with the line of each."""
    issues = [i for s in slides_of(markdown) for i in check_slide(s, lambda _: picture)]
    return [f"{i.where.line}: {i.what}" for i in issues if i.where]


def drawing(path: Path, width: float, height: float) -> Path:
    """An SVG file of that size, in points."""
    head = '<svg xmlns="http://www.w3.org/2000/svg"'
    text = '<text x="0" y="20" font-size="9.2">words</text>'
    svg = f'{head} viewBox="0 0 {width} {height}">{text}</svg>'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, encoding="utf-8")
    return path
