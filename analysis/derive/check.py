"""Checks of a study against its runs, before anything is derived."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from analysis.declared.edition import Family
from analysis.declared.study import Noise
from analysis.declared.study_names import places_in, unknown_name
from analysis.declared.workload import matches
from analysis.derive.scope import StudyScope, study_workloads
from analysis.errors import Issue


def check_runs(scope: StudyScope, path: Path) -> list[Issue]:
    """Workloads that no run has, and comparisons of measured with synthetic runs."""
    at, study = places_in(path), scope.study
    runs = scope.evidence.runs.filter(pl.col("campaign").is_in(study.campaigns))
    ran = sorted(runs["workload"].unique())
    found = [
        unknown_name("workload", pattern, ran, at("workloads", i))
        for i, pattern in enumerate(study.workloads)
        if not any(matches(name, pattern) for name in ran)
    ]
    compared = [*scope.configurations, study.noise.control]
    used = runs.filter(pl.col("used"), pl.col("configuration").is_in(compared))
    for workload in study_workloads(runs, study):
        origins = set(used.filter(workload=workload)["origin"].unique())
        if {"measured", "synthetic"} <= origins:
            what = f"{workload} would compare measured runs with synthetic ones"
            mend = "a delta never mixes them: use campaigns of one origin"
            found.append(Issue(what, at("campaigns"), mend))
    return found


def check_family(
    family: Family, noises: Mapping[str, Noise], path: Path
) -> list[Issue]:
    """Studies that are judged as one family, by several procedures."""
    methods = sorted({noise.adjust for noise in noises.values()})
    if family == "study" or len(methods) == 1:
        return []
    what = f"a family of all studies needs one adjustment, not {' and '.join(methods)}"
    mend = "give all studies the same 'noise: adjust', or declare family: study"
    return [Issue(what, places_in(path)("family"), mend)]
