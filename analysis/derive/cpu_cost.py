"""CPU cost per transaction and per MB, and utilisation, per run and role.

The rule is that of the published reports: CPU seconds used in a window, divided by the
transactions in the same window. 25% busy over 4 CPs for 10 s are 10 CPU seconds; with
1,000,000 transactions in them a transaction costs 10 µs. CP and zIIP time are metrics
of their own; they are only added in the CP-equivalent cost, where the zIIP time counts
by the machine's normalisation factor (SMF70NRM or R723NFFS ÷ 256).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.derive.expressions import expressions

Number = TypeVar("Number", float, pl.Expr)
OF_PARTS = ("class", "address_space")  # sources that tell of a part of a system


def cpu_seconds_from_busy(
    busy_pct: Number, online_cpus: Number, seconds: Number
) -> Number:
    """CPU seconds that a busy percentage (mean over the online CPs) stands for."""
    return busy_pct / 100 * online_cpus * seconds


def derive_cpu_cost(
    runs: pl.DataFrame,
    cpu: pl.DataFrame,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> pl.DataFrame:
    """One row per run and role, with the metrics of CPU time in their declared units.

    ``runs`` and ``cpu`` are as :mod:`analysis.derive.runs` reads them. Evidence that
    spans another time than the run (RMF intervals) meets as many transactions as the
    run had in that time. What has zIIP time in it is null where a system never used a
    zIIP.
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
        of_part=pl.col("method").is_in(OF_PARTS),
    )
    return spans.with_columns(**expressions(metrics, "cpu"))


def _idle_seconds() -> pl.Expr:
    """CPU seconds of the declared idle load; 0 where none is declared."""
    span = pl.coalesce("seconds", "window_seconds")
    return pl.when(pl.col("idle") > 0).then(pl.col("idle") * span).otherwise(0)


def _one_type(cpu: pl.DataFrame) -> pl.DataFrame:
    """The CP rows; ``other_types`` names what else was used beside them, and
    ``ziip_seconds`` and ``factor`` are of the zIIPs of a system that used them."""
    other = (
        cpu.filter(pl.col("cpu_type") != "CP", pl.col("cpu_seconds") > 0)
        .group_by("id", "role")
        .agg(other_types=pl.col("cpu_type").unique().sort().str.join(" and "))
    )
    of_system = pl.col("cpu_seconds").max().over("campaign", "system")
    ziip = cpu.filter(cpu_type="zIIP").filter(of_system > 0)
    cp = cpu.filter(cpu_type="CP").drop("factor")
    return cp.join(other, on=["id", "role"], how="left").join(
        ziip.select("id", "role", "factor", ziip_seconds="cpu_seconds"),
        on=["id", "role"],
        how="left",
    )


def _with_cps(cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> pl.DataFrame:
    """Adds ``cps``, measured or else declared, the ``machine``, and what is declared
    of the source: ``idle`` CPs and the ``wanted`` classes or jobs."""
    declared = pl.DataFrame(
        [
            (
                name,
                id,
                system.host or id,
                float(system.cps),
                campaign.cpu.idle.get(id, 0.0),
                list(campaign.cpu_of(id).parts),
            )
            for name, campaign in campaigns.items()
            for id, system in campaign.systems.items()
        ],
        schema={
            "campaign": pl.String,
            "system": pl.String,
            "machine": pl.String,
            "declared": pl.Float64,
            "idle": pl.Float64,
            "wanted": pl.List(pl.String),
        },
        orient="row",
    )
    joined = cpu.join(declared, on=["campaign", "system"], how="left")
    return joined.with_columns(cps=pl.coalesce("online_cpus", "declared"))
