"""The functions that reviewed prose may use to take its numbers from facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from analysis.facts.fact import Fact, Verdict
from analysis.report.bound import bound, number, size
from analysis.report.language.printed import (
    Average,
    FactCount,
    Selected,
    Verb,
    average_change,
    average_text,
    interval,
)
from analysis.report.language.scope import Scope, Selection, UnknownError, one_of

RUN_STATES = ("used", "excluded", "all")


@dataclass(frozen=True)
class Values:
    """The functions of facts, within one scope; :func:`functions` names them.

    All take the metric's id and a workload's name or pattern (``RR*``); ``role``
    where the metric has roles, ``test`` or ``configuration`` where a study has
    several, and ``study`` outside a study.
    """

    scope: Scope

    def delta(
        self,
        metric: str,
        workload: str,
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> Selected:
        """The change of the test against the baseline, in percent: ``−37%``."""
        return Selected(
            self.scope.select(Selection("delta", metric, workload, role, test, study))
        )

    def value(
        self,
        metric: str,
        workload: str,
        configuration: str | None = None,
        role: str | None = None,
        study: str | None = None,
    ) -> Selected:
        """The median of a configuration, with its unit: ``3,159 MB/s``."""
        wanted = Selection("value", metric, workload, role, configuration, study)
        return Selected(self.scope.select(wanted))

    def lowest(
        self,
        metric: str,
        workload: str = "*",
        configuration: str | None = None,
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> Selected:
        """The lowest among workloads: of deltas, or of one ``configuration=``."""
        facts = self._among(metric, workload, configuration, role, test, study)
        return Selected((min(facts, key=_value),))

    def highest(
        self,
        metric: str,
        workload: str = "*",
        configuration: str | None = None,
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> Selected:
        """The highest among workloads: of deltas, or of one ``configuration=``."""
        facts = self._among(metric, workload, configuration, role, test, study)
        return Selected((max(facts, key=_value),))

    def average(
        self,
        metric: str,
        workload: str = "*",
        configuration: str | None = None,
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> Average:
        """The average change over workloads: the geometric mean of their ratios."""
        if configuration is not None:
            raise UnknownError(
                "an average over workloads mixes unlike values",
                "average changes instead: leave out configuration=",
            )
        facts = self.delta(metric, workload, role, test, study).facts
        return Average(facts, average_text(facts, average_change(facts)))

    def moves(
        self,
        metric: str,
        workload: str,
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> Verb:
        """What the verdict lets one say: ``falls by 37%``, ``is comparable``."""
        return moved(self.delta(metric, workload, role, test, study).single)

    def verdict(
        self,
        metric: str,
        workload: str,
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> Verb:
        """The verdict as a word: improved, regressed, comparable, inconclusive."""
        fact = self.delta(metric, workload, role, test, study).single
        return Verb(bound(number(fact, fact.verdict or "none")))

    def verdicts(
        self,
        verdict: str,
        metric: str | None = None,
        workload: str = "*",
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> FactCount:
        """How many comparisons of the study have this verdict."""
        one_of("verdict", verdict, get_args(Verdict))
        found = self.comparisons(metric, workload, role, test, study).facts
        count = sum(fact.verdict == verdict for fact in found)
        return FactCount.among(found, count, verdict)

    def comparisons(
        self,
        metric: str | None = None,
        workload: str = "*",
        role: str | None = None,
        test: str | None = None,
        study: str | None = None,
    ) -> FactCount:
        """How many comparisons of the study have a verdict at all."""
        deltas = self.scope.deltas(metric, workload, role, test, study)
        found = tuple(fact for fact in deltas if fact.verdict is not None)
        return FactCount.among(found, len(found))

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

    def _among(
        self,
        metric: str,
        workload: str,
        configuration: str | None,
        role: str | None,
        test: str | None,
        study: str | None,
    ) -> tuple[Fact, ...]:
        if configuration is None:
            return self.delta(metric, workload, role, test, study).facts
        if test is not None:
            raise UnknownError(
                "a configuration and a test exclude each other", "leave out one of them"
            )
        return self.value(metric, workload, configuration, role, study).facts


def moved(fact: Fact) -> Verb:
    """What the verdict of a change lets one say, bound to it.

    A prediction has no verdict: its range says whether the direction is sure.
    """
    predicted = "is predicted to " if fact.predicted else ""
    low, high = fact.low or 0.0, fact.high or 0.0
    sure = fact.verdict in ("improved", "regressed")
    if fact.estimate is not None and low <= 0 <= high:
        return _verb(f"{predicted}change by ", interval(fact), fact)
    if sure or fact.estimate is not None:
        verb = "rise" if fact.value > 0 else "fall"
        ending = "" if predicted else "s"
        return _verb(f"{predicted}{verb}{ending} by ", size(fact.printed), fact)
    be = f"{predicted}be " if predicted else "is "
    return _verb(be, fact.verdict or "unchanged", fact)


def _verb(words: str, text: str, fact: Fact) -> Verb:
    return Verb(bound(words, number(fact, text)))


def functions(values: Values) -> dict[str, Callable[..., Any]]:
    """The functions of facts that prose may call, by their names."""
    return {
        "delta": values.delta,
        "value": values.value,
        "lowest": values.lowest,
        "highest": values.highest,
        "average": values.average,
        "moves": values.moves,
        "verdict": values.verdict,
        "verdicts": values.verdicts,
        "comparisons": values.comparisons,
        "count_runs": values.count_runs,
        "limit": values.limit,
    }


def _value(fact: Fact) -> float:
    return fact.value
