"""Two people's words for the same part, brought together sentence by sentence.

A three-way merge: what each changed of what both began with. Where both changed the
same sentence in the same place, it is a clash: one's own words stand, and the other's
are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from analysis.report.desk.changes import EXPRESSION, UNIT

_MANY = 500  # sentences of a part, or words of one, that are looked at one by one
_NEAR = 20  # sentences among which that is looked for which was edited
_ALIKE = 0.5  # of its words: a sentence that was edited is still the same one
# A sentence ends here, with the signs and the attributes that close it.
_END = re.compile(r"[.!?…][^\s\w{.!?…]{0,6}(?:\{[^{}\n]{0,300}\})?\s+(?=\S)|\n\s*\n")
_LETTERS, _WORD = re.compile(r"\w+"), re.compile(rf"{UNIT.pattern}\s*")
Units = Sequence[str]


@dataclass(frozen=True)
class Clash:
    """A sentence that both changed: what the merge has of it, and what it has not."""

    mine: str
    theirs: str


@dataclass(frozen=True)
class Merge:
    """The words of both, and what could not be brought together."""

    words: str
    clashes: tuple[Clash, ...] = ()


def merge(base: str, theirs: str, mine: str) -> Merge:
    """The changes of both since ``base``: Markdown of a part."""
    sides = [list(_sentences(one)) for one in (base, theirs, mine)]
    if max(map(len, sides)) > _MANY:
        return Merge(mine, (Clash(mine, theirs),))
    words, clashes = list[str](), list[Clash]()
    for one in _aligned(*sides, alike=_ALIKE):
        taken, (old, their, own) = _taken(*one), one
        if taken is None and not old:  # each put something there
            known = set(map(_key, their))
            taken = [*their, *(unit for unit in own if _key(unit) not in known)]
        if taken is None and their and own:
            taken = _by_words(*map("".join, one))
        if taken is None:
            taken = own or their  # what is changed comes before what is taken away
            clashes.append(Clash(_text(own), _text(their)))
        for unit in taken:
            if words and not words[-1][-1:].isspace():
                words.append(" ")
            words.append(unit)
    return Merge("".join(words).rstrip(), tuple(clashes))


def _text(units: Units) -> str:
    return "".join(units).strip()


def _sentences(words: str) -> Iterator[str]:
    """The sentences with the blanks behind them; no expression is parted."""
    inside = [match.span() for match in EXPRESSION.finditer(words)]
    begin, nth = 0, 0
    for end in _END.finditer(words):
        while nth < len(inside) and inside[nth][1] <= end.start():
            nth += 1
        if nth == len(inside) or end.start() < inside[nth][0]:
            yield words[begin : end.end()]
            begin = end.end()
    if words[begin:]:
        yield words[begin:]


def _key(unit: str) -> str:
    return " ".join(unit.split())


def _aligned(
    base: Units, theirs: Units, mine: Units, *, alike: float
) -> Iterator[tuple[Units, Units, Units]]:
    """What stands at the same place in the three: a unit, or what lies between."""
    here, there = _paired(base, theirs, alike), _paired(base, mine, alike)
    i = j = k = 0
    for n in (n for n in range(len(base)) if n in here and n in there):
        yield base[i:n], theirs[j : here[n]], mine[k : there[n]]
        i, j, k = n + 1, here[n] + 1, there[n] + 1
        yield base[n:i], theirs[j - 1 : j], mine[k - 1 : k]
    yield base[i:], theirs[j:], mine[k:]


def _paired(base: Units, side: Units, alike: float) -> dict[int, int]:
    """By the place of a unit in the base that of the same one, edited or not."""
    pairs: dict[int, int] = {}
    old, new = list(map(_key, base)), list(map(_key, side))
    for tag, a, b, c, d in SequenceMatcher(None, old, new, False).get_opcodes():
        if tag == "equal":
            pairs |= zip(range(a, b), range(c, d), strict=True)
        for n in range(a, b) if tag == "replace" and alike < 1 else ():
            ratios = {m: _alike(old[n], new[m]) for m in range(c, min(d, c + _NEAR))}
            best = max(ratios, key=ratios.__getitem__, default=-1)
            if best >= 0 and ratios[best] >= alike:
                pairs[n], c = best, best + 1
    return pairs


def _alike(one: str, other: str) -> float:
    words = _LETTERS.findall(one), _LETTERS.findall(other)
    matcher = SequenceMatcher(None, *words, False)
    roughly = matcher.quick_ratio()
    look = roughly >= _ALIKE and max(map(len, words)) <= _MANY
    return matcher.ratio() if look else roughly


def _taken(base: Units, theirs: Units, mine: Units) -> Units | None:
    """What one of them changed, or both alike; None where both changed it."""
    old, their, own = (list(map(_key, side)) for side in (base, theirs, mine))
    if their in (old, own):
        return mine
    if own == old:
        return theirs
    return None


def _by_words(base: str, theirs: str, mine: str) -> Units | None:
    """A sentence in which both changed other words; None where they meet."""
    sides = [[one[0] for one in _WORD.finditer(side)] for side in (base, theirs, mine)]
    if max(map(len, sides)) > _MANY:
        return None
    words = list[str]()
    for one in _aligned(*sides, alike=1):
        if (taken := _taken(*one)) is None:
            return None
        words += taken
    return ["".join(words)]
