"""The claims of sentences at the desk: what each says, and what it might state.

A sentence is offered the claims that no fact contradicts, and its claims are set in the
words that are edited: a page shows them again, and nothing is saved by that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.errors import Fix, user_error
from analysis.facts.fact import Fact
from analysis.report.checks.check import TextChecks
from analysis.report.checks.claims import MATTER, Checked
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.checks.names import Mention
from analysis.report.desk.changes import EXPRESSION
from analysis.report.review.sentences import (
    datum,
    read_claim,
    stands_with,
    stretch,
)
from analysis.report.text.passages import Sentence, Span
from analysis.report.text.reviewed import fill
from analysis.report.text.texts import Text

_SHOWN = 3  # claims
_VERBS = {"comparable": "is comparable", "inconclusive": "is inconclusive"}
# What ends a claimed sentence behind its words, and the claims in it.
_ATTRIBUTES = re.compile(r"[*_\"')\s]{0,9}\]\{([^{}]*)\}")
_CLAIM = re.compile(r"""\s*claim=(?:"[^"]*"|'[^']*')""")
_UNFIT = re.compile(r"[\"{}\n;]")


def sentences(
    checked: Checked, checks: TextChecks, text: Text, lines: range
) -> list[dict[str, Any]]:
    """The sentences of these lines of a text, as JSON.

    Each has its ``kind`` and ``words``, the ``values`` that it prints in words, and its
    ``claims``: as typed (``claim``), as read (``says``), the verdict (``state``), what
    the ``data`` say, what it ``demands`` and the ``margin``, and why it is ``fragile``.
    ``offers`` are claims that it may state as well.
    """
    material, path = checked.material, str(text.path)
    outcomes = [
        one
        for one in checked.outcomes.get(text.study or MATTER, ())
        if one.claim.sentence and one.claim.file == path
    ]
    offered = {id(one): fixes for one, fixes in _offers(checks, text)}
    found = []
    for n, sentence in enumerate(text.sentences):
        if _line(sentence) not in lines:
            continue
        facts = [fact for value in sentence.prints for fact in value.printed.facts]
        claims = []
        for one in outcomes if sentence.kind == "claimed" or _claimed(sentence) else ():
            if stands_with(one, sentence.words):
                read = read_claim(one, material)
                told = {"claim": one.claim.text, "says": read.claim}
                told |= {"state": read.state, "data": read.data}
                told |= {"demands": read.demanded, "fragile": read.fragile}
                claims.append(told | {"margin": one.margin})
        found.append({
            "sentence": n,
            "words": sentence.read(text.printed),
            "kind": sentence.kind,
            "values": [datum(fact, material) for fact in dict.fromkeys(facts)],
            "claims": claims,
            "offers": [fix.write for fix in offered.get(id(sentence), ())],
        })  # fmt: skip
    return found


def with_claims(text: Text, number: int, claims: Sequence[str], words: str) -> str:
    """The Markdown ``words`` of a part with other claims at a sentence of the text.

    None takes them away. A :class:`analysis.errors.UserError` where the sentence has
    marks round it that nothing can be put between.
    """
    if not 0 <= number < len(text.sentences):
        raise LookupError(number)
    for one in claims:
        if _UNFIT.search(one) or not one.strip():
            mend = "write it as the claims beside it, without quotes, ; and braces"
            raise user_error(f"{one!r} is no claim", mend=mend)
    sentence, source = text.sentences[number], text.marked.text
    value = "; ".join(one.strip() for one in claims)
    there = next(iter(_claimed(sentence)), None)
    place = sentence.passage.source(there) if there else stretch(sentence, source)
    end = _ATTRIBUTES.match(source, place.end) if place and there else None
    start = source.rfind("[", 0, place.start + 1) if place and there else 0
    if place is None or (there and (end is None or start < 0)):
        mend = "edit the plain text"
        raise user_error("no claim can be set at these words", mend=mend)
    if end is None:
        before = source[place.start : place.end]
        after = f'[{before}]{{claim="{value}"}}' if value else before
    else:
        before = source[start : end.end()]
        inside = source[start + 1 : end.start(1) - 2]
        more = _CLAIM.sub("", end[1]).strip()
        own = f'claim="{value}"' if value else ""
        more = "" if more.startswith("study=") and not value else more
        both = " ".join(filter(None, (own, more)))
        after = f"[{inside}]{{{both}}}" if both else inside
    calls = [f"{{{{ {one.source.strip()} }}}}" for one in text.marked.expressions]
    before, after = fill(before, calls), fill(after, calls)
    plain = EXPRESSION.sub(lambda call: f"{{{{ {call[1].strip()} }}}}", words)
    if plain.count(before) != 1:
        what = "these words stand there twice, or otherwise than they are read"
        raise user_error(what, mend="edit the plain text")
    return plain.replace(before, after)


def _line(sentence: Sentence) -> int:
    return sentence.passage.line(sentence.span.start)


def _claimed(sentence: Sentence) -> Iterator[Span]:
    """The words with claims that share some with a sentence."""
    for span, _ in sentence.passage.claimed:
        if span.start < sentence.span.end and sentence.span.start < span.end:
            yield span


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
