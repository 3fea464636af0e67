"""The words by which texts of an edition name what it has facts of.

All of it comes from declarations: metrics with their words, roles, workloads and
configurations of its studies. What is English and not of an edition stands here, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from analysis.declared.campaign import Configuration
from analysis.declared.metrics import Metric
from analysis.declared.parts import PARTS, part_words
from analysis.declared.shapes import FAMILIES, SHAPES
from analysis.declared.study import Study
from analysis.declared.workload import Workload, parse_size, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import number_word
from analysis.report.claims.claim import payload
from analysis.report.lint.words.configuration_terms import configuration_terms
from analysis.report.lint.words.mention import Mention, NameTerm, Terms
from analysis.report.material import Material

KEYS = re.compile(r"@[\w:-]+")  # of references
# What a text calls roles besides their names.
ROLE_WORDS = {"router": r"routing (?:system|stack)"}
_CLIENTS = "clients?|connections?|users?|sessions?"
COUNT_WORDS = {
    10: "ten", 12: "twelve", 20: "twenty", 30: "thirty", 40: "forty", 50: "fifty",
    60: "sixty", 80: "eighty", 100: "a hundred",
}  # fmt: skip
_STOP = frozenset(
    [
        "with",
        "from",
        "over",
        "against",
        "that",
        "this",
        "what",
        "does",
        "which",
        "the",
        "and",
        "for",
    ]
)


@dataclass(frozen=True)
class EditionNames:
    """The terms of some studies: of one study's texts, or of all for other texts."""

    studies: tuple[str, ...]
    terms: tuple[Terms, ...]

    def mentions(self, words: str) -> list[Mention]:
        """What the words name, in order; keys of references name studies alone."""
        found = [mention for terms in self.terms for mention in terms.find(words)]
        keys = [match.span() for match in KEYS.finditer(words)]
        found = [
            m
            for m in found
            if m.dimension == "study" or not any(a <= m.start < b for a, b in keys)
        ]
        if len(self.studies) > 1:
            found = [self._widened(mention) for mention in found]
        return sorted(found, key=lambda mention: mention.start)

    def _widened(self, mention: Mention) -> Mention:
        """``With OSH`` is a switch in one study, and in another what OSH names."""
        first, _, rest = mention.text.partition(" ")
        if mention.dimension != "configuration" or first.lower() != "with":
            return mention
        of = next(t for t in self.terms if t.dimension == "configuration")
        named = (m.names for m in of.find(rest) if m.text == rest)
        return replace(mention, names=mention.names.union(*named))


def vocabulary(material: Material, studies: Iterable[str]) -> EditionNames:
    """The vocabulary of some studies of an edition."""
    own = tuple(studies)
    facts = [f for f in material.facts.facts if f.study in own]
    declared = [(material.studies[id], _declared(material, id)) for id in own]
    every = [
        Terms("metric", _metrics(material.metrics, facts)),
        Terms("role", _roles(facts)),
        Terms("workload", _workloads(sorted({f.workload for f in facts}))),
        Terms("configuration", _merged(declared)),
        Terms("study", _studies(material)),
    ]
    return EditionNames(own, tuple(every))


def _declared(material: Material, study: str) -> dict[str, Configuration]:
    found: dict[str, Configuration] = {}
    for name in material.studies[study].campaigns:
        found |= material.campaigns[name].configurations
    return found


def _metrics(
    metrics: Mapping[str, Metric], facts: Iterable[Fact]
) -> Iterator[NameTerm]:
    """Words that several metrics share mean any of them."""
    found: dict[str, set[str]] = {}
    for id in {f.metric for f in facts}:
        for words in (metrics[id].label, id, *metrics[id].words):
            found.setdefault(re.escape(words.lower()), set()).add(id)
    for plain, ids in found.items():
        for ending in ("", "s", "es"):
            yield NameTerm(f"{plain}{ending}", frozenset(ids))


def _roles(facts: Iterable[Fact]) -> Iterator[NameTerm]:
    own = {f.role for f in facts if f.role}
    for role in PARTS:
        if role in own:
            names = (role, re.escape(part_words(role)), ROLE_WORDS.get(role))
            words = "|".join(filter(None, dict.fromkeys(names)))
            alone = r"(?<!single )(?<!one )"
            yield NameTerm(rf"{alone}(?:{words})", frozenset({role}))
    if own:
        both = r"(?:both|either) (?:sides?|ends?)|both of them|at (?:both|either) ends?"
        yield NameTerm(both, frozenset(own), loose=True)


def _workloads(names: list[str]) -> Iterator[NameTerm]:
    known = {name: parse_workload(name) for name in names}
    for name, workload in known.items():
        for form in {name, workload.name, workload.written("boxed")}:
            yield NameTerm(re.escape(form), frozenset({name}), exact=True)
    for shape, declared in SHAPES.items():
        own = [n for n, w in known.items() if w.shape == shape]
        yield from _term(rf"(?:{declared.words})", own)
        yield NameTerm(rf"{shape}\*?(?!\()", frozenset(own), exact=True)
        yield from _sizes(shape, own, known)
    for shapes, words in FAMILIES.items():
        own = [name for name, w in known.items() if w.shape in shapes]
        yield from _term(rf"(?:{words})", own)
    yield from _clients(known)
    every = (
        r"(?:every|each|all|any|other|none|no|most)(?: of)?(?: the)?(?: \w+)? "
        r"(?:workloads?|payloads?|kinds? of traffic)|always|invariably|throughout"
        r"|without (?:an )?exception|everything(?: else)?|across the board|everywhere"
    )
    yield NameTerm(f"(?:{every})", frozenset(names), loose=True)
    for size in {payload(w) for w in known.values()}:
        own = [n for n, w in known.items() if payload(w) == size]
        for text in {t for t in _SIZES if parse_size(t) == size}:
            yield from _term(rf"(?:with|of|at) {text}", own, loose=True)


_SIZES = tuple(
    f"{n}{blank}{unit}"
    for n in (1, 2, 4, 8, 16, 20, 32, 64, 100)
    for unit in ("B", "kB", "MB")
    for blank in ("", " ")
)


def _sizes(
    shape: str, own: list[str], known: Mapping[str, Workload]
) -> Iterator[NameTerm]:
    """``small messages``: the least payload of a shape, where it has several."""
    sizes = {payload(known[name]) for name in own}
    if shape != "RR" or len(sizes) < 2:
        return
    for word, size in (("small", min(sizes)), ("large", max(sizes))):
        few = [name for name in own if payload(known[name]) == size]
        nouns = "messages?|payloads?|requests?"
        yield from _term(rf"{word}(?:er|est)? (?:{nouns})", few, loose=True)


def _clients(known: Mapping[str, Workload]) -> Iterator[NameTerm]:
    for count in {w.clients for w in known.values()}:
        words = (
            "single|one|1"
            if count == 1
            else f"{COUNT_WORDS.get(count, number_word(count))}|{count}"
        )
        own = [n for n, w in known.items() if w.clients == count and w.shape != "STR"]
        yield from _term(rf"(?:{words}) (?:{_CLIENTS})", own)
        if count > 1:
            yield from _term(rf"(?:with|for|over) (?:{words})(?=[.,;:)]| and)", own)
        own = [n for n, w in known.items() if w.clients == count and w.shape == "STR"]
        yield from _term(rf"(?:{words}) streams?", own)


def _term(
    pattern: str, names: Iterable[str], loose: bool = False
) -> Iterator[NameTerm]:
    if own := frozenset(names):
        yield NameTerm(pattern, own, loose)


def _merged(
    declared: Iterable[tuple[Study, Mapping[str, Configuration]]],
) -> Iterator[NameTerm]:
    """Terms of several studies; the same words name configurations of each."""
    found: dict[tuple[str, bool], tuple[set[str], bool]] = {}
    for study, configurations in declared:
        for term in configuration_terms(study, configurations):
            names, loose = found.get((term.pattern, term.exact), (set(), term.loose))
            found[term.pattern, term.exact] = (names | term.names, loose and term.loose)
    for (pattern, exact), (own, loose) in found.items():
        yield NameTerm(pattern, frozenset(own), loose, exact)


def _studies(material: Material) -> Iterator[NameTerm]:
    for id, study in material.studies.items():
        name = re.escape(id)
        yield NameTerm(rf"(?i:in|of|by|from|see) @sec-{name}(?![\w])", frozenset({id}))
        title = re.findall(r"[A-Za-z]{4,}", study.title.partition(":")[0])
        words = {w.lower() for w in (*title, *id.split("-")) if w.lower() not in _STOP}
        either = "|".join(re.escape(w) for w in sorted(words) if len(w) > 3)
        if either:
            yield NameTerm(
                rf"(?:{either}) study|study of (?:the )?(?:\w+ )?(?:{either})",
                frozenset({id}),
            )
