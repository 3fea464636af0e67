"""Which system had which role in which run, and whose CPU time that is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import duckdb
import polars as pl

from analysis.declared.campaign import Campaign, Cpu
from analysis.declared.vocabulary import OF_PARTS, PART_ROLES, REST
from analysis.derive.gates import Flag, of_cpu
from analysis.derive.overlaps import overlaps

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
WHOLE = "whole"  # stands for all of a system that has parts, where a role would
REMAINDER = "remainder"  # the source of a part that is the whole less the others
_ROLES = """
SELECT w.id, campaign, w.role, system, d.machine, d.method, w.workload,
    w.run_start AS start, w.run_end AS stop
FROM run_window w JOIN declared d USING (campaign, system, of_role)
WHERE of_role <> 'whole'
ORDER BY id, role
"""
# The parts of a system have its windows, each with a role of its own.
_WINDOWS = """
CREATE OR REPLACE TEMP VIEW run_window AS
SELECT * FROM whole_run_window
UNION ALL
SELECT w.* REPLACE (p.of_role AS role, p.of_role AS of_role)
FROM whole_run_window w JOIN declared_parts p USING (campaign, system)
WHERE p.holder = w.role
"""
_ROUNDED = 1  # second by which ends of runs that follow each other may overlap


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


def declare_parts(con: duckdb.DuckDBPyConnection, declared: pl.DataFrame) -> None:
    """Give ``run_window`` a row for each part of a system that is declared."""
    parts = declared.filter(pl.col("of_role") != "")
    if parts.height:
        con.register("declared_parts", parts)
        con.execute(_WINDOWS)


def read_roles(
    con: duckdb.DuckDBPyConnection, campaigns: Mapping[str, Campaign]
) -> pl.DataFrame:
    """One row for each run and role: ``id``, ``campaign``, ``role``, ``system``,
    ``machine``, ``method``, ``workload``, and ``start`` and ``stop`` of the run in
    seconds since 1970."""
    con.register("declared", declared_systems(campaigns))
    return con.sql(_ROLES).pl()


def runs_beside(roles: pl.DataFrame) -> pl.DataFrame:
    """Runs and roles during which other runs used the same machine, the ``workloads``
    of those and their ids (``others``); ``roles`` is as :func:`read_roles` gives it."""
    inner = roles.with_columns(
        start=pl.col("start") + _ROUNDED, stop=pl.col("stop") - _ROUNDED
    )
    pairs = overlaps(inner, roles, ("campaign", "machine"))
    own = roles.select("id", "role", "system", "machine", "method")[pairs["first"]]
    other = roles.select(workloads="workload", others="id")[pairs["second"]]
    return (
        pl.concat([own, other], how="horizontal")
        .filter(pl.col("id") != pl.col("others"))
        .group_by(own.columns)
        .agg(pl.col("workloads", "others").unique().sort())
        .sort(own.columns)
    )


def flag_beside(
    beside: pl.DataFrame, counted: Collection[tuple[str, str]]
) -> list[Flag]:
    """Says of each such run that its CPU time is that of all runs together.

    A control group counts its own side alone; but where clock ticks are ``counted``
    for the run and machine, they are of the whole machine and cannot be held
    against it.
    """
    found = []
    for row in beside.iter_rows(named=True):
        seen = {"workloads": tuple(row["workloads"])}
        if row["method"] == "cgroup":
            if (row["id"], row["machine"]) not in counted:
                continue
            kind = "beside_ticks"
        elif row["method"] in OF_PARTS:
            kind, seen["system"] = "beside_part", row["system"]
        else:
            kind, seen["system"] = "beside_whole", row["system"]
        found.append(Flag(row["id"], kind, of_cpu, seen, role=row["role"]))
    return found


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
    found = [
        f"run {row['id']}: no CPU time of {row['system']} is known in it: no CPU "
        f"cost of its {row['role']}"
        for row in bare.join(known, on=at, how="semi", maintain_order="left").iter_rows(
            named=True
        )
    ]
    for (name, system), of in sorted(never.items()):
        source = campaigns[name].cpu_of(system).described
        found.append(
            f"campaign {name}: no CPU time of {system} is known in any run, from "
            f"{source}: no CPU cost of its {' and '.join(sorted(of))}"
            + "".join(f"; {why}" for key, why in apart.items() if key == (name, system))
        )
    return tuple(found)
