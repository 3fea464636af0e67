"""Two values of one thing: configurations that are declared alike, and differ.

What a campaign says of two configurations may be the same, as where two studies have a
baseline in common. Then what their runs show is one value. Where machines were
measured, days differ, and a person should know; what was generated contradicts itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from analysis.errors import Issue, Place
from analysis.facts.fact import Fact
from analysis.report.finding import Finding
from analysis.report.material import Material

_Situation = tuple[object, ...]


def check_situations(material: Material) -> Iterator[Finding]:
    """Pairs of values that should be one, and of which no interval says that they are.

    They differ where their intervals have nothing in common, and by more than the
    limits of both studies. A configuration and its control are not compared here.
    """
    pairs: dict[tuple[str, ...], list[tuple[Fact, Fact]]] = defaultdict(list)
    for values in _alike(material).values():
        for a, b in combinations(values.values(), 2):
            if _apart(a, b, material):
                sides = a.configuration, a.study, b.configuration, b.study
                pairs[sides].append((a, b))
    for alike in pairs.values():
        yield _finding(alike, material)


def _alike(material: Material) -> dict[_Situation, dict[str, Fact]]:
    """The values of each situation, metric and role, one of a configuration."""
    situations: dict[_Situation, dict[str, Fact]] = defaultdict(dict)
    for fact in material.facts.facts:
        if fact.kind != "value" or fact.estimate:
            continue
        for name in material.studies[fact.study].campaigns:
            declared = material.campaigns[name].configurations.get(fact.configuration)
            if declared and not declared.control_of:
                details = tuple(
                    sorted((k, str(v)) for k, v in declared.details.items())
                )
                situation = name, details, fact.workload, fact.metric, fact.role
                situations[situation].setdefault(fact.configuration, fact)
    return situations


def _apart(a: Fact, b: Fact, material: Material) -> bool:
    low, high = sorted((a, b), key=lambda fact: fact.value)
    limit = max(material.studies[fact.study].noise.floor for fact in (a, b))
    overlap = low.high is not None and high.low is not None and low.high >= high.low
    return high.value > low.value * (1 + limit / 100) and not overlap


def _finding(pairs: list[tuple[Fact, Fact]], material: Material) -> Finding:
    """One finding for all that differs between two configurations."""
    a, b = pairs[0]
    named = f"{a.metric} of {a.role}" if a.role else a.metric
    more = f" (and {len(pairs) - 1} more)" if len(pairs) > 1 else ""
    values = (f"{f.printed} of {f.configuration} in study {f.study}" for f in (a, b))
    what = (
        f"{named} of {a.workload} has two values: {', '.join(values)}{more}, and "
        "campaign.yaml declares both configurations alike"
    )
    mend = "declare what sets them apart, or find out which of the two holds"
    place = Place(str(material.folder / "studies" / b.study / "study.yaml"))
    measured = all("measured" in (a.origin, b.origin) for a, b in pairs)
    return Finding("warning" if measured else "error", "lint", Issue(what, place, mend))
