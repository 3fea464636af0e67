"""The values of every run: its metrics, by their expressions in ``metrics.yaml``, from
its benchmark, its CPU time, its storage and the services that tell of it.

Statistics of a gateway belong to the run that names their file. Sessions of terminals
that one file of records holds for many runs count where at least half of a session
lies within the run, and intervals of devices where they lie within it and tell the
requests to all devices.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import duckdb
import polars as pl

from analysis.declared.campaign import Campaign, Rates
from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import PART_ROLES
from analysis.errors import Issue, Place

_NEGLIGIBLE = 1e-6
Evidence = Literal["benchmark", "cpu", "counter", "energy", "storage", "service"]

_LOGGED = re.compile(r"log_(\w+)")  # a number of a log, by its name in ``figures``
# What several instances of a tool have together: counts add up, the longest time is
# that of all, and of shares and spreads that of one instance alone is known.
SUMMED = (
    "errors", "retransmits", "datagrams", "lost_datagrams", "late_datagrams",
)  # fmt: skip
OF_ONE = (
    "latency_p50_us", "latency_p90_us", "latency_p99_us", "latency_p999_us",
    "latency_deviation_us", "jitter_us",
)  # fmt: skip
# The columns that expressions may use; metrics.yaml says what they hold.
COLUMNS = {
    "benchmark": frozenset(
        {
            "rate", "latency_mean_us", "bytes_per_second", "transactions", "clients",
            "tran_bytes", "window_seconds", "bytes_moved", "latency_max_us", *SUMMED,
            *OF_ONE,
        }
    ),
    "cpu": frozenset(
        {
            "net_seconds", "ziip_seconds", "zaap_seconds", "ziip_on_cp_seconds",
            "zaap_on_cp_seconds", "counted", "cps", "under_load", "of_part", "factor",
            "tran_bytes", "moved_bytes", "rate", "kernel_seconds",
            *Rates.model_fields,
        }
    ),
    "counter": frozenset({"cycles", "instructions", "net_seconds", "counted"}),
    "energy": frozenset({"joules", "counted", "moved_bytes", "tran_bytes", "span"}),
    "storage": frozenset({"bytes", "bytes_idle", "clients"}),
    "service": frozenset({"response_ms", "latency_mean_us", "requests", "seconds"}),
}  # fmt: skip
_SERVED = """
WITH spans AS (
    SELECT *, epoch(start_utc::TIMESTAMP) AS start, epoch(end_utc::TIMESTAMP) AS stop
    FROM tn3270_session WHERE response_ms IS NOT NULL AND round_trips > 0
), told AS (
    SELECT concat_ws('/', campaign, run) AS id, transactions AS requests, response_ms,
        response_ms_resolution, source, 'statistics of the gateway' AS evidence
    FROM gateway_interval WHERE run IS NOT NULL AND transactions > 0
    UNION ALL
    SELECT w.id, round_trips, response_ms, response_ms_resolution, source,
        'records of TN3270 sessions'
    FROM whole_run_window w JOIN spans s ON s.campaign = w.campaign
        AND s.system = w.system AND least(stop, run_end) - greatest(start, run_start)
            >= greatest((stop - start) / 2, 0.001)
)
SELECT id, NULL::VARCHAR AS role, evidence, list_sort(list_distinct(list(source))) AS
    files, sum(response_ms * requests) / sum(requests) AS response_ms,
    sqrt(sum(pow(response_ms_resolution * requests, 2))) / sum(requests)
        AS response_ms_resolution
FROM told GROUP BY id, evidence ORDER BY id, evidence
"""
_DEVICES = """
WITH spans AS (
    SELECT campaign, system, epoch(start_utc::TIMESTAMP) AS start, seconds,
        sum(requests) AS requests, list(DISTINCT source) AS files
    FROM device_interval WHERE seconds > 0 GROUP BY ALL
    HAVING bool_and(requests IS NOT NULL)
)
SELECT w.id, w.role, 'device activity' AS evidence, sum(requests) AS requests,
    1 AS requests_resolution,
    list_sort(list_distinct(flatten(list(files)))) AS files, sum(seconds) AS seconds
FROM whole_run_window w JOIN spans s ON s.campaign = w.campaign
    AND s.system = w.system AND start >= run_start - 1
    AND start + seconds <= run_end + 1
GROUP BY ALL ORDER BY w.id, w.role
"""
_TOTAL = "total"
# What is in use without sessions is the median of the runs of none.
_HELD = """
WITH displayed AS (
    SELECT concat_ws('/', r.campaign, r.run) AS id, r.campaign, r.configuration,
        s.area AS role, s.current_bytes AS bytes, b.clients,
        s.current_bytes_resolution AS bytes_resolution, [s.source] AS files
    FROM storage_snapshot s JOIN benchmark b USING (campaign, source)
    JOIN run r ON r.campaign = b.campaign AND r.run = b.run
), loads AS (
    SELECT concat_ws('/', campaign, run) AS id, max(clients) AS clients
    FROM benchmark GROUP BY ALL
), held AS (
    SELECT *, NULL::VARCHAR AS evidence FROM displayed
    UNION ALL
    SELECT w.id, w.campaign, w.configuration,
        lower(area) || '-' || split_part(place, ' ', 1) AS role,
        sum(mean_bytes * seconds) / sum(seconds) AS bytes, max(clients) AS clients,
        NULL AS bytes_resolution, list_sort(list_distinct(list(source))) AS files,
        'virtual storage of RMF (78-2), mean of the intervals within the run'
    FROM whole_run_window w JOIN loads USING (id) JOIN storage_interval s
        ON s.campaign = w.campaign AND s.system = w.system
        AND epoch(start_utc::TIMESTAMP) >= run_start - 1
        AND epoch(start_utc::TIMESTAMP) + seconds <= run_end + 1
    WHERE w.role = 'server' AND job IS NULL AND area IN ('CSA', 'SQA')
        AND mean_bytes IS NOT NULL AND w.id NOT IN (SELECT id FROM displayed)
    GROUP BY ALL
), idle AS (
    SELECT campaign, configuration, role, median(bytes) AS bytes_idle,
        max(bytes_resolution) AS bytes_idle_resolution
    FROM held WHERE clients = 0 GROUP BY ALL
)
SELECT * EXCLUDE (campaign, configuration), FROM held
LEFT JOIN idle USING (campaign, configuration, role) ORDER BY id, role
"""


def run_values(
    con: duckdb.DuckDBPyConnection,
    used: pl.DataFrame,
    costs: pl.DataFrame,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
    more: Sequence[pl.DataFrame] = (),
) -> pl.DataFrame:
    """One row per usable run, metric and role, without the values that a run lacks.

    ``costs`` are the metrics of CPU time, as ``derive_cpu_cost`` gives them; ``more``
    are values of other evidence, as ``derive_services`` gives them.
    """
    keys = ["campaign", "system", "of_role"]
    columns = ["id", "campaign", "run", "configuration", "workload"]
    columns += ["repetition", "session", "started", "origin", "source", "tools"]
    about = used.select(columns)
    cpu = metric_rows(
        costs.join(_described(campaigns), on=keys, how="left"),
        metrics_of(metrics, "cpu"),
        ["id", "role", "files", "evidence", "of_part"],
    )
    rates = metric_rows(
        derive_rates(used, metrics), metrics_of(metrics, "benchmark"), ["id"]
    ).with_columns(
        role=pl.lit(None, pl.String),
        files=pl.lit([], pl.List(pl.String)),
        evidence=pl.lit(None, pl.String),
    )
    derived = (of(con, used, metrics) for of in (derive_storage, derive_services))
    others = (*derived, *more)
    whole = pl.lit(False).alias("of_part")
    parts = (
        rates.with_columns(whole), cpu, *(of.with_columns(whole) for of in others)
    )  # fmt: skip
    return (
        pl.concat(part.select(cpu.columns) for part in parts)
        .drop_nulls("value")
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
    time of a run that worked is zero. A count may be.
    """
    ids = metrics_of(metrics, "benchmark")
    texts = [text for id in ids for text in (metrics[id].expression, metrics[id].per)]
    names = {
        name
        for text in filter(None, texts)
        for name in pl.sql_expr(text).meta.root_names()
    }
    logged = [
        pl.col("figures")
        .str.json_path_match(f"$.{match[1]}")
        .cast(pl.Float64)
        .alias(match[0])
        for match in filter(None, map(_LOGGED.fullmatch, sorted(names)))
    ]
    rates = with_metrics(runs.with_columns(logged), metrics, "benchmark")
    return rates.with_columns(
        pl.when(pl.col(id) >= 0 if metrics[id].per else pl.col(id) > 0).then(id)
        for id in ids
    )


def derive_storage(
    con: duckdb.DuckDBPyConnection, runs: pl.DataFrame, metrics: Mapping[str, Metric]
) -> pl.DataFrame:
    """One row a run, metric and area: ``id``, ``metric``, ``role``, ``files``,
    ``evidence``, ``value`` and ``resolution``. A metric without roles is of the total
    alone. CSA and SQA of a run without a display are those of RMF."""
    metric_ids = metrics_of(metrics, "storage")
    held = con.sql(_HELD).pl().join(runs.select("id"), on="id", how="semi")
    known = with_metrics(held, metrics, "storage")
    long = metric_rows(known, metric_ids, ["id", "role", "files", "evidence"])
    whole = [id for id in metric_ids if not metrics[id].roles]
    of_whole = pl.col("metric").is_in(whole)
    return long.filter(~of_whole | (pl.col("role") == _TOTAL)).with_columns(
        role=pl.when(~of_whole).then("role")
    )


def derive_services(
    con: duckdb.DuckDBPyConnection, runs: pl.DataFrame, metrics: Mapping[str, Metric]
) -> pl.DataFrame:
    """One row a run and metric, and role where the metric has roles: ``id``,
    ``metric``, ``role``, ``files``, ``evidence``, ``value`` and ``resolution``.

    Where no service tells a response time, it is the mean of the run's own log.
    """
    metric_ids = metrics_of(metrics, "service")
    latency = "latency_mean_us", "latency_mean_us_resolution"
    latencies = runs.select("id", *latency, files=pl.lit([], pl.List(pl.String)))
    served = latencies.join(con.sql(_SERVED).pl(), on="id", how="left").with_columns(
        files=pl.coalesce("files_right", "files")
    )
    both = pl.concat([served, con.sql(_DEVICES).pl()], how="diagonal_relaxed")
    index = ["id", "role", "files", "evidence"]
    of_runs = both.join(runs.select("id"), on="id", how="semi")
    long = metric_rows(with_metrics(of_runs, metrics, "service"), metric_ids, index)
    with_roles = [id for id in metric_ids if metrics[id].roles]
    of_role = pl.col("metric").is_in(with_roles) == pl.col("role").is_not_null()
    return long.filter(of_role, pl.col("value") >= 0)


def metrics_of(metrics: Mapping[str, Metric], evidence: Evidence) -> list[str]:
    """The ids of the metrics that rest on one kind of evidence."""
    return [id for id, metric in metrics.items() if metric.evidence == evidence]


def with_metrics(
    table: pl.DataFrame, metrics: Mapping[str, Metric], evidence: Evidence
) -> pl.DataFrame:
    """The table with the metrics of one kind of evidence, and ``<metric>_resolution``:
    what the resolutions of the columns, as independent errors, make of it to the first
    order; null where that is not known or negligible, a millionth of the value; and
    ``<metric>_per``, what a count is counted per, null of others."""
    ids = metrics_of(metrics, evidence)
    expressions = {id: pl.sql_expr(metrics[id].expression) for id in ids}
    per = {id: pl.sql_expr(metrics[id].per or "NULL").cast(pl.Float64) for id in ids}
    for id in ids:
        if metrics[id].per:
            expressions[id] /= pl.when(per[id] > 0).then(per[id])
    squares = {id: pl.lit(0.0) for id in ids}
    for column in sorted(COLUMNS[evidence]):
        uses = {
            id: by for id, by in expressions.items() if column in by.meta.root_names()
        }
        if not uses or f"{column}_resolution" not in table.columns:
            continue
        # sums of integers are decimals, which divide otherwise
        value, told_step = (
            pl.col(name).cast(pl.Float64) for name in (column, f"{column}_resolution")
        )
        step = told_step.fill_null(0)
        # a small part of the step, as a quotient is no straight line
        near = pl.min_horizontal(step, value.abs() / 1000)
        by = pl.when(value == 0).then(step).otherwise(near)
        above, below = (
            table.with_columns(value + by * side).select(**uses) for side in (0.5, -0.5)
        )
        moved = table.select(
            ((above[id] - below[id]) * (step / by)).alias(id) for id in uses
        ).select((pl.all().fill_nan(0).fill_null(0) ** 2).name.keep())
        for id in uses:
            squares[id] += pl.lit(moved[id])
    whole = table.with_columns(
        **expressions, **{f"{id}_per": each for id, each in per.items()}
    )
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
    columns of ``index``, ``metric``, ``value``, ``resolution`` and ``per``."""
    rows = table.unpivot(ids, index=index, variable_name="metric")
    steps = table.unpivot([f"{id}_resolution" for id in ids])["value"]
    per = table.unpivot([f"{id}_per" for id in ids])["value"]
    return rows.with_columns(resolution=steps, per=per)


def check_expressions(metrics: Mapping[str, Metric], path: Path) -> list[Issue]:
    """Expressions that are none, or that use columns which do not exist."""
    return [
        Issue(f"{id}: {what}", Place(str(path)), f"use {', '.join(sorted(known))}")
        for id, metric in metrics.items()
        if metric.evidence
        for known in [COLUMNS[metric.evidence]]
        for text in filter(None, (metric.expression, metric.per))
        for what in _mistakes(text, known, metric.evidence == "benchmark")
    ]


def _mistakes(expression: str, known: frozenset[str], of_log: bool) -> list[str]:
    try:
        used = pl.sql_expr(expression).meta.root_names()
    except pl.exceptions.PolarsError as error:
        return [f"the expression {expression!r} cannot be read: {error}"]
    unknown = sorted(
        name for name in {*used} - known if not (of_log and _LOGGED.fullmatch(name))
    )
    return [f"the expression uses {', '.join(unknown)}"] if unknown else []
