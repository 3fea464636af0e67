"""Words of growth and of what is alike, and the claims of values that back them."""

from __future__ import annotations

import re

from analysis.report.claims import claim as c
from analysis.report.claims.outcome import Outcome
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.stand import Stand
from analysis.report.lint.words.topic import Topic

_DOWN = re.compile(r"(?:shr|fall|drop|decreas)\w*", re.IGNORECASE)
_SAVING = re.compile(r"\b(?:sav|reduction|gain|increase|more so)", re.IGNORECASE)
_SHAPED = re.compile(r"(?:linear|exponential|quadratic|logarithmic|proportion)", re.I)
_EVEN = re.compile(r"linear|proportion", re.IGNORECASE)
_STOPS = re.compile(
    r"\bstop\w* (?:grow|ris)ing|\bno (?:longer|more)\b|\bno further\b|\bnot any\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"\b(?:order|strength|stronger|from .+ to .+)\b", re.IGNORECASE)


def about(subject: Topic, outcome: Outcome) -> bool:
    """Whether a claim is about the metric, role, workloads and setting spoken of."""
    facts = outcome.facts
    if subject.metrics and not all(
        any(fact.metric in group for fact in facts) for group in subject.metrics
    ):
        return False
    roles = {fact.role for fact in facts if fact.role}
    if subject.roles and roles and not roles & subject.roles:
        return False
    own = {fact.workload for fact in facts}
    if subject.workloads and not (subject.workloads & own):
        return False
    return all(
        any({fact.configuration, fact.baseline} & names for fact in facts)
        for names in subject.configurations
    )


def grows(word: Word, subject: Topic, stand: Stand, sentence: str) -> bool:
    """Whether a claim says how something grows, as a word of growth does."""
    if _SHAPED.search(word.text):
        even = _EVEN.search(word.text)
        return bool(even) and _any(c.Proportion, subject, stand)
    sign = -1 if _DOWN.search(word.text) else 1
    saves = bool(_SAVING.search(sentence))
    steps = any(
        isinstance(p, c.Grows)
        and p.sign == sign
        and about(subject, o)
        and bool(o.claim.subject and o.claim.subject.derived) == saves
        for p, o in stand.of(c.Grows)
    )
    return steps or (sign > 0 and not saves and _any(c.Proportion, subject, stand))


def stands_alone(word: Word, subject: Topic, stand: Stand, sentence: str) -> bool:
    """Whether a claim about values says what a word of a change, or of none, does:
    that growth stops, that values stand in an order, or that they hardly differ."""
    kind = word.sense.kind
    if kind == "same":
        return _any(c.Differs, subject, stand)
    if kind not in ("moves", "quality"):
        return False
    if _STOPS.search(sentence):
        return _any(c.Stops, subject, stand)
    sign = -1 if _DOWN.search(word.text) else 1
    return bool(_ORDER.search(sentence)) and any(
        isinstance(p, c.InOrder) and p.sign == sign and about(subject, o)
        for p, o in stand.of(c.InOrder)
    )


def _any(predicate: type[c.Predicate], subject: Topic, stand: Stand) -> bool:
    return any(about(subject, o) for _, o in stand.of(predicate))
