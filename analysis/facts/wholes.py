"""Wholes and their parts: a system and its address spaces, storage and its areas."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.declared.vocabulary import is_of_whole
from analysis.facts.fact import Fact


def without_parts(facts: Iterable[Fact]) -> list[Fact]:
    """The facts without those of parts, wherever the metric has some of the whole."""
    found = list(facts)
    whole = {fact.metric for fact in found if fact.role and is_of_whole(fact.role)}
    return [f for f in found if is_of_whole(f.role) or f.metric not in whole]
