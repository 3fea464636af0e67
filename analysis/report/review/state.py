"""The state of each study's review: draft, approved or stale, by whom, what moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.report.claims.checked import Checked
from analysis.report.review.moved import moved
from analysis.report.review.record import Record, read_record
from analysis.report.review.seen import Seen, seen
from analysis.report.review.trust import Trust, trusted

State = Literal["draft", "approved", "stale"]


@dataclass(frozen=True)
class Review:
    """One study's review; ``moved`` says in words what changed since the approval.

    ``trust`` says of each who approved how far that is known.
    """

    study: str
    state: State
    now: Seen
    record: Record | None = None
    moved: tuple[str, ...] = ()
    trust: tuple[Trust, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether one who approved it is a reviewer of the edition."""
        return any(one.verified for one in self.trust)


def reviews(checked: Checked) -> dict[str, Review]:
    """The review of every study of an edition, in its order."""
    return {study: review(checked, study) for study in checked.material.studies}


def review(checked: Checked, study: str) -> Review:
    """The review of one study."""
    now = seen(checked, study)
    folder = checked.material.folder / "studies" / study
    record = read_record(folder)
    if record is None:
        return Review(study, "draft", now)
    trust = trusted(record, checked.material.edition.reviewers, folder)
    if record.stamp == now.stamp:
        return Review(study, "approved", now, record, (), trust)
    return Review(study, "stale", now, record, tuple(moved(record, now)), trust)
