"""Which words of a sentence go with which of the values that it prints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.report.lint.words.mention import Dimension, Mention
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.text_blocks import Span

# What parts two values, the strongest first; the last of its kind counts.
_BORDERS = tuple(
    re.compile(border, re.IGNORECASE)
    for border in (
        r"[;:]\s",
        r",\s(?=(?:and|while|whereas|but|or|so|because)\b)",
        r"\s(?=(?:while|whereas)\b)",
        r",\s",
        r"\s(?=(?:and|or|against|than|to|instead|compared)\b)",
    )
)
_COORDINATED = re.compile(
    r"(?:\s*,\s*|\s+)(?:(?:and|or)\s+)?(?:(?:for|of|on|the|at)\s+)*"
)


@dataclass(frozen=True)
class Segment:
    """A printed value, where its mark stands, and the words that go with it."""

    at: int
    print: Print
    span: Span


def segments(
    words: str, sentence: Span, printed: Sequence[tuple[int, Print]]
) -> list[Segment]:
    """A segment for each value that a sentence prints, in order."""
    first, last = printed[0][0], printed[-1][0]
    edges = [_strong(words, sentence.start, first, sentence.start, 0)]
    for (left, _), (right, _) in pairwise(printed):
        edges.append(_border(words, left + 1, right))
    edges.append(_strong(words, last + 1, sentence.end, sentence.end, -1))
    return [
        Segment(at, found, Span(start, end))
        for (at, found), (start, end) in zip(printed, pairwise(edges), strict=True)
    ]


def _border(words: str, start: int, end: int) -> int:
    for border in _BORDERS:
        found = list(border.finditer(words, start, end))
        if found:
            return found[-1].end()
    return end


def _strong(words: str, start: int, end: int, default: int, toward: int) -> int:
    """Where the clause of the first value begins, or where that of the last ends."""
    found = [b for border in _BORDERS[:2] for b in border.finditer(words, start, end)]
    if not found:
        return default
    return max(b.end() for b in found) if toward == 0 else min(b.start() for b in found)


def of_dimension(
    mentions: Sequence[Mention], dimension: Dimension, span: Span
) -> list[Mention]:
    """What a stretch of words names of one dimension, loose mentions aside."""
    return [
        mention
        for mention in mentions
        if mention.dimension == dimension
        and not mention.loose
        and span.holds(mention.start)
    ]


def listed(words: str, mentions: Sequence[Mention]) -> bool:
    """Whether mentions follow one another as a list: ``RR1(100B) and RR40(100B)``."""
    return len(mentions) > 1 and all(
        _COORDINATED.fullmatch(words, a.end, b.start) for a, b in pairwise(mentions)
    )
