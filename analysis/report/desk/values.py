"""Values that one may insert, found by plain words: metric, workload, configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nsmallest

from analysis.facts.fact import Fact
from analysis.report.expressions.expression import counts, expression_of, forms
from analysis.report.material import Material

_SHOWN = 12


@dataclass(frozen=True)
class FoundValue:
    """A value: what would be printed, the expression that prints it, what it is of."""

    shows: str
    expression: str
    of: str


def find_values(material: Material, study: str | None, words: str) -> list[FoundValue]:
    """The first values that all words tell of, those of the study before others.

    ``study`` is that of the text, None in front and back matter.
    """
    wanted = words.casefold().split()
    ranked = (
        (rank, place, value)
        for place, (far, value, told) in enumerate(_values(material, study))
        if (rank := _rank(wanted, told, far)) is not None
    )
    best = nsmallest(_SHOWN, ranked, key=lambda one: one[:2])
    return [value for *_, value in best]


def _rank(wanted: list[str], told: str, far: int) -> tuple[int, int] | None:
    """Less for what has the words as words of its own; None where one is not in it."""
    if not all(word in told for word in wanted):
        return None
    own = told.split()
    return sum(_inside(word, own) for word in wanted), far


def _inside(word: str, own: list[str]) -> int:
    """0 for one of the words, 1 for how one begins, 2 for what is within one."""
    if word in own:
        return 0
    return 1 if any(one.startswith(word) for one in own) else 2


def _values(
    material: Material, study: str | None
) -> Iterator[tuple[int, FoundValue, str]]:
    """Each value, how far it is from the study, and all words that tell of it."""
    for id in sorted(material.studies, key=lambda id: id != study):
        title, names = material.studies[id].title, material.names(id)
        inside = id == study
        facts = [fact for fact in material.facts.facts if fact.study == id]
        for fact in sorted(facts, key=lambda fact: fact.kind != "delta"):
            call = expression_of(fact, material.studies, inside=inside)
            of = fact_words(fact, material, names)
            where = of if inside else f"{title}: {of}"
            told = f"{of} {title} {id} {fact.metric} {_words(fact, material)}"
            for far, (shows, way) in enumerate(forms(fact)):
                value = FoundValue(shows, call + way, where)
                yield far + 10 * (not inside), value, f"{told} {shows} {way}".casefold()
        for call, shows in counts(material, id) if inside else ():
            yield 5, FoundValue(shows, call, call), f"{call} count {shows}".casefold()


def fact_words(fact: Fact, material: Material, names: dict[str, str]) -> str:
    """``latency, RR10(100B), B: offload off, change against A``."""
    label = names.get(fact.configuration, fact.configuration)
    side = (
        fact.configuration
        if label == fact.configuration
        else (f"{fact.configuration}: {label}")
    )
    against = f"change against {fact.baseline}" if fact.kind == "delta" else ""
    metric = material.metrics[fact.metric].label
    parts = (metric, fact.role, fact.workload, side, against, fact.verdict)
    return ", ".join(filter(None, parts))


def _words(fact: Fact, material: Material) -> str:
    return " ".join(material.metrics[fact.metric].words)
