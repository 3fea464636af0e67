"""Reading a claim: a small recursive descent over its words.

Every function reads one part of the grammar in ``docs/claims.md``. A parser generator
would need a dependency and would still leave the hints to be written by hand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, get_args

from analysis.declared.workload import ANY_SHAPE, parse_size, parse_workload
from analysis.facts.fact import Verdict
from analysis.report.claims import claim as c
from analysis.report.claims.claim import Pattern, Workloads
from analysis.report.claims.tokens import HINT, TokenStream
from analysis.report.language.lookup import UnknownError, one_of

VALUE_RANKS = {
    "highest": c.Ranks("value", True, most=True),
    "lowest": c.Ranks("value", False, most=True),
    "higher": c.Ranks("value", True),
    "lower": c.Ranks("value", False),
}
_DEGREES = {"more": (True, False), "most": (True, True), "less": (False, False),
            "least": (False, True)}  # fmt: skip
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
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
GROWTH = ("grows", "shrinks", "stops growing", "differs", "crosses")
_USUAL = 1.0  # percent that do not count as growth, where a claim says nothing
_RANGE = re.compile(r"([^()]+)\(([^()]*?)\.\.([^()]*)\)")
_SHAPE = re.compile(rf"\*?(?:{ANY_SHAPE})?[\d*]*(?:\([^()]*\))?")
_COMPARE = {">=": ">=", "≥": ">=", "<=": "<=", "≤": "<=", ">": ">", "<": "<", "=": "="}


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


def read_amount(words: TokenStream) -> c.Amount:
    """``20% to 40%``, ``at least 20%``, ``about 20%``; percent without sign."""
    kind = words.accept_any(
        ("about", "at least", "at most", "more than", "less than", "up to")
    )
    if kind is None and ".." in words.next:
        return _span(*words.take().split("..", 1))
    value, half = words.percent()
    if kind is None and words.accept_any(("to", "and")):
        return _between(value, words.percent()[0])
    return {
        "about": c.Amount(value * 0.9, value * 1.1),
        "at least": c.Amount(value),
        "more than": c.Amount(value),
        "at most": c.Amount(0, value),
        "less than": c.Amount(0, value),
        "up to": c.Amount(value - half, value + half, peak=True),
        None: c.Amount(value - half, value + half),
    }[kind]


def _span(low: str, high: str) -> c.Amount:
    ends = TokenStream(f"{low.removesuffix('%')}% {high.removesuffix('%')}%")
    return _between(ends.percent()[0], ends.percent()[0])


def _between(low: float, high: float) -> c.Amount:
    if low > high:
        raise UnknownError(
            f"{low:g}% is more than {high:g}%", "put the smaller one first"
        )
    return c.Amount(low, high)


def read_few(words: TokenStream) -> int:
    """A small number, as a word or in digits."""
    word = words.take()
    if word in _COUNTS:
        return _COUNTS.index(word)
    if re.fullmatch(r"[0-9]{1,4}", word):
        return int(word)
    raise UnknownError(f"{word!r} is not a small number", "write: but one, but 2")


def read_value_rank(words: TokenStream) -> c.Ranks | None:
    """``highest`` or ``higher``, after ``is``; None where something else comes."""
    word = words.accept_any(VALUE_RANKS)
    return VALUE_RANKS[word] if word else None


def read_change_rank(
    words: TokenStream, verb: c.Predicate, metrics: Iterable[str]
) -> c.Ranks | None:
    """``more``, ``most``, ``less`` or ``least``, after ``falls`` or ``rises``."""
    if not isinstance(verb, c.Moves):
        return None
    word = words.accept_any(_DEGREES)
    if word is None:
        return None
    more, most = _DEGREES[word]
    other: c.Subject | None = None
    if words.next == "than" and words.after in metrics:
        words.expect("than")
        metric, names = words.take(), []
        while words.accept("of"):
            names.append(words.take())
        other = c.Subject(metric, tuple(names))
    return c.Ranks("fall" if verb.sign < 0 else "rise", more, most=most, other=other)


def read_growth(words: TokenStream, verb: str, metrics: Iterable[str]) -> c.Growth:
    """What follows one of :data:`GROWTH`."""
    if verb == "stops growing":
        return _stops(words)
    if verb == "differs":
        return _differs(words)
    if verb == "crosses":
        return _crosses(words, metrics)
    sign = 1 if verb == "grows" else -1
    if words.expect("with", "in the order") == "in the order":
        return c.InOrder(_order(words), sign)
    return c.Grows(_axis(words), sign)


def read_proportion(words: TokenStream) -> c.Proportion | None:
    """``in proportion to clients up to 300 within 3%``, after ``is``."""
    if not words.accept("in proportion to"):
        return None
    axis = _axis(words)
    most = _place(words, axis) if words.accept("up to") else float("inf")
    words.expect("within")
    return c.Proportion(axis, words.percent()[0], most)


def _axis(words: TokenStream) -> c.Axis:
    return one_of("axis", words.take(), get_args(c.Axis))  # type: ignore[return-value]


def _stops(words: TokenStream) -> c.Stops:
    words.expect("from")
    axis = _axis_of(words.next)
    start = _place(words, axis)
    words.expect("on")
    within = words.percent()[0] if words.accept("within") else _USUAL
    return c.Stops(axis, start, within)


def _order(words: TokenStream) -> tuple[str, ...]:
    names = [words.take()]
    while words.accept_any((", and", ",", "and")):
        names.append(words.take())
    if len(names) < 2:
        raise UnknownError(
            "an order has two configurations or more",
            "write: grows in the order A, B, C",
        )
    return tuple(names)


def _differs(words: TokenStream) -> c.Differs:
    words.expect("by")
    words.expect("at most", "less than")
    most = words.percent()[0]
    if not words.accept("between"):
        return c.Differs(most)
    one = words.take()
    words.expect("and")
    return c.Differs(most, (one, words.take()))


def _crosses(words: TokenStream, metrics: Iterable[str]) -> c.Crosses:
    metric, names = one_of("metric", words.take(), metrics), list[str]()
    while words.accept("of"):
        names.append(words.take())
    words.expect("between")
    low = words.take()
    words.expect("and")
    axis = _axis_of(words.next)
    high = _place(words, axis)
    first = _number(low, axis)
    if first >= high:
        raise UnknownError(f"{low} is not less than the other end", "swap the two")
    return c.Crosses(c.Subject(metric, tuple(names)), axis, first, high)


def _axis_of(word: str) -> c.Axis:
    return "clients" if re.fullmatch(r"[0-9]{1,9}", word) else "payload"


def _place(words: TokenStream, axis: c.Axis) -> int:
    """A number of clients, which the word may follow, or a size."""
    found = _number(words.take(), axis)
    if axis == "clients":
        words.accept_any(("clients", "sessions"))
    return found


def _number(text: str, axis: c.Axis) -> int:
    if axis == "clients" and re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    try:
        return parse_size(text)
    except ValueError as error:
        mend = "write a number of clients such as 300, or a size such as 4kB"
        raise UnknownError(str(error), mend) from error


def read_workloads(words: TokenStream) -> Workloads:
    """``RR* and STR3(1B/20MB) except RR1(100B) with payload >= 32kB``."""
    start = words.position
    patterns: tuple[Pattern, ...] = (Pattern("*"),)
    without: tuple[Pattern, ...] = ()
    bounds: tuple[Pattern, ...] = ()
    if words.next == "payload":
        bounds = _bounds(words)
    elif not words.accept_any(("every workload", "all workloads")):
        patterns = _patterns(words)
    if words.accept("except"):
        without = _patterns(words)
    if words.accept("with"):
        bounds += _bounds(words)
    text = " ".join(words.words[start : words.position])
    return Workloads(patterns, without, bounds, text)


def _patterns(words: TokenStream) -> tuple[Pattern, ...]:
    found = [_pattern(words.take())]
    while words.accept_any((",", "and")):
        found.append(_pattern(words.take()))
    return tuple(found)


def _pattern(text: str) -> Pattern:
    span = _RANGE.fullmatch(text)
    if span:
        low, high = _size(span[2]), _size(span[3])
        if low > high:
            raise UnknownError(
                f"{span[2]} is more than {span[3]}", "put the smaller one first"
            )
        return Pattern(f"{span[1]}(*", low, high)
    if "*" in text and _SHAPE.fullmatch(text):
        return Pattern(text)
    try:
        return Pattern(parse_workload(text).name)
    except ValueError as error:
        raise UnknownError(
            f"{text!r} is not a workload", "write RR40(100B), RR* or RR60(4kB..32kB)"
        ) from error


def _bounds(words: TokenStream) -> tuple[Pattern, ...]:
    found = [_bound(words)]
    while words.accept("and"):
        found.append(_bound(words))
    return tuple(found)


def _bound(words: TokenStream) -> Pattern:
    words.expect("payload")
    if words.next not in _COMPARE:
        raise words.unexpected(_COMPARE)
    sign = _COMPARE[words.take()]
    size = _size(words.take())
    low, high = {
        ">=": (size, math.inf),
        ">": (size + 1, math.inf),
        "<=": (0, size),
        "<": (0, size - 1),
        "=": (size, size),
    }[sign]
    return Pattern("*", low, high)


def _size(text: str) -> int:
    try:
        return parse_size(text)
    except ValueError as error:
        raise UnknownError(str(error), "write a size as 64B, 8kB or 20MB") from error
