"""The compare chart: absolute values of several configurations by workload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl
from plotnine import ggplot

from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.figures.axis import Axis, scale_axis
from analysis.figures.kind import FigureKind
from analysis.figures.marks import draw_bar, draw_whisker, strength
from analysis.figures.overlay import Spoken, draw_said, draw_spoken, spoken_of
from analysis.figures.palette import GRID, INK, RULE, SOFT
from analysis.figures.parts import (
    BESIDE_CHIP,
    GAP,
    LEAST_PLOT,
    Words,
    draw_chip,
    draw_foot,
    draw_grid,
    draw_head,
    draw_heading,
    draw_ticks,
    widest,
)
from analysis.figures.select import PANEL, fact_frame, groups, only, with_runs
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.theme import BOLD, PageFormat
from analysis.figures.value import interval_of, interval_words, told_medians
from analysis.figures.words import (
    foot_line,
    marked_name,
    panel_name,
    title_of,
    unit_and_better,
)

_TICKS = 16.0  # mm between ticks, about
_ROW = 0.8  # of a row of the format: configurations stand closer than workloads
_BAR = 2.2  # mm of the bar of an interval
_SHAPES = ("o", "s", "^", "D")  # in the order of the configurations


@dataclass(frozen=True)
class ComparisonColumns:
    """Where the columns of a row lie, in mm from the left.

    Where rows are ``stacked``, workloads and configurations stand above the marks.
    """

    name: float
    plot: tuple[float, float]
    value: float
    interval: float
    stacked: bool


def data_compare(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    frame = fact_frame(facts, setting.figure, "value", setting.configurations)
    return with_runs(frame, facts)


def words_compare(frame: pl.DataFrame, setting: Setting) -> Words:
    """Title, subtitle, foot line and alt text of a compare chart."""
    names = listed([setting.named(id) for id in setting.configurations])
    subtitle = f"Median of {names}."
    if any(_axis(panel, (0.0, 100.0), []).log for _, panel in groups(frame, *PANEL)):
        subtitle += " Equal steps on the axis are equal ratios."
    runs = only(frame, "run").height
    whiskers = "whiskers: lowest to highest run" if runs else ""
    return Words(
        title_of(setting, frame),
        subtitle,
        foot_line([whiskers, interval_words(frame)], frame),
        "Dot chart by workload. " + told_medians(frame, setting),
    )


def draw_compare(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> ggplot:
    """Panels by metric and role; a block for each workload, a row a configuration."""
    sheet = Sheet(format)
    columns = compare_columns(frame, format)
    draw_head(sheet, words)
    for i, ((metric, role), panel) in enumerate(groups(frame, *PANEL)):
        sheet.y += GAP if i else 0
        name = panel_name(setting.metrics[metric], role)
        end = draw_heading(sheet, name, unit_and_better(panel))
        said = spoken_of(panel, setting, "value")
        draw_said(sheet, said, end)
        axis = _axis(panel, columns.plot, said)
        for j, ((workload,), block) in enumerate(groups(panel, "workload")):
            if j:
                sheet.line((0, sheet.y), (format.width, sheet.y), RULE, 0.4)
            _draw_block(sheet, workload, block, axis, columns, setting, said)
        draw_ticks(sheet, axis)
    draw_foot(sheet, words)
    return sheet.plot()


def compare_columns(frame: pl.DataFrame, format: PageFormat) -> ComparisonColumns:
    """Columns as wide as their widest text; the plot takes what is left."""
    size, rows = format.text, only(frame, "fact").to_dicts()
    interval = format.width - widest([_interval(row) for row in rows], size)
    value = interval - GAP * 0.8
    left = value - widest([row["printed"] for row in rows], size, BOLD)
    name = widest([row["workload"] for row in rows], size, BOLD) + GAP
    names = widest([marked_name(row) for row in rows], size) + BESIDE_CHIP
    plot = (name + names + GAP, left - GAP)
    stacked = format.stacked or plot[1] - plot[0] < LEAST_PLOT
    if stacked:
        name, plot = 0.0, (2.0, format.width - 2.0)
    return ComparisonColumns(name, plot, value, interval, stacked)


def _axis(panel: pl.DataFrame, span: tuple[float, float], said: list[Spoken]) -> Axis:
    ends = [
        value
        for name in ("value", "low", "high")
        for value in panel[name].drop_nulls().to_list()
    ]
    ends += [spoken.row.value for spoken in said if spoken.drawn]
    return scale_axis(ends, span, _TICKS)


def _draw_block(
    sheet: Sheet,
    workload: str,
    block: pl.DataFrame,
    axis: Axis,
    columns: ComparisonColumns,
    setting: Setting,
    said: list[Spoken],
) -> None:
    """One workload: its name beside the first row, or above all of them."""
    height = sheet.format.row * _ROW
    if columns.stacked:
        sheet.text((0, sheet.y + sheet.format.row / 2), workload, weight=BOLD)
        sheet.y += sheet.format.row
    sheet.y += 0.6
    for i, (_, rows) in enumerate(groups(block, "configuration")):
        row = only(rows, "fact").row(0, named=True)
        if not i and not columns.stacked:
            sheet.text((0, sheet.y + height / 2), workload)
        _draw_labels(sheet, row, columns, setting, sheet.y + height / 2)
        sheet.y += height if columns.stacked else 0
        draw_grid(sheet, axis, sheet.y, sheet.y + height)
        runs = only(rows, "run")["value"].to_list()
        _draw_mark(sheet, axis, row, runs, setting, sheet.y + height / 2)
        draw_spoken(sheet, axis, said, row, (sheet.y, sheet.y + height))
        sheet.y += height + (0.8 if columns.stacked else 0)
    sheet.y += 0.6


def _draw_labels(
    sheet: Sheet,
    row: dict[str, Any],
    columns: ComparisonColumns,
    setting: Setting,
    y: float,
) -> None:
    """A configuration with its colour, its median and its interval."""
    left, color = columns.name, setting.colours[row["configuration"]]
    draw_chip(sheet, left, y, color)
    sheet.text((left + BESIDE_CHIP, y), marked_name(row), color=SOFT)
    sheet.text((columns.value, y), row["printed"], 0, INK, BOLD, "right")
    sheet.text((columns.interval, y), _interval(row), color=SOFT)


def _draw_mark(
    sheet: Sheet,
    axis: Axis,
    row: dict[str, Any],
    runs: list[float],
    setting: Setting,
    y: float,
) -> None:
    """A dot on the bar of its interval and a line from the lowest run to the highest.

    Each configuration has a shape of its own. A prediction's line is its range.
    """
    configuration, look = row["configuration"], row["look"]
    color = setting.colours[configuration]
    sheet.line((axis.left, y), (axis.right, y), GRID, 0.4)
    if row["low"] is not None and row["high"] is not None and look != "published":
        ends = (axis.at(row["low"]), axis.at(row["high"]))
        draw_bar(sheet, ends, (y - _BAR / 2, y + _BAR / 2), color, look)
    line = row | {"low": min(runs), "high": max(runs)} if runs else row
    draw_whisker(sheet, axis, line, y, color)
    shape = _SHAPES[setting.configurations.index(configuration) % len(_SHAPES)]
    hollow = look in ("modelled", "published")
    at = (axis.at(row["value"]), y)
    sheet.point(at, color, shape, 2.6, hollow, 1.0, strength(row))


def _interval(row: dict[str, Any]) -> str:
    """The interval of a median, or the range of a prediction; blank without one."""
    return "" if row["low"] is None else interval_of(row)


KIND = FigureKind(
    id="compare",
    data=data_compare,
    words=words_compare,
    draw=draw_compare,
    caption="{all}",
    shows="the values side by side",
    overlays=("value",),
)
