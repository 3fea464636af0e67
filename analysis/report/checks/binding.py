"""Values in a sentence that names another workload, role, metric or configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from analysis.declared.study import Study
from analysis.facts.fact import Fact
from analysis.report.checks.names import Dimension, Mention
from analysis.report.checks.sentence import Print
from analysis.report.text.passages import Span

_DIMENSIONS: tuple[Dimension, ...] = ("metric", "role", "workload", "configuration")
_ELSE = re.compile(r"\s+(?:for|with|at|on|over|under|in) \w")
_NEAR = re.compile(
    r"\s*(?:(?:of|in|less|more|lower|higher)\s+)?(?:\w+'s |its |the |their )?"
)
_WITHOUT = re.compile(
    r"\b(?:without|w/o|no|disabling|removing)(?: the| any| a)? $", re.I
)
_AGAINST = re.compile(
    r"\b(?:than|against|versus|compared (?:with|to)|relative to|instead of|unlike"
    r"|that of|from)(?: the)? $",
    re.I,
)


def mismatches(
    words: str,
    sentence: Span,
    prints: Sequence[Print],
    mentions: Sequence[Mention],
    studies: Mapping[str, Study],
) -> Iterator[tuple[int, str]]:
    """The values that are not of what the words beside them name."""
    for place, found in enumerate(prints):
        for dimension in _DIMENSIONS:
            named = _beside(words, sentence, prints, place, mentions, dimension)
            if named and not _fits(words, dimension, named, found, studies):
                own = " and ".join(sorted({_of(dimension, f) for f in found.facts}))
                said = " and ".join(repr(m.text) for m in named)
                what = f"{found.words} is of {dimension} {own}, beside {said}"
                yield found.at, what
                break


def _beside(
    words: str,
    sentence: Span,
    prints: Sequence[Print],
    place: int,
    mentions: Sequence[Mention],
    dimension: Dimension,
) -> list[Mention]:
    """What the words that go with a value name; else, the one name before them."""
    found = prints[place]
    every = [m for m in mentions if m.dimension == dimension and not m.loose]
    own = [m for m in every if found.segment.holds(m.start)]
    if dimension == "metric":
        own = [
            m
            for m in own
            if m.start < found.at or _NEAR.fullmatch(words, found.at + 1, m.start)
        ]
        behind = [m for m in own if m.start > found.at]
        before = [m for m in own if m.start < found.at]
        own = behind or before[-1:]
    if dimension == "configuration" and _AGAINST.search(words[: found.at]):
        return []  # a value beside another one, of the other side
    if dimension == "configuration" and found.way == "value":
        way = _from_to(words, own)
        own = [m for m in own if m not in way]
        own = [m for m in own if not _AGAINST.search(words[: m.start])]
    if dimension == "workload":
        exact = [m for m in own if "(" in m.text]
        own = [
            m for m in own if m in exact or not any(e.names <= m.names for e in exact)
        ]
    if own or dimension == "configuration":
        return own
    if _ELSE.match(words, found.at + 1) and dimension != "metric":
        return []
    before = [m for m in every if sentence.start <= m.start < found.segment.start]
    unlike = dimension == "workload" and len({m.names for m in before}) > 1
    return [] if unlike else before[-1:]


def _from_to(words: str, named: Sequence[Mention]) -> list[Mention]:
    """``from OSD to OSH``: a way that is taken, and no side of a value."""
    found = []
    for a, b in pairwise(named):
        if (
            words[: a.start].lower().endswith("from ")
            and words[a.end : b.start] == " to "
        ):
            found += [a, b]
    return found


def _fits(
    words: str,
    dimension: Dimension,
    named: Sequence[Mention],
    found: Print,
    studies: Mapping[str, Study],
) -> bool:
    for fact in found.facts:
        if dimension == "configuration":
            if not _of_configuration(words, named, fact, studies[fact.study]):
                return False
        elif (name := _of(dimension, fact)) and not any(name in m.names for m in named):
            return False
    return True


def _of_configuration(
    words: str, named: Sequence[Mention], fact: Fact, study: Study
) -> bool:
    """Of a value each name may be another's; a change must have one of its two sides.

    ``without`` a name means the others.
    """
    own = {fact.configuration, fact.baseline} - {None}
    every = frozenset(study.configurations)
    said = [
        every - m.names if _WITHOUT.search(words[: m.start]) else m.names for m in named
    ]
    if fact.kind == "delta":
        return any(own & names for names in said)
    return any(own & names for names in said)


def _of(dimension: Dimension, fact: Fact) -> str:
    return str(getattr(fact, dimension) or "")
