"""The absolute-relative chart: values and their ratio to the baseline, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl
from plotnine import ggplot

from analysis.declared.origin import Origin
from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.figures.axis import Axis, ratio_axis
from analysis.figures.delta_rows import RAISED, draw_mark
from analysis.figures.kind import FigureKind
from analysis.figures.marks import draw_bar, draw_whisker
from analysis.figures.overlay import Spoken, draw_said, draw_spoken, spoken_of
from analysis.figures.palette import GLYPHS, GRID, INK, SOFT, VERDICT_COLOURS
from analysis.figures.parts import (
    BESIDE_CHIP,
    GAP,
    Words,
    draw_chip,
    draw_foot,
    draw_grid,
    draw_head,
    draw_heading,
    draw_ticks,
    widest,
)
from analysis.figures.select import PANEL, as_frame, fact_frame, groups
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.theme import BOLD, PageFormat
from analysis.figures.value import interval_words
from analysis.figures.words import (
    compared,
    foot_line,
    marked_name,
    panel_name,
    spoken_name,
    title_of,
    unit_and_better,
)

_BAR = 2.6  # mm of a bar's height
_SHARE = 0.34  # of the room for marks that absolute values take
_TICKS = 11.0  # mm between ticks, about
_GLYPH = 3.8  # mm that a verdict's glyph takes


@dataclass(frozen=True)
class AbsoluteColumns:
    """Where absolute values and ratios lie, in mm from the left.

    Where they are ``stacked``, names and numbers stand above the marks, and the ratio
    of a test below its value.
    """

    absolute: tuple[float, float]
    value: float
    ratio: tuple[float, float]
    percent: float
    verdict: float
    stacked: bool


def data_absolute(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Values of all configurations, and the changes of the tests.

    A change has the baseline that it is against in ``baseline``, a value has none.
    """
    figure = setting.figure
    values = fact_frame(facts, figure, "value", setting.configurations)
    changes = fact_frame(facts, figure, "delta", setting.tests)
    both: list[dict[str, Any]] = []
    for _, panel in groups(values, *PANEL):
        own = panel.row(0, named=True)
        both += panel.to_dicts()
        both += [
            row
            for row in changes.to_dicts()
            if (row["metric"], row["role"]) == (own["metric"], own["role"])
        ]
    return as_frame(both)


def words_absolute(frame: pl.DataFrame, setting: Setting) -> Words:
    """Title, subtitle, foot line and alt text of an absolute-relative chart."""
    subtitle = (
        f"Medians of {compared(setting)}, and their ratio, on an axis on which equal "
        "steps are equal ratios. Bars of values have scales of their own."
    )
    changes = frame.filter(pl.col("baseline").is_not_null())
    parts = [interval_words(frame.filter(pl.col("baseline").is_null()))]
    known = changes["confidence"].to_list()
    parts += (
        [f"whiskers of ratios: {max(known):.0%} bootstrap interval"] if known else []
    )
    return Words(
        title_of(setting, frame),
        subtitle,
        foot_line(parts, frame),
        _alt(frame, setting),
    )


def draw_absolute(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> ggplot:
    """Panels by metric and role: a row for each configuration, ratios to the right."""
    sheet = Sheet(format)
    columns = absolute_columns(frame, format)
    panels = groups(frame, *PANEL)
    said = [_said(panel, setting) for _, panel in panels]
    ratio = _ratio_axis(frame, [s for both in said for s in both[1]], columns)
    draw_head(sheet, words)
    for i, ((metric, role), panel) in enumerate(panels):
        sheet.y += GAP * 0.8 if i else 0
        name = panel_name(setting.metrics[metric], role)
        end = draw_heading(sheet, name, unit_and_better(panel))
        draw_said(sheet, [*said[i][0], *said[i][1]], end)
        blocks = groups(panel, "workload")
        for (workload,), block in blocks:
            if len(blocks) > 1:
                sheet.text((0, sheet.y + format.row * 0.55), workload, weight=BOLD)
                sheet.y += format.row
            _draw_block(sheet, block, columns, ratio, setting, said[i])
        if format.stacked or i + 1 == len(panels):
            draw_ticks(sheet, ratio)
    draw_foot(sheet, words)
    return sheet.plot()


def absolute_columns(frame: pl.DataFrame, format: PageFormat) -> AbsoluteColumns:
    """Columns as wide as their widest text; the marks take what is left."""
    size, rows = format.text, frame.to_dicts()
    changes = [row for row in rows if row["baseline"]]
    values = [row for row in rows if not row["baseline"]]
    word = 0.0 if format.stacked else widest([r["verdict"] or "" for r in rows], size)
    verdict = format.width - _GLYPH - word
    percent = verdict - GAP * 0.6
    if format.stacked:
        span = (2.0, format.width - 2.0)
        return AbsoluteColumns(span, format.width, span, percent, verdict, stacked=True)
    name = BESIDE_CHIP + widest([marked_name(row) for row in rows], size) + GAP
    number = widest([row["printed"] for row in values], size, BOLD)
    right = percent - widest([row["printed"] for row in changes], size, BOLD)
    room = right - GAP * 1.5 - name - number - 2 * GAP
    middle = name + _SHARE * room
    plot = (middle + number + 2 * GAP, right - GAP * 1.5)
    return AbsoluteColumns(
        (name, middle), middle + GAP + number, plot, percent, verdict, False
    )


def _said(panel: pl.DataFrame, setting: Setting) -> tuple[list[Spoken], list[Spoken]]:
    """What was published of a panel: values, and changes."""
    values = panel.filter(pl.col("baseline").is_null())
    changes = panel.filter(pl.col("baseline").is_not_null())
    return spoken_of(values, setting, "value"), spoken_of(changes, setting, "delta")


def _ratio_axis(
    frame: pl.DataFrame, said: list[Spoken], columns: AbsoluteColumns
) -> Axis:
    changes = frame.filter(pl.col("baseline").is_not_null())
    found = [
        value
        for name in ("value", "low", "high")
        for value in changes[name].drop_nulls().to_list()
    ]
    found += [spoken.row.value for spoken in said if spoken.drawn]
    return ratio_axis(found, columns.ratio, _TICKS)


def _draw_block(
    sheet: Sheet,
    block: pl.DataFrame,
    columns: AbsoluteColumns,
    ratio: Axis,
    setting: Setting,
    said: tuple[list[Spoken], list[Spoken]],
) -> None:
    """One workload: each configuration's value, and beside a test's its ratio."""
    values = block.filter(pl.col("baseline").is_null()).to_dicts()
    changes = {row["configuration"]: row for row in block.to_dicts() if row["baseline"]}
    axis = _absolute_axis(values, said[0], columns)
    for row in values:
        top = sheet.y
        change = changes.get(row["configuration"])
        _draw_value(sheet, row, axis, columns, setting, said[0])
        if change and columns.stacked:
            label = f"Ratio to {change['baseline']}"
            sheet.text((0, sheet.y + sheet.format.row / 2), label, color=SOFT)
            _draw_numbers(sheet, change, columns, sheet.y + sheet.format.row / 2)
            sheet.y += sheet.format.row
            top = sheet.y
            sheet.y += sheet.format.row
        ends = (top, top + sheet.format.row)
        if change or not columns.stacked:
            draw_grid(sheet, ratio, *ends)
            sheet.line((ratio.at(0), ends[0]), (ratio.at(0), ends[1]), INK, 1.0)
        if change:
            if not columns.stacked:
                _draw_numbers(sheet, change, columns, sum(ends) / 2)
            pointed = any(s.each and s.is_of(change) for s in said[1])
            draw_mark(sheet, ratio, change, sum(ends) / 2 - (RAISED if pointed else 0))
            draw_spoken(sheet, ratio, said[1], change, ends)


def _absolute_axis(
    values: list[dict[str, Any]], said: list[Spoken], columns: AbsoluteColumns
) -> Axis:
    ends = [row["high"] or row["value"] for row in values]
    ends += [spoken.row.value for spoken in said if spoken.drawn]
    return Axis(*columns.absolute, 0.0, max(ends), ())


def _draw_value(
    sheet: Sheet,
    row: dict[str, Any],
    axis: Axis,
    columns: AbsoluteColumns,
    setting: Setting,
    said: list[Spoken],
) -> None:
    """A bar from zero with its interval and number; ``sheet.y`` moves below it."""
    height = sheet.format.row
    color = setting.colours[row["configuration"]]
    y = sheet.y + height / 2
    draw_chip(sheet, 0, y, color)
    sheet.text((BESIDE_CHIP, y), marked_name(row), color=SOFT)
    sheet.text((columns.value, y), row["printed"], 0, INK, BOLD, "right")
    if columns.stacked:
        sheet.y += height * 0.85
    y = sheet.y + height / 2 - 0.4
    pointed = any(s.each and s.drawn and s.is_of(row) for s in said)
    y -= 0.5 if pointed else 0
    look: Origin = row["look"] if row["look"] != "published" else "measured"
    draw_bar(
        sheet,
        (axis.left, axis.at(row["value"])),
        (y - _BAR / 2, y + _BAR / 2),
        color,
        look,
    )
    sheet.line((axis.left, sheet.y), (axis.left, sheet.y + height), GRID, 0.8)
    draw_whisker(sheet, axis, row, y, INK)
    draw_spoken(sheet, axis, said, row, (sheet.y, sheet.y + height))
    sheet.y += height


def _draw_numbers(
    sheet: Sheet, change: dict[str, Any], columns: AbsoluteColumns, y: float
) -> None:
    """A change in percent and its verdict."""
    sheet.text((columns.percent, y), change["printed"], 0, INK, BOLD, "right")
    verdict = change["verdict"]
    if verdict:
        middle = columns.verdict + _GLYPH / 2 - 0.5
        color = VERDICT_COLOURS[verdict]
        sheet.text((middle, y), GLYPHS[verdict], 0, color, BOLD, "center")
        if not columns.stacked:
            sheet.text((columns.verdict + _GLYPH, y), verdict, color=SOFT)


def _alt(frame: pl.DataFrame, setting: Setting) -> str:
    """Each panel in words: the values, and the change."""
    told = []
    for (metric, role), panel in groups(frame, *PANEL):
        for (workload,), block in groups(panel, "workload"):
            rows = block.to_dicts()
            values = [
                f"{r['printed']} on {r['configuration']}"
                for r in rows
                if not r["baseline"]
            ]
            changes = [r["printed"] for r in rows if r["baseline"]]
            name = spoken_name(setting.metrics[metric], role)
            what = f"{name} of {workload}: {listed(values)}"
            told.append(f"{what} ({listed(changes)})" if changes else what)
    head = f"Bars of values and their ratios of {compared(setting)}"
    return f"{head}. {'; '.join(told)}."


KIND = FigureKind(
    id="absolute-relative",
    data=data_absolute,
    words=words_absolute,
    draw=draw_absolute,
    caption="{all}, and the change of {pairs}",
    shows="values and changes of {pairs}",
    overlays=("value", "delta"),
)
