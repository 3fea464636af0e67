"""The expressions that print facts: listed, and for a number that somebody typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.declared.study import Study
from analysis.declared.workload import workload_order
from analysis.errors import Fix
from analysis.facts.fact import Fact
from analysis.facts.units import MINUS
from analysis.report.bound import size
from analysis.report.language.printed import interval
from analysis.report.language.scope import scope_of
from analysis.report.material import Material

_FIXES = 3  # for one number
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


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


def print_fixes(material: Material, study: str | None, typed: str) -> tuple[Fix, ...]:
    """What prints the number of ``typed``, of the study itself before others."""
    wanted, percent = plain(typed), "%" in typed or "cent" in typed
    found = [
        Fix("print", call, typed=typed, shows=shows)
        for value, unit, call, shows in _printed(material, study)
        if wanted and (value, unit == "%") == (wanted, percent)
    ]
    return tuple(sorted(found, key=lambda fix: fix.shows != typed)[:_FIXES])


def _printed(
    material: Material, study: str | None
) -> Iterator[tuple[str, str, str, str]]:
    """Value, unit, expression and text of every form of a fact."""
    for fact in sorted(material.facts.facts, key=lambda f: (f.study != study, f.key)):
        for shows, way in forms(fact):
            if " to " not in shows:
                call = expression_of(fact, material.studies, fact.study == study) + way
                yield plain(shows), fact.unit, call, shows


def plain(text: str) -> str:
    """The first number of a text, without its sign and commas; empty where none is."""
    number = NUMBER.search(text.replace(MINUS, ""))
    return number[0].replace(",", "") if number else ""
