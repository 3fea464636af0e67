"""The words of a claim, and reading them one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.declared.mistakes import did_you_mean
from analysis.report.language.lookup import UnknownError

_WORD = re.compile(r">=|<=|[<>=≥≤,]|[^\s,<>=≥≤]+")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")


@dataclass
class TokenStream:
    """The words of a claim and how far they were read."""

    text: str
    position: int = 0

    def __post_init__(self) -> None:
        self.words = _WORD.findall(self.text)

    @property
    def next(self) -> str:
        """The next word, empty at the end."""
        return "".join(self.words[self.position : self.position + 1])

    @property
    def after(self) -> str:
        """The word after the next one, empty at the end."""
        return "".join(self.words[self.position + 1 : self.position + 2])

    def take(self) -> str:
        """The next word, which is then read; an error at the end."""
        if not self.next:
            raise UnknownError(f"the claim ends too early: {self.text!r}", HINT)
        self.position += 1
        return self.words[self.position - 1]

    def accept(self, phrase: str) -> bool:
        """Whether the next words are this phrase; if so they are read."""
        wanted = phrase.split()
        if self.words[self.position : self.position + len(wanted)] != wanted:
            return False
        self.position += len(wanted)
        return True

    def accept_any(self, phrases: Iterable[str]) -> str | None:
        """The first of the phrases that comes next, which is then read."""
        return next((phrase for phrase in phrases if self.accept(phrase)), None)

    def expect(self, *phrases: str) -> str:
        """As :meth:`accept_any`, where one of them must come next."""
        found = self.accept_any(phrases)
        if found is None:
            raise self.unexpected(phrases)
        return found

    def unexpected(self, expected: Iterable[str]) -> UnknownError:
        """The error that what comes next is none of what was expected."""
        known = list(expected)
        place = " ".join(self.words[: self.position])
        after = f" after {place!r}" if place else ""
        if not self.next:
            return UnknownError(
                f"the claim ends too early{after}", f"it may go on: {', '.join(known)}"
            )
        return UnknownError(
            f"{self.next!r} is not understood{after}", did_you_mean(self.next, known)
        )

    def percent(self) -> tuple[float, float]:
        """A percentage, and half a unit of its last digit."""
        word = self.take()
        found = _PERCENT.fullmatch(word)
        if not found:
            raise UnknownError(f"{word!r} is not a percentage", "write it as 20%")
        decimals = len(found[1].partition(".")[2])
        return float(found[1]), 0.5 * 10**-decimals


HINT = "see docs/claims.md; an example: latency falls for RR* beyond noise"
