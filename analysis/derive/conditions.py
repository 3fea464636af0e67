"""What the system was like while a run was measured: is it comparable at all?

System Recovery Boost runs a subcapacity machine at full speed, and a capacity
adjustment slows it down: CPU seconds of such an interval are of another machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import duckdb
import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.vocabulary import INTERVAL_SOURCES
from analysis.derive.gates import Flag, of_cpu, of_service, of_smf
from analysis.derive.overlaps import overlaps
from analysis.derive.roles import declared_systems
from analysis.facts.kind import Values
from analysis.ingest.capture import CAPTURE

_FULL = "full capacity"
_AT = 0.01  # CPs; online time is rounded

_WINDOWS = """
SELECT w.* EXCLUDE (run_start, run_end), run_start AS start, run_end AS stop
FROM run_window w JOIN declared d USING (campaign, system, of_role)
    SEMI JOIN timed_cpu_interval USING (campaign, system)
WHERE list_contains(?, d.method) AND of_role = ''
"""
_TOLD = """
SELECT campaign, system, cpu_type, online_cpus, capture_pct, boost, boost_class,
    capacity_adjustment, capacity_change, start, start + seconds AS stop
FROM timed_cpu_interval
WHERE scope IS DISTINCT FROM 'system'
"""
# As in matching, intervals that overlap a run count where none lies inside it.
_CONDITIONS = """
WITH judged AS (
    SELECT w.* EXCLUDE (row), t.* EXCLUDE (row, campaign, system),
        t.start >= w.start - 1 AND t.stop <= w.stop + 1 AS inside
    FROM touching p JOIN windows w ON w.row = p.first JOIN told t ON t.row = p.second
)
SELECT id, campaign, configuration, role, system, cpu_type, online_cpus, capture_pct,
    boost, boost_class, capacity_adjustment, capacity_change
FROM judged
QUALIFY inside OR NOT bool_or(inside) OVER (PARTITION BY id, system)
ORDER BY ALL
"""

# A loss of no length is one moment, and ends of runs are rounded to the second.
_LOSSES = """
SELECT w.id, w.role, l.system, l.start_utc, l.end_utc, l.records_lost
FROM run_window w JOIN smf_loss l USING (campaign, system)
WHERE epoch(l.end_utc::TIMESTAMP) >= run_start - 1
    AND epoch(coalesce(l.start_utc, l.end_utc)::TIMESTAMP) <= run_end + 1
ORDER BY ALL
"""
_PARTS = """
SELECT p.id, w.role, p.role FROM run_window p JOIN whole_run_window w USING (id, system)
WHERE p.of_role NOT IN ('', 'whole') ORDER BY ALL
"""

Row = dict[str, Any]


def flag_conditions(
    con: duckdb.DuckDBPyConnection,
    runs: pl.DataFrame,
    campaigns: Mapping[str, Campaign],
) -> list[Flag]:
    """What the intervals of the given runs say against using their CPU time.

    What is said of a system is said of its parts.
    """
    con.register("declared", declared_systems(campaigns))
    told = _conditions(con).join(runs.select("id"), on="id", how="semi")
    rows = told.to_dicts()
    flags = [*_boosts(rows), *_capacities(rows), *_online(rows), *_capture(rows)]
    lost = con.sql(_LOSSES).pl().join(runs.select("id"), on="id", how="semi")
    parts: dict[tuple[str, str | None], list[str]] = {}
    for id, role, part in con.sql(_PARTS).fetchall():
        parts.setdefault((id, role), []).append(part)
    of_parts = (
        replace(flag, role=part)
        for flag in flags
        for part in parts.get((flag.id, flag.role), ())
    )
    return [*flags, *of_parts, *_losses(lost.to_dicts())]


def _conditions(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """What the intervals of each run say, one row an interval of a run."""
    windows = con.sql(_WINDOWS, params=[list(INTERVAL_SOURCES)]).pl()
    told = con.sql(_TOLD).pl()
    con.register("touching", overlaps(windows, told, ("campaign", "system")))
    con.register("windows", windows.with_row_index("row"))
    con.register("told", told.with_row_index("row"))
    return con.sql(_CONDITIONS).pl()


def _boosts(rows: list[Row]) -> Iterable[Flag]:
    for run in _grouped(rows, lambda row: (row["id"], row["role"])):
        named = {row[name] for row in run for name in ("boost", "boost_class")}
        if told := named - {None}:
            yield _flag(run[0], "boost", {"boosts": tuple(sorted(told))})


def _capacities(rows: list[Row]) -> Iterable[Flag]:
    """Runs of a system whose capacity was not the same in all intervals."""
    for group in _grouped(rows, lambda row: (row["campaign"], row["system"])):
        all_states = sorted({_capacity(row) for row in group})
        if len(all_states) < 2:
            continue
        for run in _grouped(group, lambda row: row["id"]):
            yield _flag(run[0], "capacity", {"states": tuple(all_states)})


def _online(rows: list[Row]) -> Iterable[Flag]:
    """Runs of one configuration with another number of online CPs than others."""
    cps = [row for row in rows if row["cpu_type"] == "CP" and row["online_cpus"]]

    def same(row: Row) -> tuple[str, ...]:
        return row["campaign"], row["configuration"], row["system"]

    for group in _grouped(cps, same):
        counts = [row["online_cpus"] for row in group]
        if max(counts) - min(counts) <= _AT:
            continue
        for run in _grouped(group, lambda row: row["id"]):
            seen = {"fewest": min(counts), "most": max(counts)}
            yield _flag(run[0], "online", seen)


def _capture(rows: list[Row]) -> Iterable[Flag]:
    """Runs with a capture ratio out of bounds; of each the one farthest out."""
    low, high = CAPTURE
    told = [row for row in rows if row["capture_pct"] is not None]
    for run in _grouped(told, lambda row: (row["id"], row["role"])):
        worst = max(run, key=lambda row: abs(row["capture_pct"] - (low + high) / 2))
        ratio = worst["capture_pct"]
        if not low <= ratio <= high:
            seen = {"least": low, "most": high}
            yield Flag(worst["id"], "capture", of_cpu, seen, ratio, worst["role"])


def _losses(rows: list[Row]) -> Iterable[Flag]:
    """Runs during which SMF of one of their systems lost records: said of what is told
    of that system, and once of what services tell of the run."""
    said = set()
    for run in _grouped(rows, lambda row: (row["id"], row["role"])):
        id, role, system = (run[0][name] for name in ("id", "role", "system"))
        counts = [row["records_lost"] for row in run]
        count = None if None in counts else float(sum(counts))
        yield Flag(id, "lost", of_smf, {"system": system}, count, role)
        if (id, system) not in said:
            said.add((id, system))
            yield Flag(id, "lost", of_service, {"system": system}, count)


def _capacity(row: Row) -> str:
    """The name of the capacity that the machine had."""
    if row["capacity_adjustment"] is not None:
        return f"capacity adjustment {row['capacity_adjustment']}"
    if row["capacity_change"] is not None:
        return f"capacity change reason {row['capacity_change']}"
    return _FULL


def _flag(row: Row, kind: str, seen: Values) -> Flag:
    return Flag(row["id"], kind, of_cpu, seen, role=row["role"])


def _grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> list[list[Row]]:
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.values())
