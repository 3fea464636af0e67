"""The look of all figures: their formats, their type, and their colours.

Colours are the hexes of the light theme. The HTML page maps each of :data:`COLOURS` to
a variable, so a figure must draw in these and no others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import font_source_sans_pro
import matplotlib as mpl
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.textpath import text_to_path

from analysis.facts.fact import Verdict

FAMILY = "Source Sans Pro"
FAMILIES = "'Source Sans Pro', 'Source Sans 3', sans-serif"  # as an SVG names it
NORMAL, BOLD = 400, 600
_FONTS = {NORMAL: "Regular", BOLD: "Semibold"}
POINT = 25.4 / 72  # millimetres
_CAP = 0.66  # height of a capital or digit of the family, as a share of its size

INK = "#161616"
SOFT = "#525252"  # subtitles, intervals, axis labels
QUIET = "#6f6f6f"  # foot lines, numbers that are only noise
BASELINE = "#8d8d8d"
RULE = "#c6c6c6"
GRID = "#e0e0e0"
BAND = "#f4f4f4"
GROUND = "#ffffff"  # inside hollow marks
# No green, no orange and no red, which are near the colours of verdicts.
TESTS = ("#0072b2", "#b8860b", "#8a3ffc", "#cc79a7")
PARTS = (*TESTS, SOFT)  # of a whole; what is left over is as grey as a baseline
COLOURS = (INK, SOFT, QUIET, BASELINE, RULE, GRID, BAND, GROUND, *TESTS)

VERDICT_COLOURS: dict[Verdict, str] = {
    "improved": "#009e73",
    "regressed": "#da1e28",
    "comparable": QUIET,
    "inconclusive": QUIET,
}


@dataclass(frozen=True)
class PageFormat:
    """A page to draw on. Lengths in millimetres, type sizes in points.

    ``stacked`` formats put a row's label above its marks, as a phone needs it. Rows
    are ``air`` times as high as their marks need.
    """

    width: float
    title: float
    text: float
    small: float
    row: float
    stacked: bool
    air: float = 1.0


WIDE = PageFormat(width=170, title=12.5, text=9.2, small=8.2, row=5.4, stacked=False)
# a slide of 338 mm shows its 128 mm 2.6 times as large, so text has 24 points
SLIDE = PageFormat(width=128, title=12.5, text=9.2, small=8.2, row=5.4, stacked=False)
SLIDE_HEIGHT = 88.0  # mm beside words; a small figure has rows that are farther apart
AIR = (1.8, 1.5, 1.25)
# a set-up has boxes side by side; half a slide shows its text with 13 pixels still
SLIDE_SETUP = replace(SLIDE, width=140)
# 90 mm are 340 px, which a phone of 360 px shows a little smaller or larger
NARROW = PageFormat(width=90, title=12.0, text=9.4, small=8.8, row=5.6, stacked=True)


@dataclass(frozen=True)
class Words:
    """The words of one figure, as drawn and as kept in ``figure.json``."""

    title: str
    subtitle: str
    foot: str
    alt: str


# A space, but not that between a number and its unit.
_CUT = re.compile(r"(?<!\d) | (?![kMG]?B\b)")


@lru_cache(maxsize=1)
def use_report_font() -> None:
    """Let matplotlib know the report's font and no other, so that bytes are stable."""
    mpl.use("agg")
    folder = Path(font_source_sans_pro.font_directory)
    fontManager.ttflist.clear()
    for face in _FONTS.values():
        fontManager.addfont(folder / f"SourceSansPro-{face}.ttf")


def text_width(label: str, size: float, weight: int = NORMAL) -> float:
    """The width of a label in millimetres."""
    return _breadth(label, weight) * size * POINT


@lru_cache(maxsize=8192)
def _breadth(label: str, weight: int) -> float:
    """The width of a label per unit of its size, which is not hinted."""
    use_report_font()
    font = FontProperties(family=FAMILY, weight=weight, size=1.0)
    width, _, _ = text_to_path.get_text_width_height_descent(label, font, False)
    return float(width)


def drop(size: float) -> float:
    """How far below the middle of its digits a text's baseline lies, in mm."""
    return size * _CAP / 2 * POINT


def wrap(label: str, width: float, size: float, weight: int = NORMAL) -> list[str]:
    """The label in lines of at most ``width`` millimetres, cut between words."""
    lines: list[list[str]] = []
    space, room = text_width(" ", size, weight), 0.0
    for word in _CUT.split(label):
        # words come again, whole lines seldom do: their widths are kept
        needed = text_width(word, size, weight)
        if lines and space + needed <= room:
            lines[-1].append(word)
            room -= space + needed
        else:
            lines.append([word])
            room = width - needed
    return [" ".join(words) for words in lines]


def configuration_colours(
    baselines: Sequence[str], tests: Sequence[str]
) -> dict[str, str]:
    """The colour of each configuration: grey for baselines, then tests in order."""
    colours = {test: TESTS[i % len(TESTS)] for i, test in enumerate(tests)}
    return dict.fromkeys(baselines, BASELINE) | colours
