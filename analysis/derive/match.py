"""Intervals of RMF and SMF matched to the windows of runs, in UTC."""

from __future__ import annotations

import duckdb
import polars as pl

from analysis.derive.intervals import read_intervals
from analysis.derive.overlaps import overlaps

# Real intervals wobble by some milliseconds, hence the tolerance at either end.

# First each part by itself, whose intervals follow each other; then all parts
# together, which ran side by side.
_MATCH = """
WITH touching AS (
    SELECT w.id, w.role, i.* EXCLUDE (row), run_end - run_start AS window_seconds,
        least(i.start + i.seconds, run_end) - greatest(i.start, run_start) AS common,
        i.seconds - common <= least(1, i.seconds / 100) AS inside
    FROM pairs p JOIN windows w ON w.row = p.first JOIN intervals i ON i.row = p.second
), counted AS (
    SELECT *, bool_or(inside) OVER (PARTITION BY id, system, cpu_type) AS whole,
        CASE WHEN inside THEN 1 ELSE common / seconds END AS share
    FROM touching QUALIFY inside OR NOT whole
), spaces AS (
    SELECT id, campaign, role, of_role, system, method, cpu_type, part, asid,
        any_value(window_seconds) AS window_seconds, any_value(whole) AS whole,
        sum(busy * share) AS cpu_seconds,
        sqrt(sum(pow(busy_seconds_resolution * share, 2))) AS cpu_seconds_resolution,
        sum(seconds * share) AS seconds,
        sum(online_cpus * seconds * share) / sum(seconds * share) AS online_cpus,
        sum(factor * seconds * share)
            / sum(CASE WHEN factor IS NOT NULL THEN seconds * share END) AS factor,
        bool_or(waits) AS waits, list(source) AS files
    FROM counted GROUP BY ALL
)
SELECT id, campaign, role, of_role, system, cpu_type, sum(cpu_seconds) AS cpu_seconds,
    sqrt(sum(pow(cpu_seconds_resolution, 2))) AS cpu_seconds_resolution,
    max(seconds) AS seconds, max(online_cpus) AS online_cpus,
    least(max(seconds) / any_value(window_seconds), 1) AS coverage, method,
    NOT any_value(whole) AS overlap, max(factor) AS factor, bool_or(waits) AS waits,
    max(seconds) - min(seconds) > 1 AS uneven,
    list_sort(list_distinct(list(part))) AS parts,
    list_sort(list_distinct(flatten(list(files)))) AS files
FROM spaces GROUP BY id, campaign, role, of_role, system, cpu_type, method
ORDER BY id, role, cpu_type
"""

_OF = ("campaign", "system", "of_role")
_WINDOWS = """
SELECT * FROM run_window SEMI JOIN intervals USING (campaign, system, of_role)
ORDER BY id, role, of_role
"""


def match_intervals(
    con: duckdb.DuckDBPyConnection, declared: pl.DataFrame
) -> pl.DataFrame:
    """CPU seconds per run, role and CPU type, and the span that they cover.

    ``declared`` is as :func:`analysis.derive.roles.declared_systems` gives it; the
    roles are those that the systems had in the run. Intervals wholly inside a run's
    window count whole; only where a run has none, the overlapping ones count by their
    share, and ``overlap`` says so. ``seconds`` is the span counted, ``coverage`` its
    share of the run's window, ``online_cpus`` the mean over that span. ``parts`` are
    the classes or jobs found, and ``uneven`` is whether they cover different spans;
    the longest one counts, because who is not there used no CPU time.
    """
    intervals = read_intervals(con, declared).with_row_index("row")
    con.register("intervals", intervals)
    windows = con.sql(_WINDOWS).pl().with_row_index("row")
    times = pl.col("start"), (pl.col("start") + pl.col("seconds")).alias("stop")
    spans = intervals.select(*_OF, *times)
    bounds = windows.select(*_OF, start="run_start", stop="run_end")
    con.register("pairs", overlaps(bounds, spans, _OF))
    con.register("windows", windows)
    return con.sql(_MATCH).pl()
