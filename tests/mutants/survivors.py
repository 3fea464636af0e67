"""The list of mutants that may live, each with its reason; the list is checked too."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.mutants.population import ROOT, Mutant

LIST = Path(__file__).with_name("survivors.yaml")


@dataclass(frozen=True)
class Survivor:
    """A change that may stay unnoticed: a line before and after, and why."""

    module: str
    was: str
    becomes: str
    reason: str

    def __str__(self) -> str:
        return f"{self.module}: {self.was}  ->  {self.becomes}"


def read_survivors(path: Path = LIST) -> list[Survivor]:
    """The listed survivors.

    Raises:
        ValueError: An entry has no reason.
    """
    entries = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    survivors = [Survivor(**entry) for entry in entries]
    bare = [str(survivor) for survivor in survivors if not survivor.reason.strip()]
    if bare:
        raise ValueError(f"no reason is given: {bare}")
    return survivors


def listed(mutant: Mutant, survivors: Collection[Survivor]) -> bool:
    """Whether a mutant may live."""
    change = (mutant.module, mutant.was, mutant.becomes)
    return change in {(s.module, s.was, s.becomes) for s in survivors}


def check_survivors(
    survivors: Collection[Survivor], dead: Collection[Mutant]
) -> list[str]:
    """What is no longer true of the list, as mutants that were killed show."""
    issues = []
    for survivor in survivors:
        if survivor.was not in _lines(survivor.module):
            issues.append(f"gone, take it off the list: {survivor}")
        elif any(listed(mutant, [survivor]) for mutant in dead):
            issues.append(f"now killed, take it off the list: {survivor}")
    return issues


def _lines(module: str) -> set[str]:
    """The lines of a module with single spaces; none where it is gone."""
    path = ROOT / module
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {" ".join(line.split()) for line in text.splitlines()}
