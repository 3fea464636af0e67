"""What all kinds of figures share: head, foot, axes, row labels, marks."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.figures.axis import Axis
from analysis.figures.palette import GRID, INK, QUIET, RULE, SOFT
from analysis.figures.sheet import Sheet
from analysis.figures.theme import BOLD, NORMAL, POINT, text_width

GAP = 3.0  # mm between columns
CHIP = 2.0  # mm of the square with a configuration's colour
BESIDE_CHIP = CHIP + 1.4  # mm from the begin of that square to the configuration's name
LEAST_PLOT = 40.0  # mm; where columns leave less, labels go above the marks


@dataclass(frozen=True)
class Words:
    """The words of one figure, as drawn and as kept in ``figure.json``."""

    title: str
    subtitle: str
    foot: str
    alt: str


def draw_head(sheet: Sheet, words: Words) -> None:
    """Title and subtitle; ``sheet.y`` moves below them."""
    format = sheet.format
    sheet.paragraph(words.title, format.title, INK, BOLD)
    sheet.y += 0.6
    sheet.paragraph(words.subtitle, format.text, SOFT)
    sheet.y += 2.6


def draw_foot(sheet: Sheet, words: Words) -> None:
    """The foot line, the last thing on a sheet."""
    sheet.y += 2.2
    sheet.paragraph(words.foot, sheet.format.small, QUIET)
    sheet.y += 0.4


def draw_heading(
    sheet: Sheet, name: str, aside: str, span: tuple[float, float] | None = None
) -> float:
    """A panel's name with a grey aside, over a hairline; over ``span`` or the page.

    Returns where its last line ends, in mm.
    """
    size = sheet.format.text
    left, right = span or (0.0, sheet.format.width)
    middle = sheet.y + size * POINT * 0.6
    parts = [(name, size, INK, BOLD)]
    gap = "  "
    if aside and text_width(f"{name}{gap}{aside}", size, BOLD) > right - left:
        sheet.run_on(left, middle, *parts)
        middle += size * POINT * 1.25
        parts, gap = [], ""
    if aside:
        parts.append((gap + aside, size, SOFT, NORMAL))
    sheet.run_on(left, middle, *parts)
    sheet.y = middle + size * POINT * 0.72
    sheet.line((left, sheet.y), (right, sheet.y), RULE, 0.6)
    return left + sum(text_width(part[0], size, part[3]) for part in parts)


def draw_chip(sheet: Sheet, left: float, y: float, color: str) -> None:
    """The square with a configuration's colour; ``y`` is its middle."""
    sheet.rect((left, left + CHIP), (y - CHIP / 2, y + CHIP / 2), color)


def draw_grid(sheet: Sheet, axis: Axis, top: float, bottom: float) -> None:
    """A vertical hairline at each tick."""
    for value, _ in axis.ticks:
        x = axis.at(value)
        sheet.line((x, top), (x, bottom), GRID, 0.5)


def draw_ticks(sheet: Sheet, axis: Axis) -> None:
    """Tick labels below an axis; ``sheet.y`` moves below them."""
    size = sheet.format.small
    y = sheet.y + size * POINT * 0.75
    right_end = 0.0
    for value, label in axis.ticks:
        half = text_width(label, size) / 2
        x = min(max(axis.at(value), half), sheet.format.width - half)
        if x - half > right_end:
            sheet.text((x, y), label, size, SOFT, align="center")
            right_end = x + half + 1.0
    sheet.y += size * POINT * 1.4


def widest(labels: list[str], size: float, weight: int = NORMAL) -> float:
    """The width of the widest label in mm, 0 for none."""
    return max((text_width(label, size, weight) for label in labels), default=0.0)
