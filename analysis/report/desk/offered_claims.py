"""The claims that a sentence of its author's own words may state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analysis.errors import Fix
from analysis.facts.fact import Fact
from analysis.report.checks.check import TextChecks
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.checks.names import Mention
from analysis.report.text.sentences import sentences_of
from analysis.report.text.texts import Text

_SHOWN = 3
_VERBS = {"comparable": "is comparable", "inconclusive": "is inconclusive"}


def offered_claims(
    checks: TextChecks, text: Text
) -> Iterator[tuple[int, tuple[Fix, ...]]]:
    """The claims for sentences of a text of a study, by their line."""
    for sentence in sentences_of(text) if text.study else ():
        span = sentence.passage.source(sentence.span)
        if text.study and span and sentence.kind in ("own words", "headline"):
            source = text.marked.text[span.start : span.end].rstrip()
            mentions = checks.names(text.study).mentions(sentence.words)
            facts = checks.facts[text.study]
            if fixes := claim_fixes(sentence.words, source, mentions, facts):
                yield sentence.passage.line(sentence.span.start), fixes


def claim_fixes(
    words: str, source: str, mentions: Sequence[Mention], facts: Iterable[Fact]
) -> tuple[Fix, ...]:
    """The claims that say what ``words`` name and no fact contradicts.

    ``source`` is the sentence as it is written, ``facts`` those of its study.
    """
    names = {
        dimension: [m.names for m in mentions if m.dimension == dimension]
        for dimension in ("metric", "workload", "role")
    }
    if not names["metric"] or not names["workload"] or DENIES.search(words):
        return ()
    changes = [
        fact
        for fact in facts
        if fact.kind == "delta"
        and fact.verdict
        and all(
            any(str(getattr(fact, part)) in named for named in own)
            for part, own in names.items()
            if own
        )
    ]
    senses = [word_of(found) for found in WORD.finditer(words)]
    told = {word.of(fact) * _sign(fact) for word in senses for fact in changes}
    if len(changes) > _SHOWN or told - {1}:
        return ()
    tests = len({fact.configuration for fact in changes}) > 1
    claims = dict.fromkeys(_claim(fact, tests) for fact in changes)
    return tuple(Fix("claim", claim, typed=source) for claim in claims)


def _sign(fact: Fact) -> int:
    """Which way a change goes beyond noise; 0 where it goes none."""
    sure = fact.verdict in ("improved", "regressed")
    return 0 if not sure else 1 if fact.value > 0 else -1


def _claim(fact: Fact, several: bool) -> str:
    names = [*([fact.role] if fact.role else []), *([fact.configuration] * several)]
    subject = "".join(f" of {name}" for name in names)
    verb = {1: "rises", -1: "falls", 0: _VERBS.get(fact.verdict or "", "")}[_sign(fact)]
    if fact.predicted and _sign(fact):
        verb = f"is predicted to {verb.removesuffix('s')}"
    return f"{fact.metric}{subject} {verb} for {fact.workload}"
