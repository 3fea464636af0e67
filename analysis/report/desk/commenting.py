"""Comments at the desk: begun at a part or on a whole study, answered, resolved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import user_error
from analysis.report.checks.claims import Checked
from analysis.report.desk.edit import ConflictError
from analysis.report.desk.journal import Journal, JournalEntry
from analysis.report.desk.live import Live
from analysis.report.desk.parts import hash_of
from analysis.report.desk.people import Person
from analysis.report.desk.places import (
    FoundPlace,
    anchors_in,
    anchors_of,
    facts_of,
    found_place,
    owner_of,
)
from analysis.report.desk.readable import readable, spoken
from analysis.report.review.remarks import (
    COMMENTS,
    MOST,
    CommentAnchor,
    Comments,
    Remarked,
    Thread,
    comments_text,
    holding,
    new_id,
    read_comments,
)
from analysis.report.review.state import MATTER, folder_of
from analysis.report.text.passages import without_expressions


@dataclass(frozen=True)
class ThreadRow:
    """A thread in a list: of which study or edition, and its place if it has one."""

    about: str
    title: str
    home: str
    thread: Thread
    place: FoundPlace | None

    @property
    def stale(self) -> bool:
        """Whether its place is gone."""
        return not self.thread.of_all and self.place is None

    @property
    def anchor(self) -> str:
        """Where it leads to in the page."""
        return self.place.anchor if self.place else self.home

    @property
    def words(self) -> str:
        """What its part says, without expressions."""
        return without_expressions(self.thread.part)

    @property
    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        one, said = self.thread, [vars(said) for said in self.thread.said]
        return {"about": self.about, "id": one.id, "state": one.state,
                "text": one.text, "number": self.place and self.place.number,
                "value": one.value, "figure": one.figure,
                "quote": one.quote, "now": self.place.now if self.place else "",
                "said": said}  # fmt: skip


@dataclass(frozen=True)
class Comment:
    """What somebody says: of a place, of all of a study or edition, or in a thread.

    ``about`` is that study or edition, or the one whose thread it is. ``hash`` is of
    the part that was seen at ``number``. ``state`` is what the thread shall be then.
    """

    words: str
    about: str = ""
    thread: str = ""
    text: str = ""
    number: int = -1
    hash: str = ""
    quote: str = ""
    value: str = ""
    figure: str = ""
    state: str = "open"


def thread_rows(checked: Checked, edition: str) -> Iterator[ThreadRow]:
    """All threads of an edition, study by study, then those of its matter."""
    anchors = anchors_in(checked)
    for study in (*checked.material.edition.own_studies, None):
        folder = folder_of(checked.material, study)
        title = checked.material.studies[study].title if study else MATTER
        home = f"#sec-{study}" if study else "#text"
        for thread in read_comments(folder).threads:
            place = None if thread.of_all else found_place(thread, checked, anchors)
            yield ThreadRow(study or edition, title, home, thread, place)


def add_comment(live: Live, journal: Journal, comment: Comment, by: Person) -> None:
    """Write a comment and commit it; a LookupError where its place is not there.

    A :class:`analysis.report.desk.edit.ConflictError` where that is another one now.
    """
    with live.lock:
        checked = live.maker.checked_texts()
        comment = replace(
            comment, words=_told(comment.words), quote=spoken(comment.quote)
        )
        said = Remarked(by=by.name, at=now(), words=comment.words)
        if comment.thread:
            study = study_of(checked, live.id, comment.about)
            folder = folder_of(checked.material, study)
            thread = _answered(read_comments(folder), comment, said)
        else:
            thread = _begun(comment, said, checked)
            whole = study_of(checked, live.id, comment.about) if thread.of_all else None
            study = whole if thread.of_all else owner_of(checked, thread)
            folder = folder_of(checked.material, study)
        comments = read_comments(folder)
        if not any(_same(thread, one) for one in comments.threads):
            _save(live, journal, folder, comments.with_thread(thread), by)


def _told(words: str) -> str:
    """What somebody says, if that is something, and not too long."""
    told = spoken(words).strip()
    if not told:
        raise user_error("nothing is said here", mend="write what you mean")
    if len(told) > MOST:
        what = f"{len(told):,} characters are too many for a comment"
        raise user_error(what, mend=f"{MOST:,} is the most: make it shorter")
    return told


def _answered(comments: Comments, comment: Comment, said: Remarked) -> Thread:
    old = {one.id: one for one in comments.threads}[comment.thread]
    new = {"said": (*old.said, said), "state": comment.state}
    return Thread.model_validate({**dict(old), **new})


def _same(new: Thread, old: Thread) -> bool:
    """Whether it is said already: the answer to who says it again was lost."""
    if new.id == old.id:
        ends = _words(new.said[-1]) == _words(old.said[-1])
        return ends and new.state == old.state
    fields = set(Thread.model_fields) - {"id", "said"}
    told = tuple(map(_words, new.said)) == tuple(map(_words, old.said))
    return told and all(getattr(new, name) == getattr(old, name) for name in fields)


def _words(said: Remarked) -> tuple[str, str]:
    return said.by, said.words


def _begun(comment: Comment, said: Remarked, checked: Checked) -> Thread:
    """A new thread; a LookupError where nothing is at its place."""
    at = {name: getattr(comment, name) for name in ("quote", "value", "figure")}
    if comment.text:
        anchors = anchors_of(checked, comment.text)
        at |= {"text": comment.text, "part": _meant(comment, anchors).source}
    thread = Thread.model_validate({"id": new_id(), "said": (said,), **at})
    if thread.value and not facts_of(checked, thread.value):
        raise LookupError(thread.value)
    if not (thread.of_all or found_place(thread, checked, anchors_in(checked))):
        raise LookupError(thread.figure or thread.text)
    return thread


def _meant(comment: Comment, parts: list[CommentAnchor]) -> CommentAnchor:
    """The part that was seen, wherever it is now: what it said, or what is quoted."""
    there = {one.number: one for one in parts}.get(comment.number)
    if there and comment.hash in ("", hash_of(there.source)):
        return there
    same = [one for one in parts if hash_of(one.source) == comment.hash]
    same = same or (holding(comment.quote, parts) if comment.hash else [])
    if len(same) == 1:
        return same[0]
    if not (there and comment.hash):
        raise LookupError(comment.text)
    raise ConflictError(None)


def _save(
    live: Live, journal: Journal, folder: Path, comments: Comments, by: Person
) -> None:
    path = folder / COMMENTS
    before = path.read_text("utf-8") if path.exists() else ""
    file = path.relative_to(journal.report).as_posix()
    what = f"{folder.name}: comment\n\nEdition: {live.id}"
    after = readable(comments_text(comments), path, Comments)
    entry = JournalEntry(live.id, file, before, after, by.name, by.email, what)
    journal.save(entry, written=live.remarked)


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
