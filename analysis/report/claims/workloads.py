"""Reading which workloads a claim is about."""

from __future__ import annotations

import math
import re

from analysis.declared.workload import ANY_SHAPE, parse_size, parse_workload
from analysis.report.claims.claim import Pattern, Workloads
from analysis.report.claims.tokens import TokenStream
from analysis.report.expressions.lookup import UnknownError

_RANGE = re.compile(r"([^()]+)\(([^()]*?)\.\.([^()]*)\)")
_SHAPE = re.compile(rf"\*?(?:{ANY_SHAPE})?[\d*]*(?:\([^()]*\))?")
_COMPARE = {">=": ">=", "≥": ">=", "<=": "<=", "≤": "<=", ">": ">", "<": "<", "=": "="}


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
