"""The state of each review: draft, approved or stale, by whom, what moved.

A review is of a study, or of front and back matter: the texts of no study.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from analysis.declared.edition import Edition
from analysis.report.claims.checked import Checked
from analysis.report.material import Material
from analysis.report.review.moved import moved
from analysis.report.review.record import RECORD, Record, read_record
from analysis.report.review.seen import Seen
from analysis.report.review.seen_once import matter_seen_once, seen_once
from analysis.report.review.trust import Trust, trusted

State = Literal["draft", "approved", "stale"]
MATTER = "front and back matter"


@dataclass(frozen=True)
class Review:
    """One review; ``moved`` says in words what changed since the approval,
    or what it lacks.

    ``id`` is the name that one approves it by: of the study, or of the edition for
    front and back matter. ``trust`` says of each who approved how far that is known.
    ``asked`` is whether there should be an approval, ``lacking`` how many more people
    have to approve what others did.
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

    @property
    def file(self) -> str:
        """Where its record lies in the edition."""
        return RECORD if self.matter else f"studies/{self.id}/{RECORD}"

    @property
    def name(self) -> str:
        """Its name in lists, which for front and back matter is that."""
        return MATTER if self.matter else self.id

    @property
    def called(self) -> str:
        """``study offload``, or that it is of front and back matter."""
        return MATTER if self.matter else f"study {self.id}"

    @property
    def verified(self) -> bool:
        """Whether one who approved it is a reviewer of the edition."""
        return any(one.verified for one in self.trust)


@dataclass(frozen=True)
class Reviews:
    """All reviews of an edition: those of its studies in order, and of its matter."""

    studies: Mapping[str, Review]
    matter: Review

    def of(self, study: str) -> Review:
        """The review that covers a study; that of the matter, where it is borrowed."""
        return self.studies.get(study, self.matter)

    @property
    def asked(self) -> tuple[Review, ...]:
        """Those that an approval is asked for."""
        matter = (self.matter,) if self.matter.asked else ()
        return (*self.studies.values(), *matter)


def reviews(checked: Checked) -> Reviews:
    """The reviews of an edition."""
    own = checked.material.edition.own_studies
    studies = {study: review(checked, study) for study in own}
    return Reviews(studies, review(checked))


def review(checked: Checked, study: str | None = None) -> Review:
    """The review of one study; without one, of front and back matter.

    That one is asked for where the edition names reviewers, has slides or borrows a
    study, or somebody approved it.
    """
    material = checked.material
    now = matter_seen_once(checked) if study is None else seen_once(checked, study)
    folder = folder_of(material, study)
    record, reviewers = read_record(folder), material.edition.reviewers
    matter, id = study is None, study or material.id
    if record is None:
        edition = material.edition
        results = bool(edition.borrowed or edition.slides)
        asked = not matter or results or bool(reviewers)
        return Review(id, "draft", now, matter=matter, asked=asked)
    trust = trusted(record, reviewers, folder)
    if record.stamp == now.stamp:
        lacking = _lacking(material.edition, trust)
        if not lacking:
            return Review(id, "approved", now, record, (), trust, matter)
        many = "signature is" if lacking == 1 else "signatures are"
        told = (f"{lacking} more {many} needed",)
        return Review(id, "draft", now, record, told, trust, matter, lacking=lacking)
    return Review(id, "stale", now, record, tuple(moved(record, now)), trust, matter)


def _lacking(edition: Edition, trust: tuple[Trust, ...]) -> int:
    """Where an edition names its reviewers, their signatures count alone."""
    counted = [one for one in trust if one.verified or not edition.reviewers]
    names = {one.approval.by.casefold() for one in counted}
    # The first signature is asked for by the checks of who it is.
    return max(edition.review.signatures - max(len(names), 1), 0)


def folder_of(material: Material, study: str | None) -> Path:
    """Where the record of a study lies; without one, of front and back matter."""
    return material.folder / "studies" / study if study else material.folder
