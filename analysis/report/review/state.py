"""The state of each review: draft, approved or stale, by whom, what moved.

A review is of a study, or of front and back matter: the texts of no study. An approval
covers the look of the pages as well. When that changes, the approvals stand, and the
new look has a review of its own, one for the edition.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Literal

from analysis.declared.edition import Edition
from analysis.errors import user_error
from analysis.report.checks.claims import Checked
from analysis.report.material import Material
from analysis.report.review.record import LOOK_RECORD, RECORD, Record, read_record
from analysis.report.review.snapshot import (
    BETWEEN,
    CONTENT,
    ORDER,
    PARTS,
    Part,
    Snapshot,
    Snapshots,
    page_look,
)
from analysis.report.review.trust import Trust, trusted

State = Literal["draft", "approved", "stale"]
MATTER = "front and back matter"
LOOK = ".look"  # stands for the look where others have a study, and is no name of one
_LOOK = "the look of the pages"
_KINDS = {
    "text": "the text",
    "values": "printed values",
    "figures": "figure data",
    "meaning": "what is declared",
    "drawings": "the drawings",
}
_LONG = 80  # characters, beyond which the words that moved are told alone
_AROUND = 2  # words told on either side of them


@dataclass(frozen=True)
class Review:
    """One review; ``moved`` says in words what changed since the approval,
    or what it lacks.

    ``id`` is the study, the edition for front and back matter, or :data:`LOOK`, and
    ``command`` what approves it. ``trust`` says of each who approved how far that is
    known. ``asked`` is whether there should be an approval, ``lacking`` how many more
    people have to approve what others did.
    """

    id: str
    state: State
    now: Snapshot
    record: Record | None = None
    moved: tuple[str, ...] = ()
    trust: tuple[Trust, ...] = ()
    matter: bool = False
    asked: bool = True
    lacking: int = 0
    edition: str = ""

    @property
    def look(self) -> bool:
        """Whether it is of the look."""
        return self.id == LOOK

    @property
    def file(self) -> str:
        """Where its record lies in the edition."""
        if self.look:
            return LOOK_RECORD
        return RECORD if self.matter else f"studies/{self.id}/{RECORD}"

    @property
    def name(self) -> str:
        """Its name in lists, which of no study is what it is."""
        return _LOOK if self.look else MATTER if self.matter else self.id

    @property
    def called(self) -> str:
        """``study offload``, or what it is of."""
        return self.name if self.look or self.matter else f"study {self.id}"

    @property
    def command(self) -> str:
        """What approves it in a terminal."""
        subject = f"{self.edition} --look" if self.look else self.id
        return f"python -m analysis review approve {subject}"

    def is_of(self, record: Record) -> bool:
        """Whether a record approves what there is to see now."""
        if self.look:
            return record.stamp == self.now.stamp
        return record.covers(self.now)

    @property
    def same_look(self) -> bool:
        """Whether the pages looked as they do now when it was approved."""
        then = self.record.hashes[CONTENT:] if self.record else []
        return then == self.now.hashes[CONTENT:]

    @property
    def verified(self) -> bool:
        """Whether one who approved it is a reviewer of the edition."""
        return any(one.verified for one in self.trust)


@dataclass(frozen=True)
class Reviews:
    """All reviews of an edition: those of its studies in order, and of its matter.

    There is one of the ``look`` where somebody approved a page that looked otherwise.
    """

    checked: Checked
    studies: Mapping[str, Review]
    matter: Review
    look: Review | None = None

    def of(self, study: str | None) -> Review:
        """The review that covers a study; that of the matter, where it is borrowed."""
        return self.studies.get(study or "", self.matter)

    @property
    def asked(self) -> tuple[Review, ...]:
        """Those that an approval is asked for."""
        matter = (self.matter,) if self.matter.asked else ()
        look = (self.look,) if self.look else ()
        return (*self.studies.values(), *matter, *look)


def reviews(checked: Checked, last: Reviews | None = None) -> Reviews:
    """The reviews of an edition.

    Of what did not change since the ``last`` ones the snapshot is taken from these.
    """
    snapshots = _snapshots(checked)
    own = checked.material.edition.own_studies
    studies = {study: _review(snapshots, study, last) for study in own}
    matter = _review(snapshots, None, last)
    look = _look_review(checked.material, (*studies.values(), matter))
    return Reviews(checked, studies, matter, look)


def review(checked: Checked, study: str | None = None) -> Review:
    """The review of one study; without one, of front and back matter.

    That one is asked for where the edition names reviewers, has slides or borrows a
    study, or somebody approved it. :data:`LOOK` is that of the look; a
    :class:`UserError` where nobody approved another one.
    """
    if study != LOOK:
        return _review(_snapshots(checked), study)
    if look := reviews(checked).look:
        return look
    what = "the look of the pages did not change since they were approved"
    raise user_error(what, checked.material.folder)


def _snapshots(checked: Checked) -> Snapshots:
    return Snapshots(checked, page_look(checked.material.templates))


def folder_of(material: Material, study: str | None) -> Path:
    """Where the record of a study lies; without one, of front and back matter."""
    study = None if study == LOOK else study
    return material.folder / "studies" / study if study else material.folder


def _review(
    snapshots: Snapshots, study: str | None, last: Reviews | None = None
) -> Review:
    material = snapshots.material
    edition, folder = material.edition, folder_of(material, study)
    matter, id = study is None, study or material.id
    now = _same(snapshots, study, last) or snapshots.of(study)
    record = read_record(folder)
    if record is None:
        given = edition.borrowed or edition.slides or edition.reviewers
        asked = not matter or bool(given)
        return Review(id, "draft", now, matter=matter, asked=asked)
    trust = trusted(record, edition.reviewers, folder / RECORD)
    found = Review(id, "approved", now, record, (), trust, matter)
    if found.is_of(record):
        respelt = record.respelt(now) or ()
        words = [f"spelling corrected: ‘{old}’ → ‘{new}’" for old, new in respelt]
        return _with_signatures(replace(found, moved=tuple(words)), edition)
    return replace(found, state="stale", moved=tuple(moved(record, now)))


def _same(
    snapshots: Snapshots, study: str | None, last: Reviews | None
) -> Snapshot | None:
    """The last snapshot, with the look of now, where nothing else is another."""
    if last is None or last.checked.material is not snapshots.material:
        return None
    before, then = Snapshots(last.checked, snapshots.look), last.of(study).now
    texts = before.rests_on(study), snapshots.rests_on(study)
    alike = len(texts[0]) == len(texts[1]) and all(map(operator.is_, *texts))
    if not alike or then.drawings != snapshots.drawings(study):
        return None
    return Snapshot(**{**then.parts, "looks": snapshots.look})


def _look_review(material: Material, given: Iterable[Review]) -> Review | None:
    """The review of the look, where what stands approved was seen with another one."""
    others = [
        (one.record.date, one.record, one.trust, one.now.looks)
        for one in given
        if one.record and one.state != "stale" and not one.same_look
    ]
    if not others:
        return None
    _, record, trust, looks = max(others, key=lambda other: other[0])
    reviewers = material.edition.reviewers
    if own := read_record(material.folder, LOOK_RECORD):
        record, trust = own, trusted(own, reviewers, material.folder / LOOK_RECORD)
    now = Snapshot(looks=looks)
    found = Review(LOOK, "approved", now, record, (), trust, edition=material.id)
    if own and found.is_of(own):
        return _with_signatures(found, material.edition)
    return replace(found, state="stale", moved=tuple(_moved_look(record, now)))


def _with_signatures(found: Review, edition: Edition) -> Review:
    """A review that stands, or a draft where more have to sign it."""
    # Where an edition names its reviewers, their signatures count alone.
    counted = [one for one in found.trust if one.verified or not edition.reviewers]
    names = {one.approval.by.casefold() for one in counted}
    # The first signature is asked for by the checks of who it is.
    lacking = max(edition.review.signatures - max(len(names), 1), 0)
    if not lacking:
        return found
    signatures = "signature is" if lacking == 1 else "signatures are"
    moved = (f"{lacking} more {signatures} needed",)
    return replace(found, state="draft", moved=moved, lacking=lacking)


def moved(record: Record, now: Snapshot) -> Iterator[str]:
    """What moved since a record, part by part."""
    then = record.details()
    if then is None:
        hashes = (side.hashes[:CONTENT] for side in (record, now))
        for part, old, new in zip(PARTS, *hashes, strict=False):
            if old != new:
                yield f"{_KINDS.get(part, part)} moved; the record keeps no details"
        return
    yield from _text(then.text, now.text)
    yield from _claims(then.claims, now.claims)
    for pairs in (_pairs(then.meaning, now.meaning), _pairs(then.values, now.values)):
        yield from (_change(*pair) for pair in pairs)
    figures = list(_pairs(then.figures, now.figures))
    yield from (_data(*pair) for pair in figures)
    redrawn = {name.partition(":")[0] for name, _, _ in figures}
    for name, before, after in _pairs(then.drawings, now.drawings):
        if before is None or after is None:
            yield f"figure {name} {'is new' if after else 'is gone'}"
        elif name not in redrawn:
            yield f"figure {name} is drawn otherwise; its numbers are the same"


def _moved_look(record: Record, now: Snapshot) -> Iterator[str]:
    """The templates that changed since a record."""
    then = record.details()
    if then is None or not then.looks:
        yield "the approval does not say with which templates the pages were made"
        return
    for name, before, after in _pairs(then.looks, now.looks):
        change = "changed" if after else "is gone"
        yield f"{name} {'is new' if before is None else change}"


def _text(then: Part, now: Part) -> Iterator[str]:
    for name, before, after in _pairs(then, now):
        if name.startswith(ORDER):
            # A paragraph that came, went or begins otherwise is told by itself.
            names = [sorted((side or "").split(BETWEEN)) for side in (before, after)]
            if before and after and names[0] == names[1]:
                part = name.removeprefix(ORDER)
                yield f"text: the paragraphs of {part} stand in another order"
        elif before is None or after is None:
            yield f"text: ‘{name}’ {'is gone' if after is None else 'is new'}"
        else:
            yield f"text: ‘{name}’ was edited, {_from_to(before, after)}"


def _claims(then: Part, now: Part) -> Iterator[str]:
    words = {"holds": "held", "fails": "failed"}
    for name, before, after in _pairs(then, now):
        if before is None:
            yield f"claim: ‘{name}’ is new and {after}"
        elif after is None:
            yield f"claim: ‘{name}’ is gone"
        else:
            yield f"claim: ‘{name}’ {words.get(before, before)} and now {after}"


def _change(name: str, before: str | None, after: str | None) -> str:
    if before is None:
        return f"{name} is new: {after}"
    if after is None:
        return f"{name} is gone: it was {before}"
    return f"{name} moved {_from_to(before, after)}"


def _data(name: str, before: str | None, after: str | None) -> str:
    """A row of a figure: its first number that moved, and how many did."""
    if before is None or after is None:
        return _change(f"figure {name}", before, after)
    old, new = before.split("; "), after.split("; ")
    if len(old) != len(new):
        return f"figure {name} has {len(new)} points and had {len(old)}"
    pairs = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    more = f" ({len(pairs)} of {len(old)} points moved)" if len(old) > 1 else ""
    return f"figure {name} moved from {pairs[0][0]} to {pairs[0][1]}{more}"


def _from_to(before: str, after: str) -> str:
    """Both in full where they are short, else the words that differ."""
    if max(len(before), len(after)) > _LONG:
        before, after = _apart(before.split(), after.split())
    return f"from {before} to {after}"


def _apart(before: list[str], after: list[str]) -> tuple[str, str]:
    """The words between what both begin with and what both end with."""
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    start = max(first - _AROUND, 0)
    sides = []
    for words in (before, after):
        end = min(len(words) - last + _AROUND, len(words))
        shown = [*["…"][: start > 0], *words[start:end], *["…"][: end < len(words)]]
        sides.append(f"‘{' '.join(shown)}’")
    return sides[0], sides[1]


def _alike(one: list[str], other: list[str]) -> int:
    """With how many equal words two lists begin."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _pairs(then: Part, now: Part) -> Iterator[tuple[str, str | None, str | None]]:
    for name in dict.fromkeys((*now, *then)):
        if then.get(name) != now.get(name):
            yield name, then.get(name), now.get(name)
