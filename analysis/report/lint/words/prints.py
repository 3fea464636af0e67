"""What the expressions of a text print: the facts behind each, and how it reads."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from analysis.declared.workload import matches
from analysis.facts.fact import Fact
from analysis.report.expressions.bound import bound_keys, plain
from analysis.report.expressions.evaluate import Printed
from analysis.report.expressions.language import Call, Expression
from analysis.report.expressions.values import Values
from analysis.report.lint.words.mention import Dimension
from analysis.report.material import Material
from analysis.report.text.texts import Text

COUNTS = ("verdicts", "comparisons", "count_runs")
Way = Literal[
    "change", "size", "interval", "value", "moves", "verdict", "count", "other"
]


@dataclass(frozen=True)
class Print:
    """One printed expression: its facts, the way it is printed, and the words.

    ``named`` are the arguments of a count, by their names, and ``counted`` what it
    counts: of each comparison or run what it is of, by dimension.
    """

    number: int
    way: Way
    words: str
    source: str
    facts: tuple[Fact, ...] = ()
    named: Mapping[str, str] | None = None
    counted: tuple[Mapping[Dimension, frozenset[str]], ...] = ()

    @property
    def changes(self) -> tuple[Fact, ...]:
        """Its facts, where they are changes."""
        return tuple(fact for fact in self.facts if fact.kind == "delta")


class Prints:
    """Reads what expressions print, with the facts of an edition at hand."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._facts = {fact.key: fact for fact in material.facts.facts}
        self._alike: dict[tuple[object, ...], list[Fact]] = {}
        for fact in material.facts.facts:
            self._alike.setdefault(_place(fact), []).append(fact)

    def of(self, text: Text) -> tuple[Print, ...]:
        """What each expression of a text prints, in order."""
        return tuple(
            self._print(number, expression, printed, text.study)
            for number, (expression, printed) in enumerate(
                zip(text.marked.expressions, text.printed, strict=True)
            )
        )

    def _print(
        self, number: int, expression: Expression, printed: Printed, study: str | None
    ) -> Print:
        call, words = expression.call, plain(printed.output)
        keys = [key for _, key in bound_keys(printed.output)]
        facts = tuple(self._facts[key] for key in keys if key in self._facts)
        named: dict[str, str] | None = None
        counted: tuple[Mapping[Dimension, frozenset[str]], ...] = ()
        if call.name in COUNTS:
            named = {"study": study or ""} | _arguments(call)
            counted = tuple(self._counted(call.name, named))
        elif facts and any(f.name == "span" for f in expression.filters):
            facts = self._spanned(facts[0], str(_arguments(call).get("workload", "*")))
        way = _way(call.name, [f.name for f in expression.filters], facts)
        return Print(number, way, words, printed.expression, facts, named, counted)

    def _counted(
        self, name: str, named: Mapping[str, str]
    ) -> Iterator[Mapping[Dimension, frozenset[str]]]:
        scope = self._material.scope(named["study"] or None)
        study, workload = named["study"] or None, named.get("workload", "*")
        if name == "count_runs":
            for run in scope.runs(study, named.get("configuration"), workload):
                yield {
                    "workload": frozenset({run.workload}),
                    "configuration": frozenset({run.configuration}),
                }
            return
        of = (named.get(one) for one in ("metric", "role", "test"))
        metric, role, test = of
        for fact in scope.deltas(metric, workload, role, test, study):
            yield {
                "metric": frozenset({fact.metric}),
                "role": frozenset({fact.role} if fact.role else ()),
                "workload": frozenset({fact.workload}),
                "configuration": frozenset({fact.configuration, fact.baseline or ""}),
            }

    def _spanned(self, fact: Fact, pattern: str) -> tuple[Fact, ...]:
        alike = self._alike[_place(fact)]
        return tuple(f for f in alike if matches(f.workload, pattern))


def _place(fact: Fact) -> tuple[object, ...]:
    return (fact.study, fact.kind, fact.metric, fact.role, fact.configuration)


def _way(name: str, filters: Iterable[str], facts: tuple[Fact, ...]) -> Way:
    if name in COUNTS:
        return "count"
    if not facts:
        return "other"
    if name in ("moves", "verdict"):
        return "moves" if name == "moves" else "verdict"
    if "interval" in filters:
        return "interval"
    if facts[0].kind == "value":
        return "value"
    sized = {"size", "reduction", "increase", "factor", "span"} & set(filters)
    return "size" if sized else "change"


def _arguments(call: Call) -> dict[str, str]:
    """The arguments of a call by name; those that are left out are not in it."""
    given = dict(zip(_parameters(call.name), map(str, call.arguments), strict=False))
    return given | {name: str(value) for name, value in call.named.items()}


@cache
def _parameters(name: str) -> tuple[str, ...]:
    return tuple(inspect.signature(getattr(Values, name)).parameters)[1:]
