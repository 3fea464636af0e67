"""Values that one may insert, found by plain words: metric, workload, configuration."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest

from analysis.declared.workload import SHAPES, parse_workload
from analysis.facts.fact import Fact
from analysis.report.language.expression import counts, expression_of, forms
from analysis.report.material import Material
from analysis.report.text.glossary import read_glossary

_SHOWN = 12
_SHORT = 4  # letters: less begin a word, as "rr" is not in "error"
_ALIKE, _MEANT = 3, 4  # ranks of other words for it, and of what explains it
_EMPTY = frozenset(
    ("a", "an", "and", "are", "at", "by", "did", "do", "does", "for", "from", "how",
     "i", "in", "is", "it", "its", "much", "number", "of", "on", "or", "that", "the",
     "to", "was", "what", "when", "which", "with")
)  # fmt: skip
# What people call a change, whichever way it goes.
_CHANGE = "change difference percent faster slower better worse more less gain saving"
_COUNTS = {
    "comparisons()": "comparisons of this study",
    'count_runs("used")': "runs used",
    'count_runs("excluded")': "runs excluded",
    "limit()": "limit below which no change counts",
}
_GROUPS = "alike.json"  # of the templates: pages are searched with it, too
_ENDINGS = ("ies", "s")
_STEM = 3  # letters at least

Alike = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class FoundValue:
    """A value: what would be printed, the expression that prints it, what it is of."""

    shows: str
    expression: str
    of: str


def find_values(material: Material, study: str | None, words: str) -> list[FoundValue]:
    """The first values that most words tell of, those of the study before others.

    Where none has all words, those that lack the fewest are found, never more than
    half. ``study`` is that of the text, None in front and back matter.
    """
    asked = [word.strip(",;.") for word in words.casefold().replace("?", " ").split()]
    told_words = [word for word in asked if word and word not in _EMPTY] or asked
    alike = alike_words(material)
    wanted = [(word, *forms_of(word, alike)) for word in told_words]
    ranked = [
        (rank, place, value)
        for place, (far, value, told, means) in enumerate(_values(material, study))
        if (rank := _rank(wanted, told, means, far)) is not None
    ]
    least = min((rank[0] for rank, *_ in ranked), default=0)
    fitting = (one for one in ranked if one[0][0] == least)
    best = nsmallest(_SHOWN, fitting, key=lambda one: one[:2])
    return [value for *_, value in best]


_Wanted = tuple[str, str, list[str]]  # a word, its stem, and others that would do


def _rank(
    wanted: list[_Wanted], told: str, means: str, far: int
) -> tuple[int, int, int] | None:
    """Less for what lacks fewer words, and has them as words of its own."""
    own = told.split()
    found = [_inside(word, told, own, means) for word in wanted]
    lacking = found.count(None)
    if lacking > len(wanted) // 2:
        return None
    return lacking, sum(rank for rank in found if rank is not None), far


def _inside(wanted: _Wanted, told: str, own: list[str], means: str) -> int | None:
    """0 for one of the words, 1 for how one begins, 2 for what is within one."""
    word, stem, others = wanted
    if stem in told:
        if word in own:
            return 0
        return 1 if any(one.startswith(word) for one in own) else 2
    if any(_has(told, own, other) for other in others):
        return _ALIKE
    return _MEANT if stem in means else None


def _has(told: str, own: list[str], other: str) -> bool:
    if len(other) < _SHORT:
        return any(one.startswith(other) for one in own)
    return other in told


def _values(
    material: Material, study: str | None
) -> Iterator[tuple[int, FoundValue, str, str]]:
    """Each value, how far it is from the study, what tells of it, and what it means."""
    for id in sorted(material.studies, key=lambda id: id != study):
        title, names = material.studies[id].title, material.names(id)
        inside = id == study
        facts = [fact for fact in material.facts.facts if fact.study == id]
        for fact in sorted(facts, key=lambda fact: fact.kind != "delta"):
            call = expression_of(fact, material.studies, inside=inside)
            of = fact_words(fact, material, names)
            where = of if inside else f"{title}: {of}"
            told = f"{of} {title} {id} {_words(fact, material)}"
            means = material.metrics[fact.metric].means.casefold()
            for near, (shows, way) in enumerate(forms(fact)):
                value, far = FoundValue(shows, call + way, where), 10 * (not inside)
                yield near + far, value, f"{told} {shows} {way}".casefold(), means
    for call, shows in _counted(material, study):
        of = _COUNTS.get(call) or " ".join(["comparisons", *call.split('"')[1:2]])
        yield 5, FoundValue(shows, call, of), f"{of} count {shows}".casefold(), ""


def _counted(material: Material, study: str | None) -> Iterator[tuple[str, str]]:
    """Counts of a study, or of the runs of all."""
    if study is not None:
        yield from counts(material, study)
        return
    runs = material.runs()
    yield 'count_runs("used")', str(sum(run.used for run in runs))
    yield 'count_runs("excluded")', str(sum(run.excluded for run in runs))


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
    """All else that people call it."""
    metric = material.metrics[fact.metric]
    shape = SHAPES[parse_workload(fact.workload).shape]
    called = re.findall(r"[a-z]+", f"{shape.label} {shape.words}".casefold())
    change = _CHANGE if fact.kind == "delta" else "median"
    return " ".join((fact.metric, *metric.words, *called, change))


def alike_words(material: Material) -> Alike:
    """What each word or term may be called as well, in lower case."""
    groups = json.loads((material.templates / _GROUPS).read_text("utf-8"))
    for term, entry in read_glossary(material.folder).items():
        groups.append([term.casefold(), re.split(r"[.(]", entry.name)[0].casefold()])
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        for word in group:
            found[word] = found.get(word, frozenset()) | frozenset(group)
    return found


def forms_of(word: str, alike: Alike) -> tuple[str, list[str]]:
    """A word without the ending of a plural, and what else would do."""
    own = stem(word)
    others = alike.get(word, frozenset()) | alike.get(own, frozenset())
    return own, sorted(others - {own, word})


def stem(word: str) -> str:
    """A word without the ending of a plural: ``latencies`` are found by ``latenc``."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + _STEM:
            return word.removesuffix(ending)
    return word
