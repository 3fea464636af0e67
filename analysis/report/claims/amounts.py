"""Reading by how much a claim says that something changes, and how many runs differ."""

from __future__ import annotations

import re

from analysis.report.claims import claim as c
from analysis.report.claims.tokens import TokenStream
from analysis.report.expressions.lookup import UnknownError

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


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
