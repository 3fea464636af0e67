"""The sentences of words that a reader reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A point after one of these ends no sentence.
_SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|approx|ca|resp|etc|pp?|no|nos|fig|figs|eq|sec|ch|vol|ed|eds"
    r"|Inc|Corp|Ltd|Mr|Mrs|Dr|St)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_END = re.compile(r"[.?!\u2026]+[\"'\u201d\u2019)\]]*(?=\s|$)|\s\|\s|\n\s*\n")


@dataclass(frozen=True)
class Sentence:
    """A sentence, and where it begins in the words that it is from."""

    start: int
    words: str


def sentences(words: str) -> Iterator[Sentence]:
    """The sentences of some words, in order; the cells of a table are sentences."""
    start = 0
    for end in _END.finditer(words):
        if end[0] == "." and _SHORT.search(words[start : end.end()]):
            continue
        yield from _sentence(words, start, end.end())
        start = end.end()
    yield from _sentence(words, start, len(words))


def _sentence(words: str, start: int, end: int) -> Iterator[Sentence]:
    if words[start:end].strip():
        yield Sentence(start, words[start:end])
