"""What derives each metric from a run: its expression, as ``metrics.yaml`` has it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import polars as pl

from analysis.declared.metrics import Metric
from analysis.errors import Issue, Place

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


def expressions(
    metrics: Mapping[str, Metric],
    evidence: Literal["benchmark", "cpu", "storage", "service"],
) -> dict[str, pl.Expr]:
    """The expression of each metric that rests on one kind of evidence."""
    return {
        id: pl.sql_expr(metric.expression)
        for id, metric in metrics.items()
        if metric.evidence == evidence
    }


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
