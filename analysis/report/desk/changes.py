"""What changed since an approval: words, numbers, claims, declarations, drawings."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

from analysis.files.atomic import write_text
from analysis.report.checks.claims import Checked
from analysis.report.pictures import Picture
from analysis.report.review.record import Record
from analysis.report.review.snapshot import ORDER, Snapshot

_ALIKE = 0.5  # of its words, and a paragraph that begins otherwise is the same one
Piece = tuple[Literal["same", "gone", "new"], str]
# None holds another's beginning, so that no text takes long to look at.
_INSIDE = r"[^{}\n]*(?:[{}](?![{}])[^{}\n]*)*"
EXPRESSION = re.compile(rf"\{{\{{({_INSIDE})\}}\}}")
UNIT = re.compile(rf"(?:\{{\{{{_INSIDE}\}}\}}|\S)+")  # a word, an expression
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
_DRAWING = "figure.svg"


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
        """The words that stayed, went and came, in their order."""
        return list(pieces(self.before.split(), self.after.split()))

    @property
    def prints(self) -> tuple[dict[str, str], dict[str, str]]:
        """What its expressions printed then, and what they print now."""
        first, _, rest = self.name.partition(": ")
        texts = f"{first}: {rest.partition(': ')[0]}: ", f"{first}: "  # if borrowed
        then, now = (
            {
                name.removeprefix(text): words
                for text in texts
                for name, words in printed.items()
                if name.startswith(text)
            }
            for printed in self.printed
        )
        return then, now

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
    parts = {
        title: list(_changes(getattr(then, part), getattr(now, part)))
        for part, title in _PARTS.items()
    }
    printed = then.values, now.values
    parts["Text"] = [replace(c, printed=printed) for c in _paired(parts["Text"])]
    return {title: part for title, part in parts.items() if part}


def _changes(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[SeenChange]:
    for name in dict.fromkeys((*now, *then)):
        before, after = then.get(name, ""), now.get(name, "")
        if before != after and not name.startswith(ORDER):
            yield SeenChange(name, before, after)


def _paired(all: list[SeenChange]) -> list[SeenChange]:
    """Paragraphs that begin otherwise now are one change, and not two."""
    gone = [change for change in all if not change.after]
    paired: list[SeenChange] = []
    for change in all:
        if change.before:
            continue
        old = max(gone, key=lambda one: _alike(one, change), default=None)
        if old and _alike(old, change) >= _ALIKE:
            gone.remove(old)
            change = replace(change, before=old.before)
        paired.append(change)
    edited = [change for change in all if change.before and change.after]
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


def keep_drawings(
    folder: Path, checked: Checked, study: str | None, now: Snapshot
) -> None:
    """Keep in a folder what somebody approves now, each by its hash."""
    for picture in _pictures(checked, study):
        digest = now.drawings.get(picture.id, "")
        if digest and not (place := folder / f"{digest}.svg").exists():
            write_text(place, (picture.folder / _DRAWING).read_text("utf-8"))


def side_by_side(
    folder: Path, checked: Checked, study: str | None, then: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Each drawing that changed, as it was and as it is: ``data:`` addresses.

    ``then`` has the hashes of what was approved; nothing stands for what is not there.
    """
    known = {path.stem: path for path in folder.glob("*.svg")}
    now = {one.id: one.folder / _DRAWING for one in _pictures(checked, study)}
    return {
        id: (_address(known.get(digest)), _address(now.get(id)))
        for id, digest in then.items()
    }


def _pictures(checked: Checked, study: str | None) -> tuple[Picture, ...]:
    material = checked.material
    if study is not None:
        return tuple(material.pictures[study])
    overview = (material.overview,) if material.overview else ()
    return (*overview, *material.sequences)


def _address(drawing: Path | None) -> str:
    if drawing is None:
        return ""
    data = base64.b64encode(drawing.read_bytes()).decode("ascii")
    return f"data:image/svg+xml;base64,{data}"
