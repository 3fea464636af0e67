"""Claims in words close to prose, read and checked: the forms that there are.

``docs/claims.md`` describes them. Words become a :class:`Claim` with one of the forms,
and facts give it an :class:`Outcome`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from analysis.facts.fact import Fact
from analysis.report.language.changes import Is, Moves, Ranks, ShareIs
from analysis.report.language.claim import (
    Claim,
    ClaimFacts,
    Form,
    Outcome,
    narrowest,
)
from analysis.report.language.levels import (
    Differs,
    Grows,
    InOrder,
    Modes,
    Order,
    Proportion,
    Stops,
)
from analysis.report.language.reading import HINT, ClaimWords
from analysis.report.language.scope import Scope, UnknownError

FORMS: tuple[type[Form], ...] = (
    Moves, Is, Ranks, Order, Modes, Grows, Proportion, Stops, InOrder, Differs,
)  # fmt: skip
VERBS = {verb: form for form in FORMS for verb in form.verbs}
STATES = {state: form for form in FORMS for state in form.states}


def parse_claim(text: str, metrics: Iterable[str], line: int = 0) -> Claim:
    """The claim that ``text`` makes; :class:`UnknownError` says what is not understood.

    ``metrics`` are the ids that a claim may name.
    """
    words = ClaimWords(" ".join(text.split()), metrics)
    share = words.verb = words.accept(*ShareIs.starts)
    subject = None if share else words.subject()
    predicted = bool(words.accept("is predicted to"))
    if share:
        words.expect("be" if predicted else "is")
        form = ShareIs.read(words)
    else:
        form = _form(words, predicted)
    if subject and subject.derived and not isinstance(form, Grows):
        raise UnknownError(
            f"a {subject.derived} can only grow or shrink",
            f"say it of the metric: {subject.metric} falls by …",
        )
    claim = Claim(words.text, subject, form, predicted=predicted, line=line)
    while words.next:
        if words.accept("for", "over"):
            claim = replace(claim, workloads=words.workloads())
        elif qualifier := words.accept(*claim.form.qualifiers):
            words.verb = qualifier
            claim = replace(claim, form=claim.form.qualified(words))
        elif words.accept("than for"):
            what = "'than for' goes with 'more', 'less', 'higher', 'lower'"
            raise UnknownError(what, HINT)
        else:
            break
    claim.form.check()
    if words.next:
        raise words.unexpected(("for", "over", *claim.form.qualifiers))
    return claim


def _form(words: ClaimWords, predicted: bool) -> Form:
    """What is said; after ``is predicted to`` the verbs stand in their base form."""
    verbs = {_base(verb) if predicted else verb: verb for verb in VERBS}
    be = "be" if predicted else "is"
    found = words.expect(*verbs, be)
    if found == be:
        words.verb = words.expect(*STATES)
        return STATES[words.verb].read(words)
    words.verb = verbs[found]
    return VERBS[words.verb].read(words)


def _base(verb: str) -> str:
    """``at least doubles`` as ``at least double``, ``differs by`` as ``differ by``."""
    return re.sub(r"^(at least )?(\w+)s\b", r"\1\2", verb)


def evaluate(claim: Claim, scope: Scope, least_margin: float) -> Outcome:
    """What the facts of the scope's study say about a claim.

    A claim that holds by less than ``least_margin`` (percent or percentage points) is
    fragile. :class:`UnknownError` where it names what does not exist, or where its
    words do not fit the origin of its facts.
    """
    sources = ClaimFacts(scope, claim.subject, claim.workloads)
    evidence = claim.form.weigh(sources)
    facts = tuple({fact.key: fact for fact in sources.used}.values())
    _check_predicted(claim, facts)
    deciding = narrowest(evidence)
    fragile = next((one.weak for one in evidence if one.weak), "")
    if deciding.margin is not None and deciding.margin < least_margin:
        fragile = f"the margin is less than the {least_margin:g} declared"
    return Outcome(claim, deciding, facts, fragile if deciding.holds else "")


def _check_predicted(claim: Claim, facts: tuple[Fact, ...]) -> None:
    predicted = [fact for fact in facts if fact.predicted]
    if predicted and not claim.predicted:
        raise UnknownError(
            f"the claim rests on predicted values ({predicted[0].key}) and does not "
            "say so",
            "write 'is predicted to', as in: latency is predicted to fall",
        )
    if claim.predicted and not predicted:
        raise UnknownError(
            f"the claim predicts what is {facts[0].origin}",
            "say it plainly, as in: latency falls",
        )
