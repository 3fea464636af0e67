"""Values in a sentence that names another workload, role, metric or configuration."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from analysis.facts.fact import Fact
from analysis.report.checks.frame import REFERENCE, WITHOUT
from analysis.report.checks.names import Assertion, Dimension, Mention
from analysis.report.text.passages import Print

_DIMENSIONS: tuple[Dimension, ...] = ("metric", "role", "workload", "configuration")
_ELSE = re.compile(r"\s+(?:for|with|at|on|over|under|in) \w")
_BEHIND = re.compile(
    r"\s*(?:(?:of|in|less|more|lower|higher)\s+)?(?:\w+'s |its |the |their )?"
)
_OF_IT = re.compile(r" (?:on|over|with|for|of|by)(?: the| a| an)? ")
_SHARE = re.compile(r"\b(?:share|part|half|rest)s? of (?:\S+ ){0,3}$", re.IGNORECASE)


def mismatches(reading: Assertion) -> Iterator[tuple[int, str]]:
    """Where values are not of what the words beside them name, and what they are of."""
    for value in reading.prints:
        if value.way == "count":
            continue
        for dimension in _DIMENSIONS:
            named = _beside(reading, value, dimension)
            if named and not _fits(reading, dimension, named, value):
                names = sorted({str(getattr(f, dimension) or "") for f in value.facts})
                texts = " and ".join(repr(mention.text) for mention in named)
                what = f"{value.words} is of {dimension} {' and '.join(names)}"
                yield value.at, f"{what}, beside {texts}"
                break


def _beside(reading: Assertion, value: Print, dimension: Dimension) -> list[Mention]:
    """What the words that go with a value name; else, the one name before them."""
    words, start = reading.words, reading.span.start
    own = value.clause if dimension == "metric" else None  # another has its own
    every = [m for m in reading.of(dimension, own) if not m.loose]
    near = [m for m in every if value.segment.holds(m.start)]
    if dimension == "metric":
        near = _metrics(words, value, near)
    if dimension == "configuration":
        sides = _sides(words, value, near)
        return [m for m in sides if value.clause.holds(m.start)] or sides
    clause = [m for m in near if m.start < value.clause.end]
    if near and (clause or not any(start <= m.start < value.at for m in every)):
        return clause or near
    if _ELSE.match(words, value.at + 1) and dimension != "metric":
        return []
    before = [m for m in every if start <= m.start < value.segment.start]
    return before[-1:] if len({m.names for m in before}) == 1 else []


def _metrics(words: str, value: Print, near: Sequence[Mention]) -> list[Mention]:
    """The metric right behind a value, else the last one before it; a share of one is
    of any."""
    near = [m for m in near if not _SHARE.search(words[: m.start])]
    behind = [
        m
        for m in near
        if m.start > value.at and _BEHIND.fullmatch(words, value.at + 1, m.start)
    ]
    return behind or [m for m in near if m.start < value.at][-1:]


def _sides(words: str, value: Print, near: Sequence[Mention]) -> list[Mention]:
    """The configurations that a value may be of; a reference is another side."""
    if value.way == "value":  # 62.5 µs on OSH
        right = (m for m in near if _OF_IT.fullmatch(words, value.at + 1, m.start))
        if behind := next(right, None):
            return [behind]
    if REFERENCE.search(words[: value.at]):
        return []  # a value beside another one, of the other side
    if value.way != "value":
        return list(near)
    ways = list(_from_to(words, near))
    return [m for m in near if m not in ways and not REFERENCE.search(words[: m.start])]


def _from_to(words: str, named: Sequence[Mention]) -> Iterator[Mention]:
    """``from OSD to OSH``: a way that is taken, and no side of a value."""
    for a, b in pairwise(named):
        begins = words[: a.start].lower().endswith("from ")
        if begins and words[a.end : b.start] == " to ":
            yield from (a, b)


def _fits(
    reading: Assertion,
    dimension: Dimension,
    named: Sequence[Mention],
    value: Print,
) -> bool:
    if dimension == "configuration":
        return all(_of_side(reading, named, fact) for fact in value.facts)
    general = {name for mention in named for name in mention.names}
    names = (getattr(fact, dimension) for fact in value.facts)
    return all(_is_one(name, general) for name in names if name)


def _is_one(name: str, general: Collection[str]) -> bool:
    """Whether a name is one of some, or a kind of one: ``storage`` stands for
    ``storage_per_user``, and ``total`` for ``total-above``."""
    return any(re.fullmatch(rf"{re.escape(one)}(?:[-_].+)?", name) for one in general)


def _of_side(reading: Assertion, named: Sequence[Mention], fact: Fact) -> bool:
    """Whether a side of the fact is what all names are, or what one is where none is
    all of it; ``without`` a name means the others."""
    sides = {fact.configuration, fact.baseline} - {None}
    every = frozenset(reading.study.configurations)
    sets = [
        every - m.names if WITHOUT.search(reading.words[: m.start]) else m.names
        for m in named
    ]
    common = every.intersection(*sets)
    return bool(sides & common) if common else any(sides & one for one in sets)
