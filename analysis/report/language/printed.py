"""What an expression gives: facts and how they are printed, averages, words, counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analysis.facts.fact import Fact
from analysis.facts.units import (
    format_number,
    format_percent,
    format_percent_interval,
    format_range,
)
from analysis.report.bound import Bound, Number, between, bound, number
from analysis.report.language.scope import UnknownError


@dataclass(frozen=True)
class Selected:
    """Facts that an expression selects."""

    facts: tuple[Fact, ...]

    @property
    def single(self) -> Fact:
        """The only fact; :class:`UnknownError` where several fit."""
        if len(self.facts) > 1:
            raise UnknownError(
                f"{len(self.facts)} facts fit: "
                f"{', '.join(f.workload for f in self.facts)}",
                "name one workload, or add the filter '| span'",
            )
        return self.facts[0]

    @property
    def bound(self) -> Bound:
        """What is printed."""
        return bound(number(self.single))


@dataclass(frozen=True)
class Average:
    """A number over several facts, which is none of them itself."""

    facts: tuple[Fact, ...]
    text: str

    @property
    def bound(self) -> Bound:
        """What is printed."""
        return bound(Number(self.text, self.facts, is_average=True))


@dataclass(frozen=True)
class Verb(Bound):
    """Words that follow from one fact, such as ``falls by 37%`` or a verdict."""


class FactCount(int):
    """A number of facts, which it keeps: ``facts`` are all among which it counts, and
    ``verdict`` is the one of those that it counts, empty of any."""

    facts: tuple[Fact, ...] = ()
    verdict: str = ""

    @classmethod
    def among(
        cls, facts: tuple[Fact, ...], number: int, verdict: str = ""
    ) -> FactCount:
        """So many of some facts."""
        count = cls(number)
        count.facts, count.verdict = facts, verdict
        return count


@dataclass(frozen=True)
class Printed:
    """What one expression printed, and where the text has it.

    ``value`` is what its function gave before any of the ``filters``, and ``bound``
    what they left of it.
    """

    line: int
    expression: str
    bound: Bound
    value: object = field(default=None, compare=False)
    filters: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The function's name."""
        return self.expression.partition("(")[0].strip()

    @property
    def words(self) -> str:
        """What a reader reads of it."""
        return self.bound.words

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that it prints; those among which it counts are none of them."""
        return self.bound.facts

    @property
    def keys(self) -> frozenset[str]:
        """The keys of these facts."""
        return frozenset(fact.key for fact in self.facts)


def as_bound(result: object) -> Bound:
    """What functions and filters give, as it is printed."""
    if isinstance(result, Selected | Average):
        return result.bound
    return result if isinstance(result, Bound) else Bound((str(result),))


def ends(facts: Iterable[Fact]) -> Bound:
    """``12 to 14%``: lowest and highest, without signs where all have the same."""
    ordered = sorted(facts, key=lambda fact: fact.value)
    low, high = ordered[0], ordered[-1]
    if low.kind == "delta" and low.value * high.value > 0:
        low, high = sorted((low, high), key=lambda fact: abs(fact.value))
        return between(low, high, sized=True)
    return between(low, high)


def factor(fact: Fact) -> str:
    """By what a change multiplies or divides: ``42.0`` of −97.6%, ``9.78`` of 878%."""
    if fact.kind != "delta" or fact.value <= -100:
        raise UnknownError(
            f"{fact.key} has no factor", "put the delta(…) of a value before '| factor'"
        )
    ratio = 1 + fact.value / 100
    step = (fact.resolution or 0.0) / 100
    if ratio < 1:
        ratio, step = 1 / ratio, step / ratio**2
    return format_number(ratio, step)


def interval(fact: Fact) -> str:
    """The fact's confidence interval: ``−39 to −36%``, ``3,050 to 3,210 MB/s``."""
    if fact.low is None or fact.high is None:
        raise UnknownError(
            f"{fact.key} has no interval ({fact.n} runs)", "leave out '| interval'"
        )
    if fact.kind == "delta":
        return format_percent_interval(fact.low, fact.high)
    return format_range(fact.low, fact.high, fact.unit)


def known_interval(fact: Fact) -> str:
    """The same; empty where it has none."""
    return "" if fact.low is None else interval(fact)


def average_change(facts: Sequence[Fact]) -> float:
    """The geometric mean of the ratios behind changes, as a change in percent."""
    logs = [math.log1p(fact.value / 100) for fact in facts]
    return math.expm1(math.fsum(logs) / len(logs)) * 100


def average_text(facts: Sequence[Fact], average: float) -> str:
    """The average of changes in print, to the digit of their mean resolution."""
    steps = math.fsum(fact.resolution or 0.0 for fact in facts)
    return format_percent(average, steps / len(facts) / 2)
