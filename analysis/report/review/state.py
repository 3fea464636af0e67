"""The state of each review: draft, approved or stale, by whom, what moved.

A review is of a study, or of front and back matter: the texts of no study. An approval
covers the look of the pages as well. When that changes, the approvals stand, and the
new look has a review of its own, one for the edition.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from analysis.declared.edition import Edition
from analysis.errors import user_error
from analysis.report.claims.checked import Checked
from analysis.report.material import Material
from analysis.report.review.looks import looks
from analysis.report.review.moved import moved, moved_looks
from analysis.report.review.record import LOOKS, RECORD, Record, read_record
from analysis.report.review.seen import Seen
from analysis.report.review.seen_once import Look, matter_seen_once, seen_once
from analysis.report.review.trust import Trust, trusted

State = Literal["draft", "approved", "stale"]
MATTER = "front and back matter"
LOOK = ".look"  # stands for the look where others have a study, and is no name of one
_LOOK = "the look of the pages"


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


def reviews(checked: Checked) -> Reviews:
    """The reviews of an edition."""
    own, look = checked.material.edition.own_studies, looks(checked.material.templates)
    studies = {study: _review(checked, study, look) for study in own}
    matter = _review(checked, None, look)
    return Reviews(studies, matter, _of_look(checked, (*studies.values(), matter)))


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


def _review(checked: Checked, study: str | None, look: Look) -> Review:
    material = checked.material
    matter, id = study is None, study or material.id
    if study is None:
        now = matter_seen_once(checked, look)
    else:
        now = seen_once(checked, study, look)
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
