"""Figures as charts of an office program: what such a chart can draw, and its data.

A kind of figure that such programs know has a ``chart``; of others they show pictures.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import ceil, floor
from typing import Any

import polars as pl

from analysis.facts.units import format_unit, format_value
from analysis.figures import words
from analysis.figures.grammar import curves, marks
from analysis.figures.grammar.scales import linear_breaks
from analysis.figures.kind import Chart, Series
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting

_BREAKS = 4.0  # labels on an axis, about


def charts_of_changes(frame: pl.DataFrame, setting: Setting) -> list[Chart]:
    """A chart a metric and role, a bar a change, and one for what was published."""
    several = len(setting.tests) > 1
    made = []
    for (metric, role), panel in groups(frame, *PANEL):
        rows, axis = panel.to_dicts(), f"{metric} change"
        names = [_change_name(row, several) for row in rows]
        colours = [marks.verdict_colour(row["verdict"]) for row in rows]
        series = _series("Change", rows, colours)
        title = _title(setting, panel, metric, role)
        made.append(
            Chart("bars", title, "%", tuple(names), (series,), axis, changes=True)
        )
    return made


def charts_of_values(frame: pl.DataFrame, setting: Setting) -> list[Chart]:
    """A chart a metric and role, a bar a median, a colour a configuration."""
    made = []
    for (metric, role), panel in groups(only(frame, "fact"), *PANEL):
        works = tuple(panel["workload"].unique(maintain_order=True))
        series = _by_configuration(panel, "workload", works, setting)
        title, unit = _title(setting, panel, metric, role), words.unit_of(panel)
        made.append(Chart("bars", title, unit, works, series, metric))
    return made


def charts_of_lines(frame: pl.DataFrame, setting: Setting) -> list[Chart]:
    """A chart a panel, a line a configuration over the number in which loads differ."""
    _, values, steps = curves.x_of(frame["workload"].to_list())
    places = tuple(steps[x] for x in sorted(steps))
    named = {work: steps[x] for work, x in values.items()}
    made = []
    for (metric, role, _), panel in groups(frame, *PANEL, "family"):
        panel = panel.with_columns(step=pl.col("workload").replace_strict(named))
        series = _by_configuration(panel, "step", places, setting)
        title, unit = _title(setting, panel, metric, role), words.unit_of(panel)
        log = curves.is_wide(panel["value"])
        made.append(Chart("lines", title, unit, places, series, metric, log))
    return made


def chart_of_parts(frame: pl.DataFrame) -> list[Chart]:
    """One chart of bars that add up; a category says their sum.

    ``frame`` has the ``part`` and ``load`` of each row, and its ``colour``.
    """
    bars = groups(frame, "load", "name")
    unit = frame["unit"][0]
    names = [
        f"{load}, {name}: {format_value(float(part['value'].sum()), unit)}"
        for (load, name), part in bars
    ]
    series = []
    for (name,), part in groups(frame, "part"):
        known = {key: rows.to_dicts() for key, rows in groups(part, "load", "name")}
        rows = [_added(known.get(key, [])) for key, _ in bars]
        series.append(_series(str(name), rows, [part["colour"][0]] * len(rows)))
    better = words.unit_and_better(frame)
    shown = format_unit(unit)
    return [Chart("stacked", better, shown, tuple(names), tuple(series), "parts")]


def with_breaks(charts: list[Chart]) -> list[Chart]:
    """Charts whose axes of bars begin and end at round numbers and have zero in them;
    those of one name are alike."""
    numbers: dict[str, list[float]] = defaultdict(lambda: [0.0])
    for chart in charts:
        ends = [(s.low, s.high) for s in chart.series] * (chart.form != "stacked")
        known = [s.values for s in chart.series]
        if chart.form == "stacked":
            known = [
                tuple(sum(n or 0 for n in bar) for bar in zip(*known, strict=True))
            ]
        cells = [*known, *(cells for pair in ends for cells in pair)]
        numbers[chart.axis] += [n for each in cells for n in each if n is not None]
    made = []
    for chart in charts:
        low, high = min(numbers[chart.axis]), max(numbers[chart.axis])
        inside = linear_breaks((low, high or 1.0), _BREAKS)
        step = inside[1] - inside[0] if len(inside) > 1 else high - low or 1.0
        breaks = [step * n for n in range(floor(low / step), ceil(high / step) + 1)]
        is_linear = chart.form != "lines" and not chart.log
        made.append(replace(chart, breaks=tuple(breaks) if is_linear else ()))
    return made


def _added(rows: list[dict[str, Any]]) -> dict[str, Any]:
    look = rows[0]["look"] if rows else "measured"
    return {"value": sum(row["value"] for row in rows) if rows else None, "look": look}


def _by_configuration(
    panel: pl.DataFrame, by: str, places: tuple[str, ...], setting: Setting
) -> tuple[Series, ...]:
    made = []
    for (id,), part in groups(panel, "configuration"):
        known = {row[by]: row for row in part.to_dicts()}
        rows = [known.get(place, {}) for place in places]
        colours = [setting.colours[str(id)]] * len(rows)
        made.append(_series(setting.label(str(id)), rows, colours))
    return tuple(made)


def _series(name: str, rows: list[dict[str, Any]], colours: list[str]) -> Series:
    stated = [row.get("record") == "stated" for row in rows]
    values = [
        row["stated"] if is_stated else row.get("value")
        for row, is_stated in zip(rows, stated, strict=True)
    ]
    low, high = (tuple(row.get(end) for row in rows) for end in ("low", "high"))
    looks = tuple(row.get("look") or "measured" for row in rows)
    return Series(name, tuple(values), low, high, tuple(colours), looks)


def _change_name(row: dict[str, Any], several: bool) -> str:
    """``RR1(1kB): −58%, better`` over both sides, or ``published: up to −60%``."""
    if row["record"] == "stated":
        return f"published: {row['says']}"
    name = words.bar_name(row, several) + row["mark"] * (not several)
    outcome = ", ".join(filter(None, (row["printed"], words.verdict_text(row))))
    return "\n".join(filter(None, (f"{name}: {outcome}", row["sides"])))


def _title(
    setting: Setting, panel: pl.DataFrame, metric: Any, role: Any
) -> str:  # fmt: skip
    """``Latency, lower is better``; of values with their unit."""
    name = words.panel_name(setting.metrics[metric], role)
    unit = words.unit_and_better(panel)
    if panel["unit"][0] == "%":
        unit = words.direction(panel["better"][0])
    return " · ".join(filter(None, (name, unit)))
