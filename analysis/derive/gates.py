"""Checks of a run against itself: does its evidence fit together, is it comparable?

A run that fails a gate stays in, and every fact made from it says so. The identities
are Little's law for closed workloads and the utilisation law; see J. D. C. Little,
Operations Research 9 (1961), 383-387. System Recovery Boost runs a subcapacity machine
at full speed, and a capacity adjustment slows it down: CPU seconds of such an interval
are of another machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeVar

import duckdb
import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import INTERVAL_SOURCES, OF_PARTS
from analysis.derive.overlaps import overlaps
from analysis.facts.kind import Values
from analysis.facts.remark import Remark
from analysis.ingest.capture import CAPTURE

Number = TypeVar("Number", float, pl.Expr)
Row = Mapping[str, Any]
TICK_COVERAGE = 0.95
# More than all of the time: ticks of another length than declared, or CPUs that came.
TICK_EXCESS = 1.05
_FULL = "full capacity"
_AT = 0.01  # CPs; online time is rounded
_ROUNDED = 1  # second by which ends of runs that follow each other may overlap
_ROUNDING = 1e-9  # of a tolerance: what is closer to it is looked at by itself

# Which metrics a finding is of, by what they rest on.
ANY, BENCHMARK, CPU, SMF, SERVICE = "any", "benchmark", "cpu", "smf", "service"
BY_INTERVAL, WHOLE = "by interval", "whole"
_TOLD_INSIDE = frozenset({"rate", "bytes_per_second"})


def by_interval(metric: Metric) -> bool:
    """Whether intervals of a log tell the metric: rates do, other figures do not."""
    if metric.evidence != "benchmark" or metric.per or not metric.expression:
        return False
    used = pl.sql_expr(metric.expression).meta.root_names()
    return bool(used) and _TOLD_INSIDE.issuperset(used)


_CONCERNS: Mapping[str, Callable[[Metric], bool]] = {
    ANY: lambda metric: metric.evidence is not None,
    BENCHMARK: lambda metric: metric.evidence == "benchmark",
    BY_INTERVAL: by_interval,
    WHOLE: lambda metric: (
        metric.evidence in ("benchmark", "cpu", "counter", "energy")
        and not by_interval(metric)
    ),
    CPU: lambda metric: metric.evidence in ("cpu", "counter"),
    SMF: lambda metric: metric.evidence in ("cpu", "counter", "service"),
    SERVICE: lambda metric: metric.evidence == "service" and not metric.roles,
    "CP alone": lambda metric: metric.times == ("CP",),
    "zIIP alone": lambda metric: metric.times == ("zIIP",),
    "with CP": lambda metric: "CP" in metric.times,
}
_OF_NOTES = {"types": "CP alone", "normalisation": "zIIP alone", "idle": "with CP"}

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


@dataclass(frozen=True)
class Flag:
    """One finding about one run; ``value`` is what the gate saw, if it is a number.

    It is ``of`` some metrics and, unless None, of one ``role`` only. ``values`` are
    those of the remark that it becomes, and do not depend on the run.
    """

    id: str
    kind: str
    of: str
    values: Values = field(default_factory=dict)
    value: float | None = None
    role: str | None = None

    def concerns(self, metric: Metric) -> bool:
        """Whether it is to be said of a metric."""
        return _CONCERNS[self.of](metric)


def describe_flags(flags: Sequence[Flag], n: int) -> tuple[Remark, ...]:
    """One remark for each kind and its values: how many of ``n`` runs, the range."""
    alike: dict[tuple, list[Flag]] = {}
    for flag in flags:
        alike.setdefault((flag.kind, *flag.values.items()), []).append(flag)
    return tuple(sorted((_remark(group, n) for group in alike.values()), key=str))


def _remark(group: Sequence[Flag], n: int) -> Remark:
    seen = [flag.value for flag in group if flag.value is not None]
    ends = {"low": min(seen), "high": max(seen)} if seen else {}
    runs = {"runs": len(group), "of": n}
    return Remark(group[0].kind, values={**runs, **ends, **group[0].values})


def little_ratio(
    rate: Number, latency_us: Number, clients: Number, think_ms: Number | float = 0
) -> Number:
    """rate [1/s] × (latency + think time) ÷ clients: 1 where all wait or think."""
    return rate * (latency_us / 1e6 + think_ms / 1e3) / clients


def utilisation_ratio(
    rate: float, cost_us: float, cps: float, utilisation_pct: float
) -> float:
    """rate [1/s] × cost [µs/tran] ÷ CPs ÷ utilisation [%]: 1 where all CPU is in."""
    return rate * cost_us / 1e6 / cps / (utilisation_pct / 100)


def flag_runs(runs: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> list[Flag]:
    """What the benchmark and the machine's state say of each run."""
    return [
        flag
        for run in _doubtful(runs, campaigns).iter_rows(named=True)
        for flag in _of_run(run, campaigns[run["campaign"]])
    ]


def _of_run(run: Row, campaign: Campaign) -> Iterator[Flag]:
    id, gates = run["id"], campaign.gates
    if run["status"] == "degraded":
        yield Flag(id, "degraded", ANY, {"reason": str(run["reason"])})
    rate, latency, clients = run["rate"], run["latency_mean_us"], run["clients"]
    if rate and latency and clients:
        think = campaign.think_of(run["workload"], run["configuration"])
        ratio = little_ratio(rate, latency, clients, think)
        unseen = (run["latency_mean_us_resolution"] or 0.0) / latency / 2
        if abs(ratio - 1) > gates.little + unseen:
            kind = "little_thinking" if think else "little"
            yield Flag(id, kind, BENCHMARK, {"tolerance": gates.little}, ratio)
    idle, share = run["idle_before"], run["tick_coverage"]
    if idle is not None and idle < gates.idle_before:
        yield Flag(id, "idle_before", ANY, {"least": gates.idle_before}, idle)
    if share is not None and share < TICK_COVERAGE:
        yield Flag(id, "few_ticks", CPU, {"least": TICK_COVERAGE}, share)
    if share is not None and share > TICK_EXCESS:
        yield Flag(id, "many_ticks", CPU, {"most": TICK_EXCESS}, share)


def _doubtful(runs: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> pl.DataFrame:
    """The runs of which something may be said: of many, few."""
    cell = ["campaign", "configuration", "workload"]
    gates = pl.DataFrame(
        [
            (*names, of.gates.little, of.think_of(names[2], names[1]))
            for names in runs.select(cell).unique().iter_rows()
            for of in [campaigns[names[0]]]
        ],
        {**dict.fromkeys(cell, pl.String), "little": pl.Float64, "think": pl.Float64},
        orient="row",
    )
    seen = little_ratio(
        pl.col("rate"), pl.col("latency_mean_us"), pl.col("clients"), pl.col("think")
    )
    fits = (seen - 1).abs() <= pl.col("little") * (1 - _ROUNDING)
    joined = runs.join(gates, on=cell, how="left", maintain_order="left")
    return joined.filter(
        (pl.col("status") == "degraded")
        | pl.col("idle_before").is_not_null()
        | pl.col("tick_coverage").is_not_null()
        | ~fits.fill_null(False)
    )


def flag_cpu(
    costs: pl.DataFrame,
    counted: Mapping[tuple[str, str], float],
    campaigns: Mapping[str, Campaign],
) -> list[Flag]:
    """What the CPU evidence says of each run; ``costs`` as ``derive_cpu_cost`` gives.

    ``counted`` is busy CPU seconds by run and machine from a second source, the clock
    ticks; the control groups of the machine's roles together are held against them.
    """
    flags: list[Flag] = []
    rows = costs.sort("id", "role").to_dicts()
    for id, group in groupby(rows, lambda row: row["id"]):
        roles = list(group)
        tolerance = campaigns[roles[0]["campaign"]].gates.utilisation
        used: dict[str, float] = {}
        for row in roles:
            if row["method"] == "cgroup":
                used[row["machine"]] = used.get(row["machine"], 0) + row["cpu_seconds"]
        for machine, seconds in used.items():
            if ticks := counted.get((id, machine)):
                flags += _beyond(id, "against_ticks", seconds / ticks, tolerance)
        for row in roles:
            if row["seconds"] and row["rate"] and row["cpu_cost"] and row["busy_pct"]:
                ratio = utilisation_ratio(
                    row["rate"], row["cpu_cost"], row["cps"], row["busy_pct"]
                )
                kind = "against_utilisation"
                flags += _beyond(id, kind, ratio, tolerance, row["role"])
        for row in roles:
            flags += _cpu_notes(row)
    return flags


def _beyond(
    id: str, kind: str, ratio: float, tolerance: float, role: str | None = None
) -> list[Flag]:
    if abs(ratio - 1) <= tolerance:
        return []
    return [Flag(id, kind, CPU, {"tolerance": tolerance}, ratio, role)]


def _cpu_notes(row: Row) -> Iterator[Flag]:
    """What is to be said of a run's CPU evidence itself."""
    absent = tuple(sorted(set(row["wanted"] or ()) - set(row["parts"])))
    unknown = row["ziip_seconds"] and row["factor"] is None
    notes = {
        "overlap": row["overlap"] and {},
        "types": row["other_types"] and {"types": row["other_types"]},
        "normalisation": unknown and {},
        "idle": row["idle"] > 0 and {"cpus": row["idle"]},
        "waits": row["waits"] and {},
        "absent": absent and {"parts": absent},
        "uneven": row["uneven"] and {"parts": tuple(row["parts"])},
    }
    for kind, values in notes.items():
        if isinstance(values, dict):
            value = row["coverage"] if kind == "overlap" else None
            about = _OF_NOTES.get(kind, CPU)
            yield Flag(row["id"], kind, about, values, value, row["role"])


def runs_beside(roles: pl.DataFrame) -> pl.DataFrame:
    """Runs and roles during which other runs used the same machine, the ``workloads``
    of those and their ids (``others``); ``roles`` is as ``read_roles`` gives it."""
    inner = roles.with_columns(
        start=pl.col("start") + _ROUNDED, stop=pl.col("stop") - _ROUNDED
    )
    pairs = overlaps(inner, roles, ("campaign", "machine"))
    one = roles.select("id", "role", "system", "machine", "method")[pairs["first"]]
    other = roles.select(workloads="workload", others="id")[pairs["second"]]
    return (
        pl.concat([one, other], how="horizontal")
        .filter(pl.col("id") != pl.col("others"))
        .group_by(one.columns)
        .agg(pl.col("workloads", "others").unique().sort())
        .sort(one.columns)
    )


def flag_beside(
    beside: pl.DataFrame, counted: Collection[tuple[str, str]]
) -> list[Flag]:
    """Says of each such run that its CPU time is that of all runs together.

    A control group counts its own side alone; but where clock ticks are ``counted``
    for the run and machine, they are of the whole machine and cannot be held
    against it.
    """
    flags = []
    for row in beside.iter_rows(named=True):
        seen = {"workloads": tuple(row["workloads"])}
        if row["method"] == "cgroup":
            if (row["id"], row["machine"]) not in counted:
                continue
            kind = "beside_ticks"
        else:
            kind = "beside_part" if row["method"] in OF_PARTS else "beside_whole"
            seen["system"] = row["system"]
        flags.append(Flag(row["id"], kind, CPU, seen, role=row["role"]))
    return flags


def flag_conditions(
    con: duckdb.DuckDBPyConnection, runs: pl.DataFrame, declared: pl.DataFrame
) -> list[Flag]:
    """What the intervals of the given runs say against using their CPU time.

    ``declared`` is as ``declared_systems`` gives it. What is said of a system is said
    of its parts.
    """
    con.register("declared", declared)
    rows = _conditions(con).join(runs.select("id"), on="id", how="semi").to_dicts()
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
    conditions = con.sql(_TOLD).pl()
    con.register("touching", overlaps(windows, conditions, ("campaign", "system")))
    con.register("windows", windows.with_row_index("row"))
    con.register("told", conditions.with_row_index("row"))
    return con.sql(_CONDITIONS).pl()


def _boosts(rows: Iterable[Row]) -> Iterator[Flag]:
    for run in _grouped(rows, "id", "role"):
        named = {row[name] for row in run for name in ("boost", "boost_class")}
        if boosts := named - {None}:
            yield _of_machine(run[0], "boost", {"boosts": tuple(sorted(boosts))})


def _capacities(rows: Iterable[Row]) -> Iterator[Flag]:
    """Runs of a system whose capacity was not the same in all intervals."""
    for group in _grouped(rows, "campaign", "system"):
        all_states = sorted({_capacity(row) for row in group})
        if len(all_states) > 1:
            for run in _grouped(group, "id"):
                yield _of_machine(run[0], "capacity", {"states": tuple(all_states)})


def _capacity(row: Row) -> str:
    """The name of the capacity that the machine had."""
    if row["capacity_adjustment"] is not None:
        return f"capacity adjustment {row['capacity_adjustment']}"
    if row["capacity_change"] is not None:
        return f"capacity change reason {row['capacity_change']}"
    return _FULL


def _online(rows: Iterable[Row]) -> Iterator[Flag]:
    """Runs of one configuration with another number of online CPs than others."""
    cps = [row for row in rows if row["cpu_type"] == "CP" and row["online_cpus"]]
    for group in _grouped(cps, "campaign", "configuration", "system"):
        counts = [row["online_cpus"] for row in group]
        if max(counts) - min(counts) > _AT:
            for run in _grouped(group, "id"):
                seen = {"fewest": min(counts), "most": max(counts)}
                yield _of_machine(run[0], "online", seen)


def _capture(rows: Iterable[Row]) -> Iterator[Flag]:
    """Runs with a capture ratio out of bounds; of each the one farthest out."""
    low, high = CAPTURE
    known = [row for row in rows if row["capture_pct"] is not None]
    for run in _grouped(known, "id", "role"):
        worst = max(run, key=lambda row: abs(row["capture_pct"] - (low + high) / 2))
        ratio = worst["capture_pct"]
        if not low <= ratio <= high:
            seen = {"least": low, "most": high}
            yield Flag(worst["id"], "capture", CPU, seen, ratio, worst["role"])


def _losses(rows: Iterable[Row]) -> Iterator[Flag]:
    """Runs during which SMF of one of their systems lost records: said of what is told
    of that system, and once of what services tell of the run."""
    said = set()
    for run in _grouped(rows, "id", "role"):
        id, role, system = (run[0][name] for name in ("id", "role", "system"))
        counts = [row["records_lost"] for row in run]
        count = None if None in counts else float(sum(counts))
        yield Flag(id, "lost", SMF, {"system": system}, count, role)
        if (id, system) not in said:
            said.add((id, system))
            yield Flag(id, "lost", SERVICE, {"system": system}, count)


def _of_machine(row: Row, kind: str, seen: Values) -> Flag:
    return Flag(row["id"], kind, CPU, seen, role=row["role"])


def _grouped(rows: Iterable[Row], *names: str) -> list[list[Row]]:
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(groups.values())
