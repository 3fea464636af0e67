"""Reading claims about growth, proportion, order, differences and crossings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

from analysis.declared.workload import parse_size
from analysis.report.claims import claim as c
from analysis.report.claims.tokens import TokenStream
from analysis.report.expressions.lookup import UnknownError, one_of

VERBS = ("grows", "shrinks", "stops growing", "differs", "crosses")
_USUAL = 1.0  # percent that do not count as growth, where a claim says nothing


def read_growth(words: TokenStream, verb: str, metrics: Iterable[str]) -> c.Growth:
    """What follows one of :data:`VERBS`."""
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
