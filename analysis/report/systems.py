"""Which systems take part in a study, and in which roles: from ``runs.csv``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analysis.campaign import ROLES, RUNS_FILE, Campaign, Role
from analysis.csv_text import read_csv
from analysis.edition import Study
from analysis.workload import matches


@dataclass(frozen=True)
class Part:
    """The part that a system takes in the runs of a workload on a configuration."""

    configuration: str
    workload: str
    role: Role
    system: str


def read_parts(folder: Path) -> frozenset[Part]:
    """All parts in a campaign's ``runs.csv``, none where it has no such file."""
    path = folder / RUNS_FILE
    if not path.is_file():
        return frozenset()
    return frozenset(
        Part(row.get("configuration") or "", row.get("workload") or "", role, name)
        for row in read_csv(path.read_text(encoding="utf-8"))
        for role in ROLES
        if (name := row.get(role))
    )


def systems_of(
    study: Study, campaign: Campaign, parts: Iterable[Part]
) -> dict[str, list[Role]]:
    """The systems of a study with their roles, in the order of the campaign.

    All systems with the roles that the campaign declares where no run names any.
    """
    found = {
        (part.system, part.role)
        for part in parts
        if part.configuration in study.configurations
        and any(matches(part.workload, pattern) for pattern in study.workloads)
    }
    declared = {(name, s.role) for name, s in campaign.systems.items() if s.role}
    roles = found or declared
    return {
        name: [role for role in ROLES if (name, role) in roles]
        for name in campaign.systems
        if any(name == system for system, _ in roles)
    }
