"""Checks of a study against its campaigns and runs, before anything is derived."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import Campaign
from analysis.declared.edition import Family
from analysis.declared.metrics import Metric
from analysis.declared.study import Noise, Study
from analysis.declared.workload import matches
from analysis.derive.scope import StudyScope, study_workloads
from analysis.errors import Issue, Place

At = Callable[..., Place]


def check_study(
    study: Study,
    path: Path,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> list[Issue]:
    """Names in a study that nothing declares, each with its line in ``path``."""
    at = _places(path)
    configurations = {
        id for name in study.campaigns if name in campaigns
        for id in campaigns[name].configurations
    }  # fmt: skip
    found = [
        *_unknown(study.campaigns, campaigns, "campaign", at, "campaigns"),
        *_unknown(study.tests, configurations, "configuration", at, "tests"),
        *_unknown(study.metrics, metrics, "metric", at, "metrics"),
    ]
    single = {("baseline",): study.baseline, ("noise", "control"): study.noise.control}
    for entry, id in single.items():
        if id is not None and id not in configurations:
            found.append(_issue("configuration", id, configurations, at(*entry)))
    found += _labelled_alike(study, campaigns, at)
    return [*found, *_check_baselines(study, configurations, at)]


def _labelled_alike(
    study: Study, campaigns: Mapping[str, Campaign], at: At
) -> Iterator[Issue]:
    """Configurations that are compared and that no reader could tell apart."""
    declared = [campaigns[name] for name in study.campaigns if name in campaigns]
    first: dict[str, str] = {}
    for id in study.configurations:
        for label in {c.configurations[id].label for c in declared
                      if id in c.configurations}:  # fmt: skip
            if first.setdefault(label, id) != id:
                what = f"{first[label]!r} and {id!r} have one label: {label!r}"
                mend = "label them apart in campaign.yaml, as the pages name them by it"
                yield Issue(what, at("tests"), mend)


def check_runs(scope: StudyScope, path: Path) -> list[Issue]:
    """Workloads that no run has, and comparisons of measured with synthetic runs."""
    at, study = _places(path), scope.study
    runs = scope.evidence.runs.filter(pl.col("campaign").is_in(study.campaigns))
    ran = sorted(set(runs["workload"]))
    found = [
        _issue("workload", pattern, ran, at("workloads", i))
        for i, pattern in enumerate(study.workloads)
        if not any(matches(name, pattern) for name in ran)
    ]
    compared = [*scope.configurations, study.noise.control]
    used = runs.filter(pl.col("used"), pl.col("configuration").is_in(compared))
    for workload in study_workloads(runs, study):
        origins = set(used.filter(workload=workload)["origin"])
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
    return [Issue(what, _places(path)("family"), mend)]


def _check_baselines(study: Study, known: Collection[str], at: At) -> list[Issue]:
    """Baselines of single tests: that both exist, and that no test is its own."""
    found = []
    if study.baseline in study.tests and study.baseline not in study.baselines:
        what = f"the baseline {study.baseline!r} is also a test"
        found.append(Issue(what, at("tests"), "compare it with another configuration"))
    for test, baseline in study.baselines.items():
        where = at("baselines", test)
        if test not in study.tests:
            found.append(_issue("test", test, study.tests, where))
        if baseline not in known:
            found.append(_issue("configuration", baseline, known, where))
        if test == baseline:
            what = f"{test!r} would be its own baseline"
            found.append(Issue(what, where, "compare it with another configuration"))
    return found


def _places(path: Path) -> At:
    node: Any = load_yaml(path)[1]
    return lambda *keys: Place(str(path), line_of(node, keys))


def _unknown(
    names: Collection[str], known: Collection[str], kind: str, at: At, entry: str
) -> list[Issue]:
    return [
        _issue(kind, name, known, at(entry, i))
        for i, name in enumerate(names)
        if name not in known
    ]


def _issue(kind: str, name: str, known: Collection[str], where: Place) -> Issue:
    mend = f"there is {', '.join(sorted(known)) or 'none'}"
    return Issue(f"there is no {kind} {name!r}", where, mend)
