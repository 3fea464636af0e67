"""What changed since an approval: words, numbers, claims, declarations, drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from analysis.report.review.record import Record
from analysis.report.review.snapshot import ORDER, Snapshot

_ALIKE = 0.5  # of its words, and a paragraph that begins otherwise is the same one
Piece = tuple[Literal["same", "gone", "new"], str]
_EXPRESSION = re.compile(r"\{\{\s*(.*?)\s*\}\}")
_UNIT = re.compile(r"(?:\{\{.*?\}\}|\S)+")  # a word, an expression
_INTERVAL = re.compile(r"(?<![\d.])(−?\d[\d,.]*) to (−?\d[\d,.]*)(?![\d.])")
LOOK_CHANGES = "Look"
_PARTS = {
    "text": "Text",
    "values": "Numbers",
    "claims": "Claims",
    "meaning": "Declared",
    "figures": "Figures",
    "drawings": "Drawings",
    "looks": LOOK_CHANGES,
}


@dataclass(frozen=True)
class SeenChange:
    """What was seen under a name, and what is there now; empty where it is not.

    ``printed`` has what expressions printed then, and what they print now, by texts and
    expressions as :class:`Snapshot` names them.
    """

    name: str
    before: str
    after: str
    printed: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})

    @property
    def pieces(self) -> list[Piece]:
        """The words that stayed, went and came, in their order; values as printed."""
        units = (_UNIT.findall(side) for side in (self.before, self.after))
        return [(kind, self._shown(kind, words)) for kind, words in pieces(*units)]

    def _shown(self, kind: str, words: str) -> str:
        known = self.printed[kind != "gone"]
        first, _, rest = self.name.partition(": ")
        texts = first, f"{first}: {rest.partition(': ')[0]}"  # of a borrowed study

        def value(found: re.Match[str]) -> str:
            shown = (known.get(f"{text}: {found[1]}") for text in texts)
            return next(filter(None, shown), found[0])

        return _EXPRESSION.sub(value, words)

    @property
    def noise(self) -> str:
        """Whether a number left the noise; nothing where a side has no interval.

        It has where the intervals that were printed have nothing in common.
        """
        sides = [_INTERVAL.search(side) for side in (self.before, self.after)]
        if not all(sides):
            return ""
        (low, high), (other_low, other_high) = (
            sorted(float(end.replace(",", "").replace("−", "-")) for end in m.groups())
            for m in sides
            if m
        )
        apart = low > other_high or other_low > high
        return "beyond noise" if apart else "within noise"


def changes(record: Record, now: Snapshot) -> dict[str, list[SeenChange]]:
    """The changes since a record by their parts; none where it keeps no details."""
    then = record.details()
    if then is None:
        return {}
    found = {
        title: list(_changes(getattr(then, part), getattr(now, part)))
        for part, title in _PARTS.items()
    }
    printed = then.values, now.values
    found["Text"] = [replace(c, printed=printed) for c in _paired(found["Text"])]
    return {title: own for title, own in found.items() if own}


def _changes(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[SeenChange]:
    for name in dict.fromkeys((*now, *then)):
        before, after = then.get(name, ""), now.get(name, "")
        if before != after and not name.startswith(ORDER):
            yield SeenChange(name, before, after)


def _paired(found: list[SeenChange]) -> list[SeenChange]:
    """Paragraphs that begin otherwise now are one change, and not two."""
    gone = [change for change in found if not change.after]
    paired: list[SeenChange] = []
    for change in found:
        if change.before:
            continue
        old = max(gone, key=lambda one: _alike(one, change), default=None)
        if old and _alike(old, change) >= _ALIKE:
            gone.remove(old)
            paired.append(SeenChange(change.name, old.before, change.after))
        else:
            paired.append(change)
    edited = [change for change in found if change.before and change.after]
    return [*edited, *paired, *gone]


def _alike(old: SeenChange, new: SeenChange) -> float:
    if old.name.partition(":")[0] != new.name.partition(":")[0]:
        return 0.0
    return SequenceMatcher(None, old.before.split(), new.after.split()).ratio()


def pieces(before: list[str], after: list[str]) -> Iterator[Piece]:
    """The words that stay, go and come between two lists of words."""
    for tag, a, b, c, d in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            yield "same", " ".join(before[a:b])
            continue
        if a < b:
            yield "gone", " ".join(before[a:b])
        if c < d:
            yield "new", " ".join(after[c:d])
