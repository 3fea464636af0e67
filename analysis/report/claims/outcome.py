"""What facts say about a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.claims.claim import Claim

Unit = Literal["points", "%"]


@dataclass(frozen=True)
class Evidence:
    """One comparison: what the data say, what the claim demands, how far apart.

    ``margin`` is positive where it holds and negative where it fails: in
    percentage points between changes, in percent between values; None where nothing
    lies between right and wrong. ``facts`` are those that decide.
    """

    holds: bool
    left: str
    right: str
    margin: float | None = None
    unit: Unit = "points"
    facts: tuple[Fact, ...] = ()
    weak: str = ""


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


def narrowest(evidence: Iterable[Evidence]) -> Evidence:
    """What decides: evidence against before evidence for, then the smallest margin."""
    return min(evidence, key=lambda found: (found.holds, _size(found)))


def weakness(evidence: Iterable[Evidence], least: float) -> str:
    """Why a claim that holds is fragile: a margin below ``least``, or noise."""
    held = list(evidence)
    decided = narrowest(held)
    if decided.margin is not None and decided.margin < least:
        return f"the margin is less than the {least:g} declared"
    return next((found.weak for found in held if found.weak), "")


def for_each(
    facts: Iterable[Fact], weigh: Callable[[Fact], Evidence]
) -> list[Evidence]:
    """The evidence of each fact."""
    return [weigh(fact) for fact in facts]


def _size(found: Evidence) -> float:
    return float("inf") if found.margin is None else found.margin
