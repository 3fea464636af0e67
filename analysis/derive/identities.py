"""Identities that the numbers of a run must fulfil, and the runs that may not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import polars as pl

from analysis.declared.campaign import Campaign

Number = TypeVar("Number", float, pl.Expr)
_ROUNDING = 1e-9  # of a tolerance: what is closer to it is looked at by itself


def little_ratio(
    rate: Number, latency_us: Number, clients: Number, think_ms: Number | float = 0
) -> Number:
    """rate [1/s] × (latency + think time) ÷ clients: 1 where all wait or think."""
    return rate * (latency_us / 1e6 + think_ms / 1e3) / clients


def utilisation_ratio(
    rate: float, cost_us: float, cps: float, utilisation_pct: float
) -> float:
    """rate [1/s] × cost [µs/tran] ÷ CPs ÷ utilisation [%]: 1 where all CPU is in."""
    return rate * cost_us / 1e6 / cps / (utilisation_pct / 100)


def doubtful(runs: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> pl.DataFrame:
    """The runs of which something may be said: of many, few."""
    cell = ["campaign", "configuration", "workload"]
    gates = pl.DataFrame(
        [
            (*names, of.gates.little, of.think_of(names[2], names[1]))
            for names in runs.select(cell).unique().iter_rows()
            for of in [campaigns[names[0]]]
        ],
        {**dict.fromkeys(cell, pl.String), "little": pl.Float64, "think": pl.Float64},
        orient="row",
    )
    seen = little_ratio(
        pl.col("rate"), pl.col("latency_mean_us"), pl.col("clients"), pl.col("think")
    )
    fits = (seen - 1).abs() <= pl.col("little") * (1 - _ROUNDING)
    told = runs.join(gates, on=cell, how="left", maintain_order="left")
    return told.filter(
        (pl.col("status") == "degraded")
        | pl.col("idle_before").is_not_null()
        | pl.col("tick_coverage").is_not_null()
        | ~fits.fill_null(False)
    )
