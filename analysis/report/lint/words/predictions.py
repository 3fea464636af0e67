"""Sentences that print predicted values as if they were measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.text_blocks import Span, TextBlock

_SAYS = re.compile(
    r"\b(?:(?:is|are|was|were|be|being) predicted|predicted (?:to|value|change|fall"
    r"|rise|"
    r"gain|saving|latency|cost|rate|throughput|\S*[\U000f0000-\U0010ffff])|a predicted"
    r"|predictions?|predicts|modell?ed|by the model|the model (?:gives|takes|expects))",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\b(?:we (?:measured|saw|observed|found)|was measured|were measured|in our runs"
    r"|measurements? (?:shows?|gives?)|ran at)\b",
    re.IGNORECASE,
)


def says_predicted(words: str) -> bool:
    """Whether words say of what they tell that it is predicted."""
    return bool(_SAYS.search(words))


def unsaid(
    passage: TextBlock, sentence: Span, printed: Sequence[tuple[int, Print]]
) -> Iterator[int]:
    """Where a sentence prints predicted values and does not say so, or denies it."""
    words = passage.words[sentence.start : sentence.end]
    around = " ".join((*passage.around, words))
    said = says_predicted(around) or any("predicted" in p.words for _, p in printed)
    if said and not _MEASURED.search(words):
        return
    for at, found in printed:
        if any(fact.predicted for fact in found.facts):
            yield at
            return
