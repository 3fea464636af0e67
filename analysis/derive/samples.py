"""Every run's values, gathered into one sample per configuration, workload and role."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import duckdb
import numpy as np
import polars as pl

from analysis.campaign import Campaign
from analysis.derive import cpu_cost, rates
from analysis.derive.conditions import flag_conditions
from analysis.derive.gates import Flag, describe_flags, flag_cpu, flag_runs
from analysis.derive.interval import Values
from analysis.derive.intervals import wanted_systems
from analysis.derive.noise import sample_warnings
from analysis.derive.runs import USABLE, read_counted, read_cpu, read_runs
from analysis.fact import Origin

RULES = {**rates.RULES, **cpu_cost.RULES}


class Cell(NamedTuple):
    """What one sample is of."""

    configuration: str
    workload: str
    metric: str
    role: str | None


@dataclass(frozen=True)
class Sample:
    """One value a run, with the runs, their files (sha256) and what is to be said.

    ``evidence`` says where CPU time comes from; it is empty for other metrics.
    """

    values: Values
    runs: tuple[str, ...]
    files: tuple[str, ...]
    origins: tuple[Origin, ...]
    warnings: tuple[str, ...]
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """All that derive knows of the runs of some campaigns.

    ``runs`` has one row a run; ``values`` one row per usable run, metric and role;
    ``stopped`` says in words for which runs no CPU cost could be had.
    """

    runs: pl.DataFrame
    values: pl.DataFrame
    flags: Mapping[str, list[Flag]]
    stopped: tuple[str, ...]


def read_evidence(
    con: duckdb.DuckDBPyConnection, campaigns: Mapping[str, Campaign]
) -> Evidence:
    """The runs of the campaigns, and the values and flags of the usable ones."""
    runs = read_runs(con).filter(pl.col("campaign").is_in(list(campaigns)))
    runs = runs.with_columns(
        used=pl.col("status").is_in(USABLE) & pl.col("source").is_not_null()
    )
    used = runs.filter("used")
    cpu = read_cpu(con, campaigns).join(used.select("id"), on="id", how="semi")
    cpu, thin = _split_thin(cpu, campaigns)
    costs = cpu_cost.derive_cpu_cost(used, cpu, campaigns)
    flags = flag_runs(used, campaigns)
    flags += flag_cpu(costs, read_counted(con), campaigns)
    flags += flag_conditions(con, used, campaigns)
    by_run: dict[str, list[Flag]] = {}
    for flag in flags:
        by_run.setdefault(flag.id, []).append(flag)
    values = _long(used, rates.derive_rates(used), costs)
    words = {name: campaign.cpu.described for name, campaign in campaigns.items()}
    told = pl.col("campaign").replace_strict(words, return_dtype=pl.String)
    values = values.with_columns(
        evidence=pl.when(pl.col("role").is_not_null()).then(told)
    )
    stopped = _stopped(thin, campaigns) + _without(cpu, thin, campaigns)
    return Evidence(runs, values, by_run, stopped)


def gather_samples(
    evidence: Evidence, campaigns: Collection[str]
) -> dict[Cell, Sample]:
    """All samples of the given campaigns, their runs in order of repetition."""
    wanted = evidence.values.filter(pl.col("campaign").is_in(list(campaigns)))
    groups: dict[Cell, list[dict]] = {}
    for row in wanted.sort("campaign", "repetition", "run").iter_rows(named=True):
        cell = Cell(row["configuration"], row["workload"], row["metric"], row["role"])
        groups.setdefault(cell, []).append(row)
    return {cell: _sample(cell, rows, evidence.flags) for cell, rows in groups.items()}


def _sample(cell: Cell, rows: list[dict], flags: Mapping[str, list[Flag]]) -> Sample:
    values = np.array([row["value"] for row in rows])
    runs = tuple(row["run"] for row in rows)
    relevant = [
        flag
        for row in rows
        for flag in flags.get(row["id"], ())
        if cell.metric in flag.metrics and flag.role in (None, cell.role)
    ]
    return Sample(
        values,
        runs,
        tuple(sorted({file for row in rows for file in row["files"]})),
        tuple(sorted({row["origin"] for row in rows})),
        sample_warnings(values, runs) + describe_flags(relevant, len(rows)),
        tuple(sorted({row["evidence"] for row in rows if row["evidence"]})),
    )


def _long(used: pl.DataFrame, times: pl.DataFrame, costs: pl.DataFrame) -> pl.DataFrame:
    """One row per run, metric and role, without the values that a run lacks."""
    columns = ["id", "campaign", "run", "configuration", "workload"]
    about = used.select(*columns, "repetition", "origin", "source")
    client = times.unpivot(
        list(rates.RULES), index="id", variable_name="metric"
    ).with_columns(role=pl.lit(None, pl.String), files=pl.lit([], pl.List(pl.String)))
    by_role = costs.unpivot(
        list(cpu_cost.RULES), index=["id", "role", "files"], variable_name="metric"
    )
    both = pl.concat([client.select(by_role.columns), by_role]).drop_nulls("value")
    return both.join(about, on="id").with_columns(
        files=pl.concat_list("files", "source")
    )


def _split_thin(
    cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """CPU evidence that covers enough of its run, and that which does not."""
    least = {name: c.cpu.minimum_coverage for name, c in campaigns.items()}
    enough = pl.col("coverage").fill_null(0) >= pl.col("campaign").replace_strict(
        least, default=None, return_dtype=pl.Float64
    )
    return cpu.filter(enough), cpu.filter(~enough)


def _stopped(thin: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> tuple[str, ...]:
    return tuple(
        f"run {row['id']}: the CPU evidence of its {row['role']} covers "
        f"{row['coverage'] or 0:.2f} of it, less than the declared "
        f"{campaigns[row['campaign']].cpu.minimum_coverage:g}: no CPU cost from it"
        for row in thin.sort("id", "role").iter_rows(named=True)
        if row["cpu_type"] == "CP"
    )


def _without(
    cpu: pl.DataFrame, thin: pl.DataFrame, campaigns: Mapping[str, Campaign]
) -> tuple[str, ...]:
    """Systems with a role of which no interval of the declared source is in any run."""
    found = {*_systems(cpu), *_systems(thin)}
    return tuple(
        f"campaign {row['campaign']}: no interval with CPU time of {row['system']} is "
        f"in any run, from {campaigns[row['campaign']].cpu.described}: its "
        f"{row['role']} has no CPU cost"
        for row in wanted_systems(campaigns).iter_rows(named=True)
        if (row["campaign"], row["system"]) not in found
    )


def _systems(cpu: pl.DataFrame) -> list[tuple[str, str]]:
    return list(cpu.select("campaign", "system").iter_rows())
