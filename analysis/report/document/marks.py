"""Marks in a document that is rendered: they stand for bodies that are known already.

Round those that are not they tell where what an engine made of each begins and ends.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

CITES, CITED, HERE, BEGIN, END = "cdhbe"
START = ("", 0)  # what stands before the first mark


@dataclass(frozen=True)
class Marks:
    """Words that stand for known bodies and round new ones, in one rendering.

    ``word`` is drawn at random for each, so that no text can hold it. A comparison of
    trees would do without; docs/decisions/0007 says what it takes. ``glossary.lua``
    knows how a mark looks that stands for a body.
    """

    word: str = field(default_factory=lambda: f"kept{secrets.token_hex(16)}")

    def at(self, what: str, place: int) -> str:
        """The mark of a part."""
        return f"{self.word}{what}{place}x"

    def alone(self, what: str, place: int) -> str:
        """The mark of a part as a paragraph."""
        return f"\n\n{self.at(what, place)}\n\n"

    def cites(self, keys: Iterable[str]) -> str:
        """A paragraph that cites all references, in their order."""
        all_keys = " ".join(f"[@{key}]" for key in keys)
        return f"\n{self.at(CITES, 0)} {all_keys} {self.at(CITED, 0)}\n\n"

    def cut(self, rendered: str) -> list[tuple[tuple[str, int], str]]:
        """Each mark of what came back, and the text from it to the next one.

        A paragraph that holds nothing but a mark goes with it.
        """
        first, *others = rendered.split(self.word)
        found = [(START, first.removesuffix("<p>"))]
        for text in others:
            place, end, after = text[1:].partition("x")
            if not (end and place.isdecimal()):
                return []
            after = after.removeprefix("</p>").removeprefix("\n").removesuffix("<p>")
            found.append(((text[0], int(place)), after))
        return found
