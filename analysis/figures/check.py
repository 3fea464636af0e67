"""Checks on declared figures, before anything is drawn."""

from __future__ import annotations

import polars as pl

from analysis.declared.figures import check_figures
from analysis.errors import Issue
from analysis.figures.kind import KINDS, check_metrics
from analysis.figures.setting import Setting


def check_declaration(setting: Setting) -> list[Issue]:
    """Issues of a declaration: unknown names, demands of its kind, blank words."""
    figure = setting.figure
    study = setting.study.model_copy(update={"figures": (figure,)})
    issues = check_figures(study, setting.metrics, lambda _: setting.place)
    kind = KINDS.get(figure.kind)
    issues += (kind.check if kind else check_metrics)(setting)
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
