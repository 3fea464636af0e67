"""Whether words differ by corrections of spelling alone, so that an approval stands.

A correction changes one letter of a word, or the order of two, a capital, or a comma.
What carries a sense stays: numbers, expressions, claims, names with signs, negations,
and words that say which way something goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analysis.report.checks.direction import DENIES, WORD
from analysis.report.review.snapshot import BETWEEN, ORDER

_UNIT = re.compile(r"\{\{[^{}]*\}\}\S*|\S+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHORTEST = 5  # letters of a word in which one may come, go or be another
Corrections = list[tuple[str, str]]


def corrections(then: Mapping[str, str], now: Mapping[str, str]) -> Corrections | None:
    """The words that were corrected, before and after; None where more changed.

    Both are the part ``text`` of a :class:`Snapshot`.
    """
    gone = {n: one for n, one in then.items() if now.get(n) != one}
    new = {n: one for n, one in now.items() if then.get(n) != one}
    names, found = dict[str, str](), Corrections()
    for name, words in gone.items():
        if name.startswith(ORDER):
            continue
        for other, after in new.items():
            same = other.partition(":")[0] == name.partition(":")[0]
            respelt = corrected(words, after) if same else None
            if respelt is not None and other not in names.values():
                names[name] = other
                found += respelt
                break
        else:
            return None
    if set(new) - set(names.values()) - {one for one in new if one.startswith(ORDER)}:
        return None
    starts = {_start(a): _start(b) for a, b in names.items()}
    for name in {*gone, *new}:
        if name.startswith(ORDER):
            before, end = (side.get(name, "").split(BETWEEN) for side in (then, now))
            if [starts.get(one, one) for one in before] != end:
                return None
    return found


def _start(name: str) -> str:
    return name.partition(": ")[2]


def corrected(before: str, after: str) -> Corrections | None:
    """The words that were corrected in a paragraph; None where more changed."""
    sides = _UNIT.findall(before), _UNIT.findall(after)
    if len(sides[0]) != len(sides[1]):
        return None
    pairs = [pair for pair in zip(*sides, strict=True) if pair[0] != pair[1]]
    return pairs if all(_respelt(*pair) for pair in pairs) else None


def _respelt(before: str, after: str) -> bool:
    """Whether a word with the signs round it is the same one, spelt otherwise."""
    words = [list(_WORD.finditer(side)) for side in (before, after)]
    if [len(one) for one in words] != [1, 1] or "{{" in before + after:
        return False
    (old,), (new,) = words
    around = [
        (side[: one.start()], side[one.end() :].replace(",", ""))
        for side, one in ((before, old), (after, new))
    ]
    if around[0] != around[1]:
        return False
    one, other = old[0], new[0]
    if one.casefold() == other.casefold():
        return True
    if any(kind.search(word) for kind in (WORD, DENIES) for word in (one, other)):
        return False
    return any(_slips(one.casefold(), other.casefold()))


def _slips(one: str, other: str) -> Iterator[bool]:
    """Whether two letters changed their order, or one came, went or is another."""
    short, long = sorted((one, other), key=len)
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
              len(short))  # fmt: skip
    if len(one) == len(other):
        swapped = one[:at] + one[at + 1 : at + 2] + one[at : at + 1] + one[at + 2 :]
        yield swapped == other
    if at and len(short) >= _SHORTEST:
        yield len(one) == len(other) and one[at + 1 :] == other[at + 1 :]
        yield short == long[:at] + long[at + 1 :]
