"""Who chose what a generated campaign shows: the basis of each of its facts.

A change has the basis of its target. One of several quantities, such as a utilisation,
has that of the weakest; a value that no target names follows from parameters that
somebody chose freely. Where its direction was published, such a change is assumed. A
published value is printed with as many digits as were published.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.declared.published import Published, speaks_of
from analysis.declared.study import Study
from analysis.declared.targets import TARGETS, ZIIP_COST, quantity_of, read_targets
from analysis.declared.vocabulary import BASES, TOTAL, Basis
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact, Facts
from analysis.facts.units import format_value

_RATE = "rate"
_APART = (  # follow from neither
    "response_time", "offload", "offload_potential", "instructions_per_transaction",
    "cycles_per_instruction", "cpu_frequency",
)  # fmt: skip
_OF_A_ROLE = (ZIIP_COST, "io_rate")
_STORAGE = ("storage", "storage_per_user")  # the latter is of all areas
_OF_BOTH = ("cpu_cost_equivalent", "ziip_share")  # of CPs and zIIPs
# Baseline (None of a value), test, workload, and rate or a role.
Key = tuple[str | None, str, str, str]
Place = tuple[str, str, str, str | None]  # configuration, workload, metric, role


@dataclass(frozen=True)
class Bases:
    """The basis of each target of a campaign, and its published values by fact."""

    targets: Mapping[Key, Basis] = field(default_factory=dict)
    values: Mapping[Place, float] = field(default_factory=dict)


def read_bases(campaigns: Iterable[str], data: Path) -> dict[str, Bases]:
    """Those of the generated campaigns among some."""
    bases: dict[str, Bases] = {}
    for name in sorted(campaigns):
        path = data / TARGETS.name / f"{name}.csv"
        if not path.is_file():
            continue
        targets, values = dict[Key, Basis](), dict[Place, float]()
        for target in read_targets(path):
            workload = parse_workload(target.workload).name
            key = (target.baseline, target.test, workload, target.quantity)
            targets[key] = weakest_basis([target.basis, targets.get(key, target.basis)])
            if target.kind == "value" and target.basis == "published":
                of = (target.test, workload, target.metric, target.role)
                values[of] = target.value
        bases[name] = Bases(targets, values)
    return bases


def weakest_basis(bases: Iterable[Basis]) -> Basis:
    """The weakest one of several."""
    return max(bases, key=BASES.index)


def with_bases(
    facts: Facts,
    bases: Mapping[str, Bases],
    studies: Mapping[tuple[str, str], Study],
    published: Iterable[Published] = (),
) -> Facts:
    """The facts, those of generated campaigns with their basis."""
    directions = [row for row in published if row.kind == "direction"]

    def with_basis(fact: Fact) -> Fact:
        study = studies[fact.edition, fact.study]
        known = [bases[name] for name in study.campaigns if name in bases]
        if not known or fact.estimate or fact.origin != "synthetic":
            return fact
        basis = _basis(fact, {k: b for one in known for k, b in one.targets.items()})
        if basis == "free" and any(_tells(row, fact, study) for row in directions):
            basis = "assumed"
        of = (fact.configuration, fact.workload, fact.metric, fact.role)
        value = next((one.values[of] for one in known if of in one.values), None)
        return replace(fact, basis=basis, printed=_printed(fact, value))

    return replace(facts, facts=tuple(map(with_basis, facts.facts)))


def _tells(row: Published, fact: Fact, study: Study) -> bool:
    """Whether a published direction is that of a change."""
    about = study.published
    if about is None or about.study != row.study or fact.kind != "delta":
        return False
    sides = (about.name_of(fact.baseline or ""), about.name_of(fact.configuration))
    roles = {row.role, fact.role} if row.role == "both" else {row.role}
    what = (row.metric, row.baseline, row.test)
    return (
        what == (fact.metric, *sides)
        and fact.role in roles
        and speaks_of(row, parse_workload(fact.workload))
    )


def _printed(fact: Fact, published: float | None) -> str:
    """A value with the digits that were published, where it is that and they are more;
    else as it was printed."""
    decimals, shown = _decimals(f"{published or 0:.10g}"), _decimals(fact.printed)
    if fact.kind != "value" or published is None or decimals <= shown:
        return fact.printed
    if round(fact.value, decimals) != published:
        return fact.printed
    return format_value(fact.value, fact.unit, decimals=decimals)


def _decimals(number: str) -> int:
    return len(number.partition(" ")[0].rstrip("%").partition(".")[2])


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
