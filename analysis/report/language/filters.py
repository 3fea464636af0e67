"""The filters that reviewed prose may use: how what a function gives is printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analysis.facts.sentences import number_word
from analysis.facts.units import MINUS
from analysis.report.language.printed import Average, Selected, Style, Verb, capitalized
from analysis.report.language.scope import UnknownError


def filters() -> dict[str, Callable[..., Any]]:
    """The filters by name; each takes what it is applied to, and nothing else."""
    return {
        "size": _size,
        "reduction": _reduction,
        "increase": _increase,
        "factor": _factor,
        "interval": _interval,
        "span": _span,
        "percent": _percent,
        "words": number_word,
        "capitalize": _capitalized,
    }


def _size(change: object) -> Selected | Average:
    return _styled(change, "size")


def _reduction(change: object) -> Selected | Average:
    return _towards(change, MINUS)


def _increase(change: object) -> Selected | Average:
    return _towards(change, "+")


def _factor(change: object) -> Selected | Average:
    return _styled(change, "factor")


def _interval(fact: object) -> Selected | Average:
    return _styled(fact, "interval")


def _span(facts: object) -> Selected | Average:
    return _styled(facts, "span")


def _percent(share: float) -> str:
    return f"{100 * share:g}%"


def _capitalized(words: object) -> object:
    if isinstance(words, Verb):
        return words.capitalized()
    if not isinstance(words, str):
        raise UnknownError("'| capitalize' is for words", "leave it out")
    return capitalized(words)


def _towards(bound: Any, sign: str) -> Selected | Average:
    """The size of a change that goes the way that the word says."""
    found = _styled(bound, "size")
    text = bound.single.printed if isinstance(bound, Selected) else bound.text
    if text.startswith(sign):
        return found
    word, other = ("reduction", "increase")[:: 1 if sign == MINUS else -1]
    raise UnknownError(
        f"{text} is no {word}", f"write '| {other}' and the words that fit it"
    )


def _styled(bound: object, style: Style) -> Selected | Average:
    if isinstance(bound, Average) and style == "size":
        return bound.sized()
    if not isinstance(bound, Selected):
        raise UnknownError(
            f"'| {style}' prints facts, and this is not one",
            "put delta(…), value(…), lowest(…) or highest(…) before it",
        )
    return bound.styled(style)
