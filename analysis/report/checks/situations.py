"""Two values of one thing: configurations that are declared alike, and differ.

What a campaign says of two configurations may be the same, as where two studies have a
baseline in common. Then what their runs show is one value. Where machines were
measured, days differ, and a person should know; what was generated contradicts itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, combinations

from analysis.declared.campaign import Configuration
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
    found: dict[tuple[str, ...], list[tuple[Fact, Fact]]] = defaultdict(list)
    for facts in _alike(material).values():
        for one, other in combinations(facts, 2):
            if one.configuration != other.configuration and _apart(
                one, other, material
            ):
                sides = ((f.configuration, f.study) for f in (one, other))
                found[*chain(*sides)].append((one, other))
    for pairs in found.values():
        yield _finding(pairs, material)


def _alike(material: Material) -> dict[_Situation, list[Fact]]:
    """The values of each situation, metric and role, one of a configuration."""
    found: dict[_Situation, list[Fact]] = defaultdict(list)
    seen: set[_Situation] = set()
    for fact in material.facts.facts:
        if fact.kind != "value" or fact.estimate:
            continue
        for name in material.studies[fact.study].campaigns:
            of = material.campaigns[name].configurations.get(fact.configuration)
            if of is None or of.control_of:
                continue
            what = (name, _details(of), fact.workload, fact.metric, fact.role)
            own = (*what, fact.configuration)
            if own not in seen:
                seen.add(own)
                found[what].append(fact)
    return found


def _details(of: Configuration) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in of.details.items()))


def _apart(one: Fact, other: Fact, material: Material) -> bool:
    low, high = sorted((one, other), key=lambda fact: fact.value)
    limit = max(material.studies[fact.study].noise.floor for fact in (one, other))
    overlap = low.high is not None and high.low is not None and low.high >= high.low
    return high.value > low.value * (1 + limit / 100) and not overlap


def _finding(pairs: list[tuple[Fact, Fact]], material: Material) -> Finding:
    """One finding for all that differs between two configurations."""
    one, other = pairs[0]
    named = f"{one.metric} of {one.role}" if one.role else one.metric
    more = f" (and {len(pairs) - 1} more)" if len(pairs) > 1 else ""
    told = [f"{f.printed} of {f.configuration} in study {f.study}" for f in pairs[0]]
    what = (
        f"{named} of {one.workload} has two values: {', '.join(told)}{more}, and "
        "campaign.yaml declares both configurations alike"
    )
    mend = "declare what sets them apart, or find out which of the two holds"
    place = material.folder / "studies" / other.study / "study.yaml"
    measured = all("measured" in (one.origin, other.origin) for one, other in pairs)
    return Finding(
        "warning" if measured else "error", "lint", Issue(what, Place(str(place)), mend)
    )
