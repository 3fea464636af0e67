"""Which systems take part in a study, and in which roles."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.declared.campaign import ROLES, Campaign, Role
from analysis.declared.edition import Study
from analysis.declared.workload import matches
from analysis.facts.evidence import SystemRole


def systems_of(
    study: Study, campaign: Campaign, roles: Iterable[SystemRole]
) -> dict[str, list[Role]]:
    """The systems of a study with their roles, in the order of the campaign.

    ``roles`` are those of the campaign's runs. All systems with the roles that the
    campaign declares where the study has no run.
    """
    found = {
        (had.system, had.role)
        for had in roles
        if had.configuration in study.configurations
        and any(matches(had.workload, pattern) for pattern in study.workloads)
    }
    declared = {(name, s.role) for name, s in campaign.systems.items() if s.role}
    used = found or declared
    return {
        name: [role for role in ROLES if (name, role) in used]
        for name in campaign.systems
        if any(name == system for system, _ in used)
    }
