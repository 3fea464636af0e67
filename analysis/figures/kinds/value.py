"""The value chart: medians with intervals, every run a dot above them."""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis.facts.fact import Facts
from analysis.figures.grammar.marks import (
    axis_ends,
    dots,
    grouped_axes,
    median_marks,
    placed_runs,
    swarmed,
    value_columns,
    value_ground,
    value_heading,
)
from analysis.figures.grammar.rows import RowTable
from analysis.figures.grammar.scales import scale_value, value_ends
from analysis.figures.kind import FigureKind
from analysis.figures.page import PageFormat, Words
from analysis.figures.select import PANEL, fact_frame, groups, only, with_runs
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.words import (
    STRIPS,
    foot_line,
    interval_words,
    spread_of,
    told_medians,
)

RUNS_ABOVE = "Each dot is one run. Below: the median on the bar of its interval."
_ROW = 9.0  # mm of dots and the median below them
_ALIKE = 3.0  # medians within this factor share a scale
_LEAST = 0.25  # share of the median that a scale covers, lest noise look large


def data_value(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    return with_runs(fact_frame(facts, setting, "value"), facts)


def words_value(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a value chart."""
    apart = " Each workload has an axis of its own."
    return Words(
        spread_of(frame, setting),
        RUNS_ABOVE + apart * _own_scales(frame),
        foot_line([interval_words(frame, STRIPS)], frame, STRIPS),
        "Dot chart of every run. " + told_medians(frame, setting),
    )


def plot_value(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Sheet:
    """A panel a metric, role and workload, a row a configuration."""
    table = run_table(frame, setting, format, _ROW)
    axes, runs = grouped_axes(table, _own_scales(frame)), placed_runs(table, frame)
    ends = axis_ends(table, axes, lambda known: value_ends(known, _LEAST), runs)
    marks = [
        value_ground(table.frame, ends),
        *median_marks(table, setting, below=2.7),
        *dots(swarmed(runs, ends, table.room), setting),
    ]
    return table.draw(words, marks, scale_value(False, table.room), axes)


def run_table(
    frame: pl.DataFrame, setting: Setting, format: PageFormat, height: float
) -> RowTable:
    """Rows of that height [mm] for medians and their runs, a panel a workload."""
    columns = value_columns(setting, blocks=False)
    by = (*PANEL, "workload")
    heading = partial(value_heading, setting, by="workload")
    return RowTable(only(frame, "fact"), columns, format, by, heading, marks=height)


def _own_scales(frame: pl.DataFrame) -> bool:
    """Whether medians of one metric and role are too unlike for one axis."""
    return any(
        min(medians) * _ALIKE < max(medians)
        for _, panel in groups(only(frame, "fact"), *PANEL)
        if (medians := [abs(value) for value in panel["value"]])
    )


KIND = FigureKind(
    id="value",
    data=data_value,
    words=words_value,
    plot=plot_value,
    draws="every run beside its median",
    answers="does it show in every run?",
    caption="every run, {all}",
)
