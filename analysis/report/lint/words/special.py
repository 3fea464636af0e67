"""Words that need a claim of their own kind: ratios, ranks, growth, scatter, modes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from analysis.facts.fact import Fact
from analysis.report.claims import claim as c
from analysis.report.claims.outcome import Outcome
from analysis.report.lint.words.growth import about, grows
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.stand import Stand
from analysis.report.lint.words.text_blocks import Span
from analysis.report.lint.words.topic import Topic

_COUNTED = re.compile(
    r"comparisons|workloads|changes|metrics|runs|all|every|each|^none|^no", re.I
)
OPPOSITE = re.compile(r"opposite|reverse|contrary|other way|versa", re.IGNORECASE)
NEEDING = ("ratio", "rank", "growth", "scatter", "modes", "share")
_SHARE = re.compile(
    r"\b(no|none of the|every|each|all|most(?: of the)?)\b(?: (?:the"
    r"|\S+))? comparisons?\b",
    re.IGNORECASE,
)
_STEMS = (
    ("improv", "improved"), ("regress", "regressed"), ("comparab", "comparable"),
    ("inconclus", "inconclusive"), ("better", "improved"), ("worse", "regressed"),
)  # fmt: skip
_RUNS = re.compile(r"\b(?:most|some|few|many|other) (?:of the )?runs\b", re.IGNORECASE)
_LEAST = re.compile(r"least|smallest|weakest|tiniest|less", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
# Words that name a ratio: of a rate that halves, no fifth is left.
_EXACT = re.compile(
    r"hal[fv]|twice|two|doubl|tripl|third|thrice|quadrupl|four|quarter", re.I
)
_NEARLY = 0.97  # of a ratio
_FEW = 5.0  # percent: a change that may be called marginal


def backed(
    word: Word, subject: Topic, stand: Stand, denied: bool, sentence: str
) -> bool:
    """Whether a claim of the kind that a word needs is about what it is said of."""
    kind = word.sense.kind
    if kind == "share" and not _COUNTED.search(word.text):
        kind, word = "ratio", replace(word, family="half")
    if kind == "ratio":
        return any(_ratio(word, a, o) and about(subject, o) for a, o in stand.ratios)
    if kind in ("rank", "moves", "quality"):
        return any(_leads(word, subject, o) for _, o in stand.of(c.Ranks))
    if kind == "share":
        return any(
            isinstance(p, c.ShareIs) and p.share != "no" for p, _ in stand.of(c.ShareIs)
        )
    if kind == "modes":
        return any(
            isinstance(p, c.Modes) and p.two != denied and about(subject, o)
            for p, o in stand.of(c.Modes)
        )
    if kind == "scatter":
        return any(about(subject, o) for _, o in stand.of(c.Scatters))
    return kind == "growth" and grows(word, subject, stand, sentence)


def small(word: Word, facts: Sequence[Fact], stand: Stand) -> bool:
    """Whether claims say that changes are small, or large, as a word does."""
    if word.sense.sign > 0:
        return False
    limits = [(a, {f.key for f in o.facts}) for a, o in stand.ratios]
    return bool(facts) and all(
        any(a.high <= _FEW and fact.key in keys for a, keys in limits) for fact in facts
    )


def _ratio(word: Word, amount: c.Amount, outcome: Outcome) -> bool:
    """Whether a claim's amount reaches the ratio, of either side to the other."""
    predicate = outcome.claim.predicate
    if not isinstance(predicate, c.Moves) or amount.peak:
        return False
    factor = word.sense.factor
    if _EXACT.search(word.text) and any(_factor(f) > factor + 1 for f in outcome.facts):
        return False
    share = amount.low if amount.high == math.inf else (amount.low + amount.high) / 2
    if predicate.sign > 0:
        return share / 100 + 1 >= factor * _NEARLY
    return share < 100 and 1 / (1 - share / 100) >= factor * _NEARLY


def _factor(fact: Fact) -> float:
    """How many times the one value is the other, the larger one first."""
    ratio = 1 + fact.value / 100
    return max(ratio, 1 / ratio) if ratio > 0 else math.inf


def _leads(word: Word, subject: Topic, outcome: Outcome) -> bool:
    """Whether a claim sets what a word is said of before others, not behind them."""
    predicate, own = outcome.claim.predicate, outcome.claim.subject
    if own is None or not isinstance(predicate, c.Ranks) or not about(subject, outcome):
        return False
    names = frozenset(own.names) & {f.role for f in outcome.facts if f.role}
    if subject.roles and names and not subject.roles & names:
        return False
    fits = outcome.claim.workloads.fits
    if not all(fits(name) for name in subject.workloads) and predicate.other is None:
        return False
    return predicate.measure == "value" or predicate.more != bool(
        _LEAST.search(word.text)
    )


def ordered(
    word: Word,
    clause: Span,
    mentions: Sequence[Mention],
    stand: Stand,
    subject: Topic,
) -> bool:
    """Whether a claim sets the configuration that is spoken of before the other one.

    Both have to be named, the first before the word and the second after it.
    """
    if word.sense.kind not in ("moves", "quality") or not word.sense.sign:
        return False
    own = [
        m for m in mentions if m.dimension == "configuration" and clause.holds(m.start)
    ]
    left = [m for m in own if m.end <= word.start]
    right = [m for m in own if m.start >= word.end]
    return bool(left and right) and any(
        isinstance(p, c.Order)
        and about(subject, o)
        and _sets_before(word, o, p, left[-1].names, right[0].names)
        for p, o in stand.of(c.Order)
    )


def _sets_before(
    word: Word,
    outcome: Outcome,
    order: c.Order,
    left: frozenset[str],
    right: frozenset[str],
) -> bool:
    subject = outcome.claim.subject
    if subject is None or not isinstance(order.right, c.Subject):
        return False
    fact = outcome.facts[0]
    above = word.sense.sign > 0
    if word.sense.kind == "quality" and fact.better == "lower":
        above = not above
    first, second = frozenset(subject.names), frozenset(order.right.names)
    if order.above == above:
        return bool(first & left and second & right)
    return bool(first & right and second & left)


def share_backed(word: Word, before: str, stand: Stand) -> bool | None:
    """Whether a claim tells how many of all comparisons have a verdict.

    None where what stands before the word does not speak of all, most or none of them.
    """
    found = _SHARE.search(before)
    if not found:
        return None
    told = found[1].lower()
    share = "no" if told[:2] == "no" else "most" if told[:4] == "most" else "every"
    verdict = next((v for stem, v in _STEMS if stem in word.text.lower()), "")
    return any(
        isinstance(p, c.ShareIs)
        and p.share == share
        and (verdict in p.verdicts if share == "no" else p.verdicts == (verdict,))
        for p, _ in stand.of(c.ShareIs)
    )


def compares(
    sentence: str, word: Word, clause: Span, mentions: Sequence[Mention]
) -> bool:
    """Whether a word sets one role or workload before another one of them."""
    found = _THAN.search(sentence, word.start, clause.end)
    if not found:
        return False
    after = [m for m in mentions if found.end() <= m.start < clause.end]
    kinds = {m.dimension for m in after}
    return bool(kinds & {"role", "workload"}) and "configuration" not in kinds


def of_runs(sentence: str, subject: Topic, stand: Stand) -> bool:
    """Whether a sentence tells how runs differ, and a claim says that they do."""
    return bool(_RUNS.search(sentence)) and any(
        isinstance(p, c.Modes) and p.two and about(subject, o)
        for p, o in stand.of(c.Modes)
    )
