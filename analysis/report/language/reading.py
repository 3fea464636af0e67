"""Reading the words of a claim: its subject, its workloads, numbers, and mistakes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from analysis.declared.mistakes import did_you_mean
from analysis.declared.workload import (
    ANY_SHAPE,
    Workload,
    matches,
    parse_size,
    parse_workload,
)
from analysis.report.language.scope import UnknownError, one_of

HINT = "see docs/claims.md; an example: latency falls for RR* beyond noise"
Derived = Literal["saving", "gain"]
_WORD = re.compile(r">=|<=|[<>=≥≤,]|[^\s,<>=≥≤]+")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")
_DERIVED: dict[str, Derived] = {
    "saving": "saving",
    "reduction": "saving",
    "gain": "gain",
    "increase": "gain",
}
_RANGE = re.compile(r"([^()]+)\(([^()]*?)\.\.([^()]*)\)")
_SHAPE = re.compile(rf"\*?(?:{ANY_SHAPE})?[\d*]*(?:\([^()]*\))?")
# What a bound on the payload lets through, from and to, by its sign.
_BOUNDS = {
    ">=": (0, math.inf), "≥": (0, math.inf), ">": (1, math.inf),
    "<=": (-math.inf, 0), "≤": (-math.inf, 0), "<": (-math.inf, -1), "=": (0, 0),
}  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """A metric, of the roles and configurations named, or what it saves or gains."""

    metric: str
    names: tuple[str, ...] = ()
    derived: Derived | None = None


@dataclass(frozen=True)
class Pattern:
    """Workloads by name, ``RR*`` or ``RR60(4kB..32kB)``; sizes in bytes."""

    text: str
    low: float = 0
    high: float = math.inf

    def fits(self, name: str) -> bool:
        """Whether the workload of this name is meant."""
        size = payload(parse_workload(name))
        return matches(name, self.text) and self.low <= size <= self.high


@dataclass(frozen=True)
class Workloads:
    """Those that fit a pattern and no exception; ``text`` is as it was written."""

    patterns: tuple[Pattern, ...] = (Pattern("*"),)
    without: tuple[Pattern, ...] = ()
    bounds: tuple[Pattern, ...] = ()
    text: str = ""

    def fits(self, name: str) -> bool:
        """Whether the workload of this name is meant."""
        return (
            any(p.fits(name) for p in self.patterns)
            and all(p.fits(name) for p in self.bounds)
            and not any(p.fits(name) for p in self.without)
        )


@dataclass
class ClaimWords:
    """The words of a claim, and how far they were read; ``metrics`` are known ids.

    ``verb`` is the verb, state or qualifier that was read last.
    """

    text: str
    metrics: Iterable[str] = ()
    position: int = 0
    verb: str = ""

    def __post_init__(self) -> None:
        self.all = _WORD.findall(self.text)

    @property
    def next(self) -> str:
        """The next word, empty at the end."""
        return "".join(self.all[self.position : self.position + 1])

    def take(self) -> str:
        """The next word, which is then read; an error at the end."""
        if not self.next:
            raise UnknownError(f"the claim ends too early: {self.text!r}", HINT)
        self.position += 1
        return self.all[self.position - 1]

    def accept(self, *phrases: str) -> str:
        """The first of the phrases that comes next, which is then read; else empty."""
        for phrase in phrases:
            wanted = phrase.split()
            if self.all[self.position : self.position + len(wanted)] == wanted:
                self.position += len(wanted)
                return phrase
        return ""

    def expect(self, *phrases: str) -> str:
        """As :meth:`accept`, where one of them must come next."""
        if phrase := self.accept(*phrases):
            return phrase
        raise self.unexpected(phrases)

    def unexpected(self, expected: Iterable[str]) -> UnknownError:
        """The error that what comes next is none of what was expected; of phrases that
        begin as it does, what would go on."""
        known = [phrase.split() for phrase in expected]
        while starts := [one for one in known if one[1:] and one[0] == self.next]:
            self.take()
            known = [one[1:] for one in starts]
        place = " ".join(self.all[: self.position])
        after, more = f" after {place!r}" if place else "", map(" ".join, known)
        if not self.next:
            return UnknownError(
                f"the claim ends too early{after}", f"it may go on: {', '.join(more)}"
            )
        return UnknownError(
            f"{self.next!r} is not understood{after}", did_you_mean(self.next, more)
        )

    def names(self, before: str, *more: str) -> tuple[str, ...]:
        """The words that each follow one of some phrases: ``of client of osh``."""
        found = []
        while self.accept(before, *more):
            found.append(self.take())
        return tuple(found)

    def percent(self) -> float:
        """A percentage."""
        return self.rounded_percent()[0]

    def rounded_percent(self) -> tuple[float, float]:
        """A percentage, and half a unit of its last digit."""
        word = self.take()
        digits = _PERCENT.fullmatch(word)
        if not digits:
            raise UnknownError(
                f"{word!r} is not a percentage", "write it as 20%, or 20% to 40%"
            )
        decimals = len(digits[1].partition(".")[2])
        return float(digits[1]), 0.5 * 10**-decimals

    def size(self, mend: str = "write a size as 64B, 8kB or 20MB") -> int:
        """A payload in bytes."""
        return _size(self.take(), mend)

    def subject(self) -> Subject:
        """``cpu_cost saving of client of osh``."""
        metric = one_of("metric", self.take(), self.metrics)
        derived = self.accept(*_DERIVED)
        return Subject(metric, self.names("of"), _DERIVED.get(derived))

    def workloads(self) -> Workloads:
        """``RR* and STR3(1B/20MB) except RR1(100B) with payload >= 32kB``."""
        start, without = self.position, tuple[Pattern, ...]()
        patterns: tuple[Pattern, ...] = (Pattern("*"),)
        bounds = tuple[Pattern, ...]()
        if self.next == "payload":
            bounds = self._bounds()
        elif not self.accept("every workload", "all workloads"):
            patterns = self._patterns()
        if self.accept("except"):
            without = self._patterns()
        if self.accept("with"):
            bounds += self._bounds()
        text = " ".join(self.all[start : self.position])
        return Workloads(patterns, without, bounds, text)

    def _patterns(self) -> tuple[Pattern, ...]:
        first = self.take()
        return tuple(map(_pattern, (first, *self.names(",", "and"))))

    def _bounds(self) -> tuple[Pattern, ...]:
        bounds = [self._bound()]
        while self.accept("and"):
            bounds.append(self._bound())
        return tuple(bounds)

    def _bound(self) -> Pattern:
        self.expect("payload")
        low, high = _BOUNDS[self.expect(*_BOUNDS)]
        size = self.size()
        return Pattern("*", size + low, size + high)


def payload(workload: Workload) -> int:
    """The payload of a transaction, in bytes: the larger of its two directions."""
    return max(workload.request_bytes, workload.response_bytes)


def _pattern(text: str) -> Pattern:
    if span := _RANGE.fullmatch(text):
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


def _size(text: str, mend: str = "write a size as 64B, 8kB or 20MB") -> int:
    try:
        return parse_size(text)
    except ValueError as error:
        raise UnknownError(str(error), mend) from error
