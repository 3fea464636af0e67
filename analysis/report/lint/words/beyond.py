"""Words beside printed values that say more than the values do.

A value is of one workload, role and configuration. What its sentence names beside it
must be of some value there; and words such as *on every machine* or *in all* make of
one value many.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.result_clause import ResultClause
from analysis.report.lint.words.said import is_reference

_WIDENS = re.compile(
    r"\b(?:every|any|each|all) (?:\w+ )?(?:kinds?|sorts?|machines?|hosts?|kernels?"
    r"|systems?|levels?|directions?|networks?|days?|cases?)\b"
    r"|\b(?:within|in|after|for|every) (?:an?|one|the first|half an?|\w+) "
    r"(?:seconds?|minutes?|hours?|days?)\b(?! run)",
    re.IGNORECASE,
)
_BELITTLES = re.compile(
    r"\b(?:barely|hardly|merely|scarcely|a mere|a trifling)\s+[\U000f0000-\U0010ffff]",
    re.I,
)
_TOGETHER = re.compile(r"\b(?:in all|in total|altogether|overall|all told)\b", re.I)
_SIDES = re.compile(
    r"\b(?:receiv\w+|send\w+|client|server) (?:side|end)\b"
    r"|\b(?:both|either) (?:sides?|ends?)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:both|either|all) (?:sides?|ends?)\b", re.IGNORECASE)
# *Every interval lies …* needs an expression that looks at every one.
ALL_INTERVALS = re.compile(r"\b(?:every|each|all|any|no) (?:\w+ )?intervals?\b", re.I)
_BOX = re.compile(r"\[[ xX]?\](?!\()")
_SIGNS = frozenset(("Sm", "So", "Sk"))
_MEANT = "+±×−°"  # beside values


def beyond(clause: ResultClause, printed: Sequence[Print]) -> Iterator[str]:
    """The words of a clause that reach beyond the values it prints."""
    said = clause.without(clause.marked)
    yield from (match[0] for match in _WIDENS.finditer(said))
    yield from (match[0][:-1] for match in _BELITTLES.finditer(said))
    facts = [fact for p in printed for fact in p.facts]
    if any(fact.role for fact in facts) and (found := _TOGETHER.search(said)):
        yield found[0]
    if any(p.source.startswith("limit") for p in printed):
        yield from (match[0] for match in ALL_INTERVALS.finditer(said))
    yield from _roles(said, clause.named, printed)
    yield from (m.text for m in clause.strangers if clause.span.holds(m.start))
    if any(word.sense.kind == "growth" for word in clause.judged):
        return  # a claim goes over all that is named
    for mention in clause.named:
        against = is_reference(clause.passage.words, mention)
        if not against and not _covered(mention, clause.around):
            yield mention.text


def _roles(
    said: str, mentions: Sequence[Mention], printed: Sequence[Print]
) -> Iterator[str]:
    """Sides that are named beside values of none of them, or of one of two."""
    facts = [fact for p in printed for fact in p.facts]
    roles = {fact.role for fact in facts if fact.role}
    if not facts:
        return
    if not roles:
        yield from (m.text for m in mentions if m.dimension == "role")
        yield from (match[0] for match in _SIDES.finditer(said))
    elif len(roles) == 1 and (found := _ENDS.search(said)):
        yield found[0]


def _covered(mention: Mention, around: Sequence[Print]) -> bool:
    """Whether some value of the sentence is of what is named.

    ``With OSH`` says of another study that a feature is on, of this one which it is.
    """
    own: set[str] = set()
    for found in around:
        for fact in found.facts:
            own |= _of(mention, fact.workload, fact.configuration, fact.baseline)
        for of in found.counted:
            own |= of.get(mention.dimension, frozenset())
    switch = mention.dimension == "configuration" and " " in mention.text
    return not own or switch or bool(own & mention.names)


def _of(mention: Mention, workload: str, test: str, baseline: str | None) -> set[str]:
    if mention.dimension == "workload":
        return {workload}
    if mention.dimension == "configuration":
        return {test, baseline} if baseline else {test}
    return set()


def signs(said: str) -> str:
    """The first sign of a clause that is neither a word nor beside a value."""
    if box := _BOX.search(said):
        return box[0]
    runs = re.search(r"\+{2,}|~~|--+>", said)
    odd = (c for c in said if unicodedata.category(c) in _SIGNS and c not in _MEANT)
    return runs[0] if runs else next(odd, "")


def closed(clause: ResultClause) -> str:
    """The words of a sentence that is one quantifier and nothing else: *Everything.*"""
    whole, named = clause.span == clause.sentence, clause.named
    alone = whole and len(named) == 1 and named[0].loose
    return named[0].text if alone and named[0].dimension == "workload" else ""
