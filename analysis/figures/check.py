"""Checks on declared figures, before anything is drawn."""

from __future__ import annotations

import polars as pl

from analysis.errors import Issue
from analysis.figures.kinds import KINDS
from analysis.figures.setting import Setting
from analysis.topology import Adapter, Link, details_in


def check_declaration(setting: Setting) -> list[Issue]:
    """Issues of a declaration: unknown kinds, metrics, tests, details; blank words."""
    figure, issues = setting.figure, []
    if figure.kind not in KINDS:
        what = f"figure {figure.id}: there is no kind {figure.kind!r}"
        issues.append(Issue(what, setting.place, f"use one of: {', '.join(KINDS)}"))
    for metric in figure.metrics:
        if metric not in setting.metrics:
            what = f"figure {figure.id}: there is no metric {metric!r}"
            mend = f"use one of: {', '.join(setting.metrics)}"
            issues.append(Issue(what, setting.place, mend))
    for test in figure.tests:
        if test not in setting.study.tests:
            what = f"figure {figure.id}: {test!r} is no test of this study"
            mend = f"use some of: {', '.join(setting.study.tests)}"
            issues.append(Issue(what, setting.place, mend))
    if figure.kind == "topology":
        issues += check_topology(setting)
    elif not figure.metrics:
        what = f"figure {figure.id}: it names no metric"
        issues.append(Issue(what, setting.place, "list what it draws in metrics"))
    if setting.alt is not None:
        issues += check_alt(setting, setting.alt)
    return issues


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
    for system in topology.systems:
        if system not in setting.systems:
            what = f"there is no system {system!r} in its campaigns"
            mend = f"use some of: {', '.join(setting.systems)}"
            issues.append(Issue(_diagram(setting, what), setting.place, mend))
    return issues + _check_configurations(setting) + _check_details(setting)


def check_alt(setting: Setting, alt: str) -> list[Issue]:
    """An issue if the figure has no alt text."""
    if alt.strip():
        return []
    what = f"figure {setting.figure.id} has no alt text"
    mend = "write in alt what the figure shows, or leave alt out to have it written"
    return [Issue(what, setting.place, mend)]


def check_selection(setting: Setting, frame: pl.DataFrame) -> list[Issue]:
    """An issue for each metric of the figure that selects nothing."""
    figure = setting.figure
    found = set(frame["metric"]) if figure.metrics else set()
    return [
        Issue(
            f"figure {figure.id}: no facts of {metric} for workloads "
            f"{figure.workloads!r} in study {setting.study_id}",
            setting.place,
            "change its metrics or workloads; workloads are names or patterns as RR*",
        )
        for metric in figure.metrics
        if metric not in found
    ]


def _diagram(setting: Setting, what: str) -> str:
    return f"figure {setting.figure.id}: the diagram of {setting.study_id} {what}"


def _check_configurations(setting: Setting) -> list[Issue]:
    """Configurations that the diagram names and nobody knows, or that it leaves out."""
    assert setting.study.topology  # noqa: S101 - its caller has asked
    topology, known = setting.study.topology, setting.study.configurations
    parts: list[Adapter | Link] = [*topology.adapters.values(), *topology.links]
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
    mend = "give each configuration an adapter or a link"
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
