"""Checks on declared figures, before anything is drawn."""

from __future__ import annotations

import polars as pl

from analysis.errors import Issue
from analysis.figures.kinds import KINDS
from analysis.figures.setting import Setting


def check_declaration(setting: Setting) -> list[Issue]:
    """Issues of a declaration: an unknown kind, an unknown metric, a blank alt text."""
    figure, issues = setting.figure, []
    if figure.kind not in KINDS:
        what = f"figure {figure.id}: there is no kind {figure.kind!r}"
        issues.append(Issue(what, setting.place, f"use one of: {', '.join(KINDS)}"))
    for metric in figure.metrics:
        if metric not in setting.metrics:
            what = f"figure {figure.id}: there is no metric {metric!r}"
            mend = f"use one of: {', '.join(setting.metrics)}"
            issues.append(Issue(what, setting.place, mend))
    if setting.alt is not None:
        issues += check_alt(setting, setting.alt)
    return issues


def check_alt(setting: Setting, alt: str) -> list[Issue]:
    """An issue if the figure has no alt text."""
    if alt.strip():
        return []
    what = f"figure {setting.figure.id} has no alt text"
    mend = "write in alt what the figure shows, or leave alt out to have it written"
    return [Issue(what, setting.place, mend)]


def check_selection(setting: Setting, frame: pl.DataFrame) -> list[Issue]:
    """An issue for each metric of the figure that selects nothing."""
    figure, found = setting.figure, set(frame["metric"])
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
