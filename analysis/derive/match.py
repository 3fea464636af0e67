"""RMF intervals matched to the windows of runs, in UTC."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import polars as pl

from analysis.derive.cpu_cost import cpu_seconds_from_busy

# The same interval may come from two files, as overlapping dumps do: it counts once.
# Real intervals wobble by some milliseconds, hence the tolerance at either end.
_INTERVALS = """
    SELECT DISTINCT ON (s.campaign, i.system, i.cpu_type, i.start_utc, i.seconds)
        s.campaign, w.role, i.system, i.cpu_type, i.source, i.seconds, i.online_cpus,
        i.busy_pct, i.busy_seconds, epoch(i.start_utc::TIMESTAMP) AS start
    FROM cpu_interval i JOIN source s ON s.sha256 = i.source
    JOIN wanted w ON w.campaign = s.campaign AND w.system = i.system
    WHERE i.basis NOT IN ('mpstat', 'procstat')
    ORDER BY i.source, i.position
"""
_MATCH = """
WITH windows AS (
    SELECT concat_ws('/', campaign, run) AS id, campaign,
        epoch(start_utc::TIMESTAMP) AS start, epoch(end_utc::TIMESTAMP) AS stop
    FROM run WHERE start_utc IS NOT NULL AND end_utc IS NOT NULL
), touching AS (
    SELECT w.id, w.campaign, i.role, i.system, i.cpu_type, i.source, i.online_cpus,
        i.busy, i.seconds, w.stop - w.start AS window_seconds,
        least(i.start + i.seconds, w.stop) - greatest(i.start, w.start) AS common,
        i.seconds - common <= least(1, i.seconds / 100) AS inside
    FROM windows w JOIN intervals i ON i.campaign = w.campaign
        AND i.start < w.stop AND i.start + i.seconds > w.start
), counted AS (
    SELECT *, bool_or(inside) OVER (PARTITION BY id, system) AS whole,
        CASE WHEN inside THEN 1 ELSE common / seconds END AS share
    FROM touching QUALIFY inside OR NOT whole
)
SELECT id, campaign, role, system, cpu_type, sum(busy * share) AS cpu_seconds,
    sum(seconds * share) AS seconds,
    sum(online_cpus * seconds * share) / sum(seconds * share) AS online_cpus,
    least(sum(seconds * share) / any_value(window_seconds), 1) AS coverage,
    'lpar_busy' AS method, NOT any_value(whole) AS overlap,
    list_sort(list_distinct(list(source))) AS files
FROM counted GROUP BY id, campaign, role, system, cpu_type
ORDER BY id, role, cpu_type
"""


def match_intervals(
    con: duckdb.DuckDBPyConnection, systems: Sequence[tuple[str, str, str]]
) -> pl.DataFrame:
    """Busy CPU seconds per run, role and CPU type, and the span that they cover.

    ``systems`` is (campaign, system, role). Intervals wholly inside a run's window
    count whole; only where a run has none, the overlapping ones count by their share,
    and ``overlap`` says so. ``seconds`` is the span counted, ``coverage`` its share of
    the run's window, ``online_cpus`` the mean over that span.
    """
    wanted = pl.DataFrame(
        systems,
        schema={"campaign": pl.String, "system": pl.String, "role": pl.String},
        orient="row",
    )
    con.register("wanted", wanted)
    busy = cpu_seconds_from_busy(
        pl.col("busy_pct"), pl.col("online_cpus"), pl.col("seconds")
    )
    intervals = con.sql(_INTERVALS).pl()
    con.register(
        "intervals", intervals.with_columns(busy=pl.coalesce("busy_seconds", busy))
    )
    return con.sql(_MATCH).pl()
