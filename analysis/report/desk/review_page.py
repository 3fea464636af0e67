"""The page *Review*: the state of an edition, what waits for whom, and what changed
since each approval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from analysis.report.desk.approving import (
    ReviewRow,
    hindrances,
    kept_drawings,
    review_rows,
    unread,
)
from analysis.report.desk.commenting import thread_rows
from analysis.report.desk.desk import Desk
from analysis.report.desk.drawn import side_by_side
from analysis.report.desk.live import Live
from analysis.report.desk.people import Person, allowed
from analysis.report.desk.stage import with_own
from analysis.report.pages.html_page import html_page
from analysis.report.preview.page import Read
from analysis.report.review.remarks import Thread
from analysis.report.review.sentences import read_claim
from analysis.report.review.state import LOOK, Review

Did = Literal["approved", "stale", "waits", "back", ""]
WORDS: dict[Did, str] = {
    "approved": "Approved",
    "stale": "Changed since",
    "waits": "Waits",
    "back": "Sent back",
    "": "",
}


def review_page(desk: Desk, live: Live, person: Person) -> str:
    """The HTML of the page for a person."""
    read = _read(live)
    found = standings(read)
    known: dict[str, Any] = {
        "title": live.title,
        "standings": found,
        "people": people(read),
        "told": WORDS,
        "drawings": {one.row.id: _drawings(desk, live, one.row) for one in found},
        "claims": {
            id: [read_claim(one, read.checked.material) for one in outcomes]
            for id, outcomes in read.checked.outcomes.items()
        },
        "hindrances": hindrances(read),
        "problem": live.stage.problem,
        "may": allowed(person),
        "mine": person.name,
        "look": LOOK,
    }
    return with_own(html_page(desk.templates, "desk/review.html.j2", known))


def waiting_for(live: Live, name: str) -> str:
    """Where the first thing that waits for somebody is."""
    return first_waiting(_read(live), live.id, name)


def _read(live: Live) -> Read:
    live.open()
    if live.maker.read is None:
        raise unread(live)
    return live.maker.read


def _drawings(desk: Desk, live: Live, row: ReviewRow) -> dict[str, tuple[str, str]]:
    then = {change.name: change.before for change in row.since.get("Drawings", ())}
    study = None if row.id in (live.id, LOOK) else row.id
    return side_by_side(kept_drawings(desk.journal), _read(live).checked, study, then)


@dataclass(frozen=True)
class Standing:
    """One row of the matrix: a review, and what each of the people did."""

    row: ReviewRow
    did: Sequence[Did]


def people(read: Read) -> list[str]:
    """The reviewers of an edition, and whoever else approved something of it."""
    reviewers = read.checked.material.edition.reviewers
    names = [reviewer.name for reviewer in reviewers]
    for one in read.states.asked:
        for approval in one.record.approvals if one.record else ():
            if not any(reviewer.is_called(approval.by) for reviewer in reviewers):
                names.append(approval.by)
    return list(dict.fromkeys(names))


def standings(read: Read) -> list[Standing]:
    """The matrix, review by review."""
    pairs = zip(read.states.asked, review_rows(read), strict=True)
    names = people(read)
    return [
        Standing(row, [_did(one, row, n, read) for n in names]) for one, row in pairs
    ]


def first_waiting(read: Read, edition: str, name: str) -> str:
    """Where the first thing that waits for somebody is, below the edition's page.

    What they should read comes first, then threads of theirs that others answered.
    """
    names = people(read)
    at = names.index(name) if name in names else -1
    for one in standings(read) if at >= 0 else ():
        if one.did[at] in ("waits", "stale"):
            return f"review#review-{one.row.id}"
    own = [row.thread for row in thread_rows(read.checked, edition)]
    answered = any(_answered(thread, name) for thread in own)
    return "comments?show=mine" if answered else "review"


def _answered(thread: Thread, name: str) -> bool:
    """Whether somebody else spoke last in an open thread that a person took part in."""
    by = [said.by for said in thread.said]
    return thread.state == "open" and name in by and by[-1] != name


def _did(one: Review, row: ReviewRow, name: str, read: Read) -> Did:
    if any(said.by == name for said in row.back):
        return "back"
    if _approved(one, name, read):
        return "stale" if one.state == "stale" else "approved"
    return "waits" if name in row.waits else ""


def _approved(one: Review, name: str, read: Read) -> bool:
    called = {approval.by for approval in one.record.approvals} if one.record else set()
    reviewers = [r for r in read.checked.material.edition.reviewers if r.name == name]
    return name in called or any(r.is_called(by) for r in reviewers for by in called)
