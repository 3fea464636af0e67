"""Checks on declared diagrams of a set-up, before anything is drawn."""

from __future__ import annotations

from analysis.declared.topology import details_in
from analysis.errors import Issue
from analysis.figures.setting import Setting


def check_topology(setting: Setting) -> list[Issue]:
    """Whether a diagram names what the campaign declares, and draws all of it."""
    topology = setting.study.topology
    if topology is None:
        mend = "declare topology: with its systems, adapters and links"
        return [Issue(_diagram(setting, "has no topology"), setting.place, mend)]
    if setting.figure.metrics:
        mend = "write metrics: []"
        return [Issue(_diagram(setting, "draws no metrics"), setting.place, mend)]
    issues = []
    for id, system in topology.systems.items():
        if system.outside and id in setting.systems:
            what = f"has {id!r} outside, which is a system of its campaigns"
            mend = "drop outside, or give it a name of its own"
            issues.append(Issue(_diagram(setting, what), setting.place, mend))
        if not system.outside and id not in setting.systems:
            what = f"there is no system {id!r} in its campaigns"
            known = ", ".join(setting.systems)
            mend = f"use some of: {known}; or declare outside: true"
            issues.append(Issue(_diagram(setting, what), setting.place, mend))
    return issues + _check_configurations(setting) + _check_details(setting)


def _diagram(setting: Setting, what: str) -> str:
    return f"figure {setting.figure.id}: the diagram of {setting.study_id} {what}"


def _check_configurations(setting: Setting) -> list[Issue]:
    """Configurations that the diagram names and nobody knows, or that it leaves out."""
    assert setting.study.topology  # noqa: S101 - its caller has asked
    topology, known = setting.study.topology, setting.study.configurations
    parts = topology.parts
    named = dict.fromkeys(id for part in parts for id in part.configurations)
    issues = [
        Issue(
            _diagram(setting, f"names {id!r}, which is no configuration of the study"),
            setting.place,
            f"use some of: {', '.join(known)}",
        )
        for id in named
        if id not in known
    ]
    all_of_them = any(not part.configurations for part in parts)
    left = [] if all_of_them else [id for id in known if id not in named]
    mend = "give each configuration an adapter, a link or a network"
    what = f"leaves out {', '.join(left)}"
    return issues + (
        [Issue(_diagram(setting, what), setting.place, mend)] if left else []
    )


def _check_details(setting: Setting) -> list[Issue]:
    """Details in braces that a configuration does not have."""
    assert setting.study.topology  # noqa: S101 - its caller has asked
    issues = []
    for label, configurations in setting.study.topology.labels():
        for id in configurations or setting.study.configurations:
            details = setting.declared[id].details if id in setting.declared else {}
            for name in details_in(label):
                if name not in details:
                    what = f"needs the detail {name!r}, which {id} does not have"
                    mend = f"use some of: {', '.join(details)}"
                    issues.append(Issue(_diagram(setting, what), setting.place, mend))
    return issues
