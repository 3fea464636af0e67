"""Views of the tables that several queries of this stage have in common."""

from __future__ import annotations

import duckdb

_INTERVALS = (
    "cpu_interval",
    "partition_interval",
    "class_interval",
    "address_space_interval",
)
_RUN_WINDOW = """
CREATE OR REPLACE TEMP VIEW run_window AS
SELECT concat_ws('/', r.campaign, r.run) AS id, r.campaign, r.configuration, r.workload,
    o.role, o.system, epoch(r.start_utc::TIMESTAMP) AS run_start,
    epoch(r.end_utc::TIMESTAMP) AS run_end
FROM run r JOIN run_role o USING (campaign, run)
"""
_TIMED = """
CREATE OR REPLACE TEMP VIEW timed_{table} AS
SELECT *, epoch(start_utc::TIMESTAMP) AS start FROM {table}
"""


def create_views(con: duckdb.DuckDBPyConnection) -> None:
    """``run_window``: one row a run and role, with its system and its window;
    ``timed_…`` of each table of intervals: with its ``start``. Times are in seconds
    since 1970. They are of the connection, and change nothing in the database."""
    con.execute(_RUN_WINDOW)
    for table in _INTERVALS:
        con.execute(_TIMED.format(table=table))
