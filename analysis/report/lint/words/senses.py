"""Words that assert a result, and what each asserts: one table for all checks.

A word asserts that a value *moves* up or down, that something is *better* or *worse*
(which way that is, the metric says), that two things are the *same*, a *ratio*, and so
on. ``docs/claims.md`` says what each needs behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from analysis.report.lint.words.sense import Sense
from analysis.report.lint.words.senses_of_direction import DIRECTIONS
from analysis.report.lint.words.senses_of_kind import KINDS

SENSES = KINDS | DIRECTIONS
_PASSAGES, _LONGEST = 2_000, 2_000  # that are kept, and characters of one of them
_PATTERN = re.compile(
    r"(?<!\w)(?=\w)(?:"  # no alternative is tried where no word begins
    + "|".join(f"(?P<{name}>{sense.words})" for name, sense in SENSES.items())
    + r")(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Word:
    """A word that asserts something, and where it stands."""

    family: str
    start: int
    end: int
    text: str

    @property
    def sense(self) -> Sense:
        """What it asserts."""
        return SENSES[self.family]


def words_that_assert(words: str) -> tuple[Word, ...]:
    """The words of a text that assert something, in order."""
    return _kept(words) if len(words) <= _LONGEST else _asserting(words)


def _asserting(words: str) -> tuple[Word, ...]:
    return tuple(
        Word(found.lastgroup or "", found.start(), found.end(), found[0])
        for found in _PATTERN.finditer(words)
        if not _is_name(words, found.start(), found[0])
    )


# A passage is asked of several times; a server of drafts hears of new ones for days.
_kept = lru_cache(maxsize=_PASSAGES)(_asserting)


def _is_name(words: str, start: int, text: str) -> bool:
    """Whether a word is part of a name, as Enhanced is in Enhanced QDIO."""
    begins = (
        not words[:start].rstrip(" \"'(*") or words[:start].rstrip(" *")[-1:] in ".!?:;"
    )
    return text[0].isupper() and not text.isupper() and not begins
