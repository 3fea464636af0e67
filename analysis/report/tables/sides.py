"""The two sides of a change: the values that it is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from analysis.facts.fact import Fact
from analysis.report.expressions.bound import without_unit

ARROW = "\u2192"


class Sides(NamedTuple):
    """The values of the baseline and of the test."""

    before: Fact
    after: Fact

    @property
    def printed(self) -> str:
        """``204 → 126 µs``."""
        before, after = self.before.printed, self.after.printed
        return f"{without_unit(before, after).rstrip()} {ARROW} {after}"


def sides(change: Fact, facts: Mapping[str, Fact]) -> Sides | None:
    """The sides of a change, from facts by key; None where one is not among them."""
    stem = change.key.removesuffix(f"{change.configuration}.delta")
    before = facts.get(f"{stem}{change.baseline}")
    after = facts.get(f"{stem}{change.configuration}")
    return Sides(before, after) if before and after else None
