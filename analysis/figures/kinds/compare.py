"""The compare chart: values of several configurations, workload by workload."""

from __future__ import annotations

import polars as pl

from analysis.facts.fact import Facts
from analysis.figures.findings import medians_of
from analysis.figures.grammar.columns import RowTable, fitting
from analysis.figures.grammar.compose import Composed, compose
from analysis.figures.grammar.rows import lay_out
from analysis.figures.grammar.scales import is_log, scale_value
from analysis.figures.grammar.values import (
    bar_marks,
    grouped_axes,
    placed_runs,
    value_columns,
    value_heading,
)
from analysis.figures.kind import FigureKind
from analysis.figures.page import PageFormat, Words
from analysis.figures.published import told_below, with_stated
from analysis.figures.select import PANEL, fact_frame, only, with_runs
from analysis.figures.setting import Setting
from analysis.figures.words import (
    BARS,
    SPANS,
    foot_line,
    interval_words,
    told_medians,
)


def data_compare(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    frame = fact_frame(facts, setting, "value")
    return with_runs(with_stated(frame, setting, "value"), facts)


def words_compare(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a compare chart."""
    ratios = "Equal steps on the axis are equal ratios." if _log(frame) else ""
    runs = only(frame, "run").height
    strokes = SPANS if _log(frame) else BARS
    parts = [
        interval_words(frame, strokes),
        "thin line: lowest to highest run" * bool(runs),
    ]
    stated = frame["stated"].drop_nulls().len()
    parts += ["open diamond: published"] if stated else []
    parts.append(told_below(frame, setting, "value"))
    return Words(
        medians_of(frame, setting),
        ratios,
        foot_line(parts, frame, strokes),
        "Bar chart by workload. " + told_medians(frame, setting),
    )


def plot_compare(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """A panel a metric and role, a block a workload, a row a configuration."""
    facts = frame.filter(pl.col("record") != "run")
    columns = value_columns(setting)
    format, lines = fitting(facts, columns, format)
    rows = lay_out(facts, format, PANEL, "workload", lines)
    headings = [value_heading(panel, setting) for panel in rows.panels]
    axes = grouped_axes(rows, apart=False)
    table = RowTable(rows, columns, headings, words, format, axes)
    marks = bar_marks(rows, setting, _log(frame), placed_runs(rows, frame))
    return compose(table, marks, scale_value(_log(frame), table.room))


def _log(frame: pl.DataFrame) -> bool:
    panels = frame.partition_by(*PANEL)
    return any(is_log(panel["value"].drop_nulls().to_list()) for panel in panels)


KIND = FigureKind(
    id="compare",
    data=data_compare,
    words=words_compare,
    plot=plot_compare,
    draws="medians of several configurations, workload by workload",
    answers="which is best at which payload?",
    caption="{all}",
    overlays=("value",),
)
