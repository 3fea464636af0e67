"""The reviews of an edition at the desk: what waits for whom, and approving it.

The page *Review* shows the state of each, and what changed since its approval.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from analysis.errors import Issue, UserError, user_error
from analysis.facts.units import date_text
from analysis.report.desk.changes import (
    LOOK_CHANGES,
    SeenChange,
    changes,
    keep_drawings,
    side_by_side,
)
from analysis.report.desk.desk import Live
from analysis.report.desk.editing import ConflictError, saving
from analysis.report.desk.looks import seen_of
from analysis.report.desk.parts import parts_of
from analysis.report.desk.people import Person
from analysis.report.desk.reading import PlainWords
from analysis.report.desk.remarks import mentions, study_of, thread_rows
from analysis.report.preview.page import Read
from analysis.report.review.authors import raise_if_author
from analysis.report.review.remarks import Remarked, Thread, read_comments
from analysis.report.review.sentences import read_claim
from analysis.report.review.state import LOOK, Review, folder_of, review
from analysis.report.review.verb import approve

_MANY = {
    "false claim": "false claims",
    "error in the texts": "errors in the texts",
    "passage that nothing stands behind": "passages that nothing stands behind",
    "open comment": "open comments",
}
_STATES = {"draft": "Not approved yet", "approved": "Approved", "stale": "Stale"}
Did = Literal["approved", "stale", "waits", "back", ""]
DID: dict[Did, str] = {
    "approved": "Approved",
    "stale": "Changed since",
    "waits": "Waits",
    "back": "Sent back",
    "": "–",
}


@dataclass(frozen=True)
class SeenReview:
    """What somebody approves: a study, or the edition, and the stamp that was shown.

    ``sure`` is said after a :class:`AskAgainError`.
    """

    id: str
    stamp: str
    sure: bool = False


class AskAgainError(Exception):
    """What should be looked at before something is approved: ``asks``, in words."""

    def __init__(self, asks: Sequence[str]) -> None:
        self.asks = list(asks)


@dataclass(frozen=True)
class ReviewRow:
    """One review in the list of an edition's, and what each of the people ``did``.

    ``who`` approved it, and ``names`` are theirs; it ``waits`` for these reviewers.
    ``since`` has what changed since the approval by what it is of, ``back`` why
    somebody sent it back.
    """

    review: Review
    title: str
    anchor: str
    who: Sequence[str]
    names: Sequence[str]
    waits: Sequence[str]
    since: dict[str, list[SeenChange]]
    back: Sequence[Remarked]
    did: Sequence[Did]

    @property
    def study(self) -> str | None:
        """The study that it is of, if it is of one."""
        one = self.review
        return None if one.matter or one.look else one.id


def review_names(live: Live) -> dict[str, Any]:
    """What the page *Review* shows."""
    read, drawings = _read(live), {}
    rows = review_rows(read)
    for row in rows:
        then = {one.name: one.before for one in row.since.get("Drawings", ())}
        drawings[row.review.id] = side_by_side(
            _drawings(live), read.checked, row.study, then
        )
    return {
        "rows": rows,
        "reading": PlainWords(live),
        "people": people(read),
        "did": DID,
        "states": _STATES,
        "drawings": drawings,
        "claims": {
            id: [read_claim(one, read.checked.material) for one in outcomes]
            for id, outcomes in read.checked.outcomes.items()
        },
        "hindrances": hindrances(read),
        "errors": [
            {"what": issue.what, "anchor": anchor}
            for study in (*read.checked.material.edition.own_studies, None)
            for issue, anchor in text_errors(read, study)
        ],
        "problem": live.stage.problem,
        "look": LOOK,
    }


def approve_at_desk(live: Live, approval: SeenReview, by: Person) -> str:
    """Approve what somebody saw; returns the commit.

    A ConflictError where something else is there now.

    That is a study of the edition, or the edition for front and back matter.
    """
    with live.lock:
        checked, id = live.checked, approval.id
        study = LOOK if id == LOOK else study_of(checked, live.id, id)
        now = review(checked, study)
        if now.now.stamp != approval.stamp:
            raise ConflictError
        if study != LOOK:
            _check_approval(live, approval, study, by)
        path = checked.material.folder / now.file
        before = path.read_text("utf-8") if path.exists() else ""
        if not now.look:
            keep_drawings(_drawings(live), checked, study, now.now)
        about, commits = (f"{now.called}: approved", f"\nStamp: {approval.stamp}"), []

        def save(_: Path, after: str) -> None:
            entry = saving(live, now.file, before, after, by, *about)
            commits.append(live.journal.save(entry))

        try:
            today = dt.datetime.now(dt.UTC).astimezone().date()
            approve(checked, study, by.name, today, save)
        finally:
            live.update_texts()
        return "".join(commits)


def _check_approval(
    live: Live, approval: SeenReview, study: str | None, by: Person
) -> None:
    """Who approves errors is refused, and who may have missed something is asked."""
    read = _read(live)
    folder = folder_of(read.checked.material, study)
    if errors := text_errors(read, study):
        mend = "mend what follows, then approve"
        [first] = user_error("there are errors in these texts", mend=mend).issues
        raise UserError([first, *(one for one, _ in errors)])
    if git := live.journal.repository:
        raise_if_author(read.checked, study, by.name, by.email, git.branch)
    asks = []
    if many := sum(one.waits for one in read_comments(folder).threads):
        are = "suggestion waits" if many == 1 else "suggestions wait"
        asks.append(f"{many} {are} for somebody to accept or decline it")
    seen = live.looks.last(by.email, approval.id)
    if seen and seen != seen_of(approval.stamp):
        asks.append("it changed since you opened the page: look at it again")
    if asks and not approval.sure:
        raise AskAgainError(asks)


def text_errors(read: Read, study: str | None) -> list[tuple[Issue, str]]:
    """The errors in the texts of a study, or of none, and their anchors in the page."""
    folder, found = folder_of(read.checked.material, study), list[tuple[Issue, str]]()
    texts = {str(t.path): t for t in read.checked.texts.values() if t.study == study}
    issues = [one.issue for one in read.findings if one.severity == "error"]
    for issue in (*read.checked.false_claims(), *issues):
        text = texts.get(issue.where.file if issue.where else "")
        line = issue.where.line or 0 if issue.where else 0
        parts = parts_of(text) if text else ()
        at = [one.anchor for one in parts if one.first <= line <= one.last]
        if text or (
            study and issue.where and issue.where.file.startswith(f"{folder}/")
        ):
            found.append((issue, f"#{at[0]}" if at else f"#sec-{study}"))
    return found


def first_waiting(live: Live, name: str) -> str:
    """Where the first thing that waits for somebody is, below the edition's page.

    What they should read comes first, then threads of theirs that others answered.
    """
    waits, answered = waiting_for(live, name)
    if waits:
        return f"review#review-{waits[0].review.id}"
    return "comments?show=mine" if answered else "review"


def waiting_for(live: Live, name: str) -> tuple[list[ReviewRow], int]:
    """The reviews that wait for somebody, and how many threads do."""
    read = _read(live)
    names = people(read)
    place = names.index(name) if name in names else -1
    rows = review_rows(read) if place >= 0 else []
    waits = [row for row in rows if row.did[place] in ("waits", "stale")]
    threads = (row.thread for row in thread_rows(read.checked, live.id))
    return waits, sum(_answered(thread, name) for thread in threads)


def people(read: Read) -> list[str]:
    """The reviewers of an edition, and whoever else approved something of it."""
    reviewers = read.checked.material.edition.reviewers
    names = [reviewer.name for reviewer in reviewers]
    for one in read.states.asked:
        for approval in one.record.approvals if one.record else ():
            if not any(reviewer.is_called(approval.by) for reviewer in reviewers):
                names.append(approval.by)
    return list(dict.fromkeys(names))


def review_rows(read: Read) -> list[ReviewRow]:
    """All reviews of an edition that are asked for, in its order."""
    names = people(read)
    return [_row(one, read, names) for one in read.states.asked]


def hindrances(read: Read) -> list[str]:
    """What keeps an edition from going out as final, in words."""
    states = [one.state for one in read.states.asked]
    severities = [finding.severity for finding in read.findings]
    counts = {
        "without an approval": states.count("draft"),
        "changed since the approval": states.count("stale"),
        "false claim": len(read.checked.false_claims()),
        "error in the texts": severities.count("error"),
        "passage that nothing stands behind": severities.count("held"),
        "open comment": sum(row.thread.asks for row in thread_rows(read.checked, "")),
    }
    return [
        f"{count} {words if count == 1 else _MANY.get(words, words)}"
        for words, count in counts.items()
        if count
    ]


def _row(one: Review, read: Read, names: list[str]) -> ReviewRow:
    material, record = read.checked.material, one.record
    page, stale = one.matter or one.look, one.state == "stale"
    title = one.name if page else material.studies[one.id].title
    who = [
        f"{trust.approval.by} on {date_text(trust.approval.date)}"
        + ("" if trust.verified else f" (unverified: {trust.why})")
        for trust in one.trust
    ]
    approvals = record.approvals if record and not stale else ()
    waits = [
        reviewer.name
        for reviewer in material.edition.reviewers
        if one.state != "approved"
        and not any(reviewer.is_called(approval.by) for approval in approvals)
    ]
    since = changes(record, one.now) if record and stale else {}
    back: list[Remarked] = []
    if not one.look:
        folder = folder_of(material, None if one.matter else one.id)
        threads = read_comments(folder).threads
        back = [thread.said[0] for thread in threads if thread.asks and thread.of_all]
    return ReviewRow(
        review=one,
        title=title[0].upper() + title[1:],
        anchor="#text" if page else f"#sec-{one.id}",
        who=who,
        names=[approval.by for approval in approvals],
        waits=waits,
        since={k: v for k, v in since.items() if (k == LOOK_CHANGES) == one.look},
        back=back,
        did=[_did(one, read, name, waits, back) for name in names],
    )


def _did(
    one: Review, read: Read, name: str, waits: list[str], back: list[Remarked]
) -> Did:
    if any(remark.by == name for remark in back):
        return "back"
    called = {approval.by for approval in one.record.approvals} if one.record else set()
    reviewers = [r for r in read.checked.material.edition.reviewers if r.name == name]
    if name in called or any(r.is_called(by) for r in reviewers for by in called):
        return "stale" if one.state == "stale" else "approved"
    return "waits" if name in waits else ""


def _answered(thread: Thread, name: str) -> bool:
    """Whether somebody else spoke last in an open thread that a person took part in,
    or named them there as ``@Name``."""
    by, last = [remark.by for remark in thread.said], thread.said[-1]
    meant = name in by or mentions(last.words, name)
    return thread.asks and meant and last.by != name


def _read(live: Live) -> Read:
    """What is known of an edition that was rendered: else nothing is to approve."""
    live.open()
    if live.maker.read is None:
        problem = live.stage.problem.removeprefix("error: ")
        raise user_error(f"{live.id} cannot be shown: {problem}")
    return live.maker.read


def _drawings(live: Live) -> Path:
    return live.journal.folder / "drawings"
