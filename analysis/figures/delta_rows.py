"""The rows of a delta chart: columns, axes, marks, numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import polars as pl

from analysis.declared.origin import Origin
from analysis.facts.fact import Verdict
from analysis.facts.units import format_percent_range
from analysis.figures.axis import RATIO_FROM, Axis, change_axis
from analysis.figures.marks import draw_bar, draw_whisker, strength
from analysis.figures.overlay import Spoken, draw_spoken
from analysis.figures.palette import (
    BAND,
    GLYPHS,
    GRID,
    INK,
    QUIET,
    RULE,
    SOFT,
    VERDICT_COLOURS,
)
from analysis.figures.parts import GAP, LEAST_PLOT, draw_grid, widest
from analysis.figures.sheet import Sheet
from analysis.figures.theme import BOLD, NORMAL, PageFormat, text_width

_TICKS = 14.0  # mm between ticks, about
_ALIKE = 4.0  # panels whose extents differ by more than this get scales of their own
_BAR = 2.4  # mm of the bar from zero to a change
RAISED = 1.2  # mm that a mark makes room for a diamond below it
_GLYPH = 3.8  # mm that a verdict's glyph takes in its column
_SHAPES: dict[str, str] = {"improved": "^", "regressed": "v"}


@dataclass(frozen=True)
class DeltaColumns:
    """Where the columns of a row lie, in mm from the left.

    ``test`` is None where there is a single test, which needs no column. Where the
    rows are ``stacked``, names and numbers stand above the marks.
    """

    test: float | None
    plot: tuple[float, float]
    value: float
    interval: float
    verdict: float
    stacked: bool


def delta_columns(
    frame: pl.DataFrame, format: PageFormat, several: bool
) -> DeltaColumns:
    """Columns as wide as their widest text; the plot takes what is left."""
    size, rows = format.text, frame.to_dicts()
    verdict = format.width - max(_verdict_width(row, format) for row in rows)
    interval = verdict - GAP - widest([_interval(row) for row in rows], size)
    value = interval - GAP * 0.8
    numbers = value - widest([f"~ {row['printed']}" for row in rows], size, BOLD)
    name = widest([_names(row, several)[0] for row in rows], size) + GAP
    test = widest([_names(row, several)[1] for row in rows], size) + GAP
    plot = (name + (test if several else 0.0), numbers - GAP * 1.5)
    stacked = format.stacked or plot[1] - plot[0] < LEAST_PLOT
    if stacked:
        name, plot = 0.0, (2.0, format.width - 2.0)
    return DeltaColumns(
        name if several else None, plot, value, interval, verdict, stacked
    )


def delta_axes(
    panels: list[pl.DataFrame], columns: DeltaColumns, said: list[list[Spoken]]
) -> list[Axis]:
    """One axis for all panels, or one for each where their extents are too unlike."""
    extents = [_extent(*both) for both in zip(panels, said, strict=True)]
    sizes = [max(map(abs, extent)) for extent in extents]
    if max(sizes) > RATIO_FROM or max(sizes) > _ALIKE * min(sizes):
        return [change_axis(extent, columns.plot, _TICKS) for extent in extents]
    both = [end for extent in extents for end in extent]
    return [change_axis(both, columns.plot, _TICKS)] * len(panels)


def _extent(panel: pl.DataFrame, said: list[Spoken]) -> list[float]:
    """All that a panel must show: values, intervals, published ones, the threshold."""
    found = [
        value
        for name in ("value", "low", "high", "threshold")
        for value in panel[name].drop_nulls().to_list()
    ]
    found += [spoken.row.value for spoken in said if spoken.drawn]
    return [*found, -min(panel["threshold"].drop_nulls().to_list(), default=1.0)]


def draw_rows(
    sheet: Sheet,
    panel: pl.DataFrame,
    axis: Axis,
    columns: DeltaColumns,
    said: list[Spoken],
) -> None:
    """One row a change: name, mark over the axis, numbers; names above if stacked."""
    row_height, before = sheet.format.row, None
    for i, row in enumerate(panel.to_dicts()):
        first = row["workload"] != before
        before = row["workload"]
        if i:
            _draw_separator(sheet, columns, first)
        if first and columns.stacked and columns.test is not None:
            sheet.text((0, sheet.y + row_height / 2), before, weight=BOLD)
            sheet.y += row_height
        label = sheet.y + row_height / 2
        _draw_names(sheet, columns, row, label, first)
        _draw_numbers(sheet, columns, row, label)
        sheet.y += row_height if columns.stacked else 0
        _draw_scale(sheet, axis, row["threshold"])
        pointed = any(s.each and s.drawn and s.is_of(row) for s in said)
        begun = columns.stacked and any(s.begins_in(row) for s in said)
        room = (RAISED if begun else 0) - (RAISED if pointed else 0)
        middle = sheet.y + row_height / 2 + room
        draw_mark(sheet, axis, row, middle)
        draw_spoken(sheet, axis, said, row, (sheet.y, sheet.y + row_height))
        sheet.y += row_height


def draw_key(sheet: Sheet, frame: pl.DataFrame) -> None:
    """What the glyphs mean, where there is no room for a word in each row."""
    size, x = sheet.format.small, 0.0
    sheet.y += 3.0
    for verdict in (v for v in GLYPHS if v in set(frame["verdict"])):
        sheet.text((x, sheet.y), GLYPHS[verdict], size, VERDICT_COLOURS[verdict], BOLD)
        x += text_width(GLYPHS[verdict], size, BOLD) + 1.2
        sheet.text((x, sheet.y), verdict, size, SOFT)
        x += text_width(verdict, size) + GAP
    sheet.y += 1.6


def _interval(row: dict[str, Any]) -> str:
    if row["low"] is None or row["high"] is None:
        return "no interval"
    return format_percent_range(row["low"], row["high"])


def _verdict_width(row: dict[str, Any], format: PageFormat) -> float:
    word = "" if format.stacked else row["verdict"] or ""
    return _GLYPH + text_width(word, format.text)


def _names(row: dict[str, Any], several: bool) -> tuple[str, str]:
    """Workload and test; the origin is said with the last one, where origins differ."""
    workload, test = row["workload"], row["pair"] if several else ""
    mark = row["mark"]
    return (workload, test + mark) if several else (workload + mark, test)


def _draw_names(
    sheet: Sheet, columns: DeltaColumns, row: dict[str, Any], y: float, first: bool
) -> None:
    workload, test = _names(row, columns.test is not None)
    if columns.test is None:
        sheet.text((0, y), workload)
        return
    if first and not columns.stacked:
        sheet.text((0, y), workload)
    sheet.text((columns.test, y), test, color=SOFT)


def _draw_separator(sheet: Sheet, columns: DeltaColumns, first: bool) -> None:
    """A hairline above a row; between the tests of one workload a shorter one."""
    several = columns.test is not None
    left, color = (0.0, RULE) if first and several else (columns.test or 0.0, GRID)
    sheet.line((left, sheet.y), (sheet.format.width, sheet.y), color, 0.4)


def _draw_scale(sheet: Sheet, axis: Axis, threshold: float | None) -> None:
    """The ground of one row: the threshold shaded, ticks, and zero."""
    top, bottom = sheet.y, sheet.y + sheet.format.row
    if threshold:
        band = (axis.at(-threshold), axis.at(threshold))
        sheet.rect(band, (top, bottom), BAND)
    draw_grid(sheet, axis, top, bottom)
    sheet.line((axis.at(0), top), (axis.at(0), bottom), INK, 1.0)


def draw_mark(sheet: Sheet, axis: Axis, row: dict[str, Any], y: float) -> None:
    """A bar from zero, whiskers and a mark; fill and lines are the origin."""
    verdict = cast(Verdict, row["verdict"])
    origin = cast(Origin, row["look"])
    color = VERDICT_COLOURS.get(verdict, QUIET)
    at = (axis.at(row["value"]), y)
    if origin != "published":
        bar = (y - _BAR / 2, y + _BAR / 2)
        draw_bar(sheet, (axis.at(0), at[0]), bar, color, origin)
    draw_whisker(sheet, axis, row, y, color)
    draw_verdict(sheet, at, row)


def draw_verdict(sheet: Sheet, at: tuple[float, float], row: dict[str, Any]) -> None:
    """The mark of a change: its shape is the verdict, its fill the origin."""
    verdict, origin = cast(Verdict, row["verdict"]), row["look"]
    color, alpha = VERDICT_COLOURS.get(verdict, QUIET), strength(row)
    if origin == "published":
        sheet.point(at, color, "D", 2.6, hollow=True)
    elif verdict in _SHAPES:
        hollow = origin == "modelled"
        sheet.point(at, color, _SHAPES[verdict], 3.0, hollow, alpha=alpha)
    elif verdict:
        sheet.point(at, color, "o", 3.3, hollow=True, edge=0.8, alpha=alpha)
        sheet.text(at, GLYPHS[verdict], 8.0, color, BOLD, "center")
    else:
        sheet.point(at, color, "o", 2.4, origin == "modelled", alpha=alpha)


def _draw_numbers(
    sheet: Sheet, columns: DeltaColumns, row: dict[str, Any], y: float
) -> None:
    """The change, its interval and its verdict, in columns."""
    verdict = cast(Verdict, row["verdict"])
    same, clear = verdict == "comparable", verdict in _SHAPES
    printed = f"~ {row['printed']}" if same else row["printed"]
    ink, weight = QUIET if same else INK, BOLD if clear else NORMAL
    sheet.text((columns.value, y), printed, 0, ink, weight, "right")
    sheet.text((columns.interval, y), _interval(row), color=QUIET if same else SOFT)
    if verdict:
        color = VERDICT_COLOURS[verdict]
        middle = columns.verdict + _GLYPH / 2 - 0.5
        sheet.text((middle, y), GLYPHS[verdict], 0, color, BOLD, "center")
        if not sheet.format.stacked:
            sheet.text((columns.verdict + _GLYPH, y), verdict, color=SOFT)
