"""How complete the dumps of a campaign are, before anyone trusts a mean of them.

An interval of a system that is in no dump leaves a hole, and a mean over what is left
says nothing of it. So of each table of intervals are told the intervals, the holes
between them within a file, and how much of the time of the system's runs they cover.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import duckdb

from analysis.derive.cpu_time import LEAST_INSIDE
from analysis.ingest.tables.catalog import DECLARED

_SECOND = 1  # a hole that is shorter is one of rounding
_INTERVALS = """
SELECT DISTINCT '{table}' AS kind, '{records}' AS records, campaign, system, source,
    epoch(start_utc::TIMESTAMP) AS start, epoch(start_utc::TIMESTAMP) + seconds AS stop
FROM {table} WHERE start_utc IS NOT NULL AND seconds > 0
    AND source IN (SELECT sha256 FROM source WHERE format SIMILAR TO 'smf|rmf.*')
"""
_COLUMNS = {"system", "start_utc", "seconds", "source"}
# Least and greatest of DuckDB pass over NULL, which is a run that meets no interval.
_COMPLETENESS = """
WITH every AS ({intervals}),
holes AS (
    SELECT *, start - max(stop) OVER (
        PARTITION BY kind, campaign, system, source ORDER BY start
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS hole FROM every
),
kinds AS (
    SELECT campaign, system, kind, records, count(DISTINCT start) AS intervals,
        min(stop - start) AS shortest, max(stop - start) AS longest,
        min(start) AS first, max(stop) AS last,
        count(*) FILTER (hole > {second}) AS holes,
        coalesce(sum(hole) FILTER (hole > {second}), 0) AS missing
    FROM holes GROUP BY ALL
),
runs AS (
    SELECT DISTINCT campaign, system, run,
        epoch(start_utc::TIMESTAMP) AS start, epoch(end_utc::TIMESTAMP) AS stop
    FROM run JOIN run_role USING (campaign, run)
    WHERE start_utc IS NOT NULL AND end_utc IS NOT NULL
),
shares AS (
    SELECT k.campaign, k.system, k.kind, r.run, least(1, coalesce(sum(
        least(e.stop, r.stop) - greatest(e.start, r.start)
    ) FILTER (e.start IS NOT NULL), 0) / any_value(r.stop - r.start)) AS share
    FROM kinds k JOIN runs r USING (campaign, system)
    LEFT JOIN (SELECT DISTINCT campaign, system, kind, start, stop FROM every) e
        ON e.campaign = k.campaign AND e.system = k.system AND e.kind = k.kind
        AND e.start < r.stop AND e.stop > r.start
        AND {least} * (e.stop - e.start) <= r.stop - r.start
    GROUP BY ALL
)
SELECT campaign, system, kind, records, intervals, shortest, longest,
    strftime(make_timestamp((first * 1e6)::BIGINT), '%Y-%m-%dT%H:%M:%SZ'),
    strftime(make_timestamp((last * 1e6)::BIGINT), '%Y-%m-%dT%H:%M:%SZ'),
    holes, missing, count(run), count(run) FILTER (share >= 0.99), avg(share)
FROM kinds LEFT JOIN shares USING (campaign, system, kind)
GROUP BY ALL ORDER BY ALL
"""


# A tool connects before its first transaction, from which on a run counts, and closes
# after its last one; a connection may also last over many runs.
_CONNECTIONS = """
WITH ended AS (
    SELECT *, epoch(start_utc::TIMESTAMP) AS start,
        epoch(coalesce(end_utc, start_utc)::TIMESTAMP) AS stop
    FROM tcp_connection WHERE smc_status IS NOT NULL
),
runs AS (
    SELECT *, epoch(start_utc::TIMESTAMP) AS start, epoch(end_utc::TIMESTAMP) AS stop
    FROM run SEMI JOIN (
        SELECT campaign FROM source WHERE format = 'smf'
    ) USING (campaign) WHERE start_utc IS NOT NULL AND end_utc IS NOT NULL
),
of_runs AS (
    SELECT DISTINCT campaign, r.configuration, c.source, c.position,
        smc_status > 0 AS smc, coalesce(cause, 'for a cause that is not told') AS cause
    FROM ended c JOIN run_role USING (campaign, system)
    JOIN runs r USING (campaign, run)
    WHERE least(c.stop, r.stop) - greatest(c.start, r.start)
        >= least(c.stop - c.start, r.stop - r.start) / 2
)
SELECT campaign, configuration, count(cause), count(*) FILTER (smc), histogram(cause)
FROM (SELECT DISTINCT campaign, configuration FROM runs)
LEFT JOIN of_runs USING (campaign, configuration) GROUP BY ALL ORDER BY ALL
"""


@dataclass(frozen=True)
class SmcConnections:
    """How many of the TCP connections of the runs of a configuration have an SMC state
    in SMF 119-2 that is not 0 (``smc``), and how many ended for which cause. A
    connection is of the runs with which it shares at least half of its time or of
    theirs, whatever job and port it has; one that both ends recorded counts twice.
    ``connections`` are 0 where no record 119-2 is of the runs."""

    campaign: str
    configuration: str
    connections: int
    smc: int
    causes: dict[str, int]


def read_smc(con: duckdb.DuckDBPyConnection) -> tuple[SmcConnections, ...]:
    """Of every configuration of the campaigns that have dumps of SMF."""
    return tuple(
        SmcConnections(name, configuration, total, smc, dict(causes or {}))
        for name, configuration, total, smc, causes in con.execute(
            _CONNECTIONS
        ).fetchall()
    )


@dataclass(frozen=True)
class Completeness:
    """The intervals of one table that a campaign's dumps have of a system.

    ``records`` are the types of SMF, empty where the table is of several sources.
    ``shortest`` and ``longest`` are those of an interval, ``missing`` the sum of the
    holes between two of a file, in seconds; ``first`` and ``last`` ISO 8601 in UTC.
    ``runs`` are those of the system whose times are known, ``covered`` those of which
    99% lie in intervals that are not too long to lie in them; ``share`` is the mean
    over them, None without any.
    """

    campaign: str
    system: str
    table: str
    records: str
    intervals: int
    shortest: float
    longest: float
    first: str
    last: str
    holes: int
    missing: float
    runs: int
    covered: int
    share: float | None

    @property
    def length(self) -> str:
        """``60 s``, or ``10 to 60 s``."""
        lengths = dict.fromkeys(f"{x:.0f}" for x in (self.shortest, self.longest))
        return " to ".join(lengths) + " s"

    @property
    def lacks(self) -> bool:
        """Whether a run has time of which no row of the table tells."""
        return self.covered < self.runs


def read_completeness(con: duckdb.DuckDBPyConnection) -> tuple[Completeness, ...]:
    """Of every campaign with dumps of SMF or RMF, by system and kind of record."""
    every = " UNION ALL ".join(
        _INTERVALS.format(table=table, records=_records(declared.comment))
        for table, declared in DECLARED.items()
        if table.endswith("_interval") and set(declared.schema) >= _COLUMNS
    )
    sql = _COMPLETENESS.format(intervals=every, second=_SECOND, least=LEAST_INSIDE)
    return tuple(Completeness(*row) for row in con.execute(sql).fetchall())


def _records(comment: str) -> str:
    """``30-2, 30-3`` of a table's description, empty where it names no records."""
    named = re.search(r"\((\d[-\d, ]*)", comment)
    return named[1] if named else ""
