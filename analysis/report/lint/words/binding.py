"""Values that stand in a sentence about another workload, role, metric or setting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.declared.study import Study
from analysis.facts.fact import Fact
from analysis.report.lint.words.mention import DIMENSIONS, Dimension, Mention
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.segments import Segment, listed, of_dimension, segments
from analysis.report.lint.words.text_blocks import Span

_ELSE = re.compile(r"\s+(?:for|with|at|on|over|under|in) \w")
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_NEAR = re.compile(
    r"\s*(?:(?:of|in|less|more|lower|higher)\s+)?(?:\w+'s |its |the |their )?"
)


@dataclass(frozen=True)
class Mismatch:
    """A printed value, and what the words beside it name instead."""

    at: int
    dimension: Dimension
    named: str
    print: Print
    sure: bool = True


@dataclass(frozen=True)
class Stretch:
    """A sentence with what it names and prints; ``around`` is what it hangs on."""

    words: str
    span: Span
    mentions: Sequence[Mention]
    printed: Sequence[tuple[int, Print]]
    around: Sequence[Mention] = ()


def mismatches(
    stretch: Stretch, studies: Mapping[str, Study], own: str | None
) -> Iterator[Mismatch]:
    """The values of a sentence that are not of what it names beside them.

    ``own`` is the study whose text it is, whose words mean its own configurations.
    """
    parts = segments(stretch.words, stretch.span, stretch.printed)
    pairs = _from_to(stretch.words, parts)
    for place, part in enumerate(parts):
        for dimension in DIMENSIONS:
            named = _beside(stretch, parts, place, dimension)
            if dimension == "configuration":
                if part.at in pairs:
                    named = [m for m in named if m.start > pairs[part.at]]
                named = _applying(named, part.print, studies, own, stretch)
                if foreign := _foreign(stretch, part, studies, own):
                    yield Mismatch(
                        part.at, "study", foreign, part.print, own is not None
                    )
            if named and not _fit(dimension, named, part.print, studies):
                yield Mismatch(part.at, dimension, named[0].text, part.print)
    yield from _swapped(parts, pairs, studies)
    yield from _respective(stretch, studies)


def _beside(
    stretch: Stretch, parts: Sequence[Segment], place: int, dimension: Dimension
) -> list[Mention]:
    """What the words that go with a value name; else those before them."""
    part = parts[place]
    found = of_dimension(stretch.mentions, dimension, part.span)
    if dimension == "metric":
        found = [m for m in found if _goes_with(stretch.words, m, part.at)]
    if found:
        return found
    after = stretch.words[part.at + 1 : part.span.end]
    if dimension in ("workload", "role", "metric") and not _ELSE.match(after):
        before = Span(stretch.span.start, part.span.start)
        named = of_dimension(stretch.mentions, dimension, before)
        if len({m.names for m in named}) == 1:
            return named
    around = [m for m in stretch.around if m.dimension == dimension and not m.loose]
    return around if place == 0 or len(parts) == 1 else []


def _goes_with(words: str, mention: Mention, at: int) -> bool:
    return mention.start < at or bool(_NEAR.fullmatch(words, at + 1, mention.start))


def _foreign(
    stretch: Stretch, part: Segment, studies: Mapping[str, Study], own: str | None
) -> str:
    """Words for the configurations of one study, beside a value of another one.

    A text that says which study it means may name it so.
    """
    found = part.print
    ids = {fact.study for fact in found.facts} or {(found.named or {}).get("study", "")}
    said = {n for m in stretch.mentions if m.dimension == "study" for n in m.names}
    named = of_dimension(stretch.mentions, "configuration", part.span)
    named = named or of_dimension(stretch.mentions, "configuration", stretch.span)
    if ids & said or not named or own in ids:
        return ""
    if own is not None:
        inside = all(
            f.configuration in studies[own].configurations for f in found.facts
        )
        return "" if inside else named[0].text
    known = {c for id in ids if id in studies for c in studies[id].configurations}
    for mention in named:
        apart = not mention.names & known or _pair(mention, studies) - known
        if known and apart and of_one_study(named, studies):
            return mention.text
    return ""


def of_one_study(named: Iterable[Mention], studies: Mapping[str, Study]) -> bool:
    """Whether some study has configurations for all that is named."""
    return any(
        all(mention.names & set(study.configurations) for mention in named)
        for study in studies.values()
    )


def _pair(mention: Mention, studies: Mapping[str, Study]) -> frozenset[str]:
    """A test with its baseline, where words mean these two and nothing else."""
    for study in studies.values():
        for test in study.tests:
            if mention.names == {test, study.baseline_of(test)}:
                return mention.names
    return frozenset()


def _fit(
    dimension: Dimension,
    named: Sequence[Mention],
    found: Print,
    studies: Mapping[str, Study],
) -> bool:
    if found.way == "count":
        return _count_fits(dimension, named, found)
    for fact in found.facts:
        own = _names(dimension, fact)
        if not own:
            continue
        if dimension == "configuration" and fact.kind == "delta":
            if not all(own & mention.names for mention in named):
                return False
            pairs = (_pair(mention, studies) for mention in named)
            if any(pair and fact.configuration not in pair for pair in pairs):
                return False
        elif dimension == "metric":
            shared = frozenset.intersection(*(m.names for m in named))
            if not own & (shared or frozenset.union(*(m.names for m in named))):
                return False
        elif not any(own & mention.names for mention in named):
            return False
    return True


def _count_fits(dimension: Dimension, named: Sequence[Mention], found: Print) -> bool:
    """Whether what is counted is of what the words name, all of it."""
    if dimension == "study":
        known = (found.named or {}).get("study", "")
        return not known or any(known in mention.names for mention in named)
    names = frozenset[str]().union(*(mention.names for mention in named))
    return all(of[dimension] & names for of in found.counted if of.get(dimension))


def _names(dimension: Dimension, fact: Fact) -> frozenset[str]:
    if dimension == "configuration":
        return frozenset(filter(None, (fact.configuration, fact.baseline)))
    name = getattr(fact, dimension)
    return frozenset({name} if name else ())


def _applying(
    named: list[Mention],
    found: Print,
    studies: Mapping[str, Study],
    own: str | None,
    stretch: Stretch,
) -> list[Mention]:
    """The mentions that tell configurations of the value's own study apart.

    In a text of another study the words are those of that study, unless it says
    which study it means.
    """
    if found.way == "count":
        ids = {(found.named or {}).get("study", "")}
    else:
        ids = {fact.study for fact in found.facts}
    if own in ids:
        return named
    said = {n for m in stretch.mentions if m.dimension == "study" for n in m.names}
    if own is not None:
        return [] if ids & said else named
    known = {c for id in ids if id in studies for c in studies[id].configurations}
    return [m for m in named if m.names & known]


def _from_to(words: str, parts: Sequence[Segment]) -> dict[int, int]:
    """Where ``from … to …`` begins, for both of its values."""
    found: dict[int, int] = {}
    for a, b in pairwise(parts):
        opening = _FROM.search(words, a.span.start, a.at)
        if opening and re.match(r"to\b", words[b.span.start :]):
            found |= {a.at: opening.start(), b.at: opening.start()}
    return found


def _swapped(
    parts: Sequence[Segment], pairs: Mapping[int, int], studies: Mapping[str, Study]
) -> Iterator[Mismatch]:
    """``from`` the test ``to`` the baseline."""
    inside = [part for part in parts if part.at in pairs and part.print.way == "value"]
    for a, b in zip(inside[::2], inside[1::2], strict=False):
        first, second = a.print.facts[0], b.print.facts[0]
        study = studies.get(first.study)
        if study is None or first.configuration not in study.tests:
            continue
        alike = (first.study, first.metric, first.role, first.workload)
        if alike != (second.study, second.metric, second.role, second.workload):
            continue
        if study.baseline_of(first.configuration) == second.configuration:
            yield Mismatch(a.at, "configuration", "from … to …", a.print)


def _respective(stretch: Stretch, studies: Mapping[str, Study]) -> Iterator[Mismatch]:
    words = stretch.words[stretch.span.start : stretch.span.end]
    if "respectively" not in words:
        return
    for dimension in DIMENSIONS:
        named = of_dimension(stretch.mentions, dimension, stretch.span)
        if len(named) != len(stretch.printed) or not listed(stretch.words, named):
            continue
        for mention, (at, found) in zip(named, stretch.printed, strict=True):
            if not _fit(dimension, [mention], found, studies):
                yield Mismatch(at, dimension, mention.text, found)
