"""Text and tables made from declarations: systems, hardware, configurations."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from analysis.declared.campaign import Campaign, System
from analysis.declared.metrics import Metric
from analysis.declared.study import Study
from analysis.declared.vocabulary import CPU_SOURCES, ROLES, Role
from analysis.declared.workload import SHAPES, matches, parse_workload
from analysis.facts.evidence import CampaignEvidence, SystemRole
from analysis.facts.sentences import listed
from analysis.facts.units import date_text, format_unit
from analysis.report.pipe_table import Column, escape, table

_NONE = "–"


def hardware_table(id: str, campaign: Campaign) -> str:
    """The machine of a campaign, as declared."""
    return _pairs(campaign.hardware, "Hardware", f"{id}-hardware")


def software_table(id: str, campaign: Campaign) -> str:
    """The software of a campaign, as declared."""
    return _pairs(campaign.software, "Software", f"{id}-software")


def systems_table(id: str, campaign: Campaign) -> str:
    """The systems of a campaign: role if declared, CPs, whether these are dedicated."""
    roles = any(system.role for system in campaign.systems.values())
    columns = [
        Column("System", 12),
        *([Column("Role", 14)] if roles else []),
        Column("CPs", 16),
        Column("Description", 40),
    ]
    rows = [
        [
            escape(name),
            *([system.role or _NONE] if roles else []),
            f"{system.cps} ({'dedicated' if system.dedicated else 'shared'})",
            escape(system.description) or _NONE,
        ]
        for name, system in campaign.systems.items()
    ]
    return table(columns, rows, "Systems.", f"{id}-systems")


def workload_table(names: Iterable[str]) -> str:
    """What each workload's name stands for."""
    columns = [
        Column("Workload", 18),
        Column("Shape", 26),
        Column("Clients", 9, number=True),
        Column("Bytes sent", 14, number=True),
        Column("Bytes received", 16, number=True),
    ]
    rows = [
        [
            name,
            SHAPES[workload.shape].label,
            f"{workload.clients:,}",
            f"{'~' * workload.means[0]}{workload.request_bytes:,}",
            f"{'~' * workload.means[1]}{workload.response_bytes:,}",
        ]
        for name in names
        for workload in [parse_workload(name)]
    ]
    caption = "The workloads of this report; a client sends and receives these bytes."
    return table(columns, rows, caption, "workloads")


def workload_shapes(names: Iterable[str]) -> str:
    """What a transaction of each shape is, of those that the workloads have."""
    own = {parse_workload(name).shape for name in names}
    return "\n".join(
        f"- **{id}**, {shape.label}: a transaction is {shape.transaction}."
        for id, shape in SHAPES.items()
        if id in own
    )


def metric_table(metrics: Iterable[Metric]) -> str:
    """What each metric means, its unit and its better direction."""
    columns = [
        Column("Metric", 24),
        Column("Unit", 9),
        Column("Better", 9),
        Column("Meaning", 50),
    ]
    rows = [
        [
            escape(metric.label),
            escape(format_unit(metric.unit)),
            _NONE if metric.better == "none" else metric.better,
            escape(metric.means),
        ]
        for metric in metrics
    ]
    return table(columns, rows, "The metrics of this report.", "metrics")


def environment_lines(
    study: Study, evidence: Mapping[str, CampaignEvidence]
) -> list[str]:
    """A study's campaigns, line by line: when, by whom, on which systems, how."""
    return [
        line for id in study.campaigns for line in _facts_of(id, evidence[id], study)
    ]


def common_lines(
    studies: Iterable[Study], evidence: Mapping[str, CampaignEvidence]
) -> list[str]:
    """The lines of :func:`environment_lines` that several studies all have."""
    first, *others = (environment_lines(study, evidence) for study in studies)
    shared = [line for line in first if all(line in lines for lines in others)]
    return shared if others else []


def period(start: dt.date, end: dt.date) -> str:
    """``21 November 2026``, ``12 to 16 January 2026``, or two dates with "to"."""
    if start == end:
        return date_text(start)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day} to {date_text(end)}"
    return f"{date_text(start)} to {date_text(end)}"


def _facts_of(id: str, evidence: CampaignEvidence, study: Study) -> list[str]:
    campaign = evidence.declared
    measured = campaign.measured
    used = systems_of(study, campaign, evidence.roles)
    hosts = {campaign.systems[name].host for name in used}
    shared = len(used) > 1 and len(hosts) == 1 and None not in hosts
    systems = "; ".join(
        f"{escape(name)} as {listed(roles)}, {_cps(campaign.systems[name])}"
        for name, roles in used.items()
    )
    return [
        f"Campaign: {escape(id)}, {campaign.origin}, "
        f"{period(measured.start, measured.end)}",
        f"Set-up: {escape(campaign.title)}",
        f"Systems: {systems}{'; all share one machine' if shared else ''}",
        f"CPU time: from {escape(campaign.cpu.described)}",
        *_own_cpu_sources(campaign, used),
        *([f"Left out: {escape(left.words)}"] if (left := evidence.left_out) else []),
    ]


def _cps(system: System) -> str:
    return f"{system.cps} {'dedicated ' if system.dedicated else ''}CPs"


def _own_cpu_sources(campaign: Campaign, systems: Iterable[str]) -> list[str]:
    """The sources of CPU time of systems that have their own."""
    return [
        f"CPU time of {escape(name)}: from {escape(CPU_SOURCES[source])}"
        for name in systems
        if (source := campaign.systems[name].cpu)
    ]


def _pairs(entries: Mapping[str, str | int | float], caption: str, id: str) -> str:
    columns = [Column("Component", 26), Column("Description", 50)]
    rows = [[escape(key), escape(value)] for key, value in entries.items()]
    return table(columns, rows, f"{caption}.", id)


def systems_of(
    study: Study, campaign: Campaign, roles: Iterable[SystemRole]
) -> dict[str, list[Role]]:
    """The systems of a study with their roles, in the order of the campaign.

    ``roles`` are those of the campaign's runs. All systems with the roles that the
    campaign declares where the study has no run.
    """
    own = set(study.configurations)
    ran = [had for had in roles if had.configuration in own]
    asked = {
        workload
        for workload in {had.workload for had in ran}
        if any(matches(workload, pattern) for pattern in study.workloads)
    }
    found = {(had.system, had.role) for had in ran if had.workload in asked}
    declared = {(name, s.role) for name, s in campaign.systems.items() if s.role}
    used = found or declared
    return {
        name: [role for role in ROLES if (name, role) in used]
        for name in campaign.systems
        if any(name == system for system, _ in used)
    }
