"""The scaling chart: values over clients or payload, a line a configuration."""

from __future__ import annotations

import polars as pl

from analysis.declared.workload import parse_workload
from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import inside
from analysis.figures.findings import medians_of
from analysis.figures.grammar.compose import Composed
from analysis.figures.grammar.curve_words import Curves, Mark
from analysis.figures.grammar.curves import draw_curves
from analysis.figures.grammar.numbers import (
    PAYLOAD,
    are_ratios,
    is_wide,
    scale_words,
    x_of,
)
from analysis.figures.grammar.values import coloured, value_heading
from analysis.figures.kind import FigureKind
from analysis.figures.page import PageFormat, Words
from analysis.figures.published import told_below, with_stated
from analysis.figures.select import fact_frame, groups, only
from analysis.figures.setting import Setting
from analysis.figures.turns import PANEL_OF_LINES, crossings, knees
from analysis.figures.words import (
    CURVES,
    foot_line,
    interval_words,
    told_medians,
)


def data_scaling(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, with what was published of them."""
    frame = fact_frame(facts, setting, "value")
    found = only(with_stated(frame, setting, "value"), "fact")
    return found.with_columns(family=families_of(found["workload"].to_list()))


def words_scaling(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a scaling chart."""
    title, _, steps = x_of(frame["workload"].to_list())
    found = [cross.said for cross in crossings(frame, setting)] + [
        f"{inside(setting.metrics[m].label)} grows no more from {steps[x]} {title} on"
        + f" ({setting.label_list(ids)})" * (frame["configuration"].n_unique() > 1)
        for _, m, ids, x in knees(frame)
    ]
    text = (
        "; ".join(found) or f"{medians_of(frame, setting)} with {_span(steps, title)}"
    )
    panels = (panel["value"] for _, panel in groups(frame, *PANEL_OF_LINES))
    log = are_ratios(steps)
    logs = log, log and any(map(is_wide, panels))
    parts = [interval_words(frame, CURVES)]
    parts += ["open diamond: published"] if frame["stated"].drop_nulls().len() else []
    return Words(
        text[0].upper() + text[1:],
        scale_words(*logs),
        foot_line([*parts, told_below(frame, setting, "value")], frame, CURVES),
        f"Line chart. {told_medians(frame, setting)}",
    )


def plot_scaling(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """A panel a metric and role over one axis; marks where lines cross or level off."""
    title, values, steps = x_of(frame["workload"].to_list())
    panels = [part for _, part in groups(frame, *PANEL_OF_LINES)]
    placed = pl.concat(
        part.with_columns(panel=pl.lit(number)) for number, part in enumerate(panels, 1)
    ).with_columns(
        x=pl.col("workload").replace_strict(values),
        y=pl.col("value"),
        # runs and predictions make one line, and marks tell them apart
        series=pl.when(pl.col("look").n_unique().over("configuration") > 1)
        .then(pl.col("configuration").map_elements(setting.label, pl.String))
        .otherwise(pl.col("name")),
    )
    marks = [
        Mark(cross.panel, *_equal(cross.ends, steps))
        for cross in crossings(frame, setting)
    ]
    marks += [
        Mark(panel, x, f"no growth beyond {steps[x]}")
        for panel, _, _, x in knees(frame)
    ]
    several = frame["family"].n_unique() > 1
    headings = [
        value_heading(panel, setting, panel["family"][0] * several) for panel in panels
    ]
    # on two even axes, a line through zero is what grows in proportion
    zero = not are_ratios(steps)
    drawn = coloured(placed, setting)
    curves = Curves(drawn, headings, title, steps, marks=marks, zero=zero)
    return draw_curves(curves, words, format)


def check_loads(frame: pl.DataFrame, setting: Setting) -> list[Issue]:
    """An issue where there is one load alone, which makes no line."""
    names = frame["workload"].unique().to_list()
    if len(names) > 1:
        return []
    what = f"figure {setting.figure.id}: {names[0]} alone makes no line"
    return [Issue(what, setting.place, "choose more workloads, or draw kind: value")]


def families_of(workloads: list[str]) -> pl.Series:
    """What each workload is without the number on the axis: ``RR (100B)``, ``STR3``."""
    title, _, _ = x_of(workloads)
    works = map(parse_workload, workloads)
    if title == PAYLOAD:
        names = [f"{w.shape}{w.clients}" for w in works]
    else:
        names = [f"{w.shape} {w.name[w.name.index('(') :]}" for w in works]
    return pl.Series(names, dtype=pl.String)


def _span(steps: dict[float, str], title: str) -> str:
    """``10 to 60 clients`` or ``1 to 32 kB``: from the first step to the last."""
    first, last = steps[min(steps)], steps[max(steps)]
    if title != PAYLOAD:
        return f"{first} to {last} {title}"
    return f"{_first(first, last)} to {last}"


def _equal(
    ends: tuple[float, float], steps: dict[float, str]
) -> tuple[float, str, float]:
    """A band from step to step, with ``equal between 4 and 32 kB``."""
    before, after = (steps[end] for end in ends)
    return ends[0], f"equal between {_first(before, after)} and {after}", ends[1]


def _first(before: str, after: str) -> str:
    """The first of two sizes, without a unit that both have: ``4`` of ``4 kB``."""
    number, _, unit = before.partition(" ")
    return number if unit == after.partition(" ")[2] else before


KIND = FigureKind(
    id="scaling",
    data=data_scaling,
    words=words_scaling,
    plot=plot_scaling,
    draws="values over payload or clients, with crossings and ends of growth",
    answers="how far does it scale, and from where on is one ahead?",
    caption="{all}, by {x}",
    check_data=check_loads,
    overlays=("value",),
)
