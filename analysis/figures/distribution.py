"""The distribution chart: every run as a dot in a dot plot, groups told apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from plotnine import ggplot

from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.facts.units import format_value
from analysis.figures.axis import Axis, value_axis
from analysis.figures.kind import FigureKind
from analysis.figures.palette import RULE, SOFT
from analysis.figures.parts import (
    GAP,
    Words,
    draw_foot,
    draw_grid,
    draw_head,
    draw_heading,
    draw_ticks,
)
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.swarm import stack
from analysis.figures.theme import POINT, PageFormat, text_width
from analysis.figures.value import (
    ValueColumns,
    data_value,
    draw_label,
    draw_median,
    draw_run,
    interval_words,
    told_medians,
    value_columns,
)
from analysis.figures.words import (
    foot_line,
    panel_name,
    title_of,
    unit_and_better,
)
from analysis.statistics.modes import split_modes

_DOT = 2.3  # mm
_TALLEST = 14.0  # mm that a column of dots may reach
_BAR = 2.6  # mm of the bar below the dots


@dataclass(frozen=True)
class Mode:
    """A group of runs: its ends, and what is said of it."""

    low: float
    high: float
    text: str


def data_distribution(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    return data_value(facts, setting)


def words_distribution(frame: pl.DataFrame, setting: Setting) -> Words:
    """Title, subtitle, foot line and alt text of a distribution chart."""
    modes = _told_modes(frame, setting)
    return Words(
        title_of(setting, frame),
        "Each dot is one run; below, the median on the bar of its interval.",
        foot_line([interval_words(frame)], frame),
        " ".join(["Dot plot of every run.", *modes, told_medians(frame, setting)]),
    )


def draw_distribution(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> ggplot:
    """Blocks by metric, role and workload, a dot plot for each configuration."""
    sheet = Sheet(format)
    columns = value_columns(frame, setting, format)
    draw_head(sheet, words)
    for i, ((metric, role, workload), block) in enumerate(
        groups(frame, *PANEL, "workload")
    ):
        sheet.y += GAP if i else 0
        name = panel_name(setting.metrics[metric], role)
        draw_heading(sheet, f"{name} of {workload}", unit_and_better(block))
        _draw_block(sheet, block, columns, setting)
    draw_foot(sheet, words)
    return sheet.plot()


def _draw_block(
    sheet: Sheet, block: pl.DataFrame, columns: ValueColumns, setting: Setting
) -> None:
    runs = only(block, "run")["value"].to_list()
    gap = 14.0 if sheet.format.stacked else 18.0
    axis = value_axis(runs or only(block, "fact")["value"], columns.plot, gap)
    for i, (_, rows) in enumerate(groups(block, "configuration")):
        sheet.y += 1.6 if i else 0
        _draw_dots(sheet, rows, axis, columns, setting)
    draw_ticks(sheet, axis)


def _draw_dots(
    sheet: Sheet,
    rows: pl.DataFrame,
    axis: Axis,
    columns: ValueColumns,
    setting: Setting,
) -> None:
    """One configuration: its groups named, its dots on a line, its median below."""
    fact = only(rows, "fact").row(0, named=True)
    color = setting.colours[fact["configuration"]]
    values = only(rows, "run")["value"].to_list()
    dots = stack([axis.at(value) for value in values], _DOT)
    levels = 1 + max((level for _, level in dots), default=0)
    step = min(_DOT, _TALLEST / levels)
    named = find_modes(values, fact["unit"])
    height = levels * step + (5.4 if named else 1.6)
    draw_label(sheet, columns, fact, setting, sheet.y + height - 0.5)
    base = sheet.y + height
    draw_grid(sheet, axis, sheet.y + 1.0, base + _BAR + 1.2)
    sheet.line((axis.left, base), (axis.right, base), RULE, 0.6)
    for x, level in dots:
        at = (x, base - step * (level + 0.5) - 0.2)
        draw_run(sheet, fact, at, color, _DOT * 0.94)
    _draw_modes(sheet, axis, named, sheet.y + 2.6)
    draw_median(sheet, axis, fact, color, base + _BAR / 2 + 0.7, _BAR)
    sheet.y = base + _BAR + 1.6


def find_modes(values: list[float], unit: str) -> list[Mode]:
    """The two groups of a bimodal sample, the lower first; none where it has one."""
    modes = split_modes(np.asarray(values, dtype=np.float64))
    return [
        Mode(
            float(mode.min()),
            float(mode.max()),
            f"{len(mode)} runs near {format_value(float(np.median(mode)), unit)}",
        )
        for mode in modes or ()
    ]


def _draw_modes(sheet: Sheet, axis: Axis, modes: list[Mode], y: float) -> None:
    """What each group is, over a bracket as wide as the group."""
    if not modes:
        return
    size = sheet.format.small
    between = (axis.at(modes[0].high) + axis.at(modes[1].low)) / 2
    for mode, sign in zip(modes, (-1, 1), strict=True):
        ends = (axis.at(mode.low) - _DOT / 2, axis.at(mode.high) + _DOT / 2)
        half = text_width(mode.text, size) / 2
        middle = sum(ends) / 2
        clear = between + sign * (half + 1.0)
        middle = min(middle, clear) if sign < 0 else max(middle, clear)
        middle = min(max(middle, axis.left + half), axis.right - half)
        sheet.text((middle, y - 0.6), mode.text, size, SOFT, align="center")
        bracket = y + size * POINT * 0.5
        sheet.line((ends[0], bracket), (ends[1], bracket), SOFT, 0.7)
        for end in ends:
            sheet.line((end, bracket), (end, bracket + 0.9), SOFT, 0.7)


def _told_modes(frame: pl.DataFrame, setting: Setting) -> list[str]:
    """A sentence for each configuration whose runs fall into two groups."""
    told = []
    for (workload, configuration), rows in groups(
        only(frame, "run"), "workload", "configuration"
    ):
        modes = find_modes(rows["value"].to_list(), rows["unit"][0])
        if modes:
            name = setting.named(configuration)
            texts = listed([mode.text for mode in modes])
            told.append(f"{workload} on {name} falls into two groups: {texts}.")
    return told


KIND = FigureKind(
    id="distribution",
    data=data_distribution,
    words=words_distribution,
    draw=draw_distribution,
    caption="{all}, distribution of runs",
    shows="where the runs lie",
)
