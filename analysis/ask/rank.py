"""Which row answers a question: the ranking, which ``templates/ask.js`` does as well.

A question is cut into words; one that nothing has is read as the most similar one that
something has. Words that name a metric, a role, a shape of workloads or a size, as
declared, are asked of those; all words are looked for in what a row and its study are
called. A word counts by how rare it is among the studies: ``ln(1 + n ÷ of how many) ÷
ln(1 + n)`` of n studies. A row's score is the sum of all that fits less what it lacks,
by the weights of ``templates/ask.json``, where the words are declared too. No more is
known of a question, and no text is made: docs/how-to/ask.md.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.files.templates import template_file
from analysis.report.beside.answers import SearchIndex, shape_patterns

_WORD = re.compile(r"[^\W_]+(?:[./-][^\W_]+)*")
_SIZE = re.compile(r"(\d) (b|kb|mb|gb|gbe)(?![a-z])")
_KILO = re.compile(r"(\d)k(?![a-z\d])")
_ENDING = re.compile(r"(?:([bdgmnprt])\1ing|([bdgmnprt])\2ed|ies|ing|ed|es|s)$")
_PART = re.compile(r"\d+(?:\.\d+)*")
_CAPITALS = re.compile(r"[A-Z][\w-]*(?: [A-Z][\w-]*)+")
_GAP = 2  # words that may stand between those of a name
_LONGEST = 4  # words that initials are of
_SPELT, _LIKE = 6, 0.75  # letters of a word that may be misspelt; pairs shared
_STUDY, _LOAD, _ROLE, _METRIC, _TEST, _BASE, _SIZES, _ANSWER = range(8)
Fields = tuple[tuple[str, str], ...]  # weights by name, each with the text it is of


def fold(text: str) -> str:
    """Small letters, one hyphen, sizes as names have them: ``4 kB`` and ``4k`` are
    ``4kb``."""
    text = unicodedata.normalize("NFKC", text).lower()
    text = _KILO.sub(r"\1kb", text.replace("−", "-").replace("’", "'"))
    return _SIZE.sub(r"\1\2", text)


def words_of(text: str) -> list[str]:
    """The words of a folded text; ``smc-r`` and ``tcp/ip`` are one each."""
    return _WORD.findall(text.replace("'s ", " "))


def known_words(text: str) -> list[str]:
    """The words of a text that is looked in, their parts, and the initials of names."""
    whole = words_of(fold(text))
    parts = [p for w in whole for p in (*re.split(r"[/-]", w), *_PART.findall(w))]
    return list(dict.fromkeys([*whole, *parts, *_initials(text)]))


def _initials(text: str) -> Iterator[str]:
    """``sd`` of "Sysplex Distributor": of words with capitals beside each other."""
    for run in _CAPITALS.findall(text):
        first = "".join(word[0] for word in run.split()).lower()
        for start in range(len(first)):
            for end in range(start + 2, min(len(first), start + _LONGEST) + 1):
                yield first[start:end]


def stem(word: str) -> str:
    """A word without its ending, so that ``audited`` is found by ``auditing`` and
    ``run`` by ``running``."""
    if len(word) <= 4:
        return word
    return _ENDING.sub(lambda end: end[1] or end[2] or "", word)


def fits(word: str, known: Iterable[str]) -> bool:
    """Whether a word is among those known, or begins one."""
    start = stem(word)
    begins = len(start) > 2 and start[0].isalpha()
    return any(one == word or (begins and one.startswith(start)) for one in known)


@dataclass(frozen=True)
class SoughtWord:
    """A word that is looked for, others that would do, and the metrics, roles, shapes
    and sizes that it names."""

    word: str
    others: tuple[str, ...]
    names: frozenset[str]


@dataclass(frozen=True)
class Understood:
    """A question as it is understood: what it names, and its words; ``read`` are words
    that were spelt otherwise."""

    metrics: dict[str, float]  # by id, 1 for what the most words are of
    names: frozenset[str]  # roles, shapes and sizes
    terms: tuple[SoughtWord, ...]
    read: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scored:
    """A row with its score, what it scored by the question alone, and of this by words
    that name no metric; ``lacking`` are words that name no part of it and are not in
    what it and its study are called, ``mentioned`` those of them that its study's text
    has."""

    edition: int
    row: Sequence[str]
    score: float
    fit: float
    words: float
    lacking: tuple[str, ...]
    mentioned: frozenset[str]


@dataclass(frozen=True)
class Ranked:
    """Rows, the best first; ``unknown`` are words of the question that no study has,
    ``mentioned`` those that only the text of the first row's study has, and ``lacking``
    the others that the first row lacks.

    Nothing is ``answered`` where these together are not outweighed by others, each by
    how rare it is, or where the best row is of no metric that was asked for.
    """

    question: Understood
    rows: tuple[Scored, ...]
    unknown: tuple[str, ...]
    lacking: tuple[str, ...]
    mentioned: tuple[str, ...]
    answered: bool


class Ranking:
    """The ranking over indexes, the newest first."""

    def __init__(self, indexes: Sequence[SearchIndex], templates: Path) -> None:
        self.indexes = indexes
        self._ask: dict[str, Any] = _read(templates, "ask.json")
        alike = _read(templates, "alike.json")
        self._alike: list[list[str]] = [*alike, *self._ask["instead"]]
        self._asking = {*map(stem, [*self._ask["asking"], *self._ask["changing"]])}
        self._held: dict[tuple[str, str], float] = {}
        self._roles = {k: v for index in indexes for k, v in index.roles.items()}
        known = {id: words for index in reversed(indexes)
                 for id, (_, words) in index.metrics.items()}  # fmt: skip
        # A kind of another metric has its names, too.
        kinds = {id: [one for one in known if f"{id}_".startswith(f"{one}_")]
                 for id in known}  # fmt: skip
        self._metrics = {id: [word for one in kinds[id] for word in known[one]]
                         for id in known}  # fmt: skip
        self._rows = list(self._read_rows())
        texts = dict.fromkeys(text for *_, fields in self._rows for _, text in fields)
        self._words = {text: known_words(text) for text in texts}
        self._studies = {(edition, row[_STUDY]) for edition, row, _ in self._rows}

    def ask(self, text: str) -> Ranked:
        """Rank all rows; those that fit no better keep their order."""
        question = self.understand(text)
        self._held.clear()
        rare = {term.word: self._rarity(term) for term in question.terms}
        scored = [self._score(question, rare, *one) for one in self._rows]
        scored.sort(key=lambda one: -one.score)
        first = scored[0] if scored else None
        lacks = first.lacking if first else ()
        only = first.mentioned if first else ()
        free = [term.word for term in question.terms if not term.names]
        without = [word for word in free if word in lacks or not first]
        unknown = [word for word in without if not rare[word]]
        of_rows = [t for t in question.terms if not t.names & self._metrics.keys()]
        having = sum(rare[t.word] for t in of_rows if t.word not in lacks)
        answered = (
            first is not None
            and first.fit > 0
            and (not without or sum(rare[word] or 1 for word in without) < having)
            and (not question.metrics or first.row[_METRIC] in question.metrics)
        )
        lacking = [word for word in lacks if word not in (*unknown, *only)]
        mentioned = [word for word in lacks if word in only]
        return Ranked(
            question,
            tuple(scored),
            tuple(unknown),
            tuple(lacking),
            tuple(mentioned),
            answered,
        )

    def understand(self, text: str) -> Understood:
        """What a question names, and its words."""
        given = words_of(fold(text))
        words = [self._spelt(word) for word in given]
        groups = [[g for g in self._alike if stem(word) in map(stem, g)]
                  for word in words]  # fmt: skip
        others = [tuple(dict.fromkeys(o for g in of for o in g if o != word))
                  for word, of in zip(words, groups, strict=True)]  # fmt: skip
        exact = [{stem(word)} for word in words]
        alike = [{stem(one) for one in (word, *more)}
                 for word, more in zip(words, others, strict=True)]  # fmt: skip
        named: list[set[str]] = [set() for _ in words]

        def name(at: set[int], *ids: str) -> None:
            for n in at:
                named[n].update(ids)

        asked = [(g["of"], _where(exact, g["words"])) for g in self._ask["metrics"]]
        loose = set[int]().union(*(at for _, at in asked))
        metrics = dict[str, float]()
        for id, phrases in self._metrics.items():
            at = _where(exact, phrases)
            share = len(at) if at - loose else 0.0
            if not at:
                at = _where(alike, phrases)
                share = len(at) / 2
            if share:
                metrics[id] = share
            name(at, id)
        for group, at in asked:
            name(at, *group)
            for n, id in enumerate(group if at else ()):
                metrics[id] = metrics.get(id, 0) + len(at) * (1 - n / 20) / 2
        whole, parts = " ".join(words), set[str]()
        for id, phrases in (
            *((role, [role, called]) for role, called in self._roles.items()),
            *self._ask["sizes"].items(),
            # The program's own: an expression of a release may never come to an end.
            *(
                (shape, [m[0] for m in re.finditer(pattern, whole)])
                for shape, pattern in shape_patterns().items()
            ),
        ):
            if at := _where(exact, phrases):
                parts.add(id)
                name(at, id)
        most = max(metrics.values(), default=1)
        terms = list[SoughtWord]()
        for word, more, ids in zip(words, others, named, strict=True):
            same = any(word in (term.word, *term.others) for term in terms)
            if stem(word) not in self._asking and not same:
                terms.append(SoughtWord(word, more, frozenset(ids)))
        return Understood(
            {metric: share / most for metric, share in metrics.items()},
            frozenset(parts),
            tuple(terms),
            tuple(b for a, b in zip(given, words, strict=True) if a != b),
        )

    def _spelt(self, word: str) -> str:
        """A word, or where nothing has it the most similar one of those that are known,
        if they share most of their pairs of letters."""
        if len(word) < _SPELT or fits(word, self._vocabulary):
            return word
        pairs = _pairs(word)

        def like(one: str) -> float:
            known = self._vocabulary[one]
            return 2 * len(pairs & known) / (len(pairs) + len(known))

        best = max(self._vocabulary, key=like)
        return best if like(best) >= _LIKE else word

    def _score(
        self,
        asked: Understood,
        rare: dict[str, float],
        edition: int,
        row: Sequence[str],
        fields: Fields,
    ) -> Scored:
        weights = self._ask["weights"]
        shape = re.split("[^A-Z]", row[_LOAD])[0]
        fit = by_metric = weights["metric"] * asked.metrics.get(row[_METRIC], 0)
        fit += weights["role"] * (row[_ROLE] in asked.names)
        fit += weights["shape"] * (shape in asked.names)
        fit += weights["size"] * len(asked.names & set(row[_SIZES].split()))
        lacking, mentioned, less = list[str](), list[str](), 0.0
        for term in asked.terms:
            held = {
                field: weights[field] * self._holds(term, text)
                for field, text in fields
                if not term.names or field not in ("near", "text")
            }
            best, every = max(held.values()), sum(held.values())
            fit += (best + weights["again"] * (every - best)) * rare[term.word]
            named = term.names and (
                row[_METRIC] in term.names or term.names - self._metrics.keys()
            )
            # What the text of a study mentions is not what its values are of.
            if not named and every == held.get("text", 0):
                lacking.append(term.word)
                mentioned += [term.word] * (every > 0)
                less += not term.names and rare[term.word] > 0
        score = fit + weights["answer"] * bool(row[_ANSWER]) - weights["lack"] * less
        # Sums of another order, as another program makes them, are the same numbers.
        score, fit, words = (round(n, 6) for n in (score, fit, fit - by_metric))
        return Scored(
            edition, row, score, fit, words, tuple(lacking), frozenset(mentioned)
        )

    def _holds(self, term: SoughtWord, text: str) -> float:
        """1 where a text has a word, less where it has one that would do."""
        if (term.word, text) not in self._held:
            known, form = self._words[text], self._ask["weights"]["form"]
            has = [all(fits(one, known) for one in phrase.split())
                   for phrase in (term.word, *term.others)]  # fmt: skip
            self._held[term.word, text] = 1.0 if has[0] else form * any(has)
        return self._held[term.word, text]

    def _rarity(self, term: SoughtWord) -> float:
        """How rare a word is among the studies, from 0 for one that none has."""
        having = {
            (edition, row[_STUDY])
            for edition, row, fields in self._rows
            if any(self._holds(term, text) for _, text in fields)
        }
        every = len(self._studies)
        share = every / len(having) if having else 0
        return math.log(1 + share) / math.log(1 + max(every, 1))

    def _read_rows(self) -> Iterator[tuple[int, list[str], Fields]]:
        """All rows with their editions and texts, each with the weight that its words
        have; those that an edition borrows only where the one that derives them is not
        there."""
        here = {index.edition for index in self.indexes}
        for n, index in enumerate(self.indexes):
            studies = {study.id: study for study in index.studies}
            for row in index.rows:
                study = studies[row[_STUDY]]
                if study.home in here - {index.edition}:
                    continue
                test, base = (study.names.get(row[n], row[n]) for n in (_TEST, _BASE))
                known = words_of(fold(base))
                new = (word for word in words_of(fold(test)) if word not in known)
                near = f"{study.question} {study.finding} {index.title}"
                yield n, row, (
                    ("load", row[_LOAD]), ("test", test), ("new", " ".join(new)),
                    ("base", base), ("title", study.title), ("near", near),
                    ("text", study.words),
                )  # fmt: skip

    @cached_property
    def _vocabulary(self) -> dict[str, set[str]]:
        """All words that something has, each with its pairs of letters."""
        named = (*self._metrics.values(), *(g["words"] for g in self._ask["metrics"]),
                 self._roles.values(), *self._ask["sizes"].values(), *self._alike,
                 self._ask["asking"], self._ask["changing"])  # fmt: skip
        phrases = [phrase for phrases in named for phrase in phrases]
        known = (*self._words.values(), *map(known_words, phrases))
        return {word: _pairs(word) for words in known for word in words}


def _pairs(word: str) -> set[str]:
    return {word[n : n + 2] for n in range(len(word) - 1)}


def _where(stems: Sequence[set[str]], phrases: Iterable[str]) -> set[int]:
    """Where the words of names stand, in their order and close to each other; of
    several places of a name the first."""
    found = set[int]()
    for phrase in phrases:
        first, *rest = [*map(stem, words_of(fold(phrase)))] or [""]
        for start in (n for n, options in enumerate(stems) if first in options):
            at = [start]
            for word in rest:
                near = range(at[-1] + 1, min(at[-1] + 2 + _GAP, len(stems)))
                at += [n for n in near if word in stems[n]][:1]
            if len(at) == len(rest) + 1:
                found.update(at)
                break
    return found


def _read(templates: Path, name: str) -> Any:
    return json.loads(template_file(templates, name).read_text(encoding="utf-8"))
