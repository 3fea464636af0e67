"""The values of every run: its metrics, from its benchmark and from its CPU time."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import PART_ROLES
from analysis.derive.expressions import metric_rows, metrics_of, with_metrics


def run_values(
    used: pl.DataFrame,
    derived: tuple[pl.DataFrame, ...],
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> pl.DataFrame:
    """One row per run, metric and role, without the values that a run lacks.

    ``derived`` are the metrics of benchmarks and of CPU time, as
    :func:`derive_rates` and ``derive_cpu_cost`` give them, and then others as
    ``derive_storage`` does.
    """
    (times, costs, *others), described = derived, _described(campaigns)
    keys = ["campaign", "system", "of_role"]
    columns = ["id", "campaign", "run", "configuration", "workload"]
    about = used.select(*columns, "repetition", "started", "origin", "source", "tools")
    client = metric_rows(times, metrics_of(metrics, "benchmark"), ["id"]).with_columns(
        role=pl.lit(None, pl.String),
        files=pl.lit([], pl.List(pl.String)),
        evidence=pl.lit(None, pl.String),
        of_part=pl.lit(False),
    )
    by_role = metric_rows(
        costs.join(described, on=keys, how="left"),
        metrics_of(metrics, "cpu"),
        ["id", "role", "files", "evidence", "of_part"],
    )
    more = (of.with_columns(of_part=pl.lit(False)) for of in others)
    parts = (client, by_role, *more)
    told = pl.concat(part.select(by_role.columns) for part in parts)
    return (
        told.drop_nulls("value")
        .join(about, on="id")
        .with_columns(files=pl.concat_list("files", "source"))
    )


def _described(campaigns: Mapping[str, Campaign]) -> pl.DataFrame:
    """Where the CPU time of each system and part comes from, in words: ``evidence``."""
    rows = []
    for name, campaign in campaigns.items():
        for system in campaign.systems:
            cpu = campaign.cpu_of(system)
            rows.append((name, system, "", cpu.described))
            for role in PART_ROLES if cpu.parts else ():
                rows.append((name, system, role, cpu.described_part(role)))
    schema = dict.fromkeys(("campaign", "system", "of_role", "evidence"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def derive_rates(runs: pl.DataFrame, metrics: Mapping[str, Metric]) -> pl.DataFrame:
    """One row a run, with the metrics of benchmarks in their declared units.

    A value that the benchmark does not give, or gives as zero, is null: no rate or
    time of a run that worked is zero.
    """
    told = pl.col(metrics_of(metrics, "benchmark"))
    found = with_metrics(runs, metrics, "benchmark")
    return found.with_columns(pl.when(told > 0).then(told).name.keep())
