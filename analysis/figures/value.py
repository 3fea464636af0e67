"""The value chart: medians with intervals, every run a dot beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import polars as pl
from plotnine import ggplot

from analysis.declared.origin import Origin
from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.facts.units import format_number, format_range
from analysis.figures.axis import Axis, value_axis
from analysis.figures.kind import FigureKind
from analysis.figures.marks import draw_bar, strength
from analysis.figures.palette import INK, LINES, SOFT
from analysis.figures.parts import (
    BESIDE_CHIP,
    GAP,
    LEAST_PLOT,
    Words,
    draw_chip,
    draw_foot,
    draw_grid,
    draw_head,
    draw_heading,
    draw_ticks,
    widest,
)
from analysis.figures.select import PANEL, fact_frame, groups, only, with_runs
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.swarm import swarm
from analysis.figures.theme import BOLD, PageFormat, wrap
from analysis.figures.words import (
    foot_line,
    panel_name,
    seen,
    spoken_name,
    title_of,
    unit_and_better,
    unit_of,
)

_DOT = 1.7  # mm
_REACH = 3.4  # mm that dots may lie off their line before they overlap
_BAR = 2.4  # mm of the bar below the dots
_LEAST = 0.25  # share of the median that a scale covers, lest noise look large
_ALIKE = 3.0  # medians within this factor share a scale


@dataclass(frozen=True)
class ValueColumns:
    """Where the columns of a row lie, in mm from the left.

    Where rows are ``stacked``, names and numbers stand above the marks, and on lines
    of their own where they are too ``crowded`` for one.
    """

    plot: tuple[float, float]
    value: float
    interval: float
    stacked: bool
    crowded: bool


def data_value(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, each followed by its runs."""
    frame = fact_frame(facts, setting.figure, "value", setting.configurations)
    return with_runs(frame, facts)


def words_value(frame: pl.DataFrame, setting: Setting) -> Words:
    """Title, subtitle, foot line and alt text of a value chart."""
    subtitle = "Each dot is one run; below, the median on the bar of its interval."
    if any(has_own_scales(panel) for _, panel in groups(frame, *PANEL)):
        subtitle += " Each workload has its own scale."
    return Words(
        title_of(setting, frame),
        subtitle,
        foot_line([interval_words(frame)], frame),
        "Dot chart of every run. " + told_medians(frame, setting),
    )


def draw_value(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> ggplot:
    """Blocks by metric, role and workload, a row for each configuration."""
    sheet = Sheet(format)
    columns = value_columns(frame, setting, format)
    draw_head(sheet, words)
    for i, ((metric, role), panel) in enumerate(groups(frame, *PANEL)):
        sheet.y += GAP if i else 0
        name = panel_name(setting.metrics[metric], role)
        draw_heading(sheet, name, unit_and_better(panel))
        _draw_blocks(sheet, panel, columns, setting)
    draw_foot(sheet, words)
    return sheet.plot()


def value_columns(
    frame: pl.DataFrame, setting: Setting, format: PageFormat
) -> ValueColumns:
    """Columns as wide as their widest text; the plot takes what is left."""
    size, rows = format.text, only(frame, "fact").to_dicts()
    interval = format.width - widest([interval_of(row) for row in rows], size)
    value = interval - GAP * 0.8
    left = value - widest([row["printed"] for row in rows], size, BOLD)
    names = [_name(row, setting) for row in rows]
    plot = (widest(names, size) + BESIDE_CHIP + GAP, left - GAP)
    crowded = plot[0] > left
    stacked = format.stacked or plot[1] - plot[0] < LEAST_PLOT
    if stacked:
        plot = (2.0, format.width - 2.0)
    return ValueColumns(plot, value, interval, stacked, crowded)


def interval_of(row: dict[str, Any]) -> str:
    """The interval of a median without its unit."""
    if row["low"] is None or row["high"] is None:
        return "no interval"
    return format_range(row["low"], row["high"], "")


def interval_words(frame: pl.DataFrame) -> str:
    """How the medians' intervals came about."""
    known = [share for share in seen(frame)["confidence"] if share]
    if not known:
        return ""
    confidence = min(known)
    return f"bars: {confidence:.0%} interval of the median by order statistics"


def told_medians(frame: pl.DataFrame, setting: Setting) -> str:
    """A sentence a panel with its medians, for readers who cannot see them."""
    told = []
    for (metric, role), panel in groups(only(frame, "fact"), *PANEL):
        name = spoken_name(setting.metrics[metric], role)
        drawn = panel["configuration"].unique(maintain_order=True)
        on = listed([setting.named(configuration) for configuration in drawn])
        blocks = [
            f"{workload} {listed([_told(row) for row in block.to_dicts()])}"
            for (workload,), block in groups(panel, "workload")
        ]
        head = f"Median {name} in {unit_of(panel)} on {on}"
        told.append(f"{head}: {'; '.join(blocks)}.")
    return " ".join(told)


def _told(row: dict[str, Any]) -> str:
    """A median; where a model gave it, with the word that it did."""
    told = format_number(row["value"])
    return f"{told} (modelled)" if row["model"] else told


def draw_label(
    sheet: Sheet, columns: ValueColumns, row: dict[str, Any], setting: Setting, y: float
) -> None:
    """A configuration's colour and name, its median and interval.

    ``y`` is the middle of the row. Stacked, the label stands at ``sheet.y`` instead,
    which moves below it.
    """
    height, size = sheet.format.row, sheet.format.text
    y = sheet.y + height / 2 if columns.stacked else y
    color = setting.colours[row["configuration"]]
    draw_chip(sheet, 0, y, color)
    name = wrap(_name(row, setting), sheet.format.width - BESIDE_CHIP, size)
    for i, line in enumerate(name):
        y += height * 0.85 if i else 0
        sheet.text((BESIDE_CHIP, y), line)
    y += height * 0.85 if columns.crowded else 0
    sheet.text((columns.value, y), row["printed"], 0, INK, BOLD, "right")
    sheet.text((columns.interval, y), interval_of(row), color=SOFT)
    if columns.stacked:
        sheet.y = y + height / 2


def draw_run(
    sheet: Sheet,
    row: dict[str, Any],
    at: tuple[float, float],
    color: str,
    size: float,
) -> None:
    """One run as a dot: solid where measured, otherwise as its origin asks."""
    hollow = row["look"] in ("modelled", "published")
    shape = "D" if row["look"] == "published" else "o"
    sheet.point(at, color, shape, size, hollow, 0.7, strength(row))


def draw_median(
    sheet: Sheet, axis: Axis, row: dict[str, Any], color: str, y: float, high: float
) -> None:
    """A median as an upright line ``high`` mm tall, on the bar of its interval."""
    origin = cast(Origin, row["look"])
    half = high / 2
    if row["low"] is not None and row["high"] is not None:
        ends = (axis.at(row["low"]), axis.at(row["high"]))
        draw_bar(sheet, ends, (y - half * 0.8, y + half * 0.8), color, origin)
    at = axis.at(row["value"])
    if origin == "published":
        sheet.point((at, y), color, "D", 2.8, hollow=True)
    else:
        sheet.line((at, y - half), (at, y + half), INK, 1.8, LINES[origin])


def _name(row: dict[str, Any], setting: Setting) -> str:
    """The configuration, with its origin where origins differ."""
    id = row["configuration"]
    return f"{id}  {setting.labels.get(id, '')}".rstrip() + row["mark"]


def _draw_blocks(
    sheet: Sheet, panel: pl.DataFrame, columns: ValueColumns, setting: Setting
) -> None:
    blocks = groups(panel, "workload")
    axes = _axes([block for _, block in blocks], columns, sheet.format)
    for i, ((workload,), block) in enumerate(blocks):
        sheet.text((0, sheet.y + sheet.format.row * 0.55), workload, weight=BOLD)
        sheet.y += sheet.format.row
        for j, (_, rows) in enumerate(groups(block, "configuration")):
            sheet.y += 1.0 if j and columns.stacked else 0
            _draw_row(sheet, rows, axes[i], columns, setting)
        last = i + 1 == len(blocks)
        if last or axes[i] != axes[i + 1]:
            draw_ticks(sheet, axes[i])
        sheet.y += 0 if last else 0.8


def _axes(
    blocks: list[pl.DataFrame], columns: ValueColumns, format: PageFormat
) -> list[Axis]:
    """One axis for all workloads, or one for each where their medians are unlike."""
    gap = 14.0 if format.stacked else 16.0
    both = pl.concat(blocks)
    if has_own_scales(both):
        return [value_axis(_ends(b), columns.plot, gap, _LEAST) for b in blocks]
    return [value_axis(_ends(both), columns.plot, gap, _LEAST)] * len(blocks)


def has_own_scales(panel: pl.DataFrame) -> bool:
    """Whether a panel's medians are too unlike for one scale."""
    medians = [abs(value) for value in only(panel, "fact")["value"]]
    return min(medians) * _ALIKE < max(medians)


def _draw_row(
    sheet: Sheet,
    rows: pl.DataFrame,
    axis: Axis,
    columns: ValueColumns,
    setting: Setting,
) -> None:
    """The runs of one configuration as dots, its median and interval below them."""
    fact = only(rows, "fact").row(0, named=True)
    color = setting.colours[fact["configuration"]]
    places = [axis.at(value) for value in only(rows, "run")["value"]]
    offsets = swarm(places, _DOT)
    reach = max(map(abs, offsets), default=0.0)
    squeeze = min(1.0, _REACH / reach) if reach else 1.0
    half = max(reach * squeeze + _DOT / 2, _BAR)
    draw_label(sheet, columns, fact, setting, sheet.y + half + _BAR / 2)
    draw_grid(sheet, axis, sheet.y, sheet.y + 2 * half + _BAR + 1.2)
    for x, offset in zip(places, offsets, strict=True):
        draw_run(sheet, fact, (x, sheet.y + half + offset * squeeze), color, _DOT)
    draw_median(sheet, axis, fact, color, sheet.y + 2 * half + _BAR / 2 + 0.2, _BAR)
    sheet.y += 2 * half + _BAR + 1.2


def _ends(rows: pl.DataFrame) -> list[float]:
    found = [rows[name].drop_nulls().to_list() for name in ("value", "low", "high")]
    return [value for column in found for value in column]


KIND = FigureKind(
    id="value",
    data=data_value,
    words=words_value,
    draw=draw_value,
    caption="{all}, every run",
    shows="every run",
)
