"""The systems of a proposed campaign: its machines, or two sides of one machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, get_args

from analysis.declared.campaign import Evidence
from analysis.ingest.campaign.guess import role_of
from analysis.ingest.reading import Reading

Readings = Mapping[str, Reading]
SIDES = ("client", "server")
_OF_ZOS = get_args(Evidence)
_PAIR = ("before", "after")
_COUNTERS = ("cpu_counter", "cgroup_counter")


def propose_systems(
    readings: Readings, evidence: list[str]
) -> tuple[dict[str, dict[str, Any]], dict[str, str], list[str]]:
    """Two sides of one Linux machine, or each machine that CPU files speak of, with one
    CP each until more is known.

    One LPAR alone is what was measured, whoever sent requests to it. Beside the systems
    stand their roles in every run, and what was made up.
    """
    machines = sorted({name for file in evidence for name in readings[file].systems})
    if len(machines) >= len(SIDES) or _is_lpar(readings, evidence):
        roles = dict(zip(SIDES[-len(machines) :], machines, strict=False))
        told = ", ".join(f"{name} was taken for the {of}" for of, name in roles.items())
        found: dict[str, dict[str, Any]] = {name: {"cps": 1} for name in machines}
        return found, roles, [f"the roles of the systems: {told}"]
    host = {"host": machines[0]} if machines else {}
    found = {side: {"role": side, "cps": 1, **host} for side in SIDES}
    unknown = "the systems: which machine was the client, which the server"
    return found, {side: side for side in SIDES}, [unknown]


def _is_lpar(readings: Readings, evidence: list[str]) -> bool:
    """Whether the machines that CPU files name are LPARs of z/OS."""
    formats = {readings[file].format for file in evidence if readings[file].systems}
    return bool(formats) and formats <= set(_OF_ZOS)


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
