"""Comments at the desk: begun at a part or on a whole study, answered, resolved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.report.claims.checked import Checked
from analysis.report.desk.journal import Journal, JournalEntry
from analysis.report.desk.live import Live
from analysis.report.desk.parts import parts_of
from analysis.report.desk.people import Person
from analysis.report.review.comments import (
    COMMENTS,
    CommentAnchor,
    Comments,
    Remarked,
    Thread,
    comments_text,
    new_id,
    place_of,
    read_comments,
)
from analysis.report.review.state import MATTER, folder_of
from analysis.report.text.texts import Text, own_texts


@dataclass(frozen=True)
class ThreadRow:
    """A thread in a list: of which study or edition, and at which part, if it is there.

    ``stale`` says that its place is gone.
    """

    about: str
    title: str
    anchor: str
    thread: Thread
    number: int | None
    stale: bool

    @property
    def told(self) -> dict[str, Any]:
        """As JSON."""
        said = [vars(one) for one in self.thread.said]
        return {"about": self.about, "id": self.thread.id, "state": self.thread.state,
                "quote": self.thread.quote, "said": said}  # fmt: skip


@dataclass(frozen=True)
class Comment:
    """What somebody says: on a part, on all of a study or edition, or in a thread.

    ``state`` is what the thread shall be then.
    """

    about: str
    words: str
    thread: str = ""
    text: str = ""
    number: int = -1
    quote: str = ""
    state: str = "open"


def thread_rows(checked: Checked, edition: str) -> Iterator[ThreadRow]:
    """All threads of an edition, study by study, then those of its matter."""
    texts = own_texts(checked.texts, checked.material.edition)
    for study in (*checked.material.edition.own_studies, None):
        folder = folder_of(checked.material, study)
        title = checked.material.studies[study].title if study else MATTER
        anchor = f"#sec-{study}" if study else "#text"
        for thread in read_comments(folder).threads:
            at = place_of(thread, _anchors(texts, thread.text))
            number = at.number if at else None
            lost = bool(thread.text) and at is None
            yield ThreadRow(study or edition, title, anchor, thread, number, lost)


def add_comment(live: Live, journal: Journal, comment: Comment, by: Person) -> None:
    """Write a comment and commit it; a LookupError where its place is not there."""
    with live.lock:
        checked = live.maker.begun()
        study = study_of(checked, live.id, comment.about)
        folder = folder_of(checked.material, study)
        comments = read_comments(folder)
        said = Remarked(by=by.name, at=now(), words=comment.words)
        thread = _thread(comments, comment, said, checked)
        _save(live.id, journal, folder, comments.with_thread(thread), by)


def _thread(
    comments: Comments, comment: Comment, said: Remarked, checked: Checked
) -> Thread:
    if comment.thread:
        known = {one.id: one for one in comments.threads}
        old = known[comment.thread]
        new = {"said": (*old.said, said), "state": comment.state}
        return Thread.model_validate({**dict(old), **new})
    if not comment.text:
        return Thread(id=new_id(), said=(said,))
    texts = own_texts(checked.texts, checked.material.edition)
    part = parts_of(texts[comment.text])[comment.number]
    return Thread(
        id=new_id(),
        text=part.text,
        part=part.source,
        quote=comment.quote,
        said=(said,),
    )


def _save(
    edition: str, journal: Journal, folder: Path, comments: Comments, by: Person
) -> None:
    path = folder / COMMENTS
    before = path.read_text("utf-8") if path.exists() else ""
    file = path.relative_to(journal.report).as_posix()
    what = f"{folder.name}: comment\n\nEdition: {edition}"
    after = comments_text(comments)
    journal.save(JournalEntry(edition, file, before, after, by.name, by.email, what))


def _anchors(texts: dict[str, Text], name: str) -> list[CommentAnchor]:
    if name not in texts:
        return []
    return [CommentAnchor(part.number, part.source) for part in parts_of(texts[name])]


def study_of(checked: Checked, edition: str, about: str) -> str | None:
    """The study that a name is of, None for the edition's own; else a LookupError."""
    if about == edition:
        return None
    if about in checked.material.edition.own_studies:
        return about
    raise LookupError(about)


def now() -> str:
    """The time, as ISO 8601 has it."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
