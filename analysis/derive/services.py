"""What services tell of a run: response times of gateways and terminals, I/O rates.

Statistics of a gateway belong to the run that names their file. Sessions of terminals
that one file of records holds for many runs count where at least half of a session
lies within the run, and intervals of devices where they lie within it and tell the
requests to all devices.
"""

from __future__ import annotations

from collections.abc import Mapping

import duckdb
import polars as pl

from analysis.declared.metrics import Metric
from analysis.derive.expressions import metric_rows, metrics_of, with_metrics

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


def derive_services(
    con: duckdb.DuckDBPyConnection, runs: pl.DataFrame, metrics: Mapping[str, Metric]
) -> pl.DataFrame:
    """One row a run and metric, and role where the metric has roles: ``id``,
    ``metric``, ``role``, ``files``, ``evidence``, ``value`` and ``resolution``.

    Where no service tells a response time, it is the mean of the run's own log.
    """
    told = metrics_of(metrics, "service")
    latency = "latency_mean_us", "latency_mean_us_resolution"
    own = runs.select("id", *latency, files=pl.lit([], pl.List(pl.String)))
    served = own.join(con.sql(_SERVED).pl(), on="id", how="left").with_columns(
        files=pl.coalesce("files_right", "files")
    )
    both = pl.concat([served, con.sql(_DEVICES).pl()], how="diagonal_relaxed")
    index = ["id", "role", "files", "evidence"]
    of_runs = both.join(runs.select("id"), on="id", how="semi")
    long = metric_rows(with_metrics(of_runs, metrics, "service"), told, index)
    with_roles = [id for id in told if metrics[id].roles]
    of_role = pl.col("metric").is_in(with_roles) == pl.col("role").is_not_null()
    return long.filter(of_role, pl.col("value") >= 0)
