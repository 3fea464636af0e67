"""The functions and filters of expressions, and what the expressions of a text print.

A public method of :class:`FactFunctions` is a function of facts; those of declarations
and tables are in ``tables/blocks.py``. Only these are ever called, and only with texts
in quotes; nothing of what they give can be reached by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack, get_args, get_type_hints

from analysis.declared.mistakes import did_you_mean
from analysis.errors import Issue, Place, raise_if
from analysis.facts.fact import Fact, Verdict
from analysis.facts.sentences import detectable_text, number_word
from analysis.facts.units import MINUS
from analysis.files.limits import PRINTED_CHARACTERS
from analysis.report.bound import Bound, Number, bound, number, size
from analysis.report.language.printed import (
    Average,
    FactCount,
    Printed,
    Selected,
    Verb,
    as_bound,
    average_change,
    average_text,
    ends,
    factor,
    interval,
)
from analysis.report.language.scope import Kind, Scope, Selection, UnknownError, one_of
from analysis.report.language.syntax import Call, Expression

Functions = Mapping[str, Callable[..., Any]]
RUN_STATES = ("used", "excluded", "all")
_MISTAKES = (TypeError, ValueError, LookupError, ArithmeticError)


class OfFact(TypedDict, total=False):
    """What an expression names where it is not clear: a role where the metric has
    roles, and a study outside of studies."""

    role: str
    study: str


class OfChange(OfFact, total=False):
    """The same of a change, and the test where a study has several."""

    test: str


class OfValue(OfFact, total=False):
    """The same of a value, and the configuration where a study has several."""

    configuration: str


class OfEither(OfChange, OfValue, total=False):
    """Of a value, if it names a configuration; else of a change."""


@dataclass(frozen=True)
class FactFunctions:
    """The functions of facts within one scope: a metric's id, then the name or pattern
    of workloads, and by name what else says which facts are meant."""

    scope: Scope

    def delta(self, metric: str, workload: str, **of: Unpack[OfChange]) -> Selected:
        """The change of the test against the baseline, in percent: ``−37%``."""
        where = of.get("role"), of.get("test"), of.get("study")
        asked = Selection("delta", metric, workload, *where)
        return Selected(self.scope.select(asked))

    def value(self, metric: str, workload: str, **of: Unpack[OfValue]) -> Selected:
        """The median of a configuration, with its unit: ``3,159 MB/s``."""
        where = of.get("role"), of.get("configuration"), of.get("study")
        asked = Selection("value", metric, workload, *where)
        return Selected(self.scope.select(asked))

    def lowest(
        self, metric: str, workload: str = "*", **of: Unpack[OfEither]
    ) -> Selected:
        """The lowest among workloads: of deltas, or of one ``configuration=``."""
        return Selected((min(self._either(metric, workload, of), key=_value),))

    def highest(
        self, metric: str, workload: str = "*", **of: Unpack[OfEither]
    ) -> Selected:
        """The highest among workloads: of deltas, or of one ``configuration=``."""
        return Selected((max(self._either(metric, workload, of), key=_value),))

    def average(
        self, metric: str, workload: str = "*", **of: Unpack[OfEither]
    ) -> Average:
        """The average change over workloads: the geometric mean of their ratios."""
        if "configuration" in of:
            raise UnknownError(
                "an average over workloads mixes unlike values",
                "average changes instead: leave out configuration=",
            )
        facts = self._either(metric, workload, of)
        return Average(facts, average_text(facts, average_change(facts)))

    def moves(self, metric: str, workload: str, **of: Unpack[OfChange]) -> Verb:
        """What the verdict lets one say: ``falls by 37%``, ``is comparable``."""
        return moved(self.delta(metric, workload, **of).single)

    def verdict(self, metric: str, workload: str, **of: Unpack[OfChange]) -> Verb:
        """The verdict as a word: improved, regressed, comparable, inconclusive."""
        fact = self.delta(metric, workload, **of).single
        return Verb((number(fact, fact.verdict or "none"),))

    def verdicts(
        self,
        verdict: str,
        metric: str | None = None,
        workload: str = "*",
        **of: Unpack[OfChange],
    ) -> FactCount:
        """How many comparisons of the study have this verdict."""
        one_of("verdict", verdict, get_args(Verdict))
        facts = self.comparisons(metric, workload, **of).facts
        count = sum(fact.verdict == verdict for fact in facts)
        return FactCount.among(facts, count, verdict)

    def comparisons(
        self, metric: str | None = None, workload: str = "*", **of: Unpack[OfChange]
    ) -> FactCount:
        """How many comparisons of the study have a verdict at all."""
        deltas = self.scope.deltas(metric, workload, **of)
        facts = tuple(fact for fact in deltas if fact.verdict is not None)
        return FactCount.among(facts, len(facts))

    def count_runs(
        self,
        state: str = "all",
        configuration: str | None = None,
        workload: str = "*",
        study: str | None = None,
    ) -> int:
        """How many runs were used, were excluded, or there are at all."""
        one_of("state of runs", state, RUN_STATES)
        counts = self.scope.runs(study, configuration, workload)
        used = sum(r.used for r in counts) if state != "excluded" else 0
        return used + (sum(r.excluded for r in counts) if state != "used" else 0)

    def limit(self, study: str | None = None) -> str:
        """The change that a study declares not to matter: ``10%``."""
        floor = self.scope.studies[self.scope.study_named(study)].noise.floor
        return f"{floor:g}%"

    def _either(self, metric: str, workload: str, of: OfEither) -> tuple[Fact, ...]:
        kind: Kind = "delta"
        side = of.get("test")
        if "configuration" in of:
            if "test" in of:
                what = "a configuration and a test exclude each other"
                raise UnknownError(what, "leave out one of them")
            kind, side = "value", of["configuration"]
        where = of.get("role"), side, of.get("study")
        return self.scope.select(Selection(kind, metric, workload, *where))


def fact_functions(scope: Scope) -> dict[str, Callable[..., Any]]:
    """The functions of facts that prose may call, by their names."""
    own = FactFunctions(scope)
    names = [name for name, one in vars(FactFunctions).items() if callable(one)]
    return {name: getattr(own, name) for name in names if not name.startswith("_")}


def moved(fact: Fact) -> Verb:
    """What the verdict of a change lets one say, bound to it.

    A prediction has no verdict: its range says whether the direction is sure.
    """
    predicted = "is predicted to " if fact.predicted else ""
    low, high = fact.low or 0.0, fact.high or 0.0
    if fact.estimate is not None and low <= 0 <= high:
        return Verb((f"{predicted}change by ", number(fact, interval(fact))))
    if fact.verdict in ("improved", "regressed") or fact.estimate is not None:
        verb = ("rise" if fact.value > 0 else "fall") + ("" if predicted else "s")
        if fact.printed.startswith("from 0 "):
            return Verb((f"{verb} ", number(fact, fact.printed)))
        sized = number(fact, size(fact.printed))
        return Verb((f"{predicted}{verb} by ", sized))
    be = f"{predicted}be " if predicted else "is "
    return Verb((be, number(fact, fact.verdict or "unchanged")))


def _value(fact: Fact) -> float:
    return fact.value


def _selected(value: object, name: str) -> Selected:
    """The facts that a filter prints; behind another filter, the same once more."""
    if type(value) is Bound and value.numbers:
        return Selected(value.facts)
    if not isinstance(value, Selected):
        raise UnknownError(
            f"'| {name}' prints facts, and this is not one",
            "put delta(…), value(…), lowest(…) or highest(…) before it",
        )
    return value


def _in_form(name: str, form: Callable[[Fact], str]) -> Callable[[object], Bound]:
    """A filter that prints one fact in another form."""

    def printed(value: object) -> Bound:
        fact = _selected(value, name).single
        return bound(number(fact, form(fact)))

    return printed


def _detectable(fact: Fact) -> str:
    if fact.detectable is None:
        what = f"{fact.key} has no smallest change that its runs would show"
        raise UnknownError(what, "put the delta(…) of a tested change before it")
    return detectable_text(fact.detectable)


def _sized(value: object) -> Bound | Average:
    if isinstance(value, Average):
        return Average(value.facts, size(value.text))
    return _in_form("size", lambda fact: size(fact.printed))(value)


def _towards(value: object, sign: str, word: str, other: str) -> Bound | Average:
    """The size of a change that goes the way that the word says."""
    average = value.text if isinstance(value, Average) else ""
    text = average or _selected(value, word).single.printed
    if text.startswith(sign):
        return _sized(value)
    raise UnknownError(
        f"{text} is no {word}", f"write '| {other}' and the words that fit it"
    )


def _words(value: object) -> str:
    if not isinstance(value, int):
        raise UnknownError(
            "'| words' does not fit what stands before it",
            "leave it out, or put before it what it prints",
        )
    return number_word(value)


def _percent(value: object) -> str:
    if not isinstance(value, float):
        raise UnknownError("'| percent' is for a tolerance: gate(…)", "leave it out")
    return f"{100 * value:g}%"


def _capitalized(value: object) -> object:
    first, *others = value.pieces if isinstance(value, Bound) else (value,)
    if isinstance(first, Number):
        return bound(first._replace(text=_upper(first.text)), *others)
    if not isinstance(first, str):
        raise UnknownError("'| capitalize' is for words", "leave it out")
    return bound(_upper(first), *others)


def _upper(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


FILTERS: Mapping[str, Callable[[object], object]] = {
    "size": _sized,
    "reduction": lambda value: _towards(value, MINUS, "reduction", "increase"),
    "increase": lambda value: _towards(value, "+", "increase", "reduction"),
    "factor": _in_form("factor", factor),
    "interval": _in_form("interval", interval),
    "detectable": _in_form("detectable", _detectable),
    "span": lambda value: ends(_selected(value, "span").facts),
    "percent": _percent,
    "words": _words,
    "capitalize": _capitalized,
}


def evaluate(
    expressions: Iterable[Expression], functions: Functions, path: Path
) -> tuple[Printed, ...]:
    """What each expression of a text prints, in order.

    One :class:`analysis.errors.UserError` tells all mistakes by file and line.
    """
    printed: list[Printed] = []
    issues: list[Issue] = []
    for part in expressions:
        try:
            printed.append(_printed(part, functions))
        except _MISTAKES as error:
            mend = error.mend if isinstance(error, UnknownError) else ""
            issues.append(Issue(str(error), Place(str(path), part.line), mend))
    raise_if(issues)
    return tuple(printed)


def _printed(expression: Expression, functions: Functions) -> Printed:
    call = expression.call
    function = functions[one_of("function", call.name, functions)]
    value = result = _called(function, call)
    for name in expression.filters:
        result = FILTERS[one_of("filter", name, FILTERS)](result)
    markdown = as_bound(result)
    if (length := len(str(markdown))) > PRINTED_CHARACTERS:
        raise UnknownError(
            f"{call.name} prints {length:,} characters; at most "
            f"{PRINTED_CHARACTERS:,} go into a text (PRINTED_CHARACTERS)",
            "print less",
        )
    line, source = expression.line, expression.source
    return Printed(line, source, markdown, value, expression.filters)


def _called(function: Callable[..., Any], call: Call) -> Any:
    """What a function gives for a call whose arguments fit it."""
    signature = inspect.signature(function)
    known = parameters(function)
    for name in call.named:
        if name not in known:
            hint = did_you_mean(name, known) or f"leave out {name}="
            raise UnknownError(f"{call.name} takes no argument {name!r}", hint)
    try:
        given = signature.bind(*call.arguments, **call.named)
    except TypeError as error:
        form = f"{call.name}({', '.join(f'{name}=…' for name in known)})"
        mend = f"give the expression its arguments by name: {form}"
        raise UnknownError(f"{call.name}: {error}", mend) from None
    return function(*given.args, **given.kwargs)


def parameters(function: Callable[..., Any]) -> list[str]:
    """The names of the arguments that a function takes."""
    names = list[str]()
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            (of,) = get_args(get_type_hints(function)[name])
            names += get_type_hints(of)
        else:
            names.append(name)
    return names
