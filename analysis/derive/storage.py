"""Storage in use by area, in all and of each session, of every run that tells of it."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb
import polars as pl

from analysis.declared.metrics import Metric
from analysis.derive.expressions import metric_rows, metrics_of, with_metrics

_TOTAL = "total"
# What is in use without sessions is the median of the runs of none.
_HELD = """
WITH held AS (
    SELECT concat_ws('/', r.campaign, r.run) AS id, r.campaign, r.configuration,
        s.area AS role, s.current_bytes AS bytes, b.clients,
        s.current_bytes_resolution AS bytes_resolution, [s.source] AS files
    FROM storage_snapshot s JOIN benchmark b USING (campaign, source)
    JOIN run r ON r.campaign = b.campaign AND r.run = b.run
), idle AS (
    SELECT campaign, configuration, role, median(bytes) AS bytes_idle,
        max(bytes_resolution) AS bytes_idle_resolution
    FROM held WHERE clients = 0 GROUP BY ALL
)
SELECT * EXCLUDE (campaign, configuration), FROM held
LEFT JOIN idle USING (campaign, configuration, role) ORDER BY id, role
"""


def derive_storage(
    con: duckdb.DuckDBPyConnection, runs: pl.DataFrame, metrics: Mapping[str, Metric]
) -> pl.DataFrame:
    """One row a run, metric and area: ``id``, ``metric``, ``role``, ``files``,
    ``value`` and ``resolution``. A metric without roles is of the total alone."""
    told = metrics_of(metrics, "storage")
    held = con.sql(_HELD).pl().join(runs.select("id"), on="id", how="semi")
    known = with_metrics(held, metrics, "storage")
    long = metric_rows(known, told, ["id", "role", "files"])
    whole = [id for id in told if not metrics[id].roles]
    of_whole = pl.col("metric").is_in(whole)
    return long.filter(~of_whole | (pl.col("role") == _TOTAL)).with_columns(
        role=pl.when(~of_whole).then("role"), evidence=pl.lit(None, pl.String)
    )
