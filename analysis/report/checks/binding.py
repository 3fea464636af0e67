"""Values in a sentence that names another workload, role, metric or configuration."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from analysis.declared.study import Study
from analysis.facts.fact import Fact
from analysis.report.checks.names import Dimension, Mention
from analysis.report.checks.sentence import Print
from analysis.report.text.passages import Span

_DIMENSIONS: tuple[Dimension, ...] = ("metric", "role", "workload", "configuration")
_ELSE = re.compile(r"\s+(?:for|with|at|on|over|under|in) \w")
_BEHIND = re.compile(
    r"\s*(?:(?:of|in|less|more|lower|higher)\s+)?(?:\w+'s |its |the |their )?"
)
_WITHOUT = re.compile(
    r"\b(?:without|w/o|no|disabling|removing)(?: the| any| a)? $", re.I
)
_AGAINST = re.compile(
    r"\b(?:than|against|versus|compared (?:with|to)|relative to|instead of|unlike"
    r"|that of|from)(?: the)? $",
    re.IGNORECASE,
)


def mismatches(
    words: str,
    sentence: Span,
    prints: Sequence[Print],
    mentions: Sequence[Mention],
    studies: Mapping[str, Study],
) -> Iterator[tuple[int, str]]:
    """Where values are not of what the words beside them name, and what they are of."""
    for number, value in enumerate(prints):
        if value.way == "count":
            continue
        for dimension in _DIMENSIONS:
            named = _beside(words, sentence, prints, number, mentions, dimension)
            if named and not _fits(words, dimension, named, value, studies):
                names = sorted({_name(dimension, fact) for fact in value.facts})
                texts = " and ".join(repr(mention.text) for mention in named)
                what = f"{value.words} is of {dimension} {' and '.join(names)}"
                yield value.at, f"{what}, beside {texts}"
                break


def _beside(
    words: str,
    sentence: Span,
    prints: Sequence[Print],
    number: int,
    mentions: Sequence[Mention],
    dimension: Dimension,
) -> list[Mention]:
    """What the words that go with a value name; else, the one name before them."""
    value = prints[number]
    every = [m for m in mentions if m.dimension == dimension and not m.loose]
    near = [m for m in every if value.segment.holds(m.start)]
    if dimension == "metric":
        near = _metrics(words, value, near)
    if dimension == "workload":
        exact = [m for m in near if "(" in m.text]
        near = [
            m
            for m in near
            if m in exact or not any(one.names <= m.names for one in exact)
        ]
    if dimension == "configuration":
        return _sides(words, value, near)
    if near:
        return near
    if _ELSE.match(words, value.at + 1) and dimension != "metric":
        return []
    before = [m for m in every if sentence.start <= m.start < value.segment.start]
    unlike = dimension == "workload" and len({m.names for m in before}) > 1
    return [] if unlike else before[-1:]


def _metrics(words: str, value: Print, near: Sequence[Mention]) -> list[Mention]:
    """The metric right behind a value, else the last one before it."""
    behind = [
        m
        for m in near
        if m.start > value.at and _BEHIND.fullmatch(words, value.at + 1, m.start)
    ]
    return behind or [m for m in near if m.start < value.at][-1:]


def _sides(words: str, value: Print, near: Sequence[Mention]) -> list[Mention]:
    """The configurations that a value may be of; a reference is another side."""
    if _AGAINST.search(words[: value.at]):
        return []  # a value beside another one, of the other side
    if value.way != "value":
        return list(near)
    ways = list(_from_to(words, near))
    return [m for m in near if m not in ways and not _AGAINST.search(words[: m.start])]


def _from_to(words: str, named: Sequence[Mention]) -> Iterator[Mention]:
    """``from OSD to OSH``: a way that is taken, and no side of a value."""
    for a, b in pairwise(named):
        begins = words[: a.start].lower().endswith("from ")
        if begins and words[a.end : b.start] == " to ":
            yield from (a, b)


def _fits(
    words: str,
    dimension: Dimension,
    named: Sequence[Mention],
    value: Print,
    studies: Mapping[str, Study],
) -> bool:
    if dimension == "configuration":
        return all(_of_side(words, named, f, studies[f.study]) for f in value.facts)
    general = {name for mention in named for name in mention.names}
    names = (_name(dimension, fact) for fact in value.facts)
    return all(_is_one(name, general) for name in names if name)


def _is_one(name: str, general: Collection[str]) -> bool:
    """Whether a name is one of some, or a kind of one: ``storage`` stands for
    ``storage_per_user``, and ``total`` for ``total-above``."""
    return any(re.fullmatch(rf"{re.escape(one)}(?:[-_].+)?", name) for one in general)


def _of_side(words: str, named: Sequence[Mention], fact: Fact, study: Study) -> bool:
    """Whether a name is of a side of the fact; ``without`` a name means the others."""
    sides = {fact.configuration, fact.baseline} - {None}
    every = frozenset(study.configurations)
    return any(
        sides & (every - m.names if _WITHOUT.search(words[: m.start]) else m.names)
        for m in named
    )


def _name(dimension: Dimension, fact: Fact) -> str:
    return str(getattr(fact, dimension) or "")
