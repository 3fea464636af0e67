"""Columns of a printed table, found by where their headings stand.

Releases and downloads shift columns, so no position is fixed: each word of a line
belongs to the heading that it stands under, or that is nearest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\S+")
_FAR = 12  # characters beyond which a word is under no heading


@dataclass(frozen=True)
class TextColumns:
    """Names of columns with the places of their headings, from left to right."""

    places: tuple[tuple[str, int, int], ...]

    def cells(self, line: str) -> dict[str, str]:
        """The words of a line by column; words of one column are joined."""
        found: dict[str, str] = {}
        for word in _WORD.finditer(line):
            name = self._nearest(word.start(), word.end())
            if name:
                found[name] = f"{found[name]} {word[0]}" if name in found else word[0]
        return found

    def _nearest(self, start: int, end: int) -> str:
        def rank(place: tuple[str, int, int]) -> tuple[int, int]:
            gap = max(place[1] - end, start - place[2], -1)
            return max(gap, 0), abs(place[1] + place[2] - start - end)

        place = min(self.places, key=rank)
        return place[0] if rank(place)[0] <= _FAR else ""


def columns(heading: str, names: Sequence[str]) -> TextColumns:
    """Where these headings stand, in this order; those that are absent are left out.

    A name that is there again gets a number: TYPE, TOTAL, TOTAL 2, TOTAL 3.
    """
    places, at, upper = [], 0, heading.upper()
    seen: dict[str, int] = {}
    for name in names:
        words = r"\s+".join(map(re.escape, name.split()))
        found = re.compile(rf"(?<!\S){words}(?!\S)").search(upper, at)
        seen[name] = seen.get(name, 0) + 1
        if found:
            key = name if seen[name] == 1 else f"{name} {seen[name]}"
            places.append((key, found.start(), found.end()))
            at = found.end()
    return TextColumns(tuple(places))
