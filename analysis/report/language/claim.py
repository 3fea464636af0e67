"""A claim, what the facts say about it, and both in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from analysis.errors import Issue, Place
from analysis.facts.fact import Fact
from analysis.report.language.printed import interval
from analysis.report.language.reading import ClaimWords, Subject, Workloads
from analysis.report.language.scope import Kind, Scope, Selection, UnknownError

Unit = Literal["points", "%"]


@dataclass(frozen=True)
class Evidence:
    """One comparison: what the data say, what the claim demands, how far apart.

    ``margin`` is positive where it holds and negative where it fails: in
    percentage points between changes, in percent between values; None where nothing
    lies between right and wrong. ``facts`` are those that decide, and ``weak`` says
    why the next measurement might decide otherwise.
    """

    holds: bool
    left: str
    right: str
    margin: float | None = None
    unit: Unit = "points"
    facts: tuple[Fact, ...] = ()
    weak: str = ""

    @property
    def size(self) -> str:
        """The size of the margin with its unit: ``4.2 points``, ``12%``."""
        margin = abs(self.margin or 0.0)
        text = f"{margin:.2f}" if margin < 1 else f"{margin:,.1f}"
        return f"{text}%" if self.unit == "%" else f"{text} points"


@dataclass
class ClaimFacts:
    """The facts of a study that a claim may rest on; ``used`` are all it asked for."""

    scope: Scope
    subject: Subject | None
    workloads: Workloads
    used: list[Fact] = field(default_factory=list)

    def select(
        self,
        kind: Kind,
        subject: Subject | None = None,
        workloads: Workloads | None = None,
    ) -> tuple[Fact, ...]:
        """The facts of the claim's subject on its workloads, in their order, or of
        others; :class:`UnknownError` where there is none, or several may be meant."""
        about, chosen = subject or self.subject, workloads or self.workloads
        if about is None:
            raise TypeError(self)
        who = self.scope.named(kind, about.metric, about.names)
        fits = chosen.fits
        asked = (kind, about.metric, chosen.text or "*", *who, None, fits)
        found = self.scope.select(Selection(*asked))
        self.used += found
        return found

    def of(self, *names: str) -> tuple[Fact, ...]:
        """The values of the claim's subject, of these names besides its own."""
        if self.subject is None:
            raise TypeError(self)
        subject = replace(self.subject, names=(*self.subject.names, *names))
        return self.select("value", subject)

    def comparisons(self) -> tuple[Fact, ...]:
        """All changes of the study on the claim's workloads that can be judged."""
        deltas = self.scope.deltas()
        found = tuple(f for f in deltas if self.workloads.fits(f.workload))
        if not found:
            raise UnknownError(
                "the study has no such comparison", "change the workloads"
            )
        self.used += found
        return found


@dataclass(frozen=True)
class Form:
    """One form of claims: how its words are read, and what facts say about it.

    ``verbs`` begin it after a subject, ``states`` after a subject and *is*, and
    ``qualifiers`` may follow, in any order and with the workloads among them.
    """

    verbs: ClassVar[tuple[str, ...]] = ()
    states: ClassVar[tuple[str, ...]] = ()
    qualifiers: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """The form that begins with the verb or state which was read."""
        raise NotImplementedError

    def qualified(self, words: ClaimWords) -> Form:
        """The form with the qualifier which was read."""
        raise NotImplementedError

    def check(self) -> None:
        """:class:`UnknownError` where its words do not go together, or are not all."""

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """What the facts say, comparison by comparison."""
        raise NotImplementedError


@dataclass(frozen=True)
class Claim:
    """One claim; ``text`` is as written, ``line`` is where in its ``file``.

    ``sentence`` are the words that it stands with; empty in a front matter.
    """

    text: str
    subject: Subject | None
    form: Form
    workloads: Workloads = field(default_factory=Workloads)
    predicted: bool = False
    line: int = 0
    file: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class Outcome:
    """The verdict on a claim, decided by the evidence with the narrowest margin.

    ``facts`` are all that the claim is about. ``fragile`` says why the claim might
    fall with the next measurement, and is empty where it stands firmly.
    """

    claim: Claim
    deciding: Evidence
    facts: tuple[Fact, ...]
    fragile: str = ""

    @property
    def holds(self) -> bool:
        """Whether the claim is true."""
        return self.deciding.holds

    @property
    def state(self) -> Literal["holds", "fragile", "fails"]:
        """The verdict as a word."""
        if not self.holds:
            return "fails"
        return "fragile" if self.fragile else "holds"

    @property
    def margin(self) -> str:
        """The margin for a table, an en dash where there is none."""
        return "–" if self.deciding.margin is None else self.deciding.size

    @property
    def failure(self) -> Issue:
        """The issue that stops a build: the claim, both sides, margin, how to mend."""
        evidence = self.deciding
        off = f" (off by {evidence.size})" if evidence.margin else ""
        return Issue(
            f"this claim is false: {self.claim.text}\n"
            f"  the data say: {evidence.left}\n"
            f"  the claim demands: {evidence.right}{off}",
            Place(self.claim.file, self.claim.line),
            "change the claim and the sentences that say so, or find why the data "
            "moved",
        )

    @property
    def fragility(self) -> Issue:
        """The warning that a claim holds, but only just."""
        evidence = self.deciding
        by = "" if evidence.margin is None else f" by {evidence.size}"
        return Issue(
            f"this claim is fragile: {self.claim.text}\n"
            f"  it holds{by}, and {self.fragile}: {evidence.left}; "
            f"demanded: {evidence.right}",
            Place(self.claim.file, self.claim.line),
            "say less, or measure more runs",
        )


def narrowest(evidence: Iterable[Evidence]) -> Evidence:
    """What decides: evidence against before evidence for, then the smallest margin."""

    def rank(one: Evidence) -> tuple[bool, float]:
        return one.holds, float("inf") if one.margin is None else one.margin

    return min(evidence, key=rank)


def pairs(left: Sequence[Fact], right: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Facts of one workload side by side, which both sides must have."""
    others = {fact.workload: fact for fact in right}
    for fact in left:
        if fact.workload not in others:
            raise UnknownError(
                f"{fact.workload} was not measured on both sides",
                "choose workloads that both have",
            )
        yield fact, others[fact.workload]


def excess(above: bool, left: float, right: float) -> float | None:
    """By how many percent the larger side exceeds the other; negative if it is not."""
    high, low = (left, right) if above else (right, left)
    return (high / low - 1) * 100 if low > 0 else None


def printed_for(fact: Fact) -> str:
    """``−37% for RR1(1kB)``."""
    return f"{fact.printed} for {fact.workload}"


def printed_on(fact: Fact) -> str:
    """``80.0 µs for RR1(1kB) on new``."""
    return f"{printed_for(fact)} on {fact.configuration}"


def named_fact(fact: Fact) -> str:
    """``cpu_cost of client for RR1(1kB)``: what a fact is of, for authors."""
    role = f" of {fact.role}" if fact.role else ""
    return f"{fact.metric}{role} for {fact.workload}"


def reaches(fact: Fact, end: str) -> str:
    """Why a size is not sure: the interval has an end beyond it."""
    return f"the interval of {fact.workload} reaches to {end}"


def ratio_ends(left: Fact, right: Fact) -> tuple[float, float] | None:
    """The interval of the ratio of two values, from theirs; None without one of them.

    The distances of the ends from both values, on logarithms, are added as squares: G.
    Y. Zou and A. Donner, Statistics in Medicine 27 (2008), 1693.
    """
    ends = (left.low, left.high, right.low, right.high)
    if any(end is None or end <= 0 for end in ends):
        return None
    low, high, below, above = (math.log(end) for end in ends if end is not None)
    one, other = math.log(left.value), math.log(right.value)
    return (
        math.exp(one - other - math.hypot(one - low, above - other)),
        math.exp(one - other + math.hypot(high - one, other - below)),
    )


def spread(fact: Fact) -> str:
    """The interval in words."""
    return "no interval" if fact.low is None else interval(fact)
