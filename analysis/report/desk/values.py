"""Values that one may insert, found by plain words: metric, workload, configuration."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any

from analysis.declared.workload import SHAPES, parse_workload
from analysis.facts.fact import Fact
from analysis.files.templates import template_file
from analysis.report.language.listing import counts, expression_of, forms
from analysis.report.material import Material
from analysis.report.text.glossary import read_glossary

_SHOWN = 12
_SHORT = 4  # letters: less begin a word, as "rr" is not in "error"
EMPTY = frozenset(
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


@dataclass(frozen=True)
class InsertedValue:
    """A value: what would be printed, the expression that prints it, what it is of."""

    shows: str
    expression: str
    about: str


@dataclass(frozen=True)
class _Asked:
    """A word that was asked for, without the ending of a plural, and others for it."""

    word: str
    stem: str
    others: frozenset[str]

    def rank(self, text: str, words: list[str], means: str) -> int | None:
        """Less for a better fit, None for none: what is said of a value, its words,
        and what explains it."""
        if self.stem in text:
            if self.word in words:
                return 0
            return 1 if any(one.startswith(self.word) for one in words) else 2
        for other in self.others:
            begins = any(one.startswith(other) for one in words)
            if begins or (len(other) >= _SHORT and other in text):
                return 3
        return 4 if self.stem in means else None


def find_values(
    material: Material, study: str | None, words: str
) -> list[InsertedValue]:
    """The values that most words tell of, those of the study before others.

    ``study`` is that of the text, None in front and back matter.
    """
    return best(material, words, _values(material, study))


def best(
    material: Material, words: str, all: Iterable[tuple[int, Any, str, str]]
) -> list[Any]:
    """The first of those that most words tell of.

    Where none has all words, those that lack the fewest are found, never more than
    half. Each comes with how far it is, what tells of it, and what it means.
    """
    split = [word.strip(",;.") for word in words.casefold().replace("?", " ").split()]
    asked = _asked([word for word in split if word and word not in EMPTY] or split,
                   material)  # fmt: skip
    ranked = []
    for place, (far, one, text, means) in enumerate(all):
        parts = text.split()
        ranks = [one.rank(text, parts, means) for one in asked]
        lacking = ranks.count(None)
        if lacking <= len(asked) // 2:
            fit = sum(rank for rank in ranks if rank is not None)
            ranked.append(((lacking, fit, far), place, one))
    least = min((rank[0] for rank, *_ in ranked), default=0)
    fitting = (one for one in ranked if one[0][0] == least)
    return [one for *_, one in nsmallest(_SHOWN, fitting, key=lambda one: one[:2])]


def _asked(words: list[str], material: Material) -> list[_Asked]:
    """The words with what each may be called as well, in lower case."""
    groups = json.loads(template_file(material.templates, _GROUPS).read_text("utf-8"))
    for term, entry in read_glossary(material.folder).items():
        groups.append([term.casefold(), re.split(r"[.(]", entry.name)[0].casefold()])
    asked = []
    for word in words:
        stem = _stem(word)
        others = {o for group in groups if {word, stem} & set(group) for o in group}
        asked.append(_Asked(word, stem, frozenset(others - {word, stem})))
    return asked


def _stem(word: str) -> str:
    """A word without the ending of a plural: ``latencies`` are found by ``latenc``."""
    for ending in ("ies", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word


def _values(
    material: Material, study: str | None
) -> Iterator[tuple[int, InsertedValue, str, str]]:
    """Each value, how far it is from the study, what tells of it, and what it means."""
    for id in sorted(material.studies, key=lambda id: id != study):
        title, names = material.studies[id].title, material.names(id)
        inside = id == study
        facts = [fact for fact in material.facts.facts if fact.study == id]
        for fact in sorted(facts, key=lambda fact: fact.kind != "delta"):
            call = expression_of(fact, material.studies, inside=inside)
            words = fact_words(fact, material, names)
            about = words if inside else f"{title}: {words}"
            text = f"{words} {title} {id} {other_words(fact, material)}"
            means = material.metrics[fact.metric].means.casefold()
            for near, (shows, way) in enumerate(forms(fact)):
                value = InsertedValue(shows, call + way, about)
                far = near + 10 * (not inside)
                yield far, value, f"{text} {shows} {way}".casefold(), means
    for call, shows in _counted(material, study):
        words = _COUNTS.get(call) or " ".join(["comparisons", *call.split('"')[1:2]])
        value = InsertedValue(shows, call, words)
        yield 5, value, f"{words} count {shows}".casefold(), ""


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
    side = fact.configuration
    if names.get(side, side) != side:
        side = f"{side}: {names[side]}"
    against = f"change against {fact.baseline}" if fact.kind == "delta" else ""
    metric = material.metrics[fact.metric].label
    parts = (metric, fact.role, fact.workload, side, against, fact.verdict)
    return ", ".join(filter(None, parts))


def facts_words(facts: Sequence[Fact], material: Material) -> str:
    """What a print is of: its fact in words, of several the first and how many."""
    if not facts:
        return ""
    words = fact_words(facts[0], material, material.names(facts[0].study))
    return words if len(facts) == 1 else f"{words}, and {len(facts) - 1} more"


def other_words(fact: Fact, material: Material) -> str:
    """All else that people call it."""
    metric = material.metrics[fact.metric]
    shape = SHAPES[parse_workload(fact.workload).shape]
    names = re.findall(r"[a-z]+", f"{shape.label} {shape.words}".casefold())
    change = _CHANGE if fact.kind == "delta" else "median"
    return " ".join((fact.metric, *metric.words, *names, change))
