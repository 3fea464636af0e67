"""The ecdf chart: which share of the runs does not exceed a value."""

from __future__ import annotations

from itertools import pairwise

import plotnine as p9
import polars as pl

from analysis.figures import page, words
from analysis.figures.findings import runs_of
from analysis.figures.grammar import marks
from analysis.figures.grammar.scales import scale_value, value_limits
from analysis.figures.grammar.theme import axis_height, plot_of
from analysis.figures.kind import FigureKind
from analysis.figures.kinds.value import data_value
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet, legend_lines
from analysis.figures.svg import Panel, Span

# mm: a panel, a line of the legend, the labels of the axis of y
_PANEL, _LINE, _LABELS = 36.0, 4.6, 11.0
_SHARES = (-0.02, 1.02)  # from where to where the axis of y goes
_POINTED = 1.4  # mm round a step that belong to it


def words_ecdf(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of an ecdf chart."""
    return page.Words(
        runs_of(frame, setting),
        "Share of the runs that do not exceed a value.",
        words.foot_line([], frame),
        f"Step chart of every run. {words.told_medians(frame, setting)}",
    )


def plot_ecdf(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a metric, role and workload, a step line a configuration."""
    format, runs = sheet.format, []
    named = [(setting.colours[id], setting.label(id)) for id in setting.configurations]
    x = (_LABELS, format.width)
    lines = legend_lines(named, x[1] - x[0], format)
    for number, (_, part) in enumerate(groups(frame, *PANEL, "workload")):
        heading = marks.value_heading(setting, part, by="workload")
        sheet.text((_LABELS, sheet.y + _LINE / 2), heading.name, weight=page.BOLD)
        top = sheet.legend((_LABELS, sheet.y + _LINE), lines, _LINE) + 1.0
        sheet.panels.append(Panel(x, (top, top + _PANEL), True, _SHARES))
        _answer(sheet, only(part, "run"), x, top)
        sheet.y = top + _PANEL + axis_height(format) + _LINE * 0.6
        runs.append(only(part, "run").with_columns(panel=pl.lit(number)))
    shares = (0, 0.25, 0.5, 0.75, 1)
    layers = [
        p9.stat_ecdf(
            p9.aes("value", color="colour"), marks.coloured(pl.concat(runs), setting),
            size=0.7, pad=True,
        ),
        scale_value(False, x[1] - x[0]),
        p9.scale_y_continuous(breaks=shares, labels=["0", "25%", "50%", "75%", "100%"]),
    ]  # fmt: skip
    sheet.plot = plot_of(layers, format, axes="free_x")


def _answer(sheet: Sheet, runs: pl.DataFrame, x: Span, top: float) -> None:
    """Each step of a line, from its run to the next, shows the line's fact."""
    low, high = value_limits(runs["value"].to_list(), x[1] - x[0])
    low_share, high_share = _SHARES
    for (key,), part in groups(runs, "key"):
        row, values = part.row(0, named=True), part["value"].sort().to_list()
        for number, (value, after) in enumerate(pairwise([*values, values[-1]]), 1):
            ends = [
                (v - low) / (high - low) * (x[1] - x[0]) + x[0] for v in (value, after)
            ]
            share = (high_share - number / len(values)) / (high_share - low_share)
            y = top + share * _PANEL
            sheet.hit(
                (ends[0] - _POINTED, ends[1] + _POINTED),
                (y - _POINTED, y + _PANEL / len(values)),
                str(key),
                row["workload"],
                row["configuration"],
            )


KIND = FigureKind(
    id="ecdf",
    data=data_value,
    words=words_ecdf,
    plot=plot_ecdf,
    draws="the share of runs that do not exceed a value, a step line a configuration",
    answers="how many runs are below a value?",
    caption="share of the runs below each value, {all}",
    reads=(
        "The line steps up at each run: where it passes 50%, half of the runs are "
        "below."
    ),
    key=(("steps", "share of the runs up to a value"),),
)
