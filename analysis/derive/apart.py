"""Systems whose intervals and runs are of different times: a wrong zone, or day."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, Campaign

_TIME = "%Y-%m-%d %H:%M"
_SPANS = """
WITH told AS (
    SELECT campaign, system, start_utc, seconds FROM cpu_interval
    UNION ALL SELECT campaign, system, start_utc, seconds FROM class_interval
    UNION ALL SELECT campaign, system, start_utc, seconds FROM address_space_interval
), spans AS (
    SELECT campaign, system, min(start_utc::TIMESTAMP) AS first,
        max(start_utc::TIMESTAMP + to_microseconds((seconds * 1e6)::BIGINT)) AS last
    FROM told WHERE start_utc IS NOT NULL GROUP BY ALL
), runs AS (
    SELECT campaign, min(start_utc::TIMESTAMP) AS begun,
        max(end_utc::TIMESTAMP) AS ended
    FROM run WHERE start_utc IS NOT NULL AND end_utc IS NOT NULL GROUP BY ALL
)
SELECT campaign, system, first, last, begun, ended
FROM spans JOIN runs USING (campaign) WHERE last <= begun OR ended <= first
"""


def times_apart(
    con: duckdb.DuckDBPyConnection, campaigns: Mapping[str, Campaign]
) -> dict[tuple[str, str], str]:
    """Both times and the cure, by campaign and system, of those that never meet."""
    machines = {
        (name, of.host or id): (name, id)
        for name, campaign in campaigns.items()
        for id, of in campaign.systems.items()
    }
    return {
        machines[campaign, system]: (
            f"its intervals are of {first:{_TIME}} to {last:{_TIME}} UTC, "
            f"the runs of {begun:{_TIME}} to {ended:{_TIME}} UTC; see to "
            f"'zone' in {CAMPAIGN_FILE}, and to start and end in {RUNS_FILE}"
        )
        for campaign, system, first, last, begun, ended in con.sql(_SPANS).fetchall()
        if (campaign, system) in machines
    }
