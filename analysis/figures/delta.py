"""The delta chart: changes against the baseline in percent, with intervals."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
from plotnine import ggplot

from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.figures.axis import RATIO_FROM
from analysis.figures.delta_rows import delta_axes, delta_columns, draw_key, draw_rows
from analysis.figures.kind import FigureKind
from analysis.figures.overlay import draw_said, spoken_of
from analysis.figures.palette import GLYPHS
from analysis.figures.parts import (
    Words,
    draw_foot,
    draw_head,
    draw_heading,
    draw_ticks,
)
from analysis.figures.select import PANEL, fact_frame, groups
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.theme import PageFormat
from analysis.figures.words import (
    adjustment,
    compared,
    direction,
    foot_line,
    panel_name,
    seen,
    spoken_name,
    title_of,
)


def data_delta(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The figure's changes, one row for each metric, role, workload and test."""
    return fact_frame(facts, setting.figure, "delta", setting.tests)


def words_delta(frame: pl.DataFrame, setting: Setting) -> Words:
    """Title, subtitle, foot line and alt text of a delta chart."""
    subtitle = f"Change of the median of {compared(setting)}, in percent."
    return Words(
        title_of(setting, frame),
        " ".join([subtitle, *shading(frame)]),
        delta_foot(frame, setting),
        _alt(frame, setting),
    )


def draw_delta(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> ggplot:
    """Panels by metric and role below one another, a row for each workload."""
    sheet = Sheet(format)
    columns = delta_columns(frame, format, len(setting.tests) > 1)
    panels = groups(frame, *PANEL)
    said = [spoken_of(panel, setting) for _, panel in panels]
    axes = delta_axes([panel for _, panel in panels], columns, said)
    draw_head(sheet, words)
    for i, ((metric, role), panel) in enumerate(panels):
        name = panel_name(setting.metrics[metric], role)
        end = draw_heading(sheet, name, direction(panel["better"][0]))
        draw_said(sheet, said[i], end)
        draw_rows(sheet, panel, axes[i], columns, said[i])
        if i + 1 == len(panels) or axes[i] != axes[i + 1]:
            draw_ticks(sheet, axes[i])
        sheet.y += 2.2 if i + 1 < len(panels) else 0
    if format.stacked and frame["verdict"].drop_nulls().len():
        draw_key(sheet, frame)
    draw_foot(sheet, words)
    return sheet.plot()


def shading(frame: pl.DataFrame) -> list[str]:
    """What the shade means, and what the scale is where it is not linear."""
    limits = sorted(set(frame["threshold"].drop_nulls().to_list()))
    said = []
    if limits:
        span = f", ±{limits[0]:.2g}% to ±{limits[-1]:.2g}%"
        said.append(
            f"Shaded: within the threshold{span if len(limits) > 1 else ''}"
            + (f" of ±{limits[0]:.2g}%." if len(limits) == 1 else ".")
        )
    highest = max([*frame["value"], *frame["high"].drop_nulls()])
    if highest > RATIO_FROM:
        said.append("Equal steps on the axis are equal ratios.")
    return said


def delta_foot(frame: pl.DataFrame, setting: Setting) -> str:
    """The foot line of changes: runs, intervals, test, origin."""
    tested, parts = seen(frame), list[str]()
    if tested.height:
        confidence = max(tested["confidence"].to_list())
        parts = [
            f"whiskers: {confidence:.0%} bootstrap interval",
            f"test: Mann-Whitney and Yuen, {adjustment(setting)}-adjusted",
        ]
    return foot_line(parts, frame)


def _alt(frame: pl.DataFrame, setting: Setting) -> str:
    """How many changes there are of each verdict, and which are the largest."""
    judged = pl.col("verdict").fill_null(
        pl.when(pl.col("model").is_null())
        .then(pl.lit("not judged"))
        .otherwise(pl.lit("predicted"))
    )
    counts = Counter(frame.select(judged).to_series())
    order = [*GLYPHS, "predicted", "not judged"]
    told = listed([f"{counts[v]} {v}" for v in order if counts[v]])
    metrics = frame["metric"].unique(maintain_order=True)
    what = listed([spoken_name(setting.metrics[metric], None) for metric in metrics])
    changes = f"{frame.height} {'change' if frame.height == 1 else 'changes'} in {what}"
    text = f"Dot chart of {changes} of {compared(setting)}: {told}."
    largest = pl.col("verdict").is_in(["improved", "regressed"])
    clear = frame.filter(largest | pl.col("model").is_not_null())
    if clear.is_empty():
        return text
    clear = clear.with_columns(pl.col("value").abs().alias("size"))
    top = clear.sort("size", descending=True, maintain_order=True).head(3)
    return f"{text} Largest: {listed([_told(r, setting) for r in top.to_dicts()])}."


def _told(row: dict[str, Any], setting: Setting) -> str:
    name = spoken_name(setting.metrics[row["metric"]], row["role"])
    test = f" on {row['configuration']}" if len(setting.tests) > 1 else ""
    return f"{name} of {row['workload']}{test} {row['printed']}"


KIND = FigureKind(
    id="delta",
    data=data_delta,
    words=words_delta,
    draw=draw_delta,
    caption="change of {pairs}",
    shows="the changes of {pairs}",
    overlays=("delta",),
)
