"""Runs, with their benchmark and their CPU time, out of ``perf.duckdb``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    GENERATORS,
    Campaign,
    campaign_folder,
    read_campaign,
)
from analysis.declared.vocabulary import INTERVAL_SOURCES
from analysis.derive.match import match_intervals
from analysis.derive.roles import declare_parts, declared_systems
from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.files.limits import DATABASE_BYTES
from analysis.ingest.tables.views import find_files

_INTERVALS = (
    "cpu_interval",
    "partition_interval",
    "class_interval",
    "address_space_interval",
)
_RUN_WINDOW = """
CREATE OR REPLACE TEMP VIEW whole_run_window AS
SELECT concat_ws('/', r.campaign, r.run) AS id, r.campaign, r.configuration, r.workload,
    o.role, o.system, epoch(r.start_utc::TIMESTAMP) AS run_start,
    epoch(r.end_utc::TIMESTAMP) AS run_end, '' AS of_role
FROM run r JOIN run_role o USING (campaign, run);
CREATE OR REPLACE TEMP VIEW run_window AS SELECT * FROM whole_run_window
"""
_TIMED = """
CREATE OR REPLACE TEMP VIEW timed_{table} AS
SELECT *, epoch(start_utc::TIMESTAMP) AS start FROM {table}
"""

USABLE = ("ok", "degraded")
CPU_COLUMNS = (
    "id", "campaign", "role", "system", "cpu_type", "cpu_seconds", "seconds",
    "cpu_seconds_resolution", "online_cpus", "coverage", "method", "overlap", "files",
    "factor", "waits", "uneven", "parts", "of_role",
)  # fmt: skip

# Several rows of one run are instances of the tool that ran side by side: together
# they are the load. A latency counts as often as it was seen.
# Both ends of a window are known to the last digit that a time of the campaign has.
_RUNS = """
WITH measured AS (
    SELECT campaign, run, sum(clients)::BIGINT AS clients, min(source) AS source,
        list_sort(list_distinct(list(tool))) AS tools,
        max(request_bytes) AS request_bytes, max(response_bytes) AS response_bytes,
        sum(transactions)::BIGINT AS transactions, sum(rate) AS rate,
        sum(bytes_per_second) AS bytes_per_second,
        CASE WHEN count(*) = 1 THEN max(latency_mean_us)
            ELSE sum(latency_mean_us * transactions) / sum(transactions)
        END AS latency_mean_us,
        sqrt(sum(pow(rate_resolution, 2))) AS rate_resolution,
        sqrt(sum(pow(bytes_per_second_resolution, 2))) AS bytes_per_second_resolution,
        CASE WHEN count(*) = 1 THEN max(latency_mean_us_resolution)
            ELSE sqrt(sum(pow(latency_mean_us_resolution * transactions, 2)))
                / sum(transactions)
        END AS latency_mean_us_resolution
    FROM benchmark GROUP BY campaign, run
)
SELECT concat_ws('/', r.campaign, r.run) AS id, r.run, r.campaign, r.configuration,
    r.workload, r.repetition, r.origin, r.status, coalesce(r.reason, '') AS reason,
    r.idle_before, r.tick_coverage,
    epoch(r.start_utc::TIMESTAMP) AS started,
    epoch(r.end_utc::TIMESTAMP - r.start_utc::TIMESTAMP) AS window_seconds,
    m.clients, m.request_bytes + m.response_bytes AS tran_bytes, m.transactions,
    m.rate, m.latency_mean_us, m.bytes_per_second, m.source, m.tools,
    m.rate_resolution, m.latency_mean_us_resolution, m.bytes_per_second_resolution,
    1 AS transactions_resolution, sqrt(2) * pow(10, -max(greatest(
        length(rtrim(split_part(r.start_utc, '.', 2), '0Z')),
        length(rtrim(split_part(r.end_utc, '.', 2), '0Z'))
    )) OVER (PARTITION BY r.campaign)) AS window_seconds_resolution
FROM run r LEFT JOIN measured m USING (campaign, run)
ORDER BY r.campaign, r.configuration, r.workload, r.repetition, r.run
"""
_RUN_CPU = """
SELECT concat_ws('/', campaign, run) AS id, campaign, role, system, cpu_type,
    sum(cpu_seconds) AS cpu_seconds, NULL::DOUBLE AS seconds,
    sqrt(sum(pow(cpu_seconds_resolution, 2))) AS cpu_seconds_resolution,
    NULL::DOUBLE AS online_cpus, min(coverage) AS coverage, method,
    false AS overlap, list_sort(list_distinct(list(source))) AS files,
    NULL::DOUBLE AS factor, false AS waits, false AS uneven, []::VARCHAR[] AS parts,
    '' AS of_role
FROM run_cpu GROUP BY ALL ORDER BY id, role, cpu_type
"""
_COUNTED = """
SELECT concat_ws('/', campaign, run) AS id, system, sum(busy_seconds)
FROM cpu_interval WHERE basis = 'procstat' AND run IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""


def open_database(path: Path) -> duckdb.DuckDBPyConnection:
    """The database, for reading; a :class:`UserError` where it is absent or broken."""
    if not path.is_file():
        raise user_error(
            "there is no database yet", path, mend="run 'make report' first"
        )
    try:
        # Several threads add the same numbers in another order each time, and the last
        # digit of a sum would change.
        within: dict[str, Any] = {"memory_limit": f"{DATABASE_BYTES}B", "threads": 1}
        con = duckdb.connect(str(path), read_only=True, config=within)
        find_files(con, path)
        create_views(con)
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        raise other_version(path, error) from None
    except duckdb.Error as error:
        raise user_error(
            f"not a database that can be read: {error}", path, mend="rebuild it"
        ) from None
    return con


def other_version(path: Path, error: duckdb.Error) -> UserError:
    """What to say of a database whose tables lack a column or a table."""
    what = f"tables of another version: {str(error).splitlines()[0]}"
    return user_error(what, path, mend="delete it and run 'make report'")


def unreadable(path: Path, error: duckdb.Error) -> UserError:
    """What to say of a view whose file is gone, or is none of tables."""
    what = f"a table of it cannot be read: {str(error).splitlines()[0]}"
    return user_error(what, path, mend="run 'make report', which makes it again")


def read_campaigns(names: set[str], raw: Path) -> dict[str, Campaign]:
    """The declarations of the named campaigns that exist below ``raw``.

    One that a build is yet to generate is a :class:`UserError`.
    """
    raise_if(_not_generated(names, raw))
    folders = {name: campaign_folder(raw, name) for name in sorted(names)}
    return {
        name: read_campaign(folder)
        for name, folder in folders.items()
        if (folder / CAMPAIGN_FILE).is_file()
    }


def _not_generated(names: Iterable[str], raw: Path) -> list[Issue]:
    """Campaigns that a build generates, and has not generated yet."""
    return [
        Issue(
            f"the campaign {name!r} is not generated yet",
            Place(str(GENERATORS / name)),
            "run 'make report', which generates it",
        )
        for name in sorted(names)
        if (raw.parent / GENERATORS / name).is_dir()
        and not campaign_folder(raw, name).is_dir()
    ]


def read_runs(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """One row a run, failed ones too; ``id`` is unique over all campaigns."""
    return con.sql(_RUNS).pl()


def read_cpu(
    con: duckdb.DuckDBPyConnection, campaigns: Mapping[str, Campaign]
) -> pl.DataFrame:
    """CPU seconds per run, role and CPU type from each system's declared source.

    ``seconds`` is how long the evidence lasts and ``online_cpus`` how many CPs there
    were, both null where the CPU time is that of the whole run and nothing else. Of
    parts of a system ``of_role`` is their role, and ``whole`` of all of it.
    """
    declared = declared_systems(campaigns)
    declare_parts(con, declared)
    matched = match_intervals(con, declared)
    own = (
        con.sql(_RUN_CPU)
        .pl()
        .join(declared, on=["campaign", "system", "method"], how="semi")
        .filter(~pl.col("method").is_in(INTERVAL_SOURCES))
    )
    return pl.concat([own.select(CPU_COLUMNS), matched.select(CPU_COLUMNS)])


def read_counted(con: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], float]:
    """Busy CPU seconds by run and machine, as the machine's clock ticks count them."""
    rows = con.sql(_COUNTED).fetchall()
    return {(id, machine): seconds for id, machine, seconds in rows}


def create_views(con: duckdb.DuckDBPyConnection) -> None:
    """``run_window``: one row a run and role, with its system and its window, and one
    for each part that :func:`analysis.derive.roles.declare_parts` tells; ``timed_…`` of
    each table of intervals: with its ``start``. Times are in seconds since 1970. They
    are of the connection, and change nothing in the database."""
    con.execute(_RUN_WINDOW)
    for table in _INTERVALS:
        con.execute(_TIMED.format(table=table))
