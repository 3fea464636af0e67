"""The systems of a proposed campaign: its machines, or two sides of one machine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, get_args

import polars as pl

from analysis.declared.campaign import Evidence
from analysis.ingest.campaign.guess import role_of
from analysis.ingest.reading import Reading

Readings = Mapping[str, Reading]
SIDES = ("client", "server")
_OF_ZOS = get_args(Evidence)
_PARTLY = 0.05  # of a CP: an average of an interval is rarely whole
_PAIR = ("before", "after")
_COUNTERS = ("cpu_counter", "cgroup_counter")


def propose_systems(
    readings: Readings, evidence: list[str]
) -> tuple[dict[str, dict[str, Any]], dict[str, str], list[str]]:
    """Two sides of one Linux machine, or each machine that CPU files speak of.

    One LPAR alone is what was measured, whoever sent requests to it. Beside the systems
    stand their roles in every run, and what was made up.
    """
    machines = sorted({name for file in evidence for name in readings[file].systems})
    cpus = {name: _cpus(readings, evidence, name) for name in machines}
    known = max(filter(None, cpus.values()), default=None)
    lacking = [name for name, count in cpus.items() if not count]
    found: dict[str, dict[str, Any]]
    whole = len(machines) >= len(SIDES) or _is_lpar(readings, evidence)
    if whole:
        found = {name: {"cps": cpus[name] or 1} for name in machines}
        roles = dict(zip(SIDES[-len(machines) :], machines, strict=False))
        told = ", ".join(f"{name} was taken for the {of}" for of, name in roles.items())
        unknown = [f"the roles of the systems: {told}"]
    else:
        roles = {side: side for side in SIDES}
        host = {"host": machines[0]} if machines else {}
        own = {side: known or _of_side(readings, evidence, side) for side in SIDES}
        found = {side: {"role": side, "cps": own[side] or 1, **host} for side in SIDES}
        unknown = ["the systems: which machine was the client, which the server"]
        known = None if None in own.values() else max(filter(None, own.values()))
    if known is None:
        unknown.append("how many CPs the systems have: 1 is made up")
    elif whole and lacking:
        unknown.append(f"the number of CPs of {', '.join(lacking)}: 1 is made up")
    return found, roles, unknown


def _is_lpar(readings: Readings, evidence: list[str]) -> bool:
    """Whether the machines that CPU files name are LPARs of z/OS."""
    formats = {readings[file].format for file in evidence if readings[file].systems}
    return bool(formats) and formats <= set(_OF_ZOS)


def _cpus(readings: Readings, evidence: list[str], machine: str) -> int | None:
    """As the files say, else as many as were online at once in an interval."""
    of_machine = [readings[f] for f in evidence if machine in readings[f].systems]
    counts = [reading.circumstances.cpus for reading in of_machine]
    told = [count for count in counts if count is not None]
    return max(told or _online(of_machine, machine), default=None)


def _of_side(readings: Readings, evidence: list[str], side: str) -> int | None:
    """The CPUs that files named for a side tell, where they name no machine."""
    counts = (readings[f].circumstances.cpus for f in evidence if role_of(f) == side)
    return max(filter(None, counts), default=None)


def _online(readings: list[Reading], machine: str) -> list[int]:
    mine = (pl.col("system") == machine) & (pl.col("cpu_type") == "CP")
    return [
        math.ceil(cpus - _PARTLY)
        for reading in readings
        if "cpu_interval" in reading.tables
        for cpus in reading.tables["cpu_interval"].filter(mine)["online_cpus"]
        if cpus
    ]


def with_side(file: str, reading: Reading, systems: Collection[str]) -> str:
    """``SYSTEM=FILE`` for counters of a side, whose files name no system; ``./FILE``
    where the path would look like that."""
    side = role_of(file)
    if any(name in reading.tables for name in _COUNTERS) and side in systems:
        return f"{side}={file}"
    return f"./{file}" if "=" in file.split("/")[0] else file


def plain_file(entry: str) -> str:
    """The file of an entry that :func:`with_side` made."""
    system, named, file = entry.partition("=")
    return file if named and "/" not in system else entry.removeprefix("./")


def renamed(entry: str, names: Mapping[str, str]) -> str:
    """An entry that :func:`with_side` made, with the name that its system has now."""
    file = plain_file(entry)
    system = entry.removesuffix(file).removesuffix("=")
    return f"{names[system]}={file}" if system in names else entry


def without_odd_snapshots(entries: list[str], readings: Readings) -> list[str]:
    """The entries of a run without counters that are not one before and one after."""
    kinds = {entry: _counter(entry, readings) for entry in entries}
    many = Counter(kinds.values())
    return [e for e in entries if kinds[e] is None or many[kinds[e]] == len(_PAIR)]


def _counter(entry: str, readings: Readings) -> tuple[str, str] | None:
    """Kind and side of a snapshot; null for other evidence."""
    file = plain_file(entry)
    side = entry.removesuffix(file)
    found = [name for name in _COUNTERS if name in readings[file].tables]
    return (found[0], side) if found else None
