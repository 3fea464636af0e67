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

    def has(self, name: str) -> bool:
        """Whether there is a column of that name."""
        return any(place[0] == name for place in self.places)

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


def stacked(lines: Sequence[str]) -> TextColumns:
    """The columns of several lines of headings, each read from its upper word down.

    The line with the most words has one for each column; words of the others belong to
    the nearest.
    """
    most = max(lines, key=lambda line: len(line.split()))
    words = enumerate(_WORD.finditer(most.upper()))
    places = tuple((str(at), word.start(), word.end()) for at, word in words)
    rows = [TextColumns(places).cells(line.upper()) for line in lines]
    names = (" ".join(row[at] for row in rows if at in row) for at, _, _ in places)
    return TextColumns(
        tuple((name, *place[1:]) for name, place in zip(names, places, strict=True))
    )
