"""What words name in the texts of one study: all of it from declarations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

from analysis.declared.campaign import Configuration
from analysis.declared.vocabulary import PARTS, part_words
from analysis.declared.workload import FAMILIES, SHAPES, parse_workload
from analysis.facts.fact import Fact
from analysis.report.material import Material
from analysis.report.text.passages import Print, Span

Dimension = Literal["metric", "role", "workload", "configuration"]
_JUMBO = 8_000  # bytes of an MTU, from which on frames are called so
_SET = ("on", "yes", "enabled", "true")
_STATES = (*_SET, "off", "no", "disabled", "false")
_KEY = re.compile(r"@[\w:-]+")
TOKEN = re.compile(r"[A-Za-z0-9](?:[\w./#+-]*\w)?(?:\([A-Z]+\))?")
_NAMELIKE = re.compile(r"[A-Za-z]\w*(?:[A-Z]|\d)|\w+-[A-Z0-9]|[A-Z]{2}")
_COMMON = frozenset({"IP", "LPAR", "LPARs", "CP", "CPs", "MTU", "CHPID", "FID"})
_ORDINARY = frozenset(
    ("type", "frame", "interface", "interfaces", "feature", "features", "queue",
     "traffic", "target", "protocol", "protocols", "system", "systems", "ports",
     "adapter", "cipher", "cryptography", "session")
)  # fmt: skip
_SWITCHED = (
    r"(?:(?:is |was |are |were |being |left |stays |remains |kept |switched |turned )*"
)
_OFF = (
    r"(?:without|w/o|no|disabled|missing) (?:the |any |segmentation )?{0}"
    r"|{0} " + _SWITCHED + r"(?:off|gone|disabled|absent|missing|out))"
    r"|(?:tak|leav|switch|turn)\w+ (?:the )?{0} (?:away|off|out)"
    r"|(?:tak|switch|turn)\w+ (?:off|away|out) (?:the )?{0}"
    r"|(?:remov|dropp|disabl|los)(?:ing|ed|es?) (?:the )?{0}"
)
_ON = (
    r"(?:with|w/) (?:the |segmentation )?{0}(?: on| enabled| active)?(?! (?:\w+ )?off)"
    r"|{0} " + _SWITCHED + r"(?:on|active|enabled|in place))"
    r"(?! (?:(?:and|or|versus|against) )?off)"
    r"|(?:switch|turn)\w+ (?:the )?{0} on|(?:switch|turn)\w+ on (?:the )?{0}"
    r"|enabl(?:ing|ed|es?) (?:the )?{0}"
)
_IT_OFF = (
    r"without(?=[.,;:)])|without it|with it off"
    r"|(?<!\w )(?:is|are|was) (?:switched |turned )off"
)


@dataclass(frozen=True)
class Mention:
    """Words that name something; ``loose`` ones tell a topic, and bind no value."""

    dimension: Dimension
    start: int
    end: int
    names: frozenset[str]
    loose: bool
    text: str


@dataclass(frozen=True)
class Assertion:
    """A sentence beside one study, of which it prints or names something.

    ``words`` are those of its passage, and ``span`` is where it stands in them;
    ``facts`` are all that the study has.
    """

    words: str
    span: Span
    prints: Sequence[Print]
    mentions: Sequence[Mention]
    study: NamedStudy
    facts: Sequence[Fact]

    def search(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match in the sentence."""
        return pattern.search(self.words, self.span.start, self.span.end)

    def of(self, dimension: Dimension, within: Span | None = None) -> list[Mention]:
        """What it names of a dimension, in all or within a stretch of it."""
        named = (m for m in self.mentions if m.dimension == dimension)
        return [m for m in named if within is None or within.holds(m.start)]


class NamedStudy(Protocol):
    """What a study is called: a declared one, or what a release says of it."""

    title: str
    tests: tuple[str, ...]

    @property
    def configurations(self) -> tuple[str, ...]:
        """All of them, each baseline before its tests."""


class Names:
    """The terms of one study, or of all that is called alike in several."""

    def __init__(self, every: Mapping[Dimension, Iterable[NameTerm]]) -> None:
        self._terms: dict[Dimension, tuple[re.Pattern[str], list[NameTerm]]] = {}
        for dimension, terms in every.items():
            ordered = sorted(terms, key=lambda term: -len(term.pattern))
            parts = (
                f"({t.pattern if t.exact else f'(?i:{t.pattern})'})" for t in ordered
            )
            whole = rf"(?<![\w])(?:{'|'.join(parts) or '(?!)'})(?![\w(*])"
            self._terms[dimension] = re.compile(whole), ordered

    @classmethod
    def of(cls, material: Material, study: str) -> Names:
        """Those of a study of an edition."""
        facts = [f for f in material.facts.facts if f.study == study]
        known = material.metrics
        metrics = {
            id: (known[id].label, *known[id].words) for id in {f.metric for f in facts}
        }
        declared = dict[str, Configuration]()
        for name in material.studies[study].campaigns:
            declared |= material.campaigns[name].configurations
        sides = side_terms(material.studies[study], declared)
        return cls(value_terms(facts, metrics) | {"configuration": [*sides]})

    def mentions(self, words: str, start: int = 0) -> list[Mention]:
        """What words name, in order; ``start`` is where they begin in those of all."""
        bare = _KEY.sub(lambda key: " " * len(key[0]), words)
        mentions = [
            Mention(
                dimension,
                start + one.start(),
                start + one.end(),
                term.names,
                term.loose,
                one[0],
            )
            for dimension, (pattern, terms) in self._terms.items()
            for one in pattern.finditer(bare)
            for term in [terms[(one.lastindex or 1) - 1]]
        ]
        return sorted(mentions, key=lambda mention: mention.start)


def value_terms(
    facts: Iterable[Fact], metrics: Mapping[str, Iterable[str]]
) -> dict[Dimension, list[NameTerm]]:
    """What names the metrics, roles and workloads of facts; ``metrics`` are what texts
    call them, by id."""
    facts = list(facts)
    return {
        "metric": [*_metrics(metrics)],
        "role": [*_roles({f.role for f in facts if f.role})],
        "workload": [*_workloads({f.workload for f in facts})],
    }


@dataclass(frozen=True)
class NameTerm:
    """An expression for words, and what they name; an ``exact`` one as it is spelt."""

    pattern: str
    names: frozenset[str]
    loose: bool = False
    exact: bool = False


def _metrics(metrics: Mapping[str, Iterable[str]]) -> Iterator[NameTerm]:
    terms: dict[str, set[str]] = defaultdict(set)
    for id, called in metrics.items():
        for words in (id, *called):
            terms[re.escape(words.lower())].add(id)
    for plain, some in terms.items():
        ending = "" if plain in ("cost", "offload") else "(?:s|es)?"
        yield NameTerm(f"{plain}{ending}", frozenset(some))


def _roles(roles: set[str]) -> Iterator[NameTerm]:
    for role in PARTS:
        if role in roles:
            words = "|".join({re.escape(role), re.escape(part_words(role))})
            does = f"(?:which|that|who) {re.escape(role[:-2])}(?:s|es)?"
            yield NameTerm(
                f"(?<!single )(?<!one )(?:{words})|{does}", frozenset({role})
            )


def _workloads(names: set[str]) -> Iterator[NameTerm]:
    known = {name: parse_workload(name) for name in names}
    for name, workload in known.items():
        for form in {name, workload.name, workload.written("boxed")}:
            yield NameTerm(re.escape(form), frozenset({name}), exact=True)
        begin = name.partition("(")[0]
        alike = frozenset(n for n in known if n.startswith(f"{begin}("))
        yield NameTerm(re.escape(begin), alike, exact=True)
    for shape, declared in SHAPES.items():
        alike = frozenset(n for n, w in known.items() if w.shape == shape)
        if alike:
            yield NameTerm(f"(?:{declared.words})", alike)
            yield NameTerm(rf"{shape}\*?", alike, exact=True)
    for shapes, words in FAMILIES.items():
        if alike := frozenset(n for n, w in known.items() if w.shape in shapes):
            yield NameTerm(f"(?:{words})", alike)


def side_terms(
    study: NamedStudy, declared: Mapping[str, Configuration]
) -> Iterator[NameTerm]:
    """What names the configurations of a study, as they are declared."""
    ids = [id for id in study.configurations if id in declared]
    every = frozenset(ids)
    terms: dict[str, set[str]] = defaultdict(set)
    for id in ids:
        for words in _words(declared[id]):
            terms[words].add(id)
    for words, some in terms.items():
        if some < every:
            pattern = re.sub(r"(?<=[A-Z])v(?=\d)", " ?v?", re.escape(words))
            yield NameTerm(pattern, frozenset(some), exact=words != words.lower())
    for id in study.configurations:
        loose = id.isalpha() and id.islower()
        yield NameTerm(_id(id), frozenset({id}), loose and id not in terms, exact=True)
    yield from _frames(ids, declared)
    yield from _switches(ids, declared)
    tests = frozenset(study.tests)
    keys = " ".join(key.lower() for id in ids for key in declared[id].details)
    for stem in re.findall(r"\b([A-Za-z]{4,})ing\b", study.title):
        if f"{stem.lower()}ing" in keys:  # a setting that every one has
            continue
        doing = rf"{re.escape(stem.lower())}(?:ing|s|ed)?"
        yield from _on_and_off(doing, tests, every - tests)
    yield NameTerm("baselines?", every - tests)
    for id in ids:
        if declared[id].control_of in every:
            yield NameTerm("control", frozenset({id}))


def _frames(
    ids: list[str], declared: Mapping[str, Configuration]
) -> Iterator[NameTerm]:
    """``jumbo frames`` of the sides that have them, ``small frames`` of the others."""
    sizes = {id: _number(declared[id].details.get("MTU")) for id in ids}
    jumbo = frozenset(id for id, size in sizes.items() if size >= _JUMBO)
    small = frozenset(id for id, size in sizes.items() if 0 < size < _JUMBO)
    if jumbo and small:
        yield NameTerm(r"(?:jumbo|large|big)(?: frames?)?", jumbo)
        yield NameTerm(r"(?:small|standard|normal|ordinary) frames?", small)


def _number(value: object) -> int:
    digits = re.match(r"[\d,]+", str(value or ""))
    return int(digits[0].replace(",", "")) if digits else 0


def _id(id: str) -> str:
    """A name that is a word by itself, such as A, begins no sentence."""
    if len(id) > 1:
        return re.escape(id)
    verbs = (
        "is|was|has|had|and|or|against|loses|gains|needs|answers|beats|lowers|raises"
        "|saves|costs|moves|reaches|takes|uses|spends|cuts|reduces|wins"
    )
    return rf"(?:(?<=[a-z,;:(] ){id}|{id}(?= (?:{verbs})\b))"


def _words(configuration: Configuration) -> Iterator[str]:
    label = TOKEN.findall(configuration.label)
    yield from (w for w in label if is_name(w))
    yield from (f"{a} {b}".lower() for a, b in pairwise(label))
    yield from (
        w.lower()
        for w in label
        if len(w) > 4 and w.isalpha() and w.lower() not in _ORDINARY
    )
    for key, value in configuration.details.items():
        if str(value).lower() in _STATES:
            continue
        tokens = TOKEN.findall(str(value))
        yield from (w for w in tokens if is_name(w))
        yield from (
            stem
            for w in tokens
            if (stem := re.sub(r"(?:v\d+|\d+[A-Z]?)$", "", w)) != w
            and len(stem) > 3
            and "." not in w
        )
        yield from (
            f"{a} {b}" for a, b in pairwise(tokens) if a[0].isupper() and b[0].isupper()
        )
        if number := re.match(r"[\d.]+(?: [kM]?B)?", str(value)):
            yield from (
                f"{word} {number[0]}" for word in key.split() if word[0].isupper()
            )


def _on_and_off(
    noun: str, on: frozenset[str], off: frozenset[str]
) -> Iterator[NameTerm]:
    yield NameTerm(f"(?:{_OFF.format(noun)})", off)
    yield NameTerm(f"(?:{_ON.format(noun)})", on)
    yield NameTerm(rf"{noun} on (?:and|or|versus|against) off", on | off)
    yield NameTerm(noun, on, loose=True)


def is_name(word: str) -> bool:
    """Whether a word is written as names are, with capitals or digits inside."""
    return word not in _COMMON and bool(_NAMELIKE.match(word))


def _switches(
    ids: list[str], declared: Mapping[str, Configuration]
) -> Iterator[NameTerm]:
    """``with offload``, ``offload off``: details that are on here and off there."""
    states: dict[str, dict[str, str]] = defaultdict(dict)
    for id in ids:
        for key, value in declared[id].details.items():
            if str(value).lower() in _STATES:
                states[key][id] = str(value).lower()
    nouns: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for key, state in states.items():
        on = frozenset(id for id, value in state.items() if value in _SET)
        off = frozenset(state) - on
        if on and off:
            whole = key.lower().partition(" of ")[0]
            letters = "".join(word[0] for word in whole.split())
            for noun in (whole, whole.split()[-1], letters):
                if len(noun) > 2:
                    nouns[noun] = on, off
    for noun, (on, off) in nouns.items():
        yield from _on_and_off(re.escape(noun), on, off)
    if len(set(nouns.values())) == 1:
        on, off = next(iter(nouns.values()))
        yield NameTerm(_IT_OFF, off, loose=True)
