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
from analysis.declared.cpu import INTERVAL_SOURCES
from analysis.derive.gates import Flag, of_cpu
from analysis.derive.roles import declared_systems
from analysis.facts.kind import Values
from analysis.ingest.capture import CAPTURE

_FULL = "full capacity"
_AT = 0.01  # CPs; online time is rounded

# As in matching, intervals that overlap a run count where none lies inside it.
_CONDITIONS = """
WITH windows AS (
    SELECT w.* FROM run_window w JOIN declared d USING (campaign, system, of_role)
    WHERE list_contains(?, d.method) AND of_role = ''
), told AS (
    SELECT i.campaign, i.system, i.cpu_type, i.online_cpus, i.capture_pct,
        i.boost, i.boost_class, i.capacity_adjustment, i.capacity_change,
        i.start, i.seconds
    FROM timed_cpu_interval i
    WHERE i.scope IS DISTINCT FROM 'system'
), judged AS (
    SELECT w.*, t.* EXCLUDE (campaign, system),
        start >= run_start - 1 AND start + seconds <= run_end + 1 AS inside
    FROM windows w JOIN told t ON t.campaign = w.campaign AND t.system = w.system
        AND start < run_end AND start + seconds > run_start
)
SELECT id, campaign, configuration, role, system, cpu_type, online_cpus, capture_pct,
    boost, boost_class, capacity_adjustment, capacity_change
FROM judged
QUALIFY inside OR NOT bool_or(inside) OVER (PARTITION BY id, system)
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
    found = (
        con.sql(_CONDITIONS, params=[list(INTERVAL_SOURCES)])
        .pl()
        .join(runs.select("id"), on="id", how="semi")
    )
    rows = found.to_dicts()
    flags = [*_boosts(rows), *_capacities(rows), *_online(rows), *_capture(rows)]
    parts = con.sql(_PARTS).fetchall()
    return [
        *flags,
        *(
            replace(flag, role=part)
            for flag in flags
            for id, role, part in parts
            if (id, role) == (flag.id, flag.role)
        ),
    ]


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
