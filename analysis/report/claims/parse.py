"""Reading a claim: a small recursive descent over its words.

Every function reads one part of the grammar in ``docs/claims.md``. A parser generator
would need a dependency and would still leave the hints to be written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, get_args

from analysis.facts.fact import Verdict
from analysis.report.claims import claim as c
from analysis.report.claims.amounts import read_amount, read_few
from analysis.report.claims.parse_growth import VERBS as GROWTH
from analysis.report.claims.parse_growth import read_growth, read_proportion
from analysis.report.claims.parse_ranks import (
    VALUE_RANKS,
    read_change_rank,
    read_value_rank,
)
from analysis.report.claims.tokens import HINT, TokenStream
from analysis.report.claims.workloads import read_workloads
from analysis.report.expressions.lookup import UnknownError, one_of

VERBS: dict[str, c.Predicate] = {
    "falls": c.Moves(-1),
    "rises": c.Moves(+1),
    "improves": c.Gets("improved"),
    "worsens": c.Gets("regressed"),
}
# The ratio that each word names, with a tenth of tolerance.
RATIOS = {"halves": (-1, 45, 55), "doubles": (1, 80, 120), "triples": (1, 170, 230)}
AT_LEAST = {"halves": 50, "doubles": 100, "triples": 200}
_SHARES: dict[str, c.ShareOf] = {
    "no comparison": "no",
    "every comparison": "every",
    "most comparisons": "most",
}
_DERIVED: dict[str, Literal["saving", "gain"]] = {
    "saving": "saving",
    "reduction": "saving",
    "gain": "gain",
    "increase": "gain",
}
_STATES = ("below", "above", "in proportion to", "bimodal", "not bimodal", *VALUE_RANKS)
_NEXT = ("for", "over", "on average", "beyond noise", "in every run", "in all runs but")


def parse_claim(text: str, metrics: Iterable[str], line: int = 0) -> c.Claim:
    """The claim that ``text`` makes; :class:`UnknownError` says what is not understood.

    ``metrics`` are the ids that a claim may name.
    """
    words = TokenStream(" ".join(text.split()))
    share = words.accept_any(_SHARES)
    claim = _share_is(words, _SHARES[share]) if share else _claim(words, metrics)
    claim = _tail(words, claim)
    if words.next:
        raise words.unexpected(_NEXT)
    return replace(claim, text=words.text, line=line)


def _share_is(words: TokenStream, share: c.ShareOf) -> c.Claim:
    predicted = _predicted(words)
    words.expect("be" if predicted else "are" if share == "most" else "is")
    verdicts = [_verdict(words)]
    while words.accept("or"):
        verdicts.append(_verdict(words))
    predicate = c.ShareIs(share, tuple(verdicts))
    return c.Claim("", None, predicate, predicted=predicted)


def _claim(words: TokenStream, metrics: Iterable[str]) -> c.Claim:
    subject = _subject(words, metrics)
    predicted = _predicted(words)
    predicate = _predicate(words, metrics, predicted)
    if subject.derived and not isinstance(predicate, c.Grows):
        raise UnknownError(
            f"a {subject.derived} can only grow or shrink",
            f"say it of the metric: {subject.metric} falls by …",
        )
    return c.Claim("", subject, predicate, predicted=predicted)


def _subject(words: TokenStream, metrics: Iterable[str]) -> c.Subject:
    metric = one_of("metric", words.take(), metrics)
    word = words.accept_any(_DERIVED)
    names = []
    while words.accept("of"):
        names.append(words.take())
    return c.Subject(metric, tuple(names), _DERIVED[word] if word else None)


def _predicted(words: TokenStream) -> bool:
    return words.accept("is predicted to")


def _predicate(
    words: TokenStream, metrics: Iterable[str], predicted: bool
) -> c.Predicate:
    """What is said; after ``is predicted to`` the verbs stand in their base form."""
    at_least = bool(words.accept("at least"))
    forms = {_form(verb, predicted): verb for verb in (*VERBS, *RATIOS)}
    growth = {_form(verb, predicted): verb for verb in GROWTH}
    rest = [_form(verb, predicted) for verb in ("scatters", "is")]
    verb = words.accept_any(forms)
    if verb and forms[verb] in RATIOS:
        return _ratio(forms[verb], at_least)
    if at_least:
        raise words.unexpected(_form(ratio, predicted) for ratio in RATIOS)
    if verb:
        rank = read_change_rank(words, VERBS[forms[verb]], metrics)
        return rank or VERBS[forms[verb]]
    found = words.expect(*growth, *rest, *forms)
    if found in growth:
        return read_growth(words, growth[found], metrics)
    return _state(words, metrics) if found == rest[1] else _scatters(words)


def _form(verb: str, predicted: bool) -> str:
    if not predicted:
        return verb
    first, *others = verb.split()
    stem = {"is": "be", "crosses": "cross"}.get(first, first.removesuffix("s"))
    return " ".join([stem, *others])


def _ratio(verb: str, at_least: bool) -> c.Moves:
    sign, low, high = RATIOS[verb]
    amount = c.Amount(AT_LEAST[verb]) if at_least else c.Amount(low, high)
    return c.Moves(sign, amount)


def _state(words: TokenStream, metrics: Iterable[str]) -> c.Predicate:
    if proportion := read_proportion(words):
        return proportion
    if words.accept("not bimodal"):
        return c.Modes(False)
    if words.accept("bimodal"):
        return c.Modes(True)
    if rank := read_value_rank(words):
        return rank
    side = words.accept_any(("below", "above"))
    if side:
        return c.Order(side == "above", _limit(words, metrics))
    return c.Is(_verdict(words, *_STATES))


def _verdict(words: TokenStream, *others: str) -> Verdict:
    known = get_args(Verdict)
    if words.next not in known:
        raise words.unexpected([*known, *others])
    return words.take()  # type: ignore[return-value]


def _limit(
    words: TokenStream, metrics: Iterable[str]
) -> c.Subject | c.Quantity | c.Share:
    """``latency of A``, ``60% of throughput of A`` or ``100 µs``."""
    if words.next in metrics:
        return _subject(words, metrics)
    if words.next.endswith("%"):
        percent = words.percent()[0]
        if words.accept("of"):
            return c.Share(percent, _subject(words, metrics))
        return c.Quantity(percent, "%")
    number = words.take()
    if not re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]{1,9})?", number):
        raise UnknownError(
            f"{number!r} is neither a number nor a metric",
            f"write 100 µs, or one of: {', '.join(metrics)}",
        )
    return c.Quantity(float(number), words.take())


def _scatters(words: TokenStream) -> c.Scatters:
    words.expect("more")
    return c.Scatters(c.Workloads())


def _tail(words: TokenStream, claim: c.Claim) -> c.Claim:
    """The qualifiers, which may stand in any order."""
    moves = claim.predicate
    if isinstance(moves, c.Moves) and not moves.amount and words.accept("by"):
        claim = replace(claim, predicate=replace(moves, amount=read_amount(words)))
    while words.next:
        if words.accept_any(("for", "over")):
            claim = replace(claim, workloads=read_workloads(words))
        elif words.accept("than for"):
            claim = _than(words, claim)
        elif isinstance(claim.predicate, c.Moves) and words.accept("on average"):
            claim = replace(claim, predicate=replace(claim.predicate, average=True))
        elif isinstance(claim.predicate, c.Moves) and words.accept("beyond noise"):
            moves = replace(claim.predicate, beyond_noise=True)
            claim = replace(claim, predicate=moves)
        elif isinstance(claim.predicate, c.Order) and words.accept("in every run"):
            claim = replace(claim, predicate=replace(claim.predicate, runs=0))
        elif isinstance(claim.predicate, c.Order) and words.accept("in all runs but"):
            claim = replace(
                claim, predicate=replace(claim.predicate, runs=read_few(words))
            )
        else:
            break
    return _complete(claim)


def _than(words: TokenStream, claim: c.Claim) -> c.Claim:
    predicate = claim.predicate
    if isinstance(predicate, c.Ranks) and not predicate.most:
        return replace(claim, predicate=replace(predicate, than=read_workloads(words)))
    if not isinstance(predicate, c.Scatters):
        raise UnknownError(
            "'than for' goes with 'more', 'less', 'higher', 'lower'", HINT
        )
    return replace(claim, predicate=c.Scatters(read_workloads(words)))


def _complete(claim: c.Claim) -> c.Claim:
    """The claim, if what it says goes together."""
    predicate = claim.predicate
    if isinstance(predicate, c.Scatters) and not predicate.than.text:
        raise UnknownError("more than what?", "add: than for RR10(100B)")
    if isinstance(predicate, c.Ranks) and not predicate.complete:
        raise UnknownError("than what?", "add: than for RR10(100B)")
    if isinstance(predicate, c.Moves) and predicate.average and predicate.beyond_noise:
        raise UnknownError(
            "an average over workloads has no interval",
            "leave out 'on average' or 'beyond noise'",
        )
    if isinstance(predicate, c.Order) and not predicate.fits:
        raise UnknownError("runs are compared with runs", "write: above rate of B")
    return claim
