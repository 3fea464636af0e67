"""The trend chart: how a change in percent moves with the payload."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import polars as pl
from plotnine import ggplot

from analysis.declared.workload import format_size, parse_workload
from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.figures.axis import Axis, change_axis
from analysis.figures.delta import data_delta, delta_foot, shading
from analysis.figures.delta_rows import draw_verdict
from analysis.figures.kind import FigureKind
from analysis.figures.marks import draw_diamond, strength
from analysis.figures.overlay import Spoken, draw_said, spoken_of
from analysis.figures.palette import (
    BAND,
    GRID,
    INK,
    LINES,
    QUIET,
    RULE,
    SOFT,
    VERDICT_COLOURS,
)
from analysis.figures.parts import (
    GAP,
    Words,
    draw_foot,
    draw_head,
    draw_heading,
    widest,
)
from analysis.figures.select import PANEL, groups
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.theme import BOLD, POINT, PageFormat, text_width
from analysis.figures.words import (
    compared,
    direction,
    panel_name,
    spoken_name,
    title_of,
)

_HEIGHT = 38.0  # mm of a plot
_ROOM = 5.0  # mm above and below the axis that numbers may take
_TICKS = 9.0  # mm between ticks, about
_LABEL = 1.6  # mm between a point and its number


@dataclass(frozen=True)
class Plot:
    """One series: where its steps and values lie, in mm from the top left."""

    axis: Axis
    left: float
    right: float
    bottom: float
    steps: tuple[str, ...]

    def x(self, step: int) -> float:
        """The middle of a step."""
        return self.left + (step + 0.5) * self.pitch

    def y(self, value: float) -> float:
        """The height of a value."""
        return self.bottom - self.axis.at(value)

    @property
    def pitch(self) -> float:
        """The width of a step."""
        return (self.right - self.left) / len(self.steps)


def data_trend(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The figure's changes, one row for each metric, role, workload and test."""
    return data_delta(facts, setting)


def words_trend(frame: pl.DataFrame, setting: Setting) -> Words:
    """Title, subtitle, foot line and alt text of a trend chart."""
    subtitle = f"Change of the median of {compared(setting)} by payload, in percent."
    return Words(
        title_of(setting, frame),
        " ".join([subtitle, *shading(frame)]),
        delta_foot(frame, setting),
        _alt(frame, setting),
    )


def draw_trend(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> ggplot:
    """A plot for each metric, role and test, beside one another where there is room."""
    sheet = Sheet(format)
    draw_head(sheet, words)
    across = 1 if format.stacked else 2
    width = (format.width - (across - 1) * 3 * GAP) / across
    panels = groups(frame, *PANEL, "configuration")
    for first in range(0, len(panels), across):
        top, lowest = sheet.y, sheet.y
        for i, (_, panel) in enumerate(panels[first : first + across]):
            sheet.y = top
            left = i * (width + 3 * GAP)
            _draw_panel(sheet, panel, setting, (left, left + width))
            lowest = max(lowest, sheet.y)
        sheet.y = lowest + (GAP if first + across < len(panels) else 0)
    draw_foot(sheet, words)
    return sheet.plot()


def step_names(panel: pl.DataFrame) -> tuple[str, ...]:
    """``4 kB``; the whole workload where two of them have the same payload."""
    works = [parse_workload(name) for name in panel["workload"]]
    sizes = [format_size(max(w.request_bytes, w.response_bytes)) for w in works]
    if len(set(sizes)) < len(sizes):
        return tuple(panel["workload"])
    return tuple(_spaced(size) for size in sizes)


def _spaced(size: str) -> str:
    digits = size.rstrip("BkMG")
    return f"{digits} {size[len(digits) :]}"


def _draw_panel(
    sheet: Sheet, panel: pl.DataFrame, setting: Setting, span: tuple[float, float]
) -> None:
    """One series under its heading; ``sheet.y`` moves below it."""
    row = panel.row(0, named=True)
    name = panel_name(setting.metrics[row["metric"]], row["role"])
    several = len(setting.tests) > 1
    aside = " · ".join(
        filter(None, [row["configuration"] * several, direction(row["better"])])
    )
    end = draw_heading(sheet, name, aside, span)
    said = spoken_of(panel, setting)
    draw_said(sheet, said, end, span)
    plot = _plot(sheet, panel, said, span)
    rows = panel.to_dicts()
    _draw_ground(sheet, plot, rows)
    _draw_published(sheet, plot, rows, said)
    _draw_series(sheet, plot, rows)
    _draw_steps(sheet, plot)


def _draw_steps(sheet: Sheet, plot: Plot) -> None:
    """The names of the steps, on as many levels as keep them apart."""
    size = sheet.format.small
    line = size * POINT * 1.3
    levels = math.ceil((widest(list(plot.steps), size) + 1.0) / plot.pitch)
    top = plot.bottom + _ROOM
    for i, step in enumerate(plot.steps):
        half = text_width(step, size) / 2
        x = max(min(plot.x(i), sheet.format.width - half), half)
        y = top + line * (i % levels + 0.6)
        sheet.text((x, y), step, size, SOFT, align="center")
    sheet.y = top + line * (min(levels, len(plot.steps)) + 0.2)


def _plot(
    sheet: Sheet, panel: pl.DataFrame, said: list[Spoken], span: tuple[float, float]
) -> Plot:
    found = [
        value
        for name in ("value", "low", "high")
        for value in panel[name].drop_nulls().to_list()
    ]
    found += [spoken.row.value for spoken in said if spoken.drawn]
    axis = change_axis(found, (0.0, _HEIGHT), _TICKS)
    labels = widest([label for _, label in axis.ticks], sheet.format.small)
    left = span[0] + labels + 1.5
    steps = step_names(panel)
    # the number of the last point must end within the panel
    number = widest(panel["printed"].to_list(), sheet.format.text, BOLD) + _LABEL
    half = 1 / (2 * len(steps))
    right = min(span[1], (span[1] - number - left * half) / (1 - half))
    return Plot(axis, left, right, sheet.y + _ROOM + _HEIGHT, steps)


def _draw_ground(sheet: Sheet, plot: Plot, rows: list[dict[str, Any]]) -> None:
    """The threshold shaded, ticks with their labels, and zero."""
    for i, row in enumerate(rows):
        if row["threshold"]:
            ends = (plot.y(row["threshold"]), plot.y(-row["threshold"]))
            x = plot.x(i) - plot.pitch / 2
            sheet.rect((x, x + plot.pitch), ends, BAND)
    for value, label in plot.axis.ticks:
        y, zero = plot.y(value), value == 0
        color, width = (INK, 1.0) if zero else (GRID, 0.5)
        sheet.line((plot.left, y), (plot.right, y), color, width)
        size = sheet.format.small
        sheet.text((plot.left - 1.5, y), label, size, SOFT, align="right")
    bottom = plot.bottom + _ROOM
    sheet.line((plot.left, bottom), (plot.right, bottom), RULE, 0.6)


def _draw_published(
    sheet: Sheet, plot: Plot, rows: list[dict[str, Any]], said: list[Spoken]
) -> None:
    for i, row in enumerate(rows):
        for spoken in (s for s in said if s.drawn and s.is_of(row)):
            x, y = plot.x(i), plot.y(spoken.row.value)
            if spoken.each:
                draw_diamond(sheet, (x - 2.4, y))
                continue
            half = plot.pitch / 2
            sheet.line((x - half, y), (x + half, y), INK, 0.9, "dashed")
            if spoken.begins_in(row):
                draw_diamond(sheet, (x - half + 1.2, y))


def _draw_series(sheet: Sheet, plot: Plot, rows: list[dict[str, Any]]) -> None:
    """Points joined in order of payload, each with its interval and its number."""
    places = [(plot.x(i), plot.y(row["value"])) for i, row in enumerate(rows)]
    for i, (start, end) in enumerate(itertools.pairwise(places)):
        sheet.line(start, end, SOFT, 1.1, LINES[rows[i + 1]["look"]])
    for i, (row, (x, y)) in enumerate(zip(rows, places, strict=True)):
        color = VERDICT_COLOURS.get(row["verdict"], QUIET)
        if row["low"] is not None and row["high"] is not None:
            ends = (plot.y(row["low"]), plot.y(row["high"]))
            look = LINES[row["look"]]
            sheet.line((x, ends[0]), (x, ends[1]), color, 1.4, look, strength(row))
        draw_verdict(sheet, (x, y), row)
        # right of a point only the line to the next one can be in the way
        after = min(i + 1, len(rows) - 1)
        falls = places[after][1] > places[after - 1][1] if after else False
        size = sheet.format.text
        offset = _LABEL + size * POINT * 0.33
        at = (x + _LABEL, y - offset if falls else y + offset)
        sheet.text(at, row["printed"], size, INK, BOLD)


def _alt(frame: pl.DataFrame, setting: Setting) -> str:
    """Each series in words, from the smallest payload to the largest."""
    told = [
        f"{spoken_name(setting.metrics[metric], role)}"
        f"{f' on {test}' if len(setting.tests) > 1 else ''}: "
        + listed(
            [
                f"{printed} at {step}"
                for printed, step in zip(
                    panel["printed"], step_names(panel), strict=True
                )
            ]
        )
        for (metric, role, test), panel in groups(frame, *PANEL, "configuration")
    ]
    head = f"Line chart of changes of {compared(setting)} by payload"
    return f"{head}. {'; '.join(told)}."


KIND = FigureKind(
    id="trend",
    data=data_trend,
    words=words_trend,
    draw=draw_trend,
    caption="saving of {pairs} by payload",
    shows="how the saving of {pairs} grows or shrinks with payload",
    overlays=("delta",),
)
