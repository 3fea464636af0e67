"""Which system had which role in which run, and the CPU time that it used.

CPU time is that of a whole run, as control groups tell it, or of intervals of RMF and
SMF, which are matched to the windows of runs in UTC: of the whole LPAR, of its service
classes or of its address spaces. A system may have parts, jobs (SMF 30) or classes
(SMF 72) with roles of their own: what these leave of the whole is the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    RUNS_FILE,
    Campaign,
    Cpu,
    campaign_folder,
)
from analysis.declared.vocabulary import INTERVAL_SOURCES, PART_ROLES, REST
from analysis.derive.cpu_cost import cpu_seconds_from_busy
from analysis.derive.gates import CPU, Flag
from analysis.derive.overlaps import overlaps
from analysis.errors import Issue, Place

Row = dict[str, Any]
# The share of an interval that must lie in a run for it to count there. Where the rest
# of its time is idle, the cost is at most 10% too low. A load of 59 s in an interval of
# 60 s, as labs have it, reaches 98%.
LEAST_INSIDE = 0.9
WHOLE = "whole"  # stands for all of a system that has parts, where a role would
REMAINDER = "remainder"  # the source of a part that is the whole less the others
_SYSTEMS: dict[str, pl.DataType | type[pl.DataType]] = {
    "campaign": pl.String,
    "system": pl.String,
    "machine": pl.String,
    "method": pl.String,
    "class_kind": pl.String,
    "parts": pl.List(pl.String),
    "of_role": pl.String,
    "holder": pl.String,
}
CPU_COLUMNS = (
    "id", "campaign", "role", "system", "cpu_type", "cpu_seconds", "seconds",
    "cpu_seconds_resolution", "online_cpus", "coverage", "method", "overlap", "files",
    "factor", "waits", "uneven", "parts", "of_role", "kernel_seconds",
)  # fmt: skip
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
# The parts of a system have its windows, each with a role of its own.
_PART_WINDOWS = """
CREATE OR REPLACE TEMP VIEW run_window AS
SELECT * FROM whole_run_window
UNION ALL
SELECT w.* REPLACE (p.of_role AS role, p.of_role AS of_role)
FROM whole_run_window w JOIN declared_parts p USING (campaign, system)
WHERE p.holder = w.role
"""
_ROLES = """
SELECT w.id, campaign, w.role, system, d.machine, d.method, w.workload,
    w.run_start AS start, w.run_end AS stop
FROM run_window w JOIN declared d USING (campaign, system, of_role)
WHERE of_role <> 'whole'
ORDER BY id, role
"""
_RUN_CPU = """
SELECT concat_ws('/', campaign, run) AS id, campaign, role, system, cpu_type,
    sum(cpu_seconds) AS cpu_seconds, NULL::DOUBLE AS seconds,
    sqrt(sum(pow(cpu_seconds_resolution, 2))) AS cpu_seconds_resolution,
    NULL::DOUBLE AS online_cpus, min(coverage) AS coverage, method,
    false AS overlap, list_sort(list_distinct(list(source))) AS files,
    NULL::DOUBLE AS factor, false AS waits, false AS uneven, []::VARCHAR[] AS parts,
    '' AS of_role, sum(system_seconds) AS kernel_seconds
FROM run_cpu GROUP BY ALL ORDER BY id, role, cpu_type
"""
_COUNTED = """
SELECT concat_ws('/', campaign, run) AS id, system, sum(busy_seconds)
FROM cpu_interval WHERE basis = 'procstat' AND run IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""
# That each interval is here once is for ingest to see.
_LPAR = """
SELECT w.*, i.* EXCLUDE (campaign, system), '' AS part, false AS waits,
    NULL::BIGINT AS asid
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
SELECT campaign, system, of_role, method, '' AS part, NULL::BIGINT AS asid,
    cpu_type, start, seconds,
    online_cpus, dispatch_seconds AS busy_seconds, normalisation,
    dispatch_seconds_resolution AS busy_seconds_resolution,
    coalesce(waits, false) AS waits, source
FROM own WHERE dispatch_seconds IS NOT NULL
UNION ALL BY NAME
SELECT campaign, system, of_role, method, '' AS part, NULL::BIGINT AS asid,
    cpu_type, start, seconds,
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
SELECT campaign, system, of_role, method, part, NULL::BIGINT AS asid, start, seconds,
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
    FROM touching QUALIFY inside OR NOT whole AND common >= {least} * seconds
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
    list_sort(list_distinct(list(part))) AS parts, NULL::DOUBLE AS kernel_seconds,
    list_sort(list_distinct(flatten(list(files)))) AS files
FROM spaces GROUP BY id, campaign, role, of_role, system, cpu_type, method
ORDER BY id, role, cpu_type
"""
_BY = ("campaign", "system", "of_role")
_WINDOWS = """
SELECT * FROM run_window SEMI JOIN intervals USING (campaign, system, of_role)
ORDER BY id, role, of_role
"""
_CUT = f" (no interval lies in it by {LEAST_INSIDE:.0%} or more)"
_SHORTEST = "SELECT campaign, system, min(seconds) FROM intervals GROUP BY ALL"
_LONGEST = "SELECT campaign, max(run_end - run_start) FROM run_window GROUP BY ALL"
_TABLE_OF = {
    "lpar_busy": "cpu_interval",
    "dispatch": "partition_interval",
    "class": "class_interval",
    "address_space": "address_space_interval",
}
_TABLES = "SELECT DISTINCT campaign, system, '{table}' FROM {table}"
_NAMES = {
    "class": (
        "SELECT DISTINCT class_kind || ' class ' || class AS told FROM class_interval "
        "WHERE campaign = ? AND system = ? AND told IS NOT NULL ORDER BY ALL LIMIT 8"
    ),
    "address_space": (
        "SELECT DISTINCT job FROM address_space_interval WHERE campaign = ? "
        "AND system = ? AND job IS NOT NULL ORDER BY ALL LIMIT 8"
    ),
}
_NONE = {
    "lpar_busy": "no file has its records 70-1, or a CPU report of RMF",
    "dispatch": "no file has its records 70-1, or Partition Data of RMF",
    "class": "no file has its records 72-3, or a report of Workload Activity of RMF",
    "address_space": (
        "no file has its records 30-2 and 30-3, for which SMFPRMxx needs "
        "INTERVAL(SMF,SYNC)"
    ),
}
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


def create_views(con: duckdb.DuckDBPyConnection) -> None:
    """``run_window``: one row a run and role, with its system and its window, and one
    for each part of a system once :func:`read_cpu` has them; ``timed_…`` of each table
    of intervals: with its ``start``. Times are in seconds since 1970. They are of the
    connection, and change nothing in the database."""
    con.execute(_RUN_WINDOW)
    for table in _INTERVALS:
        con.execute(_TIMED.format(table=table))


def declared_systems(campaigns: Mapping[str, Campaign]) -> pl.DataFrame:
    """Every system that is declared: ``campaign``, ``system``, the ``machine`` that it
    runs on, the source of its CPU time (``method``) and the classes or jobs that
    count (``class_kind``, ``parts``). Its parts follow: ``of_role`` is the role of one,
    :data:`WHOLE` of all of them together, and ``holder`` that of the system."""
    rows = [
        (name, id, of.host or id, method, cpu.class_kind, list(parts), role, holder)
        for name, campaign in campaigns.items()
        for id, of in campaign.systems.items()
        for cpu in [campaign.cpu_of(id)]
        for method, parts, role, holder in [
            (cpu.source, cpu.counted, "", None), *_parts(cpu)
        ]
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=_SYSTEMS, orient="row")


def _parts(cpu: Cpu) -> Iterator[tuple[str, tuple[str, ...], str, str]]:
    """Source, names and role of each part that is declared, and the system's role."""
    if not cpu.parts:
        return
    for role in (*cpu.parts, *({REST} - set(cpu.parts))):
        names = cpu.parts.get(role, ())
        yield (cpu.parts_from if names else REMAINDER), names, role, cpu.parts_of
    yield cpu.whole, (), WHOLE, cpu.parts_of


def read_roles(
    con: duckdb.DuckDBPyConnection, campaigns: Mapping[str, Campaign]
) -> pl.DataFrame:
    """One row for each run and role: ``id``, ``campaign``, ``role``, ``system``,
    ``machine``, ``method``, ``workload``, and ``start`` and ``stop`` of the run in
    seconds since 1970."""
    con.register("declared", declared_systems(campaigns))
    return con.sql(_ROLES).pl()


def read_cpu(
    con: duckdb.DuckDBPyConnection, campaigns: Mapping[str, Campaign]
) -> pl.DataFrame:
    """CPU seconds per run, role and CPU type from each system's declared source.

    ``seconds`` is how long the evidence lasts and ``online_cpus`` how many CPs there
    were, both null where the CPU time is that of the whole run and nothing else. Of
    parts of a system ``of_role`` is their role, and ``whole`` of all of it.
    """
    declared = declared_systems(campaigns)
    parts = declared.filter(pl.col("of_role") != "")
    if parts.height:
        con.register("declared_parts", parts)
        con.execute(_PART_WINDOWS)
    matched = match_intervals(con, declared)
    of_systems = (
        con.sql(_RUN_CPU)
        .pl()
        .join(declared, on=["campaign", "system", "method"], how="semi")
        .filter(~pl.col("method").is_in(INTERVAL_SOURCES))
    )
    return pl.concat([of_systems.select(CPU_COLUMNS), matched.select(CPU_COLUMNS)])


def read_counted(con: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], float]:
    """Busy CPU seconds by run and machine, as the machine's clock ticks count them."""
    rows = con.sql(_COUNTED).fetchall()
    return {(id, machine): seconds for id, machine, seconds in rows}


def match_intervals(
    con: duckdb.DuckDBPyConnection, declared: pl.DataFrame
) -> pl.DataFrame:
    """CPU seconds per run, role and CPU type, and the span that they cover.

    ``declared`` is as :func:`declared_systems` gives it; the
    roles are those that the systems had in the run. Intervals wholly inside a run's
    window count whole; only where a run has none, those count by their share of which
    :data:`LEAST_INSIDE` lies in it, and ``overlap`` says so. ``seconds`` is the span
    counted, ``coverage`` its share of the run's window, ``online_cpus`` the mean over
    that span. ``parts`` are the classes or jobs found, and ``uneven`` is whether they
    cover different spans; the longest one counts, because who is not there used no CPU
    time.
    """
    intervals = read_intervals(con, declared).with_row_index("row")
    con.register("intervals", intervals)
    windows = con.sql(_WINDOWS).pl().with_row_index("row")
    times = pl.col("start"), (pl.col("start") + pl.col("seconds")).alias("stop")
    spans = intervals.select(*_BY, *times)
    bounds = windows.select(*_BY, start="run_start", stop="run_end")
    con.register("pairs", overlaps(bounds, spans, _BY))
    con.register("windows", windows)
    return con.sql(_MATCH.format(least=LEAST_INSIDE)).pl()


def read_intervals(
    con: duckdb.DuckDBPyConnection, declared: pl.DataFrame
) -> pl.DataFrame:
    """CPU seconds (``busy``) by interval, CPU type and part of each system whose CPU
    time comes from intervals; :func:`declared_systems` gives ``declared``.

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
        table.with_columns(factor="normalisation").select(_COLUMNS)
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


def with_rest(
    cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]
) -> tuple[pl.DataFrame, list[Flag], list[tuple[str, float]]]:
    """The CPU seconds with the rest of each system that has parts, and without those of
    the whole; parts that do not add up; runs with the ratio of what is too much."""
    of_parts = cpu.filter(pl.col("of_role") != "")
    if of_parts.is_empty():
        return cpu, [], []
    rows, flags, excess = list[Row](), list[Flag](), list[tuple[str, float]]()
    for (id,), group in of_parts.group_by("id", maintain_order=True):
        shares = group.to_dicts()
        campaign = campaigns[shares[0]["campaign"]]
        whole = {r["cpu_type"]: r for r in shares if r["of_role"] == WHOLE}
        parts = [r for r in shares if r["of_role"] != WHOLE and r["cpu_type"] in whole]
        named = REST in campaign.cpu.parts
        rest = [] if named else [_rest(row, parts) for row in whole.values()]
        rows += rest
        total, tolerance = sum(map(_share, whole.values())), campaign.gates.parts
        ratio = sum(map(_share, (*parts, *rest))) / total if total > 0 else 1.0
        if abs(ratio - 1) <= tolerance:
            continue
        if ratio > 1:
            excess.append((str(id), ratio))
        for role in sorted({row["role"] for row in shares} | {REST}):
            values = {"tolerance": tolerance}
            flags.append(Flag(str(id), "parts", CPU, values, ratio, role))
    kept = cpu.filter(pl.col("of_role") != WHOLE)
    return pl.concat([kept, pl.DataFrame(rows, cpu.schema)]), flags, excess


def _rest(whole: Row, parts: Sequence[Row]) -> Row:
    """Of one type of engine what the parts leave of the whole, and not below 0."""
    alike = [part for part in parts if part["cpu_type"] == whole["cpu_type"]]
    steps = (row["cpu_seconds_resolution"] or 0.0 for row in (*alike, whole))
    left = _share(whole) - sum(map(_share, alike))
    return whole | {
        "role": REST,
        "of_role": REST,
        "method": REMAINDER,
        "cpu_seconds": max(left * whole["seconds"], 0.0),
        "cpu_seconds_resolution": math.hypot(*steps),
        "parts": sorted({name for part in parts for name in part["parts"]}),
        "files": sorted({file for row in (whole, *parts) for file in row["files"]}),
    }


def _share(row: Row) -> float:
    """CPU seconds a second."""
    return float(row["cpu_seconds"] / row["seconds"])


def beyond_whole(
    excess: Iterable[tuple[str, float]],
    campaigns: Mapping[str, Campaign],
    raw: Path,
) -> list[Issue]:
    """Runs whose parts used more CPU time than their system: names count twice."""
    flags = []
    for id, ratio in excess:
        name = id.partition("/")[0]
        if name not in campaigns:
            continue
        path = campaign_folder(raw, name) / CAMPAIGN_FILE
        node = load_yaml(path)[1]
        place = Place(str(path), line_of(node, ("cpu", "parts")))
        what = (
            f"the parts of run {id} used {ratio:.0%} of the CPU time of their system, "
            f"more than the whole (tolerance {campaigns[name].gates.parts:.0%})"
        )
        mend = "name each job or class in one part, and none that holds another one"
        flags.append(Issue(what, place, mend))
    return flags


def without_cpu(
    roles: pl.DataFrame,
    cpu: pl.DataFrame,
    campaigns: Mapping[str, Campaign],
    apart: Mapping[tuple[str, str], str],
) -> tuple[str, ...]:
    """Says which runs and roles have no CPU evidence at all in ``cpu``; of a system
    that has none in any run only once, and why, where its times are ``apart``. A part
    of a system need not run in each run."""
    whole = roles.filter(~pl.col("role").is_in(PART_ROLES))
    bare = whole.join(cpu, on=["id", "role"], how="anti").sort("id", "role")
    never: dict[tuple[str, str], set[str]] = {}
    at = ["campaign", "system"]
    known = cpu.select(at).unique()
    for name, system, role in (
        bare.join(known, on=at, how="anti").select(*at, "role").unique().iter_rows()
    ):
        never.setdefault((name, system), set()).add(role)
    missing = [
        f"run {row['id']}: no CPU time of {row['system']} is known in it"
        f"{_CUT * (row['method'] in INTERVAL_SOURCES)}: no CPU cost of its "
        f"{row['role']}"
        for row in bare.join(known, on=at, how="semi", maintain_order="left").iter_rows(
            named=True
        )
    ]
    for (name, system), of in sorted(never.items()):
        source = campaigns[name].cpu_of(system).described
        missing.append(
            f"campaign {name}: no CPU time of {system} is known in any run, from "
            f"{source}: no CPU cost of its {' and '.join(sorted(of))}"
            + "".join(f"; {why}" for key, why in apart.items() if key == (name, system))
        )
    return tuple(missing)


def reasons_without(
    con: duckdb.DuckDBPyConnection, campaigns: Mapping[str, Campaign]
) -> dict[tuple[str, str], str]:
    """Why no run has CPU time of a system, and the cure, by campaign and system, should
    that be so: its times never meet those of runs, its source has no intervals, or they
    are not inside runs. What :func:`match_intervals` read is read again."""
    counted = {
        (name, system): shortest
        for name, system, shortest in con.sql(_SHORTEST).fetchall()
    }
    tables = " UNION ALL ".join(_TABLES.format(table=t) for t in _TABLE_OF.values())
    known = set(con.sql(tables).fetchall())
    why = {}
    for name, longest in con.sql(_LONGEST).fetchall():
        for id in campaigns[name].systems if name in campaigns else ():
            cpu = campaigns[name].cpu_of(id)
            if cpu.source not in INTERVAL_SOURCES:
                continue
            if (shortest := counted.get((name, id))) is not None:
                why[name, id] = (
                    f"its intervals last {shortest:.0f} s or more and the runs up to "
                    f"{longest:.0f} s, and one counts where {LEAST_INSIDE:.0%} of it "
                    "lies in a run: let RMF and SMF write one each minute, in step "
                    "with the load, or let runs last longer (docs/how-to/zos-lab.md)"
                )
            elif (name, id, _TABLE_OF[cpu.source]) not in known:
                others = [o for o, of in _TABLE_OF.items() if (name, id, of) in known]
                why[name, id] = _NONE[cpu.source] + (
                    f"; until then {' or '.join(others)} could be its source in "
                    f"{CAMPAIGN_FILE}" * bool(others)
                )
            elif cpu.source in _NAMES:
                names = con.execute(_NAMES[cpu.source], [name, id]).fetchall()
                why[name, id] = f"its intervals are of {', '.join(n for (n,) in names)}"
    machines = {
        (name, of.host or id): (name, id)
        for name, campaign in campaigns.items()
        for id, of in campaign.systems.items()
    }
    return why | {
        machines[campaign, system]: (
            f"its intervals are of {first:{_TIME}} to {last:{_TIME}} UTC, "
            f"the runs of {begun:{_TIME}} to {ended:{_TIME}} UTC; see to "
            f"'zone' in {CAMPAIGN_FILE}, and to start and end in {RUNS_FILE}"
        )
        for campaign, system, first, last, begun, ended in con.sql(_SPANS).fetchall()
        if (campaign, system) in machines
    }
