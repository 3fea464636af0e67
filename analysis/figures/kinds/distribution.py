"""The distribution chart: every run as a dot in a dot plot, groups told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from analysis.facts.units import format_number, format_range, format_value
from analysis.figures import page, words
from analysis.figures.findings import runs_of
from analysis.figures.grammar import marks
from analysis.figures.grammar.scales import scale_value, value_ends
from analysis.figures.kind import FigureKind
from analysis.figures.kinds.value import RUNS_ABOVE, data_value
from analysis.figures.select import groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.statistics.modes import split_modes
from analysis.statistics.statistic import Values

_ROW = 18.0  # mm of dots and the median below them
_BELOW = _ROW / 2 - 2.0  # mm from the middle of a row to its median
_TALLEST = 14.0  # mm that a column of dots may reach


def words_distribution(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a distribution chart."""
    modes = told_modes(frame)
    alt = ["Dot plot of every run.", *(f"{mode}." for mode in modes.values())]
    finding = [f"Runs of {'; '.join(modes)} fall into two groups"] if modes else []
    if len(modes) == 1:
        finding += [told.partition(": ")[2] for told in modes.values()]
    return page.Words(
        ", ".join(finding) or runs_of(frame, setting),
        " ".join(filter(None, [RUNS_ABOVE, words.wide_words(frame, setting)])),
        words.foot_line(
            [words.interval_words(frame, words.STRIPS)], frame, words.STRIPS
        ),
        " ".join([*alt, words.told_medians(frame, setting)]),
    )


def plot_distribution(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a metric, role and workload, a dot plot a configuration."""
    table = marks.value_table(sheet, frame, setting, "workload", _ROW)
    axes, runs = (
        marks.axis_numbers(table.panels, apart=True),
        marks.placed_runs(table, frame),
    )
    ends = marks.axis_ends(table.frame, axes, value_ends, runs)
    piled = _piled(runs, ends, table.room)
    step = min(marks.DOT, _TALLEST / (1 + max(piled["level"].to_list(), default=0)))
    base = pl.col("ymin") + _ROW / 2 - _BELOW + 2.2
    piled = piled.with_columns(y=base + step * (pl.col("level") + 0.5))
    layers = [
        *marks.ground(table.frame, ends),
        *marks.median_marks(table, setting, below=_BELOW),
        *marks.dots(piled, setting),
    ]
    table.draw(layers, scale_value(False, table.room), axes)


def _piled(runs: pl.DataFrame, ends: marks.Ends, room: float) -> pl.DataFrame:
    """Runs in columns that stand at their places, ``level`` by level."""
    parts = []
    for (panel, _), part in groups(runs, "panel", "key"):
        part = part.sort("value", maintain_order=True)
        columns = stack(marks.places_of(part, ends[panel], room), marks.DOT)
        low, high = ends[panel]
        scale = (high - low) / room
        parts.append(
            part.with_columns(
                value=pl.Series([low + x * scale for x, _ in columns]),
                level=pl.Series([level for _, level in columns], dtype=pl.Int64),
            )
        )
    return pl.concat(parts) if parts else runs.with_columns(level=pl.lit(0))


def stack(places: Sequence[float], width: float) -> list[tuple[float, int]]:
    """Dots of a dot plot: where each column stands, and which place up a dot takes.

    A column holds the values within ``width`` of its lowest and stands at their mean,
    or farther right by less than ``width`` where it would run into the one before
    (L. Wilkinson, Dot Plots, The American Statistician 53(3), 1999, 276-281).
    """
    columns: list[list[float]] = []
    for place in sorted(places):
        if columns and place - columns[-1][0] < width:
            columns[-1].append(place)
        else:
            columns.append([place])
    placed: list[tuple[float, int]] = []
    for column in columns:
        mean = sum(column) / len(column)
        x = max(mean, placed[-1][0] + width) if placed else mean
        placed += [(x, level) for level in range(len(column))]
    return placed


def told_modes(frame: pl.DataFrame) -> dict[str, str]:
    """``RR1(100B), Offload on: 4 runs of 46 to 48 µs and 6 of 67 to 70 µs``, by what
    comes before the colon."""
    sentences = {}
    for (workload, name), rows in groups(only(frame, "run"), "workload", "name"):
        modes = split_modes(np.asarray(rows["value"], dtype=np.float64))
        if modes:
            first, second = (
                f"{len(m)} {word}of {_span(m, rows['unit'][0])}"
                for m, word in zip(modes, ("runs ", ""), strict=True)
            )
            of = f"{workload}, {name}"
            sentences[of] = f"{of}: {first} and {second}"
    return sentences


def _span(runs: Values, unit: str) -> str:
    """From the lowest of some runs to the highest; one value where both print alike."""
    low, high = float(runs.min()), float(runs.max())
    if format_number(low) == format_number(high):
        return format_value(low, unit)
    return format_range(low, high, unit)


KIND = FigureKind(
    id="distribution",
    data=data_value,
    words=words_distribution,
    plot=plot_distribution,
    draws="runs as a dot plot",
    answers="is it one group of runs or two?",
    caption="distribution of the runs, {all}",
    reads="Each dot is one run, piled where runs are alike: two piles are two groups.",
    key=(
        ("runs", "runs"),
        ("median", "median on the bar of its interval"),
    ),
)
