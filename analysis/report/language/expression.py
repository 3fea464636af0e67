"""The expression that prints a fact: the way back from a number to the words for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.declared.study import Study
from analysis.declared.workload import workload_order
from analysis.facts.fact import Fact
from analysis.report.bound import size
from analysis.report.language.printed import interval
from analysis.report.language.scope import scope_of
from analysis.report.material import Material


@dataclass(frozen=True)
class Listed:
    """A fact with the expression that prints it and the text that is printed."""

    fact: Fact
    expression: str
    printed: str


def list_facts(material: Material, study: str) -> list[Listed]:
    """Every fact of a study, changes first, in the order of tables."""
    declared, order = material.studies[study], list(material.metrics)
    configurations = declared.configurations
    own = sorted(
        (f for f in material.facts.facts if f.study == study),
        key=lambda f: (
            f.kind != "delta",
            order.index(f.metric),
            f.role or "",
            workload_order(f.workload),
            configurations.index(f.configuration),
        ),
    )
    return [Listed(f, expression_of(f, material.studies), f.printed) for f in own]


def expression_of(fact: Fact, studies: Mapping[str, Study], inside: bool = True) -> str:
    """``delta("latency", "RR10(100B)")``; ``inside`` is in the prose of its study."""
    study = studies[fact.study]
    parts = [f'"{fact.metric}"', f'"{fact.workload}"']
    if fact.role:
        parts.append(f'role="{fact.role}"')
    if fact.kind == "value":
        parts.append(f'configuration="{fact.configuration}"')
    elif len(study.tests) > 1:
        parts.append(f'test="{fact.configuration}"')
    if not inside:
        parts.append(f'study="{fact.study}"')
    return f"{fact.kind}({', '.join(parts)})"


def forms(fact: Fact) -> Iterator[tuple[str, str]]:
    """Every text that a fact can print, with the filter that prints it so."""
    yield fact.printed, ""
    if fact.kind == "delta":
        yield size(fact.printed), " | size"
    if fact.low is not None:
        yield interval(fact), " | interval"


def counts(material: Material, study: str) -> Iterator[tuple[str, str]]:
    """The expressions that count comparisons and runs, with what they print."""
    scope = scope_of(material, study)
    deltas = scope.deltas()
    yield "comparisons()", str(sum(f.verdict is not None for f in deltas))
    for verdict in ("improved", "regressed", "comparable", "inconclusive"):
        yield f'verdicts("{verdict}")', str(sum(f.verdict == verdict for f in deltas))
    runs = scope.runs(study, None, "*")
    yield 'count_runs("used")', str(sum(run.used for run in runs))
    yield 'count_runs("excluded")', str(sum(run.excluded for run in runs))
    yield "limit()", f"{material.studies[study].noise.floor:g}%"
