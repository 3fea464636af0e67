"""The distribution chart: every run as a dot in a dot plot, groups told apart."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.facts.fact import Facts
from analysis.facts.units import format_number, format_range, format_value
from analysis.figures.findings import medians_of
from analysis.figures.grammar.compose import Composed, compose
from analysis.figures.grammar.dots import dots, stacked, step_of
from analysis.figures.grammar.scales import scale_value
from analysis.figures.grammar.values import (
    axis_ends,
    median_marks,
    placed_runs,
    value_ground,
)
from analysis.figures.kind import FigureKind
from analysis.figures.kinds.value import RUNS_ABOVE, data_value, run_table
from analysis.figures.page import PageFormat, Words
from analysis.figures.select import groups, only
from analysis.figures.setting import Setting
from analysis.figures.words import STRIPS, foot_line, interval_words, told_medians
from analysis.statistics.modes import split_modes
from analysis.statistics.statistic import Values

_ROW = 18.0  # mm of dots and the median below them
_BELOW = _ROW / 2 - 2.0  # mm from the middle of a row to its median


def data_distribution(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    return data_value(facts, setting)


def words_distribution(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a distribution chart."""
    modes = told_modes(frame)
    return Words(
        "; ".join(modes) or medians_of(frame, setting),
        RUNS_ABOVE,
        foot_line([interval_words(frame, STRIPS)], frame, STRIPS),
        " ".join(
            [
                "Dot plot of every run.",
                *(f"{mode}." for mode in modes),
                told_medians(frame, setting),
            ]
        ),
    )


def plot_distribution(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """A panel a metric, role and workload, a dot plot a configuration."""
    table = run_table(frame, setting, words, format, _ROW, apart=True)
    runs = placed_runs(table.rows, frame)
    ends = axis_ends(table.rows, table.axes, 0.0, runs)
    piled = stacked(runs, ends, table.room)
    step = step_of(1 + max(piled["level"].to_list(), default=0))
    base = pl.col("ymin") + _ROW / 2 - _BELOW + 2.2
    piled = piled.with_columns(y=base + step * (pl.col("level") + 0.5))
    marks = [
        value_ground(table.rows, ends=ends),
        *median_marks(table.rows, setting, below=_BELOW),
        *dots(piled, setting),
    ]
    return compose(table, marks, scale_value(False, table.room))


def told_modes(frame: pl.DataFrame) -> list[str]:
    """``RR1(100B), Offload on: 4 runs of 46 to 48 µs and 6 of 67 to 70 µs``."""
    told = []
    by = ("workload", "name")
    for (workload, name), rows in groups(only(frame, "run"), *by):
        modes = split_modes(np.asarray(rows["value"], dtype=np.float64))
        if modes:
            first, second = (
                f"{len(m)} {word}of {_span(m, rows['unit'][0])}"
                for m, word in zip(modes, ("runs ", ""), strict=True)
            )
            told.append(f"{workload}, {name}: {first} and {second}")
    return told


def _span(runs: Values, unit: str) -> str:
    """From the lowest of some runs to the highest; one value where both print alike."""
    low, high = float(runs.min()), float(runs.max())
    if format_number(low) == format_number(high):
        return format_value(low, unit)
    return format_range(low, high, unit)


KIND = FigureKind(
    id="distribution",
    data=data_distribution,
    words=words_distribution,
    plot=plot_distribution,
    draws="runs as a dot plot",
    answers="is it one group of runs or two?",
    caption="distribution of the runs, {all}",
)
