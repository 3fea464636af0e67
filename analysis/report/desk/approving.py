"""The reviews of an edition at the desk: what waits for whom, and approving it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import UserError, user_error
from analysis.facts.units import date_text
from analysis.report.checks.claims import Checked
from analysis.report.desk.changed import LOOK_CHANGES, SeenChange, changes
from analysis.report.desk.commenting import study_of, thread_rows
from analysis.report.desk.drawn import KeptDrawings
from analysis.report.desk.journal import Journal, JournalEntry
from analysis.report.desk.live import Live
from analysis.report.desk.people import Person
from analysis.report.preview.page import Read
from analysis.report.review.remarks import Remarked, read_comments
from analysis.report.review.state import LOOK, Review, folder_of, review
from analysis.report.review.verb import approve

_MANY = {
    "false claim": "false claims",
    "error in the texts": "errors in the texts",
    "passage that nothing stands behind": "passages that nothing stands behind",
    "open comment": "open comments",
}
_WORDS = {"draft": "Not approved yet", "approved": "Approved", "stale": "Stale"}


@dataclass(frozen=True)
class ReviewRow:
    """One review in the list of an edition's.

    ``who`` approved it, and ``names`` are theirs; it ``waits`` for these reviewers.
    ``since`` tells what changed since the approval by what it is of, ``back`` why
    somebody sent it back, ``lacks`` how many signatures.
    """

    id: str
    title: str
    anchor: str
    state: str
    words: str
    stamp: str
    who: Sequence[str]
    names: Sequence[str]
    waits: Sequence[str]
    since: dict[str, list[SeenChange]]
    back: Sequence[Remarked] = ()
    lacks: str = ""


def review_rows(read: Read) -> list[ReviewRow]:
    """All reviews of an edition that are asked for, in its order."""
    return [_row(one, read.checked) for one in read.states.asked]


def hindrances(read: Read) -> list[str]:
    """What keeps an edition from going out as final, in words."""
    states = [one.state for one in read.states.asked]
    counts = {
        "without an approval": states.count("draft"),
        "changed since the approval": states.count("stale"),
        "false claim": len(read.checked.false_claims()),
        "error in the texts": sum(f.severity == "error" for f in read.findings),
        "passage that nothing stands behind": sum(
            f.severity == "held" for f in read.findings
        ),
        "open comment": sum(
            row.thread.state == "open" for row in thread_rows(read.checked, "")
        ),
    }
    return [_counted(count, words) for words, count in counts.items() if count]


def _counted(count: int, words: str) -> str:
    """``2 open comments``, ``1 open comment``."""
    return f"{count} {words if count == 1 else _MANY.get(words, words)}"


def approve_at_desk(
    live: Live, journal: Journal, id: str, stamp: str, by: Person
) -> bool:
    """Approve what somebody saw; False where it is not what is there now.

    ``id`` is a study of the edition, or the edition for front and back matter.
    """
    with live.lock:
        checked = live.maker.checked_texts()
        study = LOOK if id == LOOK else study_of(checked, live.id, id)
        found = review(checked, study)
        if found.now.stamp != stamp:
            return False
        path = checked.material.folder / found.file
        before = path.read_text("utf-8") if path.exists() else ""
        if not found.look:
            kept_drawings(journal).keep(checked, study, found.now)
        file = path.relative_to(journal.report).as_posix()
        what = f"{found.called}: approved\n\nEdition: {live.id}\nStamp: {stamp}"
        today = dt.datetime.now(dt.UTC).astimezone().date()

        def save(_: Path, after: str) -> None:
            entry = (live.id, file, before, after, by.name, by.email)
            journal.save(JournalEntry(*entry, what))

        try:
            approve(checked, study, by.name, today, save)
        finally:
            live.update_texts()
    return True


def kept_drawings(journal: Journal) -> KeptDrawings:
    """What was drawn when something was approved here."""
    return KeptDrawings(journal.folder / "drawings")


def _row(found: Review, checked: Checked) -> ReviewRow:
    material = checked.material
    page = found.matter or found.look
    title = found.name if page else material.studies[found.id].title
    who = [
        f"{one.approval.by} on {date_text(one.approval.date)}"
        + ("" if one.verified else f" (unverified: {one.why})")
        for one in found.trust
    ]
    record, stale = found.record, found.state == "stale"
    approved = record.approvals if record and not stale else ()
    waits = [
        reviewer.name
        for reviewer in material.edition.reviewers
        if found.state != "approved"
        and not any(reviewer.is_called(one.by) for one in approved)
    ]
    since = changes(record, found.now) if record and stale else {}
    since = {k: v for k, v in since.items() if (k == LOOK_CHANGES) == found.look}
    anchor = "#text" if page else f"#sec-{found.id}"
    words, stamp = _WORDS[found.state], found.now.stamp
    lacks = found.moved[0] if found.lacking else ""
    return ReviewRow(
        found.id, title[0].upper() + title[1:], anchor, found.state, words, stamp,
        who, [one.by for one in approved], waits, since,
        tuple(_sent_back(found, checked)), lacks,
    )  # fmt: skip


def _sent_back(found: Review, checked: Checked) -> Iterator[Remarked]:
    """What is said of all of it and not resolved."""
    if found.look:
        return
    folder = folder_of(checked.material, None if found.matter else found.id)
    for thread in read_comments(folder).threads:
        if thread.state == "open" and thread.of_all:
            yield thread.said[0]


def unread(live: Live) -> UserError:
    """An edition that cannot be rendered has nothing to approve."""
    return user_error(
        f"{live.id} cannot be shown: {live.stage.problem.removeprefix('error: ')}"
    )
