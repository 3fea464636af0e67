"""Clauses that rest elsewhere: on a source, on another place, or on nothing known."""

from __future__ import annotations

import re

from analysis.report.lint.words.plain_words import strange
from analysis.report.lint.words.result_clause import ResultClause
from analysis.report.lint.words.said import (
    asked,
    compares_with_others,
    told_of_others,
    unknown,
)

_CITED = re.compile(r"@(?!fig-|sec-|tbl-)\w")
_POINTS = re.compile(r"@(?:fig|sec|tbl)-[\w-]+|\b(?:above|below|beside this page)\b")
_SHOWS = re.compile(
    r"\b(?:see|show|sees|ha(?:s|ve)|set|list|tell|say|give|describe|explain|dealt|find|found|read"
    r"|print|come|stand)\w*",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:findings?|results?|our|we|these runs|this (?:report|study|edition)"
    r"|conclusions?)\b",
    re.IGNORECASE,
)
_LIKE = re.compile(r"\W*(?:just |exactly )?(?:as|like)\b", re.IGNORECASE)
_PRESUPPOSES = re.compile(
    r"\b(?:why|how (?:badly|far)|how much (?!of)|by how much|ever"
    r"|(?:who|what|which \w+) (?:did|does|made|makes|caused|causes))\b",
    re.I,
)
_WHETHER = re.compile(r"\W*(?:whether|if)\b", re.IGNORECASE)


def rests_elsewhere(clause: ResultClause, rest: str) -> bool:
    """Whether a clause says that nothing is known, cites, or points to a place."""
    words, said = clause.passage.words, clause.said
    if compares_with_others(said):
        return False
    if _leaves_open(clause):
        return True
    if _CITED.search(words, clause.sentence.start, clause.sentence.end):
        return _told_by_others(clause)
    if not _POINTS.search(said) or (clause.named and not _SHOWS.search(said)):
        return False
    return not strange(rest, ("pointer",), clause.known)


def _told_by_others(clause: ResultClause) -> bool:
    """Whether a clause of a sentence that cites tells what others say, and no more.

    What they found of something that was compared here is a published value: printed.
    """
    words = clause.passage.words
    if _OWN.search(clause.said) or _LIKE.match(clause.said):
        return False
    told = any(told_of_others(words, span) for span in (clause.span, clause.sentence))
    published = any(p.source.startswith("published") for p in clause.around)
    if clause.asserts and clause.named and not published:
        return False
    return told or not any(not m.loose for m in clause.named)


def _leaves_open(clause: ResultClause) -> bool:
    """Whether a clause says that something is not known, or asks."""
    words = clause.passage.words
    whole = clause.sentence if _WHETHER.match(clause.said) else clause.span
    if asked(words, clause.sentence):
        return True
    return unknown(words, whole) and not _PRESUPPOSES.search(clause.said)
