"""Cycles, instructions and energy of runs, where counters tell of what ran.

Cost per transaction is instructions per transaction × cycles per instruction ÷
frequency, exactly, as the frequency is cycles ÷ CPU seconds. That holds only if
counters and CPU time are of the same work: those of an LPAR (SMF 113) or of a command
(``perf stat``) tell of which CPU time they are, and where this is not the CPU time of
the run's side, there is no value, and a reason.

Energy is that of a machine, so of a side that has it to itself. Nothing is taken off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb
import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.derive.values import metric_rows, metrics_of, with_metrics

AGREES = 0.1  # of the CPU time: how far that of the counters may be from it
BEYOND = 0.1  # of a run: how much longer its energy may have been counted
_OF_SYSTEM = ("lpar_busy", "procstat")  # CPU time of all of a system
# Counters of intervals count where these lie within the run.
_LPAR = """
WITH each AS (
    SELECT w.id, w.campaign, w.role, w.system, i.cpu, sum(i.cycles) AS cycles,
        sum(i.instructions) AS instructions, sum(i.seconds) AS span,
        sum(i.cycles / i.cycles_per_us) / 1e6 AS counted_seconds,
        bool_or(i.cycles IS NULL OR i.instructions IS NULL) AS lost,
        list(i.source) AS files
    FROM whole_run_window w JOIN (
        SELECT *, epoch(start_utc::TIMESTAMP) AS start FROM counter_interval
        WHERE cpu_class = 0 AND seconds > 0
    ) i ON i.campaign = w.campaign AND i.system = w.system AND start >= run_start - 1
        AND start + seconds <= run_end + 1
    GROUP BY ALL
)
SELECT id, campaign, role, system, 'lpar' AS scope, sum(cycles)::DOUBLE AS cycles,
    sum(instructions)::DOUBLE AS instructions, max(span) AS span,
    sum(counted_seconds) AS counted_seconds, bool_or(lost) AS lost,
    list_sort(list_distinct(flatten(list(files)))) AS counter_files
FROM each GROUP BY ALL ORDER BY ALL
"""
_COMMAND = """
SELECT concat_ws('/', campaign, run) AS id, campaign, role, system, scope,
    sum(cycles)::DOUBLE AS cycles, sum(instructions)::DOUBLE AS instructions,
    NULL::DOUBLE AS span, sum(counted_seconds) AS counted_seconds,
    count(*) > 1 AND any_value(scope) = 'system' AS lost,
    list_sort(list_distinct(list(source))) AS counter_files
FROM run_counter WHERE run IS NOT NULL AND cycles IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""
_ENERGY = """
SELECT concat_ws('/', campaign, run) AS id, campaign, system, basis,
    max(joules) AS joules, max(seconds) AS span, count(*) AS told,
    list_sort(list_distinct(list(source))) AS files
FROM run_counter WHERE run IS NOT NULL AND joules IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""
_TOLD_BY = {
    "lpar": "hardware counters of all CPs of the LPAR (SMF 113)",
    "process": "hardware counters of the command (perf stat)",
    "system": "hardware counters of the whole system (perf stat)",
    "perf": "RAPL (perf stat)",
    "powercap": "RAPL (powercap)",
}
_PACKAGES = "all processor packages of the machine, what idles included"
_INDEX = ["id", "role", "files", "evidence"]


def counter_values(
    con: duckdb.DuckDBPyConnection,
    costs: pl.DataFrame,
    roles: pl.DataFrame,
    metrics: Mapping[str, Metric],
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One row a run, role and metric of counters: ``id``, ``role``, ``files``,
    ``evidence``, ``metric``, ``value``, ``resolution`` and ``per``; and where counters
    tell of other work than the CPU time, in words.

    ``costs`` are as ``derive_cpu_cost`` gives them, ``roles`` as ``read_roles``.
    """
    frames = [con.sql(_LPAR).pl(), con.sql(_COMMAND).pl()]
    counters = pl.concat(frames, how="vertical_relaxed")
    ids = metrics_of(metrics, "counter")
    whole = costs.filter(of_role="").join(counters, on=["id", "role"], suffix="_of")
    alone = _alone(roles).select("id", "role", alone=pl.lit(True))
    share = pl.col("seconds").fill_null(1) / pl.col("span").fill_null(1)
    scaled = ("cycles", "instructions", "counted_seconds")
    told = whole.join(alone, on=["id", "role"], how="left").with_columns(
        *(pl.col(name) * pl.when(scope="lpar").then(share).otherwise(1)
          for name in scaled)
    )  # fmt: skip
    held = told.with_columns(reason=_reason())
    good = held.filter(pl.col("reason").is_null()).with_columns(
        files=pl.concat_list("files", "counter_files").list.unique().list.sort(),
        evidence=pl.col("scope").replace_strict(_TOLD_BY, return_dtype=pl.String),
    )
    rows = metric_rows(with_metrics(good, metrics, "counter"), ids, _INDEX)
    return rows, _reasons(held, "cycles and instructions")


def _reason() -> pl.Expr:
    """Why counters tell of other work than the CPU time of a row; null if they do."""
    of_system = pl.col("method").is_in(_OF_SYSTEM)
    off = (pl.col("counted_seconds") / pl.col("cpu_seconds") - 1).abs()
    per = pl.lit(" of the CPU time of the run")
    ratio = (pl.col("counted_seconds") / pl.col("cpu_seconds") * 100).round()
    wrong = [
        (pl.col("lost"), pl.lit("counter data were lost, or stand there twice")),
        (pl.col("idle") > 0, pl.lit("an idle load is taken off the CPU time")),
        (
            (pl.col("scope") != "process") & ~of_system,
            pl.lit("they are of a whole system, and the CPU time is of a part of it"),
        ),
        (
            (pl.col("scope") == "system") & pl.col("alone").is_null(),
            pl.lit("several sides of the run share the system"),
        ),
        (
            off > AGREES,
            pl.lit("they are of ") + ratio.cast(pl.Int64).cast(pl.String) + "%" + per,
        ),
    ]
    known = [pl.when(case.fill_null(False)).then(why) for case, why in wrong]
    return pl.coalesce(known)


def energy_values(
    con: duckdb.DuckDBPyConnection,
    used: pl.DataFrame,
    roles: pl.DataFrame,
    beside: pl.DataFrame,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The same of energy, for the side of a run that has a machine to itself.

    ``used`` are the usable runs, ``beside`` those that share a machine with others.
    """
    energy = con.sql(_ENERGY).pl()
    hosts = {
        f"{name}/{system}": of.host or system
        for name, campaign in campaigns.items()
        for system, of in campaign.systems.items()
    }
    named = pl.concat_str("campaign", "system", separator="/")
    machine = pl.coalesce(
        named.replace_strict(hosts, default=None, return_dtype=pl.String), "system"
    )
    known = energy.with_columns(machine=machine)
    loads = used.select(
        "id", "window_seconds", "transactions", "bytes_moved", "tran_bytes"
    )
    shared = beside.select("id", "role", others=pl.lit(True))
    least = {
        name: campaign.cpu.minimum_coverage for name, campaign in campaigns.items()
    }
    told = (
        known.join(loads, on="id")
        .join(_alone(roles), on=["id", "machine"], how="left")
        .join(shared, on=["id", "role"], how="left")
        .with_columns(
            least=pl.col("campaign").replace_strict(
                least, default=1.0, return_dtype=pl.Float64
            ),
            share=pl.col("span") / pl.col("window_seconds"),
        )
        .with_columns(reason=_reason_of_energy())
    )
    within = pl.min_horizontal(pl.col("share").fill_null(1), 1)
    good = told.filter(pl.col("reason").is_null()).with_columns(
        evidence=pl.col("basis").replace_strict(_TOLD_BY, return_dtype=pl.String)
        + f" of {_PACKAGES}",
        counted=pl.when(pl.col("transactions") > 0).then("transactions") * within,
        moved_bytes=pl.when(pl.col("bytes_moved") > 0).then("bytes_moved") * within,
    )
    ids = metrics_of(metrics, "energy")
    rows = metric_rows(with_metrics(good, metrics, "energy"), ids, _INDEX)
    return rows, _reasons(told, "energy")


def _reason_of_energy() -> pl.Expr:
    share = pl.col("share")
    percent = (share * 100).round().cast(pl.Int64).cast(pl.String)
    wrong = [
        (pl.col("told") > 1, pl.lit("it is told twice by one tool")),
        (
            pl.col("role").is_null(),
            pl.lit("no side of the run has that machine to itself"),
        ),
        (pl.col("others"), pl.lit("other runs used the machine at the same time")),
        (
            (share < pl.col("least")) | (share > 1 + BEYOND),
            pl.lit("it was counted over ") + percent + "% of the run",
        ),
    ]
    return pl.coalesce(
        [pl.when(case.fill_null(False)).then(why) for case, why in wrong]
    )


def _alone(roles: pl.DataFrame) -> pl.DataFrame:
    """Each run and machine that has one role in it."""
    of_machine = roles.group_by("id", "machine", maintain_order=True)
    counted = of_machine.agg(pl.col("role").first(), several=pl.len())
    return counted.filter(pl.col("several") == 1).drop("several")


def _reasons(told: pl.DataFrame, what: str) -> tuple[str, ...]:
    """Why there is no value, once for each system and reason."""
    by: Sequence[str] = ("campaign", "system", "reason")
    held = told.filter(pl.col("reason").is_not_null()).group_by(by)
    return tuple(
        f"{row['runs']} run{'s' * (row['runs'] > 1)} such as {row['id']}: no {what} of "
        f"{row['system'] or 'a system that runs.csv does not name'}: {row['reason']}"
        for row in held.agg(pl.col("id").min(), runs=pl.len())
        .sort(*by, nulls_last=True)
        .iter_rows(named=True)
    )
