"""CPU time of one side of a run from its control group before and after it."""

from __future__ import annotations

import polars as pl

from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.tables.store import join_frames


def cgroup_cpu(counters: pl.DataFrame, checked: CheckedCampaign) -> pl.DataFrame:
    """``run_cpu`` rows for each run and system with two snapshots.

    The snapshot with less CPU time is the one before. The role is that of the system
    in the run, which runs.csv names beside the file (``SYSTEM=FILE``).
    """
    roles = pl.DataFrame(
        [
            (line.run, system, role)
            for line in checked.runs
            for role, system in line.roles.items()
        ],
        dict.fromkeys(("run", "system", "role"), pl.String),
        orient="row",
    )
    pairs = (
        counters.filter(pl.col("run").is_not_null(), pl.col("system").is_not_null())
        .sort("run", "system", "usage_seconds")
        .group_by("run", "system", maintain_order=True)
        .agg(
            cpu_seconds=pl.col("usage_seconds").last()
            - pl.col("usage_seconds").first(),
            cpu_seconds_resolution=pl.col("usage_seconds_resolution").max(),
            snapshots=pl.len(),
            source=pl.col("source").last(),
            position=pl.col("position").last(),
        )
        .filter(pl.col("snapshots") == 2, pl.col("cpu_seconds") > 0)
        .join(roles, on=["run", "system"], how="inner")
        .with_columns(
            cpu_type=pl.lit("CP"),
            coverage=pl.lit(1.0),
            method=pl.lit("cgroup"),
            scope=pl.lit("cgroup"),
        )
        .drop("snapshots")
    )
    return join_frames("run_cpu", [pairs])
