"""What derives each metric from a run: its expression, as ``metrics.yaml`` has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from analysis.declared.metrics import Metric
from analysis.errors import Issue, Place

_NEGLIGIBLE = 1e-6
Evidence = Literal["benchmark", "cpu", "storage", "service"]

# The columns that expressions may use; metrics.yaml says what they hold.
COLUMNS = {
    "benchmark": frozenset(
        {
            "rate", "latency_mean_us", "bytes_per_second", "transactions", "clients",
            "tran_bytes", "window_seconds",
        }
    ),
    "cpu": frozenset(
        {
            "net_seconds", "ziip_seconds", "zaap_seconds", "ziip_on_cp_seconds",
            "zaap_on_cp_seconds", "counted", "cps", "under_load", "of_part", "factor",
            "tran_bytes", "rate",
        }
    ),
    "storage": frozenset({"bytes", "bytes_idle", "clients"}),
    "service": frozenset({"response_ms", "latency_mean_us", "requests", "seconds"}),
}  # fmt: skip


def metrics_of(metrics: Mapping[str, Metric], evidence: Evidence) -> list[str]:
    """The ids of the metrics that rest on one kind of evidence."""
    return [id for id, metric in metrics.items() if metric.evidence == evidence]


def with_metrics(
    table: pl.DataFrame, metrics: Mapping[str, Metric], evidence: Evidence
) -> pl.DataFrame:
    """The table with the metrics of one kind of evidence, and ``<metric>_resolution``:
    what the resolutions of the columns, as independent errors, make of it to the first
    order; null where that is not known or negligible, a millionth of the value."""
    ids = metrics_of(metrics, evidence)
    told = {id: pl.sql_expr(metrics[id].expression) for id in ids}
    squares = {id: pl.lit(0.0) for id in ids}
    for column in sorted(COLUMNS[evidence]):
        if f"{column}_resolution" not in table.columns:
            continue
        value, step = table[column], table[f"{column}_resolution"].fill_null(0)
        # a small part of the step, as a quotient is no straight line
        near = pl.min_horizontal(step, value.abs() / 1000)
        by = table.select(pl.when(value == 0).then(step).otherwise(near)).to_series()
        above, below = (
            table.with_columns(value + by * side).select(**told) for side in (0.5, -0.5)
        )
        for id in ids:
            moved = (above[id] - below[id]) * (step / by)
            squares[id] += pl.lit(moved.fill_nan(0).fill_null(0) ** 2)
    whole = table.with_columns(**told)
    return whole.with_columns(
        pl.when(square.sqrt() > pl.col(id).abs() * _NEGLIGIBLE)
        .then(square.sqrt().round_sig_figs(6))
        .alias(f"{id}_resolution")
        for id, square in squares.items()
    )


def metric_rows(
    table: pl.DataFrame, ids: Sequence[str], index: Sequence[str]
) -> pl.DataFrame:
    """A row for each of the ``ids`` and row of what :func:`with_metrics` gives: the
    columns of ``index``, ``metric``, ``value`` and ``resolution``."""
    rows = table.unpivot(ids, index=index, variable_name="metric")
    steps = table.unpivot([f"{id}_resolution" for id in ids])["value"]
    return rows.with_columns(resolution=steps)


def check_expressions(metrics: Mapping[str, Metric], path: Path) -> list[Issue]:
    """Expressions that are none, or that use columns which do not exist."""
    return [
        Issue(f"{id}: {what}", Place(str(path)), f"use {', '.join(sorted(known))}")
        for id, metric in metrics.items()
        if metric.evidence
        for known in [COLUMNS[metric.evidence]]
        for what in _mistakes(metric.expression, known)
    ]


def _mistakes(expression: str, known: frozenset[str]) -> list[str]:
    try:
        used = pl.sql_expr(expression).meta.root_names()
    except pl.exceptions.PolarsError as error:
        return [f"the expression {expression!r} cannot be read: {error}"]
    unknown = sorted(set(used) - known)
    return [f"the expression uses {', '.join(unknown)}"] if unknown else []
