"""How to read a kind of figure: a picture of its marks, with what each means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from analysis.figures import page
from analysis.figures.sheet import Sheet

_FORMAT = replace(page.SLIDE, width=110)
_ROW, _WORDS = 5.4, 17.0  # mm, the height of a row and where its words begin
_BLUE, _GOLD = page.TESTS[:2]
Mark = Callable[[Sheet, float], None]


def _bar(sheet: Sheet, y: float) -> None:
    sheet.rect((0, 10), (y - 1.25, y + 1.25), page.VERDICT_COLOURS["improved"])
    sheet.line((0, y - 2), (0, y + 2), page.INK, 1)


def _interval(sheet: Sheet, y: float) -> None:
    sheet.line((2, y), (12, y), page.INK, 2.2)
    sheet.dot((7, y), 0.9, page.INK, page.GROUND)


def _band(sheet: Sheet, y: float) -> None:
    sheet.rect((1, 13), (y - 2, y + 2), page.BAND)
    sheet.line((7, y - 2), (7, y + 2), page.INK, 1)


def _line(sheet: Sheet, y: float, dashed: bool = False) -> None:
    sheet.line((0, y + 1), (13, y - 1), _BLUE, 1.2, dashed)
    sheet.dot((0.8, y + 0.9), 0.8, _BLUE, _BLUE)
    sheet.dot((12.4, y - 0.9), 0.8, _BLUE, _BLUE)


def _crossing(sheet: Sheet, y: float) -> None:
    sheet.line((0, y - 1.4), (13, y + 1.4), _BLUE, 1.2)
    sheet.line((0, y + 1.4), (13, y - 1.4), page.BASELINE, 1.2)
    sheet.dot((6.5, y), 1.3, page.INK, "none")


def _span(sheet: Sheet, y: float) -> None:
    sheet.rect((1, 12), (y - 0.8, y + 0.8), page.QUIET)
    sheet.dot((1, y), 0.95, *[page.VERDICT_COLOURS["improved"]] * 2)
    sheet.rect((11, 13), (y - 1, y + 1), page.VERDICT_COLOURS["regressed"])


def _runs(sheet: Sheet, y: float) -> None:
    for x, up in ((2, 0), (5, 0), (6, -1.7), (7, 0), (11, 0)):
        sheet.dot((x, y + 0.6 + up), 0.8, _BLUE, _BLUE)


def _median(sheet: Sheet, y: float) -> None:
    sheet.rect((2, 12), (y - 1, y + 1), _BLUE)
    sheet.line((7, y - 1.5), (7, y + 1.5), page.INK, 1.6)


def _parts(sheet: Sheet, y: float) -> None:
    ends = ((0, 6, _BLUE), (6, 10, _GOLD), (10, 13, page.BASELINE))
    for start, end, color in ends:
        sheet.rect((start, end), (y - 1.5, y + 1.5), color)


def _steps(sheet: Sheet, y: float) -> None:
    places = [(0, y + 2), (4, y + 2), (4, y), (9, y), (9, y - 2), (13, y - 2)]
    sheet.path(places, _BLUE, 1.2)


# What a mark is called, and how it is drawn round the height of its row.
MARKS: dict[str, Mark] = {
    "bar": _bar,
    "interval": _interval,
    "band": _band,
    "line": _line,
    "dashed line": lambda sheet, y: _line(sheet, y, dashed=True),
    "crossing": _crossing,
    "span": _span,
    "runs": _runs,
    "median": _median,
    "parts": _parts,
    "steps": _steps,
    "limit": lambda sheet, y: sheet.line((7, y - 2), (7, y + 2), page.INK, 1),
    "dashed limit": lambda sheet, y: sheet.line(
        (7, y - 2.2), (7, y + 2.2), _BLUE, 1, dashed=True
    ),
    "ring": lambda sheet, y: sheet.dot((7, y), 1.3, _BLUE, "none"),
    "outline": lambda sheet, y: sheet.frame(
        (2, 12), (y - 1.6, y + 1.6), page.INK, 0.6, dashed=True
    ),
    "box": lambda sheet, y: sheet.frame((2, 12), (y - 1.8, y + 1.8), page.INK, 1),
    "link": lambda sheet, y: sheet.line((0, y), (13, y), page.INK, 1),
}


def key_svg(key: Sequence[tuple[str, str]], name: str) -> bytes:
    """Marks with what they mean, a row each, as SVG; ids begin with ``name``."""
    sheet = Sheet(_FORMAT)
    for mark, words in key:
        middle = sheet.y + _ROW / 2
        MARKS[mark](sheet, middle)
        sheet.text((_WORDS, middle), words, color=page.SOFT)
        sheet.y += _ROW
    return sheet.svg(name)
