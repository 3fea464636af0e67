"""What each comparison of an edition says of a new release: passed, failed, or open."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import part_words
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import inside, origin_text

Result = Literal["failed", "open", "passed"]


@dataclass(frozen=True)
class ReleaseCase:
    """One comparison: its fact, what it is called, and what became of it."""

    fact: Fact
    name: str
    result: Result

    @property
    def said(self) -> str:
        """The verdict and what it rests on."""
        fact = self.fact
        interval = f"interval {fact.low:+.1f} to {fact.high:+.1f}%".replace("-", "−")
        limit = f"a change counts from {fact.threshold or 0:.3g}%"
        p = fact.p_adjusted or 0.0
        test = f"adjusted p {p:.3f}" if p >= 0.001 else "adjusted p below 0.001"
        told = [f"{fact.verdict}: {fact.printed}", interval, limit, test]
        if fact.origin != "measured":
            told.append(origin_text(fact))
        return "; ".join(told)


def cases_of(
    facts: Sequence[Fact], metrics: Mapping[str, Metric], failing: Collection[str]
) -> list[ReleaseCase]:
    """The tested comparisons, those that failed first.

    ``failing`` are the verdicts that fail. What was predicted, or has no better
    direction, is no test of a release.
    """
    tested = [
        fact
        for fact in facts
        if fact.kind == "delta" and fact.verdict and fact.estimate is None
        if not metrics[fact.metric].repeats
    ]
    order = {"failed": 0, "open": 1, "passed": 2}
    found = [ReleaseCase(f, _name(f, metrics), _result(f, failing)) for f in tested]
    return sorted(
        found,
        key=lambda case: (
            order[case.result],
            case.fact.study,
            parse_workload(case.fact.workload).order,
            case.name,
        ),
    )


def _result(fact: Fact, failing: Collection[str]) -> Result:
    if fact.verdict in failing:
        return "failed"
    return "open" if fact.verdict == "inconclusive" else "passed"


def _name(fact: Fact, metrics: Mapping[str, Metric]) -> str:
    metric = inside(metrics[fact.metric].label)
    role = f" of the {part_words(fact.role)}" if fact.role else ""
    sides = f"{fact.configuration} against {fact.baseline}"
    return f"{fact.workload}: {metric}{role}, {sides}"
