"""What a text has behind its words: its claims, and the changes that it prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.claims import claim as c
from analysis.report.claims.changes import counts
from analysis.report.claims.outcome import Outcome
from analysis.report.lint.words.prints import Print

State = Literal["rise", "fall", "same", "unsure"]


@dataclass
class Stand:
    """Changes that a claim or a printed value tells of, by key, and other claims.

    ``ratios`` are claims about how much changes move.
    """

    changes: dict[str, Fact] = field(default_factory=dict)
    ratios: list[tuple[c.Amount, Outcome]] = field(default_factory=list)
    others: list[Outcome] = field(default_factory=list)

    def of(self, predicate: type[c.Predicate]) -> Iterator[tuple[c.Predicate, Outcome]]:
        """The claims of one kind that are not about changes alone."""
        for outcome in self.others:
            if isinstance(outcome.claim.predicate, predicate):
                yield outcome.claim.predicate, outcome


def stand_of(outcomes: Iterable[Outcome]) -> Stand:
    """What claims that hold stand for."""
    stand = Stand()
    for outcome in outcomes:
        predicate = outcome.claim.predicate
        if not outcome.holds:
            continue
        if isinstance(predicate, c.Moves | c.Gets | c.Is):
            stand.changes |= {fact.key: fact for fact in outcome.facts}
            if isinstance(predicate, c.Moves) and predicate.amount:
                stand.ratios.append((predicate.amount, outcome))
        else:
            stand.others.append(outcome)
    return stand


def joined(stands: Iterable[Stand]) -> Stand:
    """What several studies have behind their words."""
    every = Stand()
    for stand in stands:
        every.changes |= stand.changes
        every.ratios += stand.ratios
        every.others += stand.others
    return every


def with_prints(
    stand: Stand, printed: Sequence[Print], changes: Sequence[Fact]
) -> Stand:
    """The same with the changes that are printed, or whose two values both are."""
    told = {fact.key: fact for found in printed for fact in found.changes}
    values = {
        _arm(f, f.configuration) for p in printed for f in p.facts if f.kind == "value"
    }
    if values:
        for fact in changes:
            arms = {_arm(fact, fact.configuration), _arm(fact, fact.baseline)}
            if arms <= values:
                told[fact.key] = fact
    return Stand(stand.changes | told, stand.ratios, stand.others)


def _arm(fact: Fact, configuration: str | None) -> tuple[object, ...]:
    return (fact.study, fact.metric, fact.role, fact.workload, configuration)


def state(fact: Fact) -> State:
    """What a change lets one say: which way it goes, that it does not, or nothing."""
    if fact.predicted or counts(fact):
        return "rise" if fact.value > 0 else "fall"
    return "same" if fact.verdict == "comparable" else "unsure"


def good(fact: Fact) -> bool:
    """Whether a rise of the metric is for the better; a cost's is not."""
    return fact.better == "higher"
