"""Claims that a sentence of the desk might state: those that no fact contradicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analysis.errors import Fix
from analysis.facts.fact import Fact
from analysis.report.checks.check import TextChecks
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.checks.names import Mention
from analysis.report.text.passages import Sentence
from analysis.report.text.texts import Text

_SHOWN = 3  # claims
_VERBS = {"comparable": "is comparable", "inconclusive": "is inconclusive"}


def _line(sentence: Sentence) -> int:
    return sentence.passage.line(sentence.span.start)


def offered_claims(
    checks: TextChecks, text: Text
) -> Iterator[tuple[int, tuple[Fix, ...]]]:
    """The claims for sentences of a text of a study, by their line."""
    return ((_line(sentence), fixes) for sentence, fixes in _offers(checks, text))


def _offers(
    checks: TextChecks, text: Text
) -> Iterator[tuple[Sentence, tuple[Fix, ...]]]:
    for sentence in text.sentences if text.study else ():
        span = sentence.passage.source(sentence.span)
        if text.study and span and sentence.kind in ("own words", "headline"):
            source = text.marked.text[span.start : span.end].rstrip()
            mentions = checks.names(text.study).mentions(sentence.words)
            facts = checks.facts[text.study]
            if fixes := _claims(sentence.words, source, mentions, facts):
                yield sentence, fixes


def _claims(
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
            any(str(getattr(fact, part)) in named for named in several)
            for part, several in names.items()
            if several
        )
    ]
    senses = [word_of(word) for word in WORD.finditer(words)]
    signs = {word.of(fact) * sign_of(fact) for word in senses for fact in changes}
    if len(changes) > _SHOWN or signs - {1}:
        return ()
    tests = len({fact.configuration for fact in changes}) > 1
    claims = dict.fromkeys(claim_of(fact, tests) for fact in changes)
    return tuple(Fix("claim", claim, typed=source) for claim in claims)


def sign_of(fact: Fact) -> int:
    """Which way a change goes beyond noise; 0 where it goes none."""
    sure = fact.verdict in ("improved", "regressed")
    return 0 if not sure else 1 if fact.value > 0 else -1


def claim_of(fact: Fact, several: bool) -> str:
    """What may be claimed of a change; ``several`` says that its study has tests."""
    names = [*([fact.role] if fact.role else []), *([fact.configuration] * several)]
    subject = "".join(f" of {name}" for name in names)
    verb = {1: "rises", -1: "falls", 0: _VERBS.get(fact.verdict or "", "")}[
        sign_of(fact)
    ]
    if fact.predicted and sign_of(fact):
        verb = f"is predicted to {verb.removesuffix('s')}"
    return f"{fact.metric}{subject} {verb} for {fact.workload}"
