"""How the parts of a slide lie, and the room that figures have there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from analysis.report.slides.measure import lines
from analysis.report.slides.slide import Block, Slide

WORDS, ALONE, BESIDE, ABOVE, PAIR = "words", "alone", "beside", "above", "pair"
# Width and height in pixels, of 1280 by 720.
ROOM = {
    ALONE: (1168.0, 520.0),
    BESIDE: (744.0, 520.0),
    ABOVE: (1168.0, 360.0),
    PAIR: (568.0, 360.0),
}
BELOW = (2, 66)  # lines of words below something, and how long they are
_TEXT = 9.2  # points of the text of a figure as it is drawn
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
Find = Callable[[str], Path]  # the drawing of a figure


def layout(slide: Slide, find: Find) -> str:
    """Two figures or displays as a pair, a figure where its text is largest."""
    if len(slide.figures) > 1 or len(displays(slide)) > 1:
        return PAIR
    if not slide.figures:
        return WORDS
    if not slide.blocks:
        return ALONE
    drawn = find(slide.figures[0])
    wide = text_size(drawn, ABOVE) > text_size(drawn, BESIDE)
    return ABOVE if wide and lines(slide.blocks, BELOW[1]) <= BELOW[0] else BESIDE


def displays(slide: Slide) -> list[Block]:
    """The blocks of code of a slide."""
    return [block for block in slide.blocks if block.kind == "code block"]


def text_size(drawn: Path, place: str) -> float:
    """How large the text of a figure is where it stands, in pixels of 720."""
    width, height = _size(drawn)
    room = ROOM[place]
    return _TEXT * min(room[0] / width, room[1] / height)


def is_tall(drawn: Path, place: str) -> bool:
    """Whether the height of a figure makes it small, and not its width."""
    width, height = _size(drawn)
    room = ROOM[place]
    return room[1] / height < room[0] / width


def _size(drawn: Path) -> tuple[float, float]:
    found = _SIZE.search(drawn.read_text(encoding="utf-8"))
    return (float(found[1]), float(found[2])) if found else (1.0, 1.0)
