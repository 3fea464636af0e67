"""Numbers in prose that stay tied to their facts.

A :class:`Bound` prints as ``[−37%]{.value key="…" origin="…"}``: the reader can open
the fact behind it, and the page can mark where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from analysis.facts.fact import Fact, weakest
from analysis.facts.units import (
    MINUS,
    format_number,
    format_percent_interval,
    format_range,
)
from analysis.report.expressions.lookup import UnknownError

Style = Literal["printed", "size", "factor", "interval", "span"]
_SIGNS = f"+{MINUS}"
# What span() and Average write, read back: the text and the keys.
_BOUND = re.compile(r'\[([^\[\]]*)\]\{\.(value|average) keys?="([^"{}]*)"[^{}]*\}')


def span(text: str, fact: Fact) -> str:
    """Markdown of a text that is bound to one fact."""
    chosen = f' basis="{fact.chosen}"' if fact.chosen else ""
    return f'[{text}]{{.value key="{fact.key}" origin="{fact.shown_origin}"{chosen}}}'


def plain(markdown: str) -> str:
    """Markdown with its bound numbers as a reader sees them."""
    return _BOUND.sub(r"\1", markdown)


def bound_keys(markdown: str) -> Iterator[tuple[int, str]]:
    """The keys of the facts that Markdown prints, each with where it does."""
    for found in _BOUND.finditer(markdown):
        for key in found[3].split():
            yield found.start(), key


def averages(markdown: str) -> Iterator[tuple[str, str]]:
    """The averages of Markdown: the keys of the facts, and what is printed."""
    for found in _BOUND.finditer(markdown):
        if found[2] == "average":
            yield found[3], found[1]


@dataclass(frozen=True)
class Bound:
    """Facts that an expression found, and how they are to be printed."""

    facts: tuple[Fact, ...]
    style: Style = "printed"

    def styled(self, style: Style) -> Bound:
        """The same facts, printed in another way."""
        return replace(self, style=style)

    @property
    def single(self) -> Fact:
        """The only fact; :class:`UnknownError` where several fit."""
        if len(self.facts) > 1:
            raise UnknownError(
                f"{len(self.facts)} facts fit: "
                f"{', '.join(f.workload for f in self.facts)}",
                "name one workload, or add the filter '| span'",
            )
        return self.facts[0]

    def __str__(self) -> str:
        if self.style == "span":
            return self._span()
        fact = self.single
        text = {"printed": lambda: fact.printed, "size": lambda: size(fact.printed)}
        printed = text | {
            "factor": lambda: factor(fact),
            "interval": lambda: interval(fact),
        }
        return span(printed[self.style](), fact)

    def _span(self) -> str:
        """``12 to 14%``: lowest and highest, without signs where all have the same."""
        ordered = sorted(self.facts, key=lambda f: f.value)
        low, high = ordered[0], ordered[-1]
        texts = low.printed, high.printed
        if low.kind == "delta" and low.value * high.value > 0:
            low, high = sorted((low, high), key=lambda f: abs(f.value))
            texts = size(low.printed), size(high.printed)
        if texts[0] == texts[1]:
            return span(texts[0], low)
        return f"{span(without_unit(*texts), low)} to {span(texts[1], high)}"


class Told(str):
    """Words that follow from facts, such as a verb: they keep what they are of."""

    facts: tuple[Fact, ...] = ()

    @classmethod
    def of(cls, text: str, fact: Fact) -> Told:
        """The words of one fact."""
        told = cls(text)
        told.facts = (fact,)
        return told


@dataclass(frozen=True)
class Average:
    """A number over several facts, which is none of them itself."""

    facts: tuple[Fact, ...]
    text: str

    def sized(self) -> Average:
        """The same without its sign."""
        return replace(self, text=size(self.text))

    def __str__(self) -> str:
        keys = " ".join(f.key for f in self.facts)
        modelled = any(f.predicted for f in self.facts)
        origin = "modelled" if modelled else weakest([f.origin for f in self.facts])
        return f'[{self.text}]{{.average keys="{keys}" origin="{origin}"}}'


def size(printed: str) -> str:
    """The printed text without its sign: ``−37%`` → ``37%``."""
    return printed.lstrip(_SIGNS)


def factor(fact: Fact) -> str:
    """By what a change multiplies or divides: ``42.0`` of −97.6%, ``9.78`` of 878%."""
    if fact.kind != "delta" or fact.value <= -100:
        raise UnknownError(
            f"{fact.key} has no factor", "put the delta(…) of a value before '| factor'"
        )
    ratio = 1 + fact.value / 100
    return format_number(max(ratio, 1 / ratio))


def without_unit(text: str, other: str) -> str:
    """``text`` without the unit that it shares with ``other``."""
    unit = other.lstrip(_SIGNS + "0123456789.,")
    return text.removesuffix(unit) if unit else text


def interval(fact: Fact) -> str:
    """The fact's confidence interval: ``−39 to −36%``, ``3,050 to 3,210 MB/s``."""
    if fact.low is None or fact.high is None:
        raise UnknownError(
            f"{fact.key} has no interval ({fact.n} runs)", "leave out '| interval'"
        )
    if fact.kind == "delta":
        return format_percent_interval(fact.low, fact.high)
    return format_range(fact.low, fact.high, fact.unit)
