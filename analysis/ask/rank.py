"""Which row answers a question: the ranking, which ``templates/ask.js`` does as well.

A question is cut into words. Words that name a metric, a role, a shape of workloads or
a size, as declared, are asked of those; all words are looked for in what a row and its
study are called. A word counts by how rare it is among the studies: ``ln(1 + n ÷ of
how many) ÷ ln(1 + n)`` of n studies. A row's score is the sum of all that fits, by the
weights of ``templates/ask.json``, where the words are declared too. No more is known
of a question, and no text is made: docs/how-to/ask.md.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.files.templates import template_file
from analysis.report.beside.answers import (
    IndexedStudy,
    SearchIndex,
    shape_patterns,
)

_WORD = re.compile(r"[^\W_]+(?:[./-][^\W_]+)*")
_SIZE = re.compile(r"(\d) (b|kb|mb|gb|gbe)(?![a-z])")
_ENDING = re.compile(r"(ies|ing|ed|es|s)$")
_GAP = 2  # words that may stand between those of a name
_ALIKE, _ASK = "alike.json", "ask.json"
_STUDY, _LOAD, _ROLE, _METRIC, _TEST, _BASE, _SIZES, _ANSWER = range(8)
Fields = tuple[tuple[str, str], ...]  # weights by name, each with the text it is of


def fold(text: str) -> str:
    """Small letters, one hyphen, sizes as names have them: ``4 kB`` is ``4kb``."""
    text = unicodedata.normalize("NFKC", text).lower()
    return _SIZE.sub(r"\1\2", text.replace("−", "-").replace("’", "'"))


def words_of(text: str) -> list[str]:
    """The words of a folded text; ``smc-r`` and ``tcp/ip`` are one each."""
    return _WORD.findall(text.replace("'s ", " "))


def known_words(text: str) -> list[str]:
    """The words of a text that is looked in, and the parts of those that have some."""
    whole = words_of(fold(text))
    parts = [part for word in whole for part in re.split(r"[/-]", word)]
    return list(dict.fromkeys([*whole, *parts]))


def stem(word: str) -> str:
    """A word without its ending, so that ``audited`` is found by ``auditing``."""
    return _ENDING.sub("", word) if len(word) > 4 else word


def fits(word: str, known: Iterable[str]) -> bool:
    """Whether a word is among those known, or begins one."""
    start = stem(word)
    begins = len(start) > 2 and start[0].isalpha()
    return any(one == word or (begins and one.startswith(start)) for one in known)


@dataclass(frozen=True)
class SoughtWord:
    """A word that is looked for, and others that would do; ``named`` ones are asked of
    metrics, roles, shapes or sizes as well."""

    word: str
    others: tuple[str, ...]
    named: bool


@dataclass(frozen=True)
class Understood:
    """A question as it is understood: what it names, and its words."""

    metrics: dict[str, float]  # by id, 1 for what the most words are of
    roles: frozenset[str]
    shapes: frozenset[str]
    sizes: frozenset[str]
    terms: tuple[SoughtWord, ...]


@dataclass(frozen=True)
class Scored:
    """A row with its score, what it scored by the question alone, and of this by words
    that name no metric."""

    edition: int
    row: Sequence[str]
    score: float
    fit: float
    words: float


@dataclass(frozen=True)
class Ranked:
    """Rows, the best first; ``unknown`` are words of the question that no study has.

    Nothing is ``answered`` where these are not outnumbered by others, or where the best
    row is of no metric that was asked for.
    """

    question: Understood
    rows: tuple[Scored, ...]
    unknown: tuple[str, ...]
    answered: bool


class Ranking:
    """The ranking over indexes, the newest first."""

    def __init__(self, indexes: Sequence[SearchIndex], templates: Path) -> None:
        self.indexes = indexes
        self._ask: dict[str, Any] = _read(templates, _ASK)
        self._alike: list[list[str]] = [
            *_read(templates, _ALIKE),
            *self._ask["instead"],
        ]
        self._found: dict[tuple[str, str], bool] = {}

    def ask(self, text: str) -> Ranked:
        """Rank all rows; those that fit no better keep their order."""
        question = self.understand(text)
        self._found.clear()
        rare = {term.word: self._rarity(term) for term in question.terms}
        scored = [self._score(question, rare, *one) for one in self._rows]
        scored.sort(key=lambda one: -one.score)
        free = [term for term in question.terms if not term.named]
        unknown = [term.word for term in free if not rare[term.word]]
        known = len(free) - len(unknown)
        first = scored[0] if scored else None
        answered = (
            first is not None
            and first.fit > 0
            and (not unknown or len(unknown) < known)
            and (not question.metrics or first.row[_METRIC] in question.metrics)
        )
        return Ranked(question, tuple(scored), tuple(unknown), answered)

    def understand(self, text: str) -> Understood:
        """What a question names, and its words."""
        text = fold(text)
        words = words_of(text)
        stems = [stem(word) for word in words]
        covered: set[int] = set()

        def named(phrases: Iterable[str]) -> set[int]:
            found = set[int]()
            for phrase in phrases:
                found |= _places(stems, [stem(w) for w in words_of(fold(phrase))])
            covered.update(found)
            return found

        places: dict[str, set[int]] = {m: named(p) for m, p in self._metrics.items()}
        asked = [(group["of"], named(group["words"])) for group in self._ask["metrics"]]
        loose = set[int]().union(*(at for _, at in asked))
        metrics = {m: float(len(at)) for m, at in places.items() if at - loose}
        for group, at in asked:
            for n, metric in enumerate(group if at else ()):
                metrics[metric] = metrics.get(metric, 0) + len(at) * (1 - n / 20) / 2
        roles = {role for role, name in self._roles.items() if named([role, name])}
        sizes = {size for size, names in self._ask["sizes"].items() if named(names)}
        shapes = set[str]()
        for shape, pattern in self._shapes.items():
            for match in pattern.finditer(text):
                shapes.add(shape)
                named([match[0]])
        asking = set(self._ask["asking"])
        terms = dict[str, SoughtWord]()
        for n, word in enumerate(words):
            if word not in asking:
                others = {o for g in self._alike if word in g for o in g} - {word}
                term = SoughtWord(word, tuple(sorted(others)), n in covered)
                terms.setdefault(word, term)
        most = max(metrics.values(), default=1)
        metrics = {metric: share / most for metric, share in metrics.items()}
        return Understood(
            metrics,
            frozenset(roles),
            frozenset(shapes),
            frozenset(sizes),
            tuple(terms.values()),
        )

    def _score(
        self,
        asked: Understood,
        rare: dict[str, float],
        edition: int,
        row: Sequence[str],
        fields: Fields,
    ) -> Scored:
        weights = self._ask["weights"]
        fit = by_metric = weights["metric"] * asked.metrics.get(row[_METRIC], 0)
        fit += weights["role"] * (row[_ROLE] in asked.roles)
        fit += weights["shape"] * (_shape(row[_LOAD]) in asked.shapes)
        fit += weights["size"] * len(asked.sizes & set(row[_SIZES].split()))
        for term in asked.terms:
            best = every = 0.0
            for field, text in fields:
                if term.named and field in ("near", "text"):
                    continue
                held = 0.0
                if self._has(term.word, text):
                    held = weights[field]
                elif any(self._has(other, text) for other in term.others):
                    held = weights["form"] * weights[field]
                best, every = max(best, held), every + held
            fit += (best + weights["again"] * (every - best)) * rare[term.word]
        score = fit + weights["answer"] * bool(row[_ANSWER])
        # Sums of another order, as another program makes them, are the same numbers.
        words = round(fit - by_metric, 6)
        return Scored(edition, row, round(score, 6), round(fit, 6), words)

    def _rarity(self, term: SoughtWord) -> float:
        """How rare a word is among the studies, from 0 for one that none has."""
        having = {
            (edition, row[_STUDY])
            for edition, row, fields in self._rows
            if any(
                self._has(word, text)
                for word in (term.word, *term.others)
                for _, text in fields
            )
        }
        if not having:
            return 0.0
        studies = len({(edition, row[_STUDY]) for edition, row, _ in self._rows})
        return math.log(1 + studies / len(having)) / math.log(1 + studies)

    def _has(self, word: str, text: str) -> bool:
        if (word, text) not in self._found:
            self._found[word, text] = fits(word, self._words[text])
        return self._found[word, text]

    def _fields(self, study: IndexedStudy, row: Sequence[str], title: str) -> Fields:
        """The texts of a row, each with the weight that its words have."""
        names = study.names
        return (
            ("load", row[_LOAD]),
            ("test", names.get(row[_TEST], row[_TEST])),
            ("base", names.get(row[_BASE], row[_BASE])),
            ("title", study.title),
            ("near", f"{study.question} {study.finding} {title}"),
            ("text", study.words),
        )

    @cached_property
    def _words(self) -> dict[str, list[str]]:
        found = dict[str, list[str]]()
        for _, _, fields in self._rows:
            for field, text in fields:
                if text not in found:
                    parts = re.findall(r"\d+|[a-z]+", text) if field == "load" else []
                    found[text] = [*known_words(text), *parts]
        return found

    @cached_property
    def _rows(self) -> list[tuple[int, list[str], Fields]]:
        """All rows with their editions and texts; those that an edition borrows only
        where the one that derives them is not there."""
        here = {index.edition for index in self.indexes}
        rows = []
        for n, index in enumerate(self.indexes):
            studies = {study.id: study for study in index.studies}
            for row in index.rows:
                study = studies[row[_STUDY]]
                if study.home == index.edition or study.home not in here:
                    rows.append((n, row, self._fields(study, row, index.title)))
        return rows

    @cached_property
    def _metrics(self) -> dict[str, list[str]]:
        """What each metric is called; a kind of another one has its names, too."""
        names = {
            id: list(words)
            for index in reversed(self.indexes)
            for id, (_, words) in index.metrics.items()
        }
        return {
            id: [w for other in names if f"{id}_".startswith(f"{other}_")
                 for w in names[other]]
            for id in names
        }  # fmt: skip

    @cached_property
    def _roles(self) -> dict[str, str]:
        return {k: v for index in self.indexes for k, v in index.roles.items()}

    @cached_property
    def _shapes(self) -> dict[str, re.Pattern[str]]:
        """The program's own: an expression of a release may never come to an end."""
        return {shape: re.compile(p) for shape, p in shape_patterns().items()}


def _shape(workload: str) -> str:
    return re.match(r"[A-Z]*", workload)[0]  # type: ignore[index]


def _places(stems: Sequence[str], phrase: Sequence[str]) -> set[int]:
    """Where the words of a name stand, in their order and close to each other; of
    several places the first."""
    for start, first in enumerate(stems):
        if not phrase or first != phrase[0]:
            continue
        found, at = [start], start
        for word in phrase[1:]:
            near = stems[at + 1 : at + 2 + _GAP]
            if word not in near:
                break
            at += 1 + near.index(word)
            found.append(at)
        else:
            return set(found)
    return set()


def _read(templates: Path, name: str) -> Any:
    return json.loads(template_file(templates, name).read_text(encoding="utf-8"))
