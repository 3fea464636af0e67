"""The compare chart: values of several configurations, workload by workload."""

from __future__ import annotations

import plotnine as p9
import polars as pl

from analysis.facts.fact import Facts
from analysis.figures import page, words
from analysis.figures.chart import charts_of_values
from analysis.figures.findings import levels_of
from analysis.figures.grammar import marks
from analysis.figures.grammar.scales import is_log, scale_value
from analysis.figures.kind import FigureKind
from analysis.figures.published import foot_of_published, with_stated
from analysis.figures.select import PANEL, fact_frame, only, with_runs
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet


def data_compare(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    frame = fact_frame(facts, setting, "value")
    return with_runs(with_stated(frame, setting, "value"), facts)


def words_compare(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a compare chart."""
    strokes = words.SPANS if _log(frame) else words.BARS
    parts = [
        words.interval_words(frame, strokes),
        "thin line: lowest to highest run" * bool(only(frame, "run").height),
        *foot_of_published(frame, setting, "value"),
    ]
    return page.Words(
        levels_of(frame, setting) or "Which one is ahead depends on the workload",
        "Equal steps on the axis are equal ratios." if _log(frame) else "",
        words.foot_line(parts, frame, strokes),
        "Bar chart by workload. " + words.told_medians(frame, setting),
    )


def plot_compare(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a metric and role, a block a workload, a row a configuration."""
    table, log = marks.value_table(sheet, frame, setting), _log(frame)
    axes, runs = (
        marks.axis_numbers(table.panels, apart=False),
        marks.placed_runs(table, frame),
    )
    shown = table.frame if log else table.frame.with_columns(least=pl.lit(0.0))
    ends, scale = marks.axis_ends(shown, axes, runs=runs), scale_value(log, table.room)
    facts = only(table.frame, "fact")
    # bars from zero; on a logarithmic axis from end to end of their intervals
    low, high = (pl.col(end).fill_null(pl.col("value")) for end in ("low", "high"))
    drawn = marks.coloured(facts, setting).with_columns(
        start=low if log else pl.lit(0.0), end=high if log else pl.col("value")
    )
    layers = marks.ground(table.frame, ends, zero=not log)
    layers.append(marks.bars(drawn, "start", "end", "colour", 1.1))
    spread = runs.group_by("panel", "y", maintain_order=True).agg(
        least=pl.col("value").min(), most=pl.col("value").max()
    )
    if spread.height:
        line = p9.aes(x="least", xend="most", y="y", yend="y")
        layers.append(p9.geom_segment(line, spread, color=page.INK, size=0.35))
    layers += marks.intervals(facts, width=0.0 if log else 2.2)
    table.draw([*layers, *marks.published_marks(table.frame)], scale, axes)


def _log(frame: pl.DataFrame) -> bool:
    panels = frame.partition_by(*PANEL)
    return any(is_log(panel["value"].drop_nulls().to_list()) for panel in panels)


KIND = FigureKind(
    id="compare",
    data=data_compare,
    words=words_compare,
    plot=plot_compare,
    chart=charts_of_values,
    draws="medians of several configurations, workload by workload",
    answers="which is best at which payload?",
    caption="{all}",
    reads=(
        "A bar is the median of one configuration; bars of one workload stand together."
    ),
    key=(
        ("bar", "median"),
        ("interval", "interval of the median"),
    ),
    overlays=("value",),
)
