"""Checks of a study against its runs, before anything is derived."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, Campaign, campaign_folder
from analysis.declared.checks import places_in, unknown_name
from analysis.declared.edition import Family
from analysis.declared.study import Noise, Study
from analysis.declared.workload import matches
from analysis.derive.scope import StudyScope, study_workloads
from analysis.errors import Issue, Place

_WORDS = {"mtu": ("mtu", "jumbo", "frame", "packet"), "offload": ("offload", "segment")}
_SETTING = re.compile("|".join(_WORDS))


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


def unnamed_differences(
    study: Study, campaigns: Mapping[str, Campaign], raw: Path
) -> Iterator[str]:
    """MTU and offload settings that differ between a test and its baseline beside what
    is compared: neither title, question nor label names them.

    Names that nothing declares are left to :func:`check_study`.
    """
    of = {
        id: (name, configuration)
        for name in study.campaigns
        if name in campaigns
        for id, configuration in campaigns[name].configurations.items()
    }
    for test in study.tests:
        pair = (study.baselines.get(test, study.baseline), test)
        if not of.keys() >= {*pair}:
            continue
        before, after = (of[id][1].details for id in pair)
        texts = (study.title, study.question, *(of[id][1].label for id in pair))
        words = " ".join(texts).casefold()
        unlike = [n for n in {**before, **after} if before.get(n) != after.get(n)]
        for name in unlike:
            terms = _SETTING.findall(name.casefold())
            named = any(word in words for term in terms for word in _WORDS[term])
            if (
                terms
                and not named
                and len(unlike) > 1
                and name in before.keys() & after
            ):
                values = (f"{of[id][1].details[name]} in {id}" for id in pair)
                places = (_place_of(raw, of[id][0], id, name) for id in pair)
                said = " and ".join(map("{} ({})".format, values, places))
                yield f"{name} is {said}; no question or label says that it differs"


def _place_of(raw: Path, campaign: str, configuration: str, detail: str) -> Place:
    path = campaign_folder(raw, campaign) / CAMPAIGN_FILE
    keys = ("configurations", configuration, "details", detail)
    return Place(str(path), line_of(load_yaml(path)[1], keys))


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
