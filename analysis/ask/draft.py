"""A drafted text against a release: which numbers it prints, which it does not.

Somebody's own words stay theirs and are marked. A result is refused unless a fact
prints it, of what the sentence names, and in the direction that the sentence gives it:
by the checks that the texts of editions have to pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

from analysis.ask.library import AskedBuild, AskedBuilds
from analysis.declared.campaign import Configuration
from analysis.errors import user_error
from analysis.facts.fact import Fact
from analysis.facts.units import MINUS, is_unit
from analysis.report.bound import bound, number
from analysis.report.checks.binding import mismatches
from analysis.report.checks.declared import DeclaredNumbers, otherwise, results
from analysis.report.checks.direction import clashes
from analysis.report.checks.names import (
    TOKEN,
    Assertion,
    Dimension,
    Mention,
    Names,
    is_name,
    side_terms,
    value_terms,
)
from analysis.report.language.listing import NUMBER, forms, plain
from analysis.report.language.printed import Printed, Selected
from analysis.report.table import escape
from analysis.report.text.passages import Print, Span, TextPassage, prints_of
from analysis.report.text.tree import FIRST_MARK

MOST = 10_000  # characters of a draft
LIMITS = (
    "Numbers with a unit are compared. Reasons, advice, and amounts in other words, "
    "such as half, are not, nor are limits, such as within 5%: they are own words, for "
    "a person to judge."
)
_SHOWN = 3  # facts for a number
_END = re.compile(r"(?<=[.!?])\s+|\n{2,}")
_FIRST = re.compile(rf"[+{MINUS}-]?{NUMBER.pattern}(?=\s*(?:to|–|and)\s*$)")
_LIMIT = re.compile(r"\bwithin (?:±\s?)?$", re.IGNORECASE)
_STATE = re.compile(r"(?P<what>.+) (?P<state>on|off)")
_MEASURED = re.compile(
    r"(?<!not )\bmeasured\b|\breal (?:hardware|machines?|systems?|runs?)\b"
    r"|\bin (?:production|reality)\b",
    re.IGNORECASE,
)
_FIELDS: tuple[Dimension, ...] = ("metric", "role", "workload", "configuration")


@dataclass(frozen=True)
class _Number:
    """A typed number, or both ends of an interval: its place, and its unit."""

    at: Span
    values: tuple[str, ...]
    unit: str
    sign: str

    def is_of(self, fact: Fact) -> bool:
        """Whether it is in the unit of a fact, and has its sign."""
        falls = self.sign in (MINUS, "-")
        turned = fact.kind == "delta" and self.sign and falls != (fact.value < 0)
        return is_unit(self.unit, fact.unit) and not turned


class _AskedStudy:
    """A study of a release: what texts call its sides, and what it speaks of."""

    def __init__(self, build: AskedBuild, id: str) -> None:
        known = build.studies[id]
        rows = [row for row in build.index.rows if row[0] == id]
        self.facts = [fact for fact in build.facts.values() if fact.study == id]
        self.labels, self.title = known.names, known.title
        self.configurations = (*known.names,)
        self.tests = (*dict.fromkeys(row[4] for row in rows if row[5]),)
        sides = {id: _declared(label) for id, label in known.names.items()}
        self.names = Names({"configuration": [*side_terms(self, sides)]})
        self.called = " ".join((*known.names.values(), *known.names, known.title))
        claims = (claim for claim, *_ in known.claims)
        near = "\n".join((self.called, known.question, known.finding, *claims))
        self.numbers = DeclaredNumbers.named(near, near, 0, ())
        labels = (label for label, _ in build.index.metrics.values())
        loads = {fact.workload for fact in self.facts}
        every = (near, known.words, build.index.title, build.id, *labels, *loads)
        self.words = " ".join(every).lower()

    def sides(self, fact: Fact) -> list[str]:
        """What readers call the test of a fact, and its baseline."""
        arms = filter(None, (fact.configuration, fact.baseline))
        return [self.labels.get(arm, arm) for arm in arms]

    def of(self, fact: Fact) -> str:
        """What a fact is of, in words."""
        sides = " against ".join(self.sides(fact))
        return ", ".join(filter(None, (fact.metric, fact.role, fact.workload, sides)))


@dataclass(frozen=True)
class _Candidate:
    """A fact that prints a number, and by which of its forms."""

    build: AskedBuild
    study: _AskedStudy
    fact: Fact
    way: str


@dataclass(frozen=True)
class _Reading:
    """A fact beside a sentence: how much they share, and what contradicts it."""

    candidate: _Candidate
    share: int
    wrong: str


class _Draft:
    """What drafts are held against: the facts of some builds, by what they print."""

    def __init__(self, builds: Sequence[AskedBuild]) -> None:
        self.builds = builds
        self._studies: dict[tuple[str, str], _AskedStudy] = {}
        self._printed: dict[tuple[str, ...], list[tuple[AskedBuild, Fact, str]]] = {}
        here = {build.id for build in builds}
        for build in builds:
            for fact in build.facts.values():
                study = build.studies.get(fact.study)
                if study is None or (study.home != build.id and study.home in here):
                    continue  # borrowed, and there where it is derived
                for text, way in forms(fact):
                    values = tuple(map(plain, NUMBER.findall(text)))
                    known = self._printed.setdefault(values, [])
                    if (build, fact) not in (one[:2] for one in known[-2:]):
                        known.append((build, fact, way.strip(" |")))

    @cached_property
    def _names(self) -> Names:
        """What names metrics, roles and workloads of all builds."""
        metrics: dict[str, set[str]] = {}
        for build in self.builds:
            for id, (label, words) in build.index.metrics.items():
                metrics.setdefault(id, set()).update((label, *words))
        facts = (fact for build in self.builds for fact in build.facts.values())
        return Names(value_terms(facts, metrics))

    @cached_property
    def _units(self) -> frozenset[str]:
        """Those of facts, and a size of data: of a draft nothing else tells it."""
        units = {fact.unit for b in self.builds for fact in b.facts.values()}
        return frozenset(units | {"MB"})

    @cached_property
    def _sizes(self) -> str:
        """Where sizes stand that are no results: in labels and names of workloads."""
        labels = (name for b in self.builds for s in b.studies.values()
                  for name in s.names.values())  # fmt: skip
        loads = {row[1] for build in self.builds for row in build.index.rows}
        every = " ".join((*labels, *loads)).lower()
        return re.sub(r"(?<=\d) (?=[kmg]?i?b\b)", "", every)

    def sentence(self, text: str) -> dict[str, Any]:
        """What a sentence is, the facts that it is bound to, and what is refused."""
        facts, refused = list[dict[str, str]](), list[str]()
        typed = list(self._typed(text))
        read = [self._readings(text, typed, n) for n in range(len(typed))]
        fitting = [_best(one) for one in read]
        turned = self._turned(text, typed, fitting)
        for n, (one, every) in enumerate(zip(typed, read, strict=True)):
            shown = " ".join(text[one.at.start : one.at.end].split())
            shown += "" if shown.endswith(one.unit) else f" {one.unit}"
            if not every:
                refused.append(f"{shown}: no fact prints this")
            elif wrong := turned.get(n) or every[0].wrong:
                of = every[0].candidate.study.of(every[0].candidate.fact)
                refused.append(f"{shown}: printed of {of}; {wrong}")
            else:
                facts += [_place(shown, r.candidate) for r in fitting[n][:_SHOWN]]
        kind = "refused" if refused else "bound" if facts else "own words"
        return {"text": text, "is": kind, "facts": facts, "refused": refused}

    def _typed(self, text: str) -> Iterator[_Number]:
        """The results of a sentence; of what is no interval of a fact, both ends."""
        loads = [m for m in self._names.mentions(text) if m.dimension == "workload"]
        for found in results(self._units).finditer(text):
            last, unit = plain(found["number"]), found["unit"]
            named = any(m.start <= found.start() < m.end for m in loads)
            if named or self._is_set_up(text, found):
                continue
            own = _Number(Span(*found.span()), (last,), unit, _sign(found[0]))
            if first := _FIRST.search(text[: found.start()]):
                both = (plain(first[0]), last)
                if both in self._printed:
                    yield _Number(Span(first.start(), found.end()), both, unit, "")
                    continue
                sign = _sign(first[0])
                yield _Number(Span(*first.span()), both[:1], unit, sign)
            yield own

    def _is_set_up(self, text: str, found: re.Match[str]) -> bool:
        """Whether an amount is a limit, or a size that something is declared to have:
        that of a message, of a buffer."""
        unit = found["unit"].lower()
        size = rf"(?<![\d.,]){re.escape(plain(found['number']) + unit)}"
        is_size = unit.endswith("b") and re.search(size, self._sizes)
        return bool(is_size or _LIMIT.search(text[: found.start()]))

    def _candidates(self, one: _Number) -> Iterator[_Candidate]:
        for build, fact, way in self._printed.get(one.values, ()):
            if one.is_of(fact):
                key = build.id, fact.study
                if key not in self._studies:
                    self._studies[key] = _AskedStudy(build, fact.study)
                way = way or ("" if one.sign or fact.kind == "value" else "size")
                yield _Candidate(build, self._studies[key], fact, way)

    def _readings(self, text: str, typed: Sequence[_Number], n: int) -> list[_Reading]:
        """The facts that print a number, those first that nothing contradicts, and
        then those that share most with the sentence."""
        found = [
            self._reading(text, typed, n, one) for one in self._candidates(typed[n])
        ]
        return sorted(found, key=lambda one: (bool(one.wrong), -one.share))

    def _reading(
        self, text: str, typed: Sequence[_Number], n: int, one: _Candidate
    ) -> _Reading:
        reading = self._assertion(text, typed, dict.fromkeys(range(len(typed)), one), n)
        named = [m for m in reading.mentions if not m.loose]
        of = {field: getattr(one.fact, field) for field in _FIELDS}
        sides = {one.fact.configuration, one.fact.baseline}
        share = sum(
            bool(m.names & sides) if m.dimension == "configuration"
            else of[m.dimension] in m.names
            for m in named
        )  # fmt: skip
        return _Reading(one, share, next(self._wrong(text, reading, one), ""))

    def _wrong(self, text: str, reading: Assertion, one: _Candidate) -> Iterator[str]:
        """What a sentence says that is not so of a fact."""
        unknown = [
            found[0]
            for found in TOKEN.finditer(reading.words)
            if is_name(found[0])
            and found[0].lower().rstrip("s") not in one.study.words
            and not any(m.start <= found.start() < m.end for m in reading.mentions)
        ]
        if unknown:
            yield f"that study does not speak of ‘{'’, ‘'.join(unknown)}’"
        load = one.fact.workload
        own = Mention("workload", 0, 0, frozenset({load}), False, load)
        (value,) = reading.prints  # another number has its own sessions
        start = max(value.segment.start, value.clause.start)
        near = slice(start, value.segment.end)
        declared = otherwise(reading.words[near], one.study.numbers, [own], True)
        findings = (wrong.what for wrong in declared)
        checks = chain(mismatches(reading), clashes(reading))
        yield from chain(findings, (what for _, what in checks))
        if _MEASURED.search(text) and (is_now := one.fact.shown_origin) != "measured":
            yield f"it is {is_now}"

    def _assertion(
        self,
        text: str,
        typed: Sequence[_Number],
        facts: dict[int, _Candidate],
        *prints: int,
    ) -> Assertion:
        """A sentence with marks for its numbers, as if the facts were printed there."""
        words, at = "", 0
        for n, one in enumerate(typed):
            words += text[at : one.at.start] + chr(FIRST_MARK + n)
            at = one.at.end
        words += text[at:]
        printed = tuple(
            Printed(
                1,
                "value()",
                bound(number(facts[n].fact, text[one.at.start : one.at.end])),
                Selected((facts[n].fact,)),
                tuple(filter(None, [facts[n].way])),
            )
            for n, one in enumerate(typed)
        )
        study = facts[0].study
        sides = study.names.mentions(words)
        values = [
            m
            for m in self._names.mentions(words)
            if m.dimension != "metric"
            or any(f.metric in m.names for f in study.facts)
            or m.text.lower() not in study.called.lower()
        ]
        span = Span(0, len(words))
        every = list(prints_of(TextPassage("paragraph", words, ()), span, printed))
        shown: list[Print] = [every[n] for n in prints]
        mentions = sorted([*sides, *values], key=lambda m: m.start)
        return Assertion(words, span, shown, mentions, study, study.facts)

    def _turned(
        self, text: str, typed: Sequence[_Number], fitting: Sequence[list[_Reading]]
    ) -> dict[int, str]:
        """Of two values of one comparison, what says that they are the wrong way."""
        turned = dict[int, str]()
        for (n, first), (m, second) in pairwise(enumerate(fitting)):
            found = [
                next((what for _, what in clashes(reading)), "")
                for one in first
                for other in second
                if _alike(one.candidate, other.candidate)
                for every in [dict.fromkeys(range(len(typed)), one.candidate)]
                for reading in [
                    self._assertion(text, typed, every | {m: other.candidate}, n, m)
                ]
            ]
            if found and all(found):
                turned[n] = turned[m] = found[0]
        return turned


def check_draft(asked: AskedBuilds, text: str, edition: str = "") -> dict[str, Any]:
    """Each sentence with what it is: ``bound`` to facts, ``own words``, or ``refused``.

    ``marked`` is the text as Markdown with own words and refused numbers marked, and
    ``refused`` how many sentences are. A :class:`UserError` where the text is empty or
    too long.
    """
    if not text.strip() or len(text) > MOST:
        what = f"a draft of {len(text):,} characters; from 1 to {MOST:,}"
        raise user_error(what, mend="check it part by part")
    draft = _Draft([asked.build(edition)] if edition else asked.builds)
    parts = (part.strip() for part in _END.split(text))
    sentences = [draft.sentence(part) for part in parts if part]
    return {
        "sentences": sentences,
        "refused": sum(one["is"] == "refused" for one in sentences),
        "marked": " ".join(map(_marked, sentences)),
        "limits": LIMITS,
    }


def _best(readings: Sequence[_Reading]) -> list[_Reading]:
    """Of those that nothing contradicts the ones that share most with a sentence."""
    first = [one for one in readings if not one.wrong]
    return [one for one in first if one.share == first[0].share]


def _alike(one: _Candidate, other: _Candidate) -> bool:
    a, b = one.fact, other.fact
    same = (a.study, a.metric, a.role, a.workload) == (
        b.study, b.metric, b.role, b.workload
    )  # fmt: skip
    return one.build is other.build and same and a.kind == b.kind == "value"


def _declared(label: str) -> Configuration:
    """A configuration as its label says: ``zHPF off`` has the detail zHPF."""
    states = filter(None, map(_STATE.fullmatch, label.split(", ")))
    details = {one["what"]: one["state"] for one in states}
    return Configuration(label=label, details=details)


def _sign(typed: str) -> str:
    return typed[0] if typed[0] in f"+{MINUS}-" else ""


def _place(shown: str, one: _Candidate) -> dict[str, str]:
    test, *baseline = one.study.sides(one.fact)
    return {
        "number": shown,
        "key": one.fact.key,
        "of": one.study.of(one.fact),
        "test": test,
        "baseline": "".join(baseline),
        "printed": one.fact.printed,
        "facts": one.build.trace(one.fact.key),
    }


def _marked(sentence: dict[str, Any]) -> str:
    text = escape(sentence["text"])
    classes = {"own words": ".own-words", "refused": ".refused"}
    mark = classes.get(sentence["is"])
    return f"[{text}]{{{mark}}}" if mark else text
