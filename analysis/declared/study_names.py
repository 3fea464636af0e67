"""Names in a study that its campaigns and the metrics do not declare."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.declared.mistakes import nearest
from analysis.declared.study import Study
from analysis.errors import Issue, Place

At = Callable[..., Place]


def check_study(
    study: Study,
    path: Path,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> list[Issue]:
    """Names in a study that nothing declares, each with its line in ``path``."""
    at = places_in(path)
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
            found.append(unknown_name("configuration", id, configurations, at(*entry)))
    for number, asked in enumerate(study.asks):
        of = ("asks", number, "metrics")
        found += _unknown(asked.metrics, metrics, "metric", at, *of)
    found += _labelled_alike(study, campaigns, at)
    found += _unlike(study, campaigns, at)
    found += _check_roles(study, metrics, at)
    return [*found, *_check_baselines(study, configurations, at)]


def _check_roles(
    study: Study, metrics: Mapping[str, Metric], at: At
) -> Iterator[Issue]:
    """Metrics that are kept to some roles: unknown ones, and those without roles."""
    for id in study.roles:
        if id not in metrics:
            yield unknown_name("metric", id, metrics, at("roles", id))
        elif not metrics[id].roles:
            what = f"{id!r} is of a whole run, and has no roles"
            yield Issue(what, at("roles", id), f"take {id} out of roles")


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


def _unlike(study: Study, campaigns: Mapping[str, Campaign], at: At) -> Iterator[Issue]:
    """Configurations whose runs would be pooled, and that campaigns declare unlike."""
    for id in dict.fromkeys((*study.configurations, study.noise.control)):
        declared = {
            name: campaigns[name].configurations[id]
            for name in study.campaigns
            if name in campaigns and id in campaigns[name].configurations
        }
        first, *others = declared or [""]
        for name in others:
            if declared[name] != declared[first]:
                what = f"{first} and {name} declare {id!r} unlike, and its runs count"
                mend = f"give it another id in campaign.yaml and runs.csv of {name}"
                yield Issue(f"{what} as of one configuration", at("campaigns"), mend)


def _check_baselines(study: Study, known: Collection[str], at: At) -> list[Issue]:
    """Baselines of single tests: that both exist, and that no test is its own."""
    found = []
    if study.baseline in study.tests and study.baseline not in study.baselines:
        what = f"the baseline {study.baseline!r} is also a test"
        found.append(Issue(what, at("tests"), "compare it with another configuration"))
    for test, baseline in study.baselines.items():
        where = at("baselines", test)
        if test not in study.tests:
            found.append(unknown_name("test", test, study.tests, where))
        if baseline not in known:
            found.append(unknown_name("configuration", baseline, known, where))
        if test == baseline:
            what = f"{test!r} would be its own baseline"
            found.append(Issue(what, where, "compare it with another configuration"))
    return found


def places_in(path: Path) -> At:
    """Where the entries of a file stand, by their keys."""
    node: Any = load_yaml(path)[1]
    return lambda *keys: Place(str(path), line_of(node, keys))


def _unknown(
    names: Collection[str],
    known: Collection[str],
    kind: str,
    at: At,
    *entry: str | int,
) -> list[Issue]:
    return [
        unknown_name(kind, name, known, at(*entry, i))
        for i, name in enumerate(names)
        if name not in known
    ]


def unknown_name(kind: str, name: str, known: Collection[str], where: Place) -> Issue:
    """A name that is none of those known, and the one that may be meant."""
    near = "".join(f"did you mean {n!r}? " for n in nearest(name, known))
    mend = f"{near}there is {', '.join(sorted(known)) or 'none'}"
    return Issue(f"there is no {kind} {name!r}", where, mend)
