"""Whether what a word asserts has claims or printed values behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.stand import Stand, state
from analysis.report.lint.words.topic import Topic

Verdict = Literal["backed", "against", "open"]


@dataclass(frozen=True)
class Weighed:
    """Whether something stands behind a word, and the changes that it speaks of."""

    verdict: Verdict
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Said:
    """A word with how it is said; ``turned`` tells whether a change is looked at from
    its baseline."""

    word: Word
    denied: bool
    turned: Callable[[Fact], bool]
    predicting: bool = False


def weigh(said: Said, subject: Topic, stand: Stand, known: Sequence[Fact]) -> Weighed:
    """Whether claims and printed values cover what a word is said of, and agree."""
    found = list(_cells(subject, known))
    if not found:
        return Weighed("open")
    verdicts = [_cell(said, cell, stand, bool(subject.metrics)) for cell in found]
    facts = tuple(fact for cell in found for fact in cell)
    if any(v == "against" for v in verdicts):
        return Weighed("against", facts)
    if all(v == "backed" for v in verdicts):
        return Weighed("backed", facts)
    return Weighed("open", facts)


def _cells(subject: Topic, known: Sequence[Fact]) -> Iterator[list[Fact]]:
    """For each metric, role and workload that is named, the changes it may mean."""
    for metrics in subject.metrics or (frozenset[str](),):
        own = subject.changes(known, metrics)
        if subject.every:
            yield from ([fact] for fact in own)
            continue
        roles = subject.roles if any(f.role for f in own) and metrics else set()
        if subject.roles and not metrics:
            own = [f for f in own if f.role in subject.roles] or own
            roles = subject.roles
        for workload in sorted(subject.workloads) or [""]:
            for role in sorted(roles) or [""]:
                cell = [
                    f
                    for f in own
                    if workload in ("", f.workload) and role in ("", f.role or role)
                ]
                if cell:
                    yield cell


def _cell(said: Said, cell: Sequence[Fact], stand: Stand, named: bool) -> Verdict:
    """Of changes that a word may mean; where no metric is named, none is against it."""
    covered = [fact for fact in cell if fact.key in stand.changes]
    kind = said.word.sense.kind
    moved = [f for f in cell if state(f) in ("rise", "fall") and not f.predicted]
    if kind == "same" and moved and not said.denied:
        return "against" if len(cell) == 1 else "open"
    agree = [fact for fact in covered if agrees(said, fact)]
    if agree:
        return "backed" if named or not _opposed(said, covered) else "open"
    if any(agrees(said, fact) for fact in cell):
        return "open"
    return "against"


def _opposed(said: Said, covered: Sequence[Fact]) -> bool:
    """Whether some change that is told of goes against what is said of all."""
    if said.word.sense.kind not in ("quality", "same", "sure") and not said.denied:
        return False
    moved = [f for f in covered if state(f) in ("rise", "fall") and f.better != "none"]
    return any(not agrees(said, fact) for fact in moved)


def agrees(said: Said, fact: Fact) -> bool:
    """Whether a change is as a word says."""
    if fact.predicted and not said.predicting:
        return False
    own, sense = state(fact), said.word.sense
    if said.turned(fact):
        own = {"rise": "fall", "fall": "rise"}.get(own, own)  # type: ignore[assignment]
    if sense.kind == "again":
        return own != "unsure"
    if sense.kind == "unsure":
        return (own == "unsure") != said.denied
    if sense.kind == "sure":
        moved = own in ("rise", "fall") and not fact.predicted
        return own in ("same", "unsure") if said.denied else moved
    if sense.kind == "same":
        return own in ("rise", "fall") if said.denied else own == "same"
    if not sense.sign:
        return own == "same" if said.denied else own in ("rise", "fall")
    up = sense.sign > 0
    if sense.kind == "quality" and fact.better != "higher":
        up = not up
    if said.denied:
        return own in ("same", "fall" if up else "rise")
    return own == ("rise" if up else "fall")
