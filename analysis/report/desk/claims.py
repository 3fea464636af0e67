"""Claims at the desk: offered for a sentence, or found by words; what the data say.

Nobody types one. They are found as values are, with a size where the interval has one
to spare, and offered where no fact contradicts the words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.errors import Fix
from analysis.facts.fact import Fact
from analysis.report.checks.check import TextChecks
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.checks.names import Mention
from analysis.report.desk.values import EMPTY, best, fact_words, other_words
from analysis.report.language.claims import evaluate, parse_claim
from analysis.report.language.scope import UnknownError, scope_of
from analysis.report.material import Material
from analysis.report.review.sentences import read_claim
from analysis.report.text.texts import Text

_STEP = 5  # percent, of sizes from 10% on
_MOST = 40  # claims of one part
_SHOWN = 3  # claims
_VERBS = {"comparable": "is comparable", "inconclusive": "is inconclusive"}


def offered_claims(
    checks: TextChecks, text: Text
) -> Iterator[tuple[int, tuple[Fix, ...]]]:
    """The claims for sentences of a text of a study, by their line."""
    for sentence in text.sentences if text.study else ():
        span = sentence.passage.source(sentence.span)
        if text.study and span and sentence.kind in ("own words", "headline"):
            source = text.marked.text[span.start : span.end].rstrip()
            mentions = checks.names(text.study).mentions(sentence.words)
            facts = checks.facts[text.study]
            if fixes := _claims(sentence.words, source, mentions, facts):
                yield sentence.passage.line(sentence.span.start), fixes


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


def weighed(material: Material, study: str | None, claims: str) -> list[dict[str, Any]]:
    """What the data say of claims that are parted by ``;``, as JSON."""
    every = [" ".join(one.split()) for one in claims.split(";")]
    return [_weighed(material, study, one) for one in every[:_MOST] if one]


def _weighed(material: Material, study: str | None, words: str) -> dict[str, Any]:
    scope = scope_of(material, study)
    try:
        least = material.studies[scope.study_named(None)].claims.margin
        outcome = evaluate(parse_claim(words, material.metrics), scope, least)
    except UnknownError as error:
        return {"claim": words, "state": "fails", "data": f"{error}: {error.mend}"}
    read, decided = read_claim(outcome, material), outcome.deciding
    by = f" by {decided.size}" if decided.margin else ""
    why = f", {read.fragile}" if read.fragile else ""
    return {
        "claim": words,
        "state": read.state,
        "verdict": f"{read.state}{by}{why}",
        "data": read.data,
        "demanded": read.demanded,
        "keys": [fact.key for fact in (decided.facts or outcome.facts)[:2]],
    }


def find_claims(
    material: Material, study: str | None, words: str, sentence: str
) -> list[dict[str, Any]]:
    """The first claims that hold and that most words tell of, as JSON.

    Without words those come first whose names the sentence has. Each has the study
    that it has to name outside of one.
    """
    heard = {word.strip(".,:;") for word in sentence.casefold().split()} - EMPTY
    found = best(material, words, _candidates(material, study, heard))
    return [_weighed(material, at, claim) | {"study": at} for at, claim in found]


def _candidates(
    material: Material, study: str | None, heard: set[str]
) -> Iterator[tuple[int, tuple[str, str], str, str]]:
    """Each claim with its study, how far it is from a sentence, what tells of it."""
    for id in [study] if study else sorted(material.studies):
        names = material.names(id)
        facts = [fact for fact in material.facts.facts if fact.study == id]
        changes = [fact for fact in facts if fact.kind == "delta" and fact.verdict]
        several = len({fact.configuration for fact in changes}) > 1
        least = material.studies[id].claims.margin
        for fact in changes:
            about = f"{fact_words(fact, material, names)} {other_words(fact, material)}"
            text = f"{about} {id} {material.studies[id].title}".casefold()
            both = heard & set(text.replace(",", " ").split())
            near = sum(3 if any(map(str.isdigit, word)) else 1 for word in both)
            means = material.metrics[fact.metric].means.casefold()
            for claim in claims_of(fact, several, least):
                yield -near, (id, claim), f"{text} {claim.casefold()}", means


def claims_of(fact: Fact, several: bool, least: float) -> Iterator[str]:
    """What may be claimed of a change: its way, and a size that all of its interval has
    by ``least`` percentage points and more; ``several`` are its study's tests."""
    claim = claim_of(fact, several)
    yield claim
    if sign_of(fact) and fact.low is not None and fact.high is not None:
        near = min(abs(fact.low), abs(fact.high)) - least
        size = math.floor(near / _STEP) * _STEP if near >= 2 * _STEP else int(near)
        if size > 0 and fact.low * fact.high > 0:
            said, _, workload = claim.rpartition(" for ")
            yield f"{said} by at least {size}% for {workload}"
