"""The value chart: medians with intervals, every run a dot above them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from analysis.facts.fact import Facts
from analysis.figures import page, words
from analysis.figures.chart import charts_of_values
from analysis.figures.findings import runs_of
from analysis.figures.grammar import marks
from analysis.figures.grammar.scales import scale_value, value_ends
from analysis.figures.kind import FigureKind
from analysis.figures.select import PANEL, fact_frame, groups, only, with_runs
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet

RUNS_ABOVE = "Each dot is one run. Below: the median on the bar of its interval."
_ROW = 9.0  # mm of dots and the median below them
_ALIKE = 3.0  # medians within this factor share a scale
_ABOVE = 1.4  # mm from the middle of a row to the line of its dots
_STRAY = 2.4  # mm that dots may lie off their line before they overlap
_LEAST = 0.25  # share of the median that a scale covers, lest noise look large


def data_value(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    return with_runs(fact_frame(facts, setting, "value"), facts)


def words_value(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a value chart."""
    apart = "Each workload has an axis of its own." * _own_scales(frame)
    return page.Words(
        runs_of(frame, setting),
        " ".join(filter(None, [RUNS_ABOVE, apart, words.wide_words(frame, setting)])),
        words.foot_line(
            [words.interval_words(frame, words.STRIPS)], frame, words.STRIPS
        ),
        "Dot chart of every run. " + words.told_medians(frame, setting),
    )


def plot_value(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a metric, role and workload, a row a configuration."""
    table = marks.value_table(sheet, frame, setting, "workload", _ROW)
    runs = marks.placed_runs(table, frame)
    axes = marks.axis_numbers(table.panels, _own_scales(frame))
    ends = marks.axis_ends(table.frame, axes, partial(value_ends, least=_LEAST), runs)
    layers = [
        *marks.ground(table.frame, ends),
        *marks.median_marks(table, setting, below=2.7),
        *marks.dots(_swarmed(runs, ends, table.room), setting),
    ]
    table.draw(layers, scale_value(False, table.room), axes)


def _own_scales(frame: pl.DataFrame) -> bool:
    """Whether medians of one metric and role are too unlike for one axis."""
    return any(
        min(medians) * _ALIKE < max(medians)
        for _, panel in groups(only(frame, "fact"), *PANEL)
        if (medians := [abs(value) for value in panel["value"]])
    )


def _swarmed(runs: pl.DataFrame, ends: marks.Ends, room: float) -> pl.DataFrame:
    """Runs about a line, each as near to it as leaves the others seen."""
    parts = []
    for (panel, _), part in groups(runs, "panel", "key"):
        offsets = swarm(marks.places_of(part, ends[panel], room), marks.DOT)
        reach = max(map(abs, offsets), default=0.0)
        squeeze = min(1.0, _STRAY / reach) if reach else 1.0
        moved = pl.Series([_ABOVE - offset * squeeze for offset in offsets])
        parts.append(part.with_columns(y=pl.col("y") + moved))
    return pl.concat(parts) if parts else runs


def swarm(places: Sequence[float], apart: float) -> list[float]:
    """How far each dot moves up (negative) or down off its line, in the same unit.

    Dots are set from left to right, each as near to the line as leaves it ``apart``
    from those already set.
    """
    offsets = [0.0] * len(places)
    done: list[tuple[float, float]] = []
    for i in sorted(range(len(places)), key=lambda i: (places[i], i)):
        near = [(a - places[i], b) for a, b in done if abs(a - places[i]) < apart]
        touching = [
            b + side * (apart**2 - a**2) ** 0.5 for a, b in near for side in (1, -1)
        ]
        offsets[i] = next(  # beyond the outermost dot there always is a place
            offset
            for offset in sorted([0.0, *touching], key=lambda o: (abs(o), -o))
            if all(a**2 + (b - offset) ** 2 >= apart**2 * 0.999 for a, b in near)
        )
        done.append((places[i], offsets[i]))
    return offsets


KIND = FigureKind(
    id="value",
    data=data_value,
    words=words_value,
    plot=plot_value,
    chart=charts_of_values,
    draws="every run beside its median",
    answers="does it show in every run?",
    caption="every run, {all}",
    reads="Each dot is one run. Runs that lie close together repeat well.",
    key=(
        ("runs", "runs"),
        ("median", "median on the bar of its interval"),
    ),
)
