"""The intervals from which a campaign's CPU time is taken, by its declared source.

Each row is CPU seconds of one *part* in one interval: of the whole LPAR, of a class or
of an address space. CP, zIIP and zAAP time are rows of their own, and so is time of CPs
for work that a zIIP or zAAP could have done.
"""

from __future__ import annotations

import duckdb
import polars as pl

from analysis.derive.cpu_cost import cpu_seconds_from_busy

# That each interval is here once is for ingest to see.
_LPAR = """
SELECT w.*, i.* EXCLUDE (campaign, system), '' AS part, false AS waits
FROM timed_cpu_interval i JOIN declared w USING (campaign, system)
WHERE w.method = 'lpar_busy' AND i.scope IS DISTINCT FROM 'system'
    AND coalesce(i.busy_seconds, i.busy_pct) IS NOT NULL
"""
# Dispatch time holds waits on dedicated CPs, and with wait completion unless
# HiperDispatch is on; readers of RMF leave it out of cpu_interval then.
_DISPATCH = """
WITH own AS (
    SELECT w.*, i.* EXCLUDE (campaign, system),
        dedicated OR (wait_completion AND NOT hiperdispatch) AS waits
    FROM timed_cpu_interval i JOIN declared w USING (campaign, system)
    WHERE w.method = 'dispatch' AND i.scope IS DISTINCT FROM 'system'
), partition AS (
    SELECT w.*, p.* EXCLUDE (campaign, system, own)
    FROM timed_partition_interval p JOIN declared w USING (campaign, system)
    WHERE w.method = 'dispatch' AND p.own AND p.dispatch_seconds IS NOT NULL
        AND p.online_cpus IS DISTINCT FROM 0
), beside AS (
    SELECT p.*, count(o.start) > 0 AS told, max(o.dispatch_seconds) AS better,
        max(o.normalisation) AS normalisation
    FROM partition p LEFT JOIN own o ON o.campaign = p.campaign
        AND o.system = p.system AND o.of_role = p.of_role AND o.cpu_type = p.cpu_type
        AND o.start < p.start + p.seconds - 1 AND o.start + o.seconds > p.start + 1
    GROUP BY ALL
)
SELECT campaign, system, of_role, method, '' AS part, cpu_type, start, seconds,
    online_cpus, dispatch_seconds AS busy_seconds, normalisation,
    dispatch_seconds_resolution AS busy_seconds_resolution,
    coalesce(waits, false) AS waits, source
FROM own WHERE dispatch_seconds IS NOT NULL
UNION ALL BY NAME
SELECT campaign, system, of_role, method, '' AS part, cpu_type, start, seconds,
    online_cpus, dispatch_seconds AS busy_seconds, normalisation,
    dispatch_seconds_resolution AS busy_seconds_resolution,
    coalesce(dedicated, false) OR told AS waits, source
FROM beside WHERE better IS NULL
"""
# A class is told by its periods or as a whole, never by both.
_CLASS = """
WITH found AS (
    SELECT w.*, i.* EXCLUDE (campaign, system, class, class_kind), i.class AS part,
        bool_or(i.period IS NOT NULL) OVER (
            PARTITION BY campaign, system, of_role, i.class, round(i.start)
        ) AS in_periods
    FROM timed_class_interval i JOIN declared w USING (campaign, system)
    WHERE w.method = 'class' AND i.cp_seconds IS NOT NULL
        AND i.class_kind = w.class_kind AND list_contains(w.parts, i.class)
)
SELECT campaign, system, of_role, method, part, start, seconds,
    sum(cp_seconds) AS cp_seconds,
    sqrt(sum(pow(cp_seconds_resolution, 2))) AS busy_seconds_resolution,
    sum(ziip_seconds) AS ziip_seconds,
    sum(ziip_on_cp_seconds) AS ziip_on_cp_seconds,
    sum(zaap_seconds) AS zaap_seconds, sum(zaap_on_cp_seconds) AS zaap_on_cp_seconds,
    max(normalisation) AS normalisation, min(source) AS source
FROM found WHERE NOT in_periods OR period IS NOT NULL
GROUP BY ALL
"""
_ADDRESS_SPACE = """
SELECT w.*, i.* EXCLUDE (campaign, system, job), i.job AS part,
    i.cp_seconds_resolution AS busy_seconds_resolution
FROM timed_address_space_interval i JOIN declared w USING (campaign, system)
WHERE w.method = 'address_space' AND i.cp_seconds IS NOT NULL AND i.seconds > 0
    AND list_contains(w.parts, i.job)
"""
_FACTORS = """
SELECT campaign, system, max(normalisation) AS of_policy
FROM class_interval WHERE normalisation IS NOT NULL
GROUP BY ALL HAVING min(normalisation) = max(normalisation)
"""
# What is told of a part beside its CP time; eligible time that ran on CPs is in that.
_SECONDS = {
    "CP": "cp_seconds",
    "zIIP": "ziip_seconds",
    "zAAP": "zaap_seconds",
    "zIIP on CP": "ziip_on_cp_seconds",
    "zAAP on CP": "zaap_on_cp_seconds",
}
_COLUMNS = (
    "campaign", "system", "of_role", "method", "cpu_type", "part", "source", "start",
    "asid", "seconds", "online_cpus", "busy", "busy_seconds_resolution",
    "factor", "waits",
)  # fmt: skip


def read_intervals(
    con: duckdb.DuckDBPyConnection, declared: pl.DataFrame
) -> pl.DataFrame:
    """CPU seconds (``busy``) by interval, CPU type and part of each system whose CPU
    time comes from intervals; :func:`analysis.derive.roles.declared_systems` gives
    ``declared``.

    ``start`` is in seconds since 1970, ``factor`` makes zIIP seconds CP-equivalent
    (null where no record tells it), ``waits`` says that ``busy`` may hold waits.
    """
    con.register("declared", declared)
    lpar = con.sql(_LPAR).pl()
    used = cpu_seconds_from_busy(
        pl.col("busy_pct"), pl.col("online_cpus"), pl.col("seconds")
    )
    lpar = lpar.with_columns(busy=pl.coalesce("busy_seconds", used))
    dispatch = con.sql(_DISPATCH).pl().with_columns(busy="busy_seconds")
    of_parts = [_by_type(con.sql(query).pl()) for query in (_CLASS, _ADDRESS_SPACE)]
    frames = [
        table.with_columns(_asid(table), factor="normalisation").select(_COLUMNS)
        for table in (lpar, dispatch, *of_parts)
    ]
    known = con.sql(_FACTORS).pl()
    rows = pl.concat(frames, how="vertical_relaxed")
    return rows.join(known, on=["campaign", "system"], how="left").with_columns(
        factor=pl.coalesce("factor", "of_policy")
    )


def _by_type(table: pl.DataFrame) -> pl.DataFrame:
    """One row for each kind of CPU time of each row, as far as it is told."""
    common = table.with_columns(
        online_cpus=pl.lit(None, pl.Float64), waits=pl.lit(False)
    )
    return pl.concat(
        common.with_columns(busy=seconds, cpu_type=pl.lit(type)).drop_nulls("busy")
        for type, seconds in _SECONDS.items()
    )


def _asid(table: pl.DataFrame) -> pl.Expr:
    """The address space, which tells several of one job apart; null elsewhere."""
    told = pl.col("asid") if "asid" in table.columns else pl.lit(None)
    return told.cast(pl.Int64).alias("asid")
