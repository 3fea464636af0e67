"""The ecdf chart: which share of the runs does not exceed a value."""

from __future__ import annotations

import polars as pl
from plotnine import (
    aes,
    ggplot,
    labs,
    scale_color_identity,
    scale_y_continuous,
    stat_ecdf,
)

from analysis.facts.fact import Facts
from analysis.figures.findings import spread_of
from analysis.figures.grammar.compose import Composed
from analysis.figures.grammar.facets import facet_panels
from analysis.figures.grammar.legend import legend, legend_lines
from analysis.figures.grammar.scales import scale_value
from analysis.figures.grammar.theme import around, theme_axes, theme_report, wrapped
from analysis.figures.grammar.values import coloured, value_heading
from analysis.figures.kind import FigureKind
from analysis.figures.kinds.value import data_value
from analysis.figures.page import PageFormat, Words
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting
from analysis.figures.words import foot_line, told_medians

# mm: a panel, the room between two, a line of the legend
_PANEL, _BETWEEN, _LINE = 36.0, 8.0, 4.6


def data_ecdf(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    return data_value(facts, setting)


def words_ecdf(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of an ecdf chart."""
    return Words(
        spread_of(frame, setting),
        "Share of the runs that do not exceed a value.",
        foot_line([], frame),
        f"Step chart of every run. {told_medians(frame, setting)}",
    )


def plot_ecdf(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """A panel a metric, role and workload, a step line a configuration."""
    panels = [part for _, part in groups(frame, *PANEL, "workload")]
    runs = pl.concat(
        only(part, "run").with_columns(panel=pl.lit(n))
        for n, part in enumerate(panels, 1)
    )
    headings = [value_heading(panel, setting, panel["workload"][0]) for panel in panels]
    heights = [_PANEL] * len(panels)
    lines = legend_lines(setting, format)
    between = _BETWEEN + _LINE * len(lines)
    height = around(words, format) + sum(heights) + between * len(heights)
    plot = ggplot(coloured(runs, setting).to_pandas(), aes("value", color="colour"))
    for part in (
        stat_ecdf(size=0.7, pad=True),
        *legend(headings, lines, format, 1.1, _LINE / _PANEL),
        facet_panels(heights, range(1, len(panels) + 1)),
        scale_value(False, format.width * 0.9),
        scale_y_continuous(
            breaks=[0, 0.25, 0.5, 0.75, 1],
            labels=["0", "25%", "50%", "75%", "100%"],
            expand=(0.02, 0),
        ),
        scale_color_identity(),
        theme_report(format, height, spacing=between),
        theme_axes(format),
        labs(x="", y="", **wrapped(words, format)),
    ):
        plot += part
    return Composed(plot, sum(heights))


KIND = FigureKind(
    id="ecdf",
    data=data_ecdf,
    words=words_ecdf,
    plot=plot_ecdf,
    draws="the share of runs that do not exceed a value, a step line a configuration",
    answers="how many runs are below a value?",
    caption="share of the runs below each value, {all}",
)
