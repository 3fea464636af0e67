"""Claims that hold, found by plain words, and what the data say of any.

Nobody types one at the desk: they are found as values are, with a size where the
interval has one to spare.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from analysis.facts.fact import Fact
from analysis.report.desk.claims import claim_of, sign_of
from analysis.report.desk.values import EMPTY, best, fact_words, other_words
from analysis.report.language.claims import evaluate, parse_claim
from analysis.report.language.scope import UnknownError, scope_of
from analysis.report.material import Material
from analysis.report.review.sentences import read_claim

_STEP = 5  # percent, of sizes from 10% on
_MOST = 40  # claims of one part


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
