"""Whether a word, as a sentence says it, may stand: by the rules of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.facts.fact import Fact
from analysis.report.lint.words.growth import stands_alone
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.special import (
    NEEDING,
    OPPOSITE,
    backed,
    compares,
    of_runs,
    ordered,
    share_backed,
    small,
)
from analysis.report.lint.words.stand import Stand
from analysis.report.lint.words.text_blocks import Span, marks
from analysis.report.lint.words.topic import Topic
from analysis.report.lint.words.weigh import Said, Weighed, agrees, weigh

_ALONE = re.compile(r"[\s,]*(?:alone|only|exclusively)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\b(?:only|exclusively|(?:nothing|nobody|none) but)"
    r"(?: (?:at|by|for|from|in|on|over|under|with))?(?: the)? $",
    re.IGNORECASE,
)
_BACKED, _OPEN = Weighed("backed"), Weighed("open")


@dataclass(frozen=True)
class Case:
    """A word in its clause: what it is said of, and what the text has behind it.

    ``before`` is the word that asserted something before it, for ``so does``.
    """

    said: Said
    clause: Span
    words: str
    sentence: str
    mentions: Sequence[Mention]
    subject: Topic
    stand: Stand
    known: Sequence[Fact]
    before: Word | None = None


def judge(case: Case) -> Weighed:
    """What stands behind a word; ``against`` only where the sentence is explicit."""
    word, stand = case.said.word, case.stand
    kind = word.sense.kind
    before = case.words[case.clause.start : word.end]
    shared = share_backed(word, before, stand)
    if shared is not None:
        return _BACKED if shared else _OPEN
    if kind in NEEDING or compares(case.words, word, case.clause, case.mentions):
        of = backed(word, case.subject, stand, case.said.denied, case.sentence)
        return _BACKED if of else _OPEN
    if kind == "again":
        return _again(case)
    if ordered(word, case.clause, case.mentions, stand, case.subject):
        return _BACKED
    if of_runs(case.sentence, case.subject, stand):
        return _BACKED
    if stands_alone(word, case.subject, stand, case.sentence):
        return _BACKED
    found = weigh(case.said, case.subject, stand, case.known)
    if kind == "size":
        return _sized(case, found)
    if found.verdict == "against" and not case.subject.explicit:
        return replace(found, verdict="open")
    if found.verdict == "backed" and any(_others_too(case, found)):
        return replace(found, verdict="open")
    return found


def _others_too(case: Case, found: Weighed) -> Iterator[bool]:
    """Of what is said of one alone: whether each change of the others is as it says."""
    metrics = {fact.metric for fact in found.facts if agrees(case.said, fact)}
    for mention in case.mentions:
        dimension = mention.dimension
        if dimension not in ("workload", "role") or not _is_alone(case, mention):
            continue
        for fact in case.known:
            if fact.metric in metrics and getattr(fact, dimension) not in mention.names:
                yield agrees(case.said, fact)


def _is_alone(case: Case, mention: Mention) -> bool:
    """Whether a clause says something of what it names, and of nothing else."""
    start, end = case.clause.start, case.clause.end
    if not case.clause.holds(mention.start):
        return False
    after = _ALONE.match(case.words, mention.end, end)
    return bool(after or _ONLY.search(case.words[start : mention.start]))


def _again(case: Case) -> Weighed:
    """``So does the rate``: what the word before says, of something else."""
    said, whole = case.said, Span(0, len(case.words))
    if case.before:
        said = replace(said, word=case.before)
    elif not any(marks(case.words, whole)):  # nothing there that it could repeat
        return _OPEN
    if OPPOSITE.search(case.said.word.text):
        return _OPEN
    found = weigh(said, case.subject, case.stand, case.known)
    return found if found.verdict == "backed" else replace(found, verdict="open")


def _sized(case: Case, found: Weighed) -> Weighed:
    word = case.said.word
    if small(word, found.facts, case.stand):
        return _BACKED
    large = word.sense.sign > 0 and found.verdict == "backed"
    return found if large else replace(found, verdict="open")
