"""The facts that a figure draws, as one table in the order of the report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import polars as pl

from analysis.declared.study import Figure
from analysis.declared.vocabulary import PARTS
from analysis.declared.workload import SHAPES, matches, parse_workload
from analysis.facts.fact import Fact, Facts
from analysis.facts.units import format_unit, format_value, how_many
from analysis.figures.setting import Setting

_TEXTS = (
    "record", "workload", "role", "metric", "configuration", "name", "run", "unit",
    "verdict", "origin", "look", "mark", "baseline", "model", "qualifier", "key",
    "better", "printed", "says", "basis", "sides", "beyond",
)  # fmt: skip
_NUMBERS = (
    "value", "low", "high", "confidence", "threshold", "stated", "resolution",
)  # fmt: skip
SCHEMA: dict[str, pl.DataType] = {
    **dict.fromkeys(_TEXTS, pl.String()),
    **dict.fromkeys(_NUMBERS, pl.Float64()),
    "n": pl.Int64(),
}
PANEL = ("metric", "role")
_LONG = 1000.0  # µs, from which on a time is told in ms
_WIDER = 1.1  # of the span of all runs, from which on an interval is wider than they


def fact_frame(
    facts: Facts,
    setting: Setting,
    kind: Literal["value", "delta"],
    figure: Figure | None = None,
) -> pl.DataFrame:
    """The facts of a setting's figure, a row each, with the columns of ``SCHEMA``.

    Rows are ordered by metric and configuration as declared, by role, and by the
    workload's shape, clients and payload. ``record`` is ``fact``. ``look`` is the
    origin by which a mark is drawn: ``modelled`` for all that was predicted, which an
    estimate from synthetic inputs is too; ``model`` is what it was made from. ``name``
    is the configuration's label, with its look where looks differ; ``beyond`` says
    why an interval is wider than all runs.
    """
    figure = figure or setting.figure
    configurations = setting.tests if kind == "delta" else setting.configurations
    drawn = [
        fact
        for fact in facts.facts
        if fact.kind == kind
        and fact.metric in figure.metrics
        and fact.configuration in configurations
        and figure.draws_role(fact.role)
        and matches(fact.workload, figure.workloads)
    ]

    def order(fact: Fact) -> tuple[Any, ...]:
        return (
            figure.metrics.index(fact.metric),
            PARTS.index(fact.role) if fact.role in PARTS else -1,
            parse_workload(fact.workload).order,
            configurations.index(fact.configuration),
        )

    rows = [fact_row(fact) for fact in sorted(drawn, key=order)]
    mixed = len({row["look"] for row in rows}) > 1
    return as_frame(
        row | {"mark": mark, "name": setting.label(row["configuration"]) + mark}
        for row in rows
        for mark in [_mark(row) if mixed else ""]
    )


def load_names(workloads: Iterable[str]) -> dict[str, str]:
    """What to call workloads beside one another: ``600 clients`` where they differ in
    nothing but the number of their clients, else their names."""
    known = {name: parse_workload(name) for name in workloads}
    alike = {(w.shape, w.request_bytes, w.response_bytes) for w in known.values()}
    if len(known) < 2 or len(alike) > 1:
        return {name: name for name in known}
    return {
        name: how_many(work.clients, SHAPES[work.shape].client)
        for name, work in known.items()
    }


def with_values(frame: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """Changes with the values that they are of, in print, as their ``sides``."""
    known = {
        (f.workload, f.role, f.metric, f.configuration): f
        for f in facts.facts
        if f.kind == "value"
    }

    def sides(row: dict[str, Any]) -> str | None:
        cell = (row["workload"], row["role"], row["metric"])
        before = known.get((*cell, row["baseline"]))
        after = known.get((*cell, row["configuration"]))
        if before is None or after is None:
            return None
        first, last = _side_texts(before, after)
        return f"{first} → {last}"

    return as_frame(row | {"sides": sides(row)} for row in frame.to_dicts())


def _side_texts(before: Fact, after: Fact) -> tuple[str, str]:
    """Both sides of a change, the unit at the second; long times are in ms."""
    texts, unit = [before.printed, after.printed], after.unit
    if unit.startswith("µs") and max(before.value, after.value) >= _LONG:
        unit = unit.replace("µs", "ms", 1)
        texts = [
            format_value(f.value / 1e3, unit, (f.resolution or 0) / 1e3)
            for f in (before, after)
        ]
    return texts[0].removesuffix(format_unit(unit)).rstrip(), texts[1]


def with_runs(frame: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """The frame with each fact followed by its runs: ``record`` is ``run`` there."""
    by_key = {fact.key: fact for fact in facts.facts}
    rows: list[dict[str, Any]] = []
    for row in frame.iter_rows(named=True):
        rows.append(row)
        if row["record"] != "fact":
            continue
        fact = by_key[row["key"]]
        runs = fact.lineage.runs or tuple(map(str, range(1, len(fact.samples) + 1)))
        rows += [
            row
            | dict.fromkeys(("low", "high", "n", "verdict", "printed", "confidence"))
            | {"record": "run", "run": run, "value": value}
            for run, value in zip(runs, fact.samples, strict=False)
        ]
    return as_frame(rows)


def as_frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame of ``SCHEMA``; other entries are left out."""
    return pl.DataFrame(
        [{name: row.get(name) for name in SCHEMA} for row in rows], schema=SCHEMA
    )


def groups(frame: pl.DataFrame, *by: str) -> list[tuple[tuple[Any, ...], pl.DataFrame]]:
    """The frame cut by columns, parts and rows in the order of the frame."""
    return list(frame.group_by(*by, maintain_order=True))


def only(frame: pl.DataFrame, record: Literal["fact", "run"]) -> pl.DataFrame:
    """The rows of one record type."""
    return frame.filter(pl.col("record") == record)


def _mark(row: dict[str, Any]) -> str:
    """What stands behind the name of a row that was not measured."""
    return "" if row["look"] == "measured" else f" · {row['look']}"


def fact_row(fact: Fact) -> dict[str, Any]:
    """What a frame of ``SCHEMA`` has of a fact, and more."""
    look = "modelled" if fact.predicted else fact.origin
    model = fact.estimate.rung if fact.estimate else None
    known = {"record": "fact", "run": None, "look": look, "model": model}
    return vars(fact) | known | {"beyond": _beyond(fact)}


def _beyond(fact: Fact) -> str | None:
    """Why the interval of a median is wider than all of its runs, where it is."""
    if fact.low is None or fact.high is None or not fact.samples:
        return None
    low, high = min(fact.samples), max(fact.samples)
    if fact.high - fact.low <= _WIDER * (high - low):
        return None
    if any(warning.kind == "neighbours" for warning in fact.warnings):
        return "runs that follow one another are alike, so that each counts for less"
    if fact.resolution and (high - low) < _WIDER * fact.resolution:
        step = format_value(fact.resolution, fact.unit, fact.resolution)
        return f"the source tells it in steps of {step}"
    return "so few runs do not bound it"


def number_text(row: dict[str, Any]) -> str:
    """What a fact prints, without its unit."""
    return str(row["printed"]).removesuffix(format_unit(row["unit"])).rstrip()
