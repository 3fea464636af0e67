"""The value chart: medians with intervals, every run a dot above them."""

from __future__ import annotations

import polars as pl

from analysis.facts.fact import Facts
from analysis.figures.findings import spread_of
from analysis.figures.grammar.columns import RowTable, fitting
from analysis.figures.grammar.compose import Composed, compose
from analysis.figures.grammar.dots import dots, swarmed
from analysis.figures.grammar.rows import lay_out
from analysis.figures.grammar.scales import scale_value
from analysis.figures.grammar.values import (
    axis_ends,
    grouped_axes,
    median_marks,
    own_scales,
    placed_runs,
    value_columns,
    value_ground,
    value_heading,
)
from analysis.figures.kind import FigureKind
from analysis.figures.page import PageFormat, Words
from analysis.figures.select import PANEL, fact_frame, only, with_runs
from analysis.figures.setting import Setting
from analysis.figures.words import STRIPS, foot_line, interval_words, told_medians

RUNS_ABOVE = "Each dot is one run. Below: the median on the bar of its interval."
_ROW = 9.0  # mm of dots and the median below them
_ALIKE = 3.0  # medians within this factor share a scale
_LEAST = 0.25  # share of the median that a scale covers, lest noise look large


def data_value(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    return with_runs(fact_frame(facts, setting, "value"), facts)


def words_value(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a value chart."""
    subtitle = RUNS_ABOVE
    if own_scales(frame, _ALIKE):
        subtitle += " Each workload has an axis of its own."
    return Words(
        spread_of(frame, setting),
        subtitle,
        foot_line([interval_words(frame, STRIPS)], frame, STRIPS),
        "Dot chart of every run. " + told_medians(frame, setting),
    )


def plot_value(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """A panel a metric, role and workload, a row a configuration."""
    apart = own_scales(frame, _ALIKE)
    table = run_table(frame, setting, words, format, _ROW, apart)
    runs = placed_runs(table.rows, frame)
    ends = axis_ends(table.rows, table.axes, _LEAST, runs)
    marks = [
        value_ground(table.rows, ends=ends),
        *median_marks(table.rows, setting, below=2.7),
        *dots(swarmed(runs, ends, table.room), setting),
    ]
    return compose(table, marks, scale_value(False, table.room))


def run_table(
    frame: pl.DataFrame,
    setting: Setting,
    words: Words,
    format: PageFormat,
    height: float,
    apart: bool,
) -> RowTable:
    """Rows of that height [mm] for medians and their runs; panels ``apart`` have axes
    of their own."""
    facts = only(frame, "fact")
    columns = value_columns(setting, blocks=False)
    format, lines = fitting(facts, columns, format)
    rows = lay_out(facts, format, (*PANEL, "workload"), lines=lines, marks=height)
    headings = [
        value_heading(panel, setting, panel["workload"][0]) for panel in rows.panels
    ]
    axes = grouped_axes(rows, apart=apart)
    return RowTable(rows, columns, headings, words, format, axes)


KIND = FigureKind(
    id="value",
    data=data_value,
    words=words_value,
    plot=plot_value,
    draws="every run beside its median",
    answers="does it show in every run?",
    caption="every run, {all}",
)
