"""The state of each review: draft, approved or stale, by whom, what moved.

A review is of a study, or of front and back matter: the texts of no study. An approval
covers the look of the pages as well. When that changes, the approvals stand, and the
new look has a review of its own, one for the edition.
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from analysis.declared.edition import Edition
from analysis.errors import user_error
from analysis.report.claims.checked import Checked
from analysis.report.material import Material
from analysis.report.review.looks import looks
from analysis.report.review.record import LOOKS, RECORD, Record, read_record
from analysis.report.review.seen import (
    BETWEEN,
    CONTENT,
    ORDER,
    PARTS,
    Seen,
    drawings,
    matter_seen,
    seen,
    study_texts,
)
from analysis.report.review.trust import Trust, trusted
from analysis.report.text.texts import matter_texts

State = Literal["draft", "approved", "stale"]
MATTER = "front and back matter"
LOOK = ".look"  # stands for the look where others have a study, and is no name of one
_LOOK = "the look of the pages"
Look = dict[str, str]  # as :func:`analysis.report.review.looks.looks` tells it
_KINDS = {
    "text": "the text",
    "values": "printed values",
    "figures": "figure data",
    "meaning": "what is declared",
    "drawings": "the drawings",
}
_EARLIER = (
    "the approval is of an earlier version, which covered less: read the study again"
)
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
    now: Seen
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
            return LOOKS
        return RECORD if self.matter else f"studies/{self.id}/{RECORD}"

    @property
    def name(self) -> str:
        """Its name in lists, which of no study is what it is."""
        return _LOOK if self.look else MATTER if self.matter else self.id

    @property
    def called(self) -> str:
        """``study offload``, or what it is of."""
        study = not (self.look or self.matter)
        return f"study {self.id}" if study else self.name

    @property
    def command(self) -> str:
        """What approves it in a terminal."""
        told = f"{self.edition} --look" if self.look else self.id
        return f"python -m analysis review approve {told}"

    def is_of(self, record: Record) -> bool:
        """Whether a record approves what there is to see now."""
        if self.look:
            return record.stamp == self.now.stamp
        return record.covers(self.now)

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

    def of(self, study: str) -> Review:
        """The review that covers a study; that of the matter, where it is borrowed."""
        return self.studies.get(study, self.matter)

    @property
    def asked(self) -> tuple[Review, ...]:
        """Those that an approval is asked for."""
        matter = (self.matter,) if self.matter.asked else ()
        look = (self.look,) if self.look else ()
        return (*self.studies.values(), *matter, *look)


def reviews(checked: Checked, last: Reviews | None = None) -> Reviews:
    """The reviews of an edition; the ``last`` ones of what did not change since."""
    own, look = checked.material.edition.own_studies, looks(checked.material.templates)
    studies = {study: _review(checked, study, look, last) for study in own}
    matter = _review(checked, None, look, last)
    return Reviews(
        checked, studies, matter, _of_look(checked, (*studies.values(), matter))
    )


def review(checked: Checked, study: str | None = None) -> Review:
    """The review of one study; without one, of front and back matter.

    That one is asked for where the edition names reviewers, has slides or borrows a
    study, or somebody approved it. :data:`LOOK` is that of the look; a
    :class:`UserError` where nobody approved another one.
    """
    if study != LOOK:
        return _review(checked, study, looks(checked.material.templates))
    if found := reviews(checked).look:
        return found
    what = "the look of the pages did not change since they were approved"
    raise user_error(what, checked.material.folder)


def _review(
    checked: Checked, study: str | None, look: Look, last: Reviews | None = None
) -> Review:
    material = checked.material
    matter, id = study is None, study or material.id
    now = _now(checked, study, look, last)
    folder = folder_of(material, study)
    record = read_record(folder)
    if record is None:
        edition = material.edition
        results = bool(edition.borrowed or edition.slides)
        asked = not matter or results or bool(edition.reviewers)
        return Review(id, "draft", now, matter=matter, asked=asked)
    trust = trusted(record, material.edition.reviewers, folder / RECORD)
    found = Review(id, "approved", now, record, (), trust, matter)
    if found.is_of(record):
        return _with_signatures(found, material.edition)
    return replace(found, state="stale", moved=tuple(moved(record, now)))


def _of_look(checked: Checked, given: Iterable[Review]) -> Review | None:
    """The review of the look, where what stands approved was seen with another one."""
    others = [
        one
        for one in given
        if one.record and one.state != "stale" and one.record.stamp != one.now.stamp
    ]
    if not others:
        return None
    material, last = checked.material, max(others, key=_day)
    now = Seen(looks=last.now.looks)
    record, trust = last.record, last.trust
    if own := read_record(material.folder, LOOKS):
        file = material.folder / LOOKS
        record, trust = own, trusted(own, material.edition.reviewers, file)
    found = Review(LOOK, "approved", now, record, (), trust, edition=material.id)
    if own and found.is_of(own):
        return _with_signatures(found, material.edition)
    return replace(found, state="stale", moved=tuple(moved_looks(record, now)))


def _day(review: Review) -> dt.date:
    return review.record.date if review.record else dt.date.min


def _with_signatures(found: Review, edition: Edition) -> Review:
    """A review that stands, or a draft where more have to sign it."""
    # Where an edition names its reviewers, their signatures count alone.
    counted = [one for one in found.trust if one.verified or not edition.reviewers]
    names = {one.approval.by.casefold() for one in counted}
    # The first signature is asked for by the checks of who it is.
    lacking = max(edition.review.signatures - max(len(names), 1), 0)
    if not lacking:
        return found
    told = (
        f"{lacking} more {'signature is' if lacking == 1 else 'signatures are'} needed"
    )
    return replace(found, state="draft", moved=(told,), lacking=lacking)


def folder_of(material: Material, study: str | None) -> Path:
    """Where the record of a study lies; without one, of front and back matter."""
    study = None if study == LOOK else study
    return material.folder / "studies" / study if study else material.folder


def _now(checked: Checked, study: str | None, look: Look, last: Reviews | None) -> Seen:
    """What a reviewer sees, with the look; that of the ``last`` reviews where the same
    texts, claims and drawings of the same material are seen."""
    if last and last.checked.material is checked.material:
        then, now = (_rests_on(one, study) for one in (last.checked, checked))
        found = (last.studies[study] if study else last.matter).now
        if _same(then, now) and drawings(checked, study) == found.drawings:
            return replace(found, looks=look)
    return replace(seen(checked, study) if study else matter_seen(checked), looks=look)


def _rests_on(checked: Checked, study: str | None) -> list[object]:
    if study:
        return [*study_texts(checked, study).values(), checked.outcomes[study]]
    edition = checked.material.edition
    rests = list[object](matter_texts(checked.texts, edition).values())
    return rests + [one for id in edition.borrowed for one in _rests_on(checked, id)]


def _same(last: Sequence[object], now: Sequence[object]) -> bool:
    return len(last) == len(now) and all(map(operator.is_, last, now))


def moved(record: Record, now: Seen) -> Iterator[str]:
    """What moved since a record, part by part."""
    if record.earlier:
        yield _EARLIER
        return
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
    told = {name.partition(":")[0] for name, _, _ in figures}
    for name, before, after in _pairs(then.drawings, now.drawings):
        if before is None or after is None:
            yield f"figure {name} {'is new' if after else 'is gone'}"
        elif name not in told:
            yield f"figure {name} is drawn otherwise; its numbers are the same"


def moved_looks(record: Record | None, now: Seen) -> Iterator[str]:
    """The templates that changed since a record."""
    then = record.details() if record else None
    if then is None or not then.looks:
        yield "the approval does not say with which templates the pages were made"
        return
    for name, before, after in _pairs(then.looks, now.looks):
        told = "is new" if before is None else "changed" if after else "is gone"
        yield f"{name} {told}"


def _text(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name, before, after in _pairs(then, now):
        if name.startswith(ORDER):
            # A paragraph that came, went or begins otherwise is told by itself.
            if before and after and _paragraphs(before) == _paragraphs(after):
                of = name.removeprefix(ORDER)
                yield f"text: the paragraphs of {of} stand in another order"
        elif before is None or after is None:
            yield f"text: ‘{name}’ {'is gone' if after is None else 'is new'}"
        else:
            yield f"text: ‘{name}’ was edited, {_from_to(before, after)}"


def _paragraphs(order: str) -> list[str]:
    return sorted(order.split(BETWEEN))


def _claims(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
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
    pairs = enumerate(zip(one, other, strict=False))
    apart = (at for at, (a, b) in pairs if a != b)
    return next(apart, min(len(one), len(other)))


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


def _pairs(
    then: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[tuple[str, str | None, str | None]]:
    for name in dict.fromkeys((*now, *then)):
        if then.get(name) != now.get(name):
            yield name, then.get(name), now.get(name)
