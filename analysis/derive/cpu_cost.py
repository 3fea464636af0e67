"""CPU cost per transaction and per MB, and utilisation, per run and role.

The rule is that of the published reports: CPU seconds used in a window, divided by the
transactions in the same window. 25% busy over 4 CPs for 10 s are 10 CPU seconds; with
1,000,000 transactions in them a transaction costs 10 µs. CP time is never added to
zIIP time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import polars as pl

from analysis.campaign import Campaign

Number = TypeVar("Number", float, pl.Expr)
MICROSECONDS = 1e6
MEGABYTE = 1e6
RULES = {
    "cpu_cost": "CPU seconds in the window ÷ transactions in the window",
    "cpu_cost_per_mb": "CPU seconds in the window ÷ MB moved in the window",
    "utilisation": "CPU seconds ÷ (online CPs × seconds under load)",
}


def cpu_seconds_from_busy(
    busy_pct: Number, online_cpus: Number, seconds: Number
) -> Number:
    """CPU seconds that a busy percentage (mean over the online CPs) stands for."""
    return busy_pct / 100 * online_cpus * seconds


def cost_per_transaction(cpu_seconds: Number, transactions: Number) -> Number:
    """CPU cost [µs/tran] of transactions, which must not be zero."""
    return cpu_seconds * MICROSECONDS / transactions


def derive_cpu_cost(
    runs: pl.DataFrame, cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]
) -> pl.DataFrame:
    """One row per run and role: ``cpu_cost``, ``cpu_cost_per_mb``, ``utilisation``.

    ``runs`` and ``cpu`` are as :mod:`analysis.derive.runs` reads them; zIIP rows of
    ``cpu`` only set ``other_types``. Evidence that spans another time than the run
    (RMF intervals) meets as many transactions as the run had in that time.
    """
    columns = ["id", "window_seconds", "transactions", "tran_bytes", "rate"]
    wide = _with_cps(_one_type(cpu), campaigns).join(
        runs.select(columns), on="id", how="inner"
    )
    share = pl.col("seconds") / pl.col("window_seconds")
    counted = pl.col("transactions") * share.fill_null(1)
    load_seconds = pl.col("transactions") / pl.col("rate")
    spans = wide.with_columns(
        counted=pl.when(counted > 0).then(counted),
        # a control group only works under load; RMF speaks of its whole interval
        under_load=pl.coalesce("seconds", load_seconds),
        net_seconds=pl.col("cpu_seconds") - _idle_seconds(),
    )
    return spans.with_columns(
        cpu_cost=cost_per_transaction(pl.col("net_seconds"), pl.col("counted")),
        utilisation=pl.col("net_seconds")
        * 100
        / (pl.col("cps") * pl.col("under_load")),
    ).with_columns(
        cpu_cost_per_mb=pl.col("cpu_cost") * MEGABYTE / pl.col("tran_bytes"),
    )


def _idle_seconds() -> pl.Expr:
    """CPU seconds of the declared idle load; 0 where none is declared."""
    span = pl.coalesce("seconds", "window_seconds")
    return pl.when(pl.col("idle") > 0).then(pl.col("idle") * span).otherwise(0)


def _one_type(cpu: pl.DataFrame) -> pl.DataFrame:
    """The CP rows; ``other_types`` names what else was used beside them."""
    other = (
        cpu.filter(pl.col("cpu_type") != "CP", pl.col("cpu_seconds") > 0)
        .group_by("id", "role")
        .agg(other_types=pl.col("cpu_type").unique().sort().str.join(" and "))
    )
    return cpu.filter(pl.col("cpu_type") == "CP").join(
        other, on=["id", "role"], how="left"
    )


def _with_cps(cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> pl.DataFrame:
    """Adds ``cps``, measured or else declared, and the declared ``idle`` CPs."""
    declared = pl.DataFrame(
        [
            (name, id, float(system.cps), campaign.cpu.idle.get(id, 0.0))
            for name, campaign in campaigns.items()
            for id, system in campaign.systems.items()
        ],
        schema={
            "campaign": pl.String,
            "system": pl.String,
            "declared": pl.Float64,
            "idle": pl.Float64,
        },
        orient="row",
    )
    joined = cpu.join(declared, on=["campaign", "system"], how="left")
    return joined.with_columns(
        cps=pl.coalesce("online_cpus", "declared"), idle=pl.col("idle").fill_null(0)
    )
