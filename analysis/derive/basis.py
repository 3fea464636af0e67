"""Who chose what a generated campaign shows: the basis of each of its facts.

A change has the basis of its target. One of several quantities, such as a utilisation,
has that of the weakest; a value that no target names follows from parameters that
somebody chose freely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from analysis.declared.study import Study
from analysis.declared.targets import TARGETS, ZIIP_COST, quantity_of, read_targets
from analysis.declared.vocabulary import BASES, TOTAL, Basis
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact, Facts

_RATE = "rate"
_APART = ("response_time", "offload", "offload_potential")  # follow from neither
_OF_A_ROLE = (ZIIP_COST, "io_rate")
_STORAGE = ("storage", "storage_per_user")  # the latter is of all areas
_OF_BOTH = ("cpu_cost_equivalent", "ziip_share")  # of CPs and zIIPs
# Baseline (None of a value), test, workload, and rate or a role.
Key = tuple[str | None, str, str, str]
Bases = Mapping[str, Mapping[Key, Basis]]  # by campaign


def read_bases(campaigns: Iterable[str], data: Path) -> dict[str, dict[Key, Basis]]:
    """The basis of each target of the generated campaigns among some."""
    bases: dict[str, dict[Key, Basis]] = {}
    for name in sorted(campaigns):
        path = data / TARGETS.name / f"{name}.csv"
        if not path.is_file():
            continue
        of_campaign = bases[name] = {}
        for target in read_targets(path):
            workload = parse_workload(target.workload).name
            key = (target.baseline, target.test, workload, target.quantity)
            of_campaign[key] = weakest_basis(
                [target.basis, of_campaign.get(key, target.basis)]
            )
    return bases


def weakest_basis(bases: Iterable[Basis]) -> Basis:
    """The weakest one of several."""
    return max(bases, key=BASES.index)


def with_bases(
    facts: Facts, bases: Bases, studies: Mapping[tuple[str, str], Study]
) -> Facts:
    """The facts, those of generated campaigns with their basis."""

    def with_basis(fact: Fact) -> Fact:
        names = studies[fact.edition, fact.study].campaigns
        known = [bases[name] for name in names if name in bases]
        if not known or fact.estimate or fact.origin != "synthetic":
            return fact
        targets = {key: basis for one in known for key, basis in one.items()}
        return replace(fact, basis=_basis(fact, targets))

    return replace(facts, facts=tuple(map(with_basis, facts.facts)))


def _basis(fact: Fact, targets: Mapping[Key, Basis]) -> Basis:
    return weakest_basis(_of(fact, quantity, targets) for quantity in _quantities(fact))


def _quantities(fact: Fact) -> Iterator[str]:
    """What a metric is computed from: the rate, CPU costs of a role, or both; or what
    has targets of its own."""
    if fact.metric in _APART:
        yield fact.metric
        return
    if fact.metric in _STORAGE:
        yield quantity_of(_STORAGE[0], fact.role or TOTAL)
        return
    if fact.role is None or fact.metric == "utilisation":
        yield _RATE
    if fact.role is not None:
        of_metric = fact.metric in _OF_A_ROLE
        yield quantity_of(fact.metric, fact.role) if of_metric else fact.role
    if fact.role is not None and fact.metric in _OF_BOTH:
        yield quantity_of(ZIIP_COST, fact.role)


def _of(fact: Fact, quantity: str, targets: Mapping[Key, Basis]) -> Basis:
    load = (fact.workload, quantity)
    if basis := targets.get((fact.baseline, fact.configuration, *load)):
        return basis
    sides = [side for side in (fact.baseline, fact.configuration) if side]
    return weakest_basis(targets.get((None, side, *load), "free") for side in sides)
