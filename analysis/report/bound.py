"""Markdown in which numbers keep their facts, until a page is written.

A :class:`Number` is a text and the facts that it is of, a :class:`Bound` is Markdown
with numbers in it. Who asks what was printed asks these. Only where the document is
written, as a string, a number is ``[−37%]{.value key="…" origin="…"}``: the reader can
open the fact behind it. A size that somebody chose is followed by who did, as in
``[(published)]{.basis of="delta" is="published"}``, unless that is usual.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.declared.vocabulary import BASES, BASIS_WORDS
from analysis.facts.fact import Fact, weakest
from analysis.facts.units import MINUS

_SIGNS = f"+{MINUS}"


class Number(NamedTuple):
    """A text and the fact that it is of, or those that it is an average of.

    ``ends`` are the facts of a range whose basis stands behind it, if not its own.
    """

    text: str
    facts: tuple[Fact, ...]
    is_average: bool = False
    ends: tuple[Fact, ...] | None = None

    @property
    def keys(self) -> str:
        """The keys of its facts, with blanks between them."""
        return " ".join(fact.key for fact in self.facts)

    def __str__(self) -> str:
        if self.is_average:
            modelled = any(fact.predicted for fact in self.facts)
            weak = weakest([fact.origin for fact in self.facts])
            origin = "modelled" if modelled else weak
            span = f'[{self.text}]{{.average keys="{self.keys}" origin="{origin}"}}'
            weak_fact = max(self.facts, key=_weakness)
            return span + _basis([weak_fact] if self.ends is None else self.ends)
        (fact,) = self.facts
        origin = fact.shown_origin
        span = f'[{self.text}]{{.value key="{fact.key}" origin="{origin}"}}'
        return span + _basis([fact] if self.ends is None else self.ends)


def _weakness(fact: Fact) -> int:
    return BASES.index(fact.basis) if fact.basis else -1


def _basis(facts: Sequence[Fact]) -> str:
    """What sizes rest on; where those of a range differ, of each end."""
    several = len({fact.basis for fact in facts}) > 1
    spans = [
        f"[({f'{size(fact.printed)} ' * several}{BASIS_WORDS[fact.basis]})]"
        f'{{.basis of="{fact.kind}" is="{fact.basis}"}}'
        for fact in (facts if several else facts[:1])
        if fact.basis
    ]
    return "".join(spans)


@dataclass(frozen=True)
class Bound:
    """Markdown in which each number is bound to its facts."""

    pieces: tuple[str | Number, ...] = ()

    @property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers, in order."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Number))

    @property
    def words(self) -> str:
        """What a reader reads of it."""
        return "".join(
            piece.text if isinstance(piece, Number) else piece for piece in self.pieces
        )

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of its numbers, in order."""
        return tuple(fact for number in self.numbers for fact in number.facts)

    def __str__(self) -> str:
        return "".join(map(str, self.pieces))

    def __bool__(self) -> bool:
        return any(map(str, self.pieces))


def number(fact: Fact, text: str = "") -> Number:
    """A number of one fact: as it is printed, or in another form."""
    return Number(text or fact.printed, (fact,))


def bound(*parts: str | Number | Bound) -> Bound:
    """Markdown, numbers and both together, one behind the other."""
    pieces: list[str | Number] = []
    for part in parts:
        pieces += part.pieces if isinstance(part, Bound) else [part]
    return Bound(tuple(pieces))


def joined(between: str, parts: Iterable[str | Number | Bound]) -> Bound:
    """Parts with the same Markdown between each two."""
    pieces: list[str | Number | Bound] = []
    for part in parts:
        pieces += [between, part] if pieces else [part]
    return bound(*pieces)


def numbers_in(made: object) -> Iterator[Number]:
    """The numbers of whatever is put into a document, however deep they lie."""
    if isinstance(made, Bound):
        yield from made.numbers
    elif isinstance(made, Mapping):
        for part in made.values():
            yield from numbers_in(part)
    elif isinstance(made, list | tuple):
        for part in made:
            yield from numbers_in(part)


def between(low: Fact, high: Fact, sized: bool = False) -> Bound:
    """``−14 to −12%``, or one number where both print alike; ``sized``: no signs."""
    first, last = low.printed, high.printed
    if sized:
        first, last = size(first), size(last)
    if first == last:
        return bound(number(low, first))
    lower = Number(without_unit(first, last), (low,), ends=())
    return bound(lower, " to ", Number(last, (high,), ends=(low, high)))


def size(printed: str) -> str:
    """The printed text without its sign: ``−37%`` → ``37%``."""
    return printed.lstrip(_SIGNS)


def without_unit(text: str, other: str) -> str:
    """``text`` without the unit that it shares with ``other``."""
    unit = other.lstrip(_SIGNS + "0123456789.,")
    return text.removesuffix(unit) if unit else text
