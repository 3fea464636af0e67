"""Facts of two builds: which moved, for better or worse, and beyond noise or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from analysis.facts.fact import Fact, Facts
from analysis.report.expressions.bound import interval

Kind = Literal["new", "gone", "moved"]
Direction = Literal["better", "worse", "neither"]


@dataclass(frozen=True)
class FactChange:
    """One fact before and after; one of them is None where it is new or gone.

    ``beyond_noise`` is None where a side has no interval. A value that moved has left
    the noise when the two intervals have nothing in common.
    """

    key: str
    kind: Kind
    before: Fact | None
    after: Fact | None
    direction: Direction = "neither"
    beyond_noise: bool | None = None

    @property
    def fact(self) -> Fact:
        """The fact as it is now, or was last."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - a change has at least one side
        return found

    @property
    def origin_changed(self) -> bool:
        """Whether the two sides have different origins."""
        return bool(
            self.before and self.after and self.before.origin != self.after.origin
        )

    @property
    def verdict_changed(self) -> bool:
        """Whether the two sides have different verdicts."""
        return bool(
            self.before and self.after and self.before.verdict != self.after.verdict
        )

    @property
    def evidence_moves(self) -> tuple[tuple[str, str, str], ...]:
        """What the value rests on, where that changed: name, before and after."""
        if self.before is None or self.after is None:
            return ()
        old, new = _evidence(self.before), _evidence(self.after)
        return tuple((n, old[n], new[n]) for n in old if old[n] != new[n])

    @property
    def visible(self) -> bool:
        """Whether a reader of the report can see the change."""
        if self.before is None or self.after is None:
            return True
        moved = self.before.printed != self.after.printed
        seen = moved or self.origin_changed or self.verdict_changed
        return seen or bool(self.evidence_moves)


def fact_changes(before: Facts, after: Facts) -> list[FactChange]:
    """All facts that differ in value, print, verdict or what they rest on, by key."""
    old, new = _by_key(before), _by_key(after)
    return list(_changes(old, new))


def _by_key(facts: Facts) -> dict[str, Fact]:
    return {fact.key: fact for fact in facts.facts}


def _changes(old: Mapping[str, Fact], new: Mapping[str, Fact]) -> Iterator[FactChange]:
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if before is None or after is None:
            yield FactChange(key, "new" if after else "gone", before, after)
        elif _seen(before) != _seen(after):
            direction, beyond = _direction(before, after), _beyond(before, after)
            yield FactChange(key, "moved", before, after, direction, beyond)


def _seen(fact: Fact) -> tuple[object, ...]:
    value = fact.value, fact.printed, fact.origin, fact.verdict, fact.unit
    return *value, *_evidence(fact).values()


def _evidence(fact: Fact) -> dict[str, str]:
    """What a value rests on, as the report shows it."""
    model = fact.estimate and f"{fact.estimate.model}, {fact.estimate.rung}"
    return {
        "n": str(fact.n),
        "interval": "none" if fact.low is None else interval(fact),
        "limit": "none" if fact.threshold is None else f"{fact.threshold:.3g}%",
        "warnings": "; ".join(sorted({w.note for w in fact.warnings})) or "none",
        "model": model or "none",
    }


def _direction(before: Fact, after: Fact) -> Direction:
    moved = after.value - before.value
    if moved == 0 or after.better == "none":
        return "neither"
    return "better" if (moved > 0) == (after.better == "higher") else "worse"


def _beyond(before: Fact, after: Fact) -> bool | None:
    ends = (before.low, before.high, after.low, after.high)
    if any(end is None for end in ends):
        return None
    old_low, old_high, new_low, new_high = (end or 0.0 for end in ends)
    return new_low > old_high or new_high < old_low
