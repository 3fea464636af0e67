"""What expressions print, still tied to its facts.

A :class:`Bound` prints as ``[−37%]{.value key="…" origin="…"}``: the reader can open
the fact behind it, and the page can mark where it comes from. Who asks what was printed
asks the object: its ``shown`` are the texts, each with its facts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

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


class Shown(NamedTuple):
    """A text and the fact that it is of, or plain words between two."""

    text: str
    fact: Fact | None = None

    def __str__(self) -> str:
        return span(self.text, self.fact) if self.fact else self.text


def span(text: str, fact: Fact) -> str:
    """Markdown of a text that is bound to one fact."""
    chosen = f' basis="{fact.chosen}"' if fact.chosen else ""
    return f'[{text}]{{.value key="{fact.key}" origin="{fact.shown_origin}"{chosen}}}'


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

    @property
    def shown(self) -> tuple[Shown, ...]:
        """What is printed, with the facts it is of."""
        if self.style == "span":
            return self._span()
        fact = self.single
        if self.style == "factor":
            return (Shown(factor(fact), fact),)
        if self.style == "interval":
            return (Shown(interval(fact), fact),)
        text = size(fact.printed) if self.style == "size" else fact.printed
        return (Shown(text, fact),)

    def __str__(self) -> str:
        return "".join(map(str, self.shown))

    def _span(self) -> tuple[Shown, ...]:
        """``12 to 14%``: lowest and highest, without signs where all have the same."""
        ordered = sorted(self.facts, key=lambda f: f.value)
        low, high = ordered[0], ordered[-1]
        texts = low.printed, high.printed
        if low.kind == "delta" and low.value * high.value > 0:
            low, high = sorted((low, high), key=lambda f: abs(f.value))
            texts = size(low.printed), size(high.printed)
        if texts[0] == texts[1]:
            return (Shown(texts[0], low),)
        first = Shown(without_unit(*texts), low)
        return (first, Shown(" to "), Shown(texts[1], high))


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


@dataclass(frozen=True)
class Verb:
    """Words that follow from one fact, such as ``falls by 37%`` or a verdict."""

    shown: tuple[Shown, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The fact."""
        return tuple(one.fact for one in self.shown if one.fact)

    def capitalized(self) -> Verb:
        """The same as the first words of a sentence."""
        first, *others = self.shown
        text = f"{first.text[:1].upper()}{first.text[1:]}"
        return Verb((first._replace(text=text), *others))

    def __str__(self) -> str:
        return "".join(map(str, self.shown))


class FactCount(int):
    """A number of facts, which it keeps: ``facts`` are all among which it counts."""

    facts: tuple[Fact, ...] = ()

    @classmethod
    def among(cls, facts: tuple[Fact, ...], number: int) -> FactCount:
        """So many of some facts."""
        count = cls(number)
        count.facts = facts
        return count


@dataclass(frozen=True)
class Printed:
    """What one expression printed, and where the text has it.

    ``output`` is Markdown, ``value`` what its function gave before any of the
    ``filters``, and ``printed`` what they left of it.
    """

    line: int
    expression: str
    output: str
    value: object = field(default=None, compare=False)
    printed: object = field(default=None, compare=False)
    filters: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The function's name."""
        return self.expression.partition("(")[0].strip()

    @property
    def words(self) -> str:
        """What a reader reads of it."""
        if isinstance(self.printed, Bound | Verb):
            return "".join(one.text for one in self.printed.shown)
        return self.printed.text if isinstance(self.printed, Average) else self.output

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that it prints; those among which it counts are none of them."""
        if isinstance(self.printed, Bound | Verb):
            return tuple(one.fact for one in self.printed.shown if one.fact)
        return self.printed.facts if isinstance(self.printed, Average) else ()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of these facts."""
        return frozenset(fact.key for fact in self.facts)


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
    step = (fact.resolution or 0.0) / 100
    if ratio < 1:
        ratio, step = 1 / ratio, step / ratio**2
    return format_number(ratio, step)


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
