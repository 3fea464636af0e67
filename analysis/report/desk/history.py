"""What was done at the desk, in words of the page, and undoing one of it.

Undoing adds a commit: it takes the change of one commit out of what stands there now,
as a merge does, so what others did since stays. Who edits may undo a save; an approval
is withdrawn by who gave it, and what was said, suggested or decided by who did that or
by who may decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic.dataclasses import dataclass as checked_dataclass

from analysis.errors import UserError, user_error
from analysis.report.desk.changes import Piece
from analysis.report.desk.desk import Live
from analysis.report.desk.editing import Edit, save, save_text, saving
from analysis.report.desk.merge import merge
from analysis.report.desk.parts import parts_in
from analysis.report.desk.people import Person, may
from analysis.report.desk.reading import PlainWords, study_in
from analysis.report.desk.store import FileChange, SavedCommit
from analysis.report.review.record import (
    LOOK_RECORD,
    RECORD,
    read_record,
    record_text,
)
from analysis.report.review.remarks import (
    COMMENTS,
    Comments,
    Thread,
    comments_of,
    comments_text,
)

_COMMITS = 200
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_RECORDS = RECORD, LOOK_RECORD
_SHOWN = 20  # paragraphs of a commit's file
_LONG = 100_000  # characters of a file whose change is shown


@dataclass(frozen=True)
class HistoryRow:
    """A commit, what it changed as a reader reads it, and what may be done with it.

    ``changes`` are paragraphs as words that stay, go and come; ``said`` are remarks.
    """

    commit: SavedCommit
    changes: list[list[Piece]]
    said: list[str]
    undo: str


@checked_dataclass(frozen=True)
class Undo:
    """Undo one commit; or with ``restore`` have its text as it was behind it.

    ``approval`` is the review whose last approval of one's own is meant instead.
    """

    commit: str = ""
    restore: bool = False
    approval: str = ""


def history(live: Live, by: Person) -> dict[str, Any]:
    """What was saved, as Git has it, the last first."""
    if (git := live.journal.repository) is None:
        return {"there": False}
    rows, reading = [], PlainWords(live)
    for commit, files in git.changes(live.id, _COMMITS):
        changes: list[list[Piece]] = []
        said: list[str] = []
        for one in files:
            if one.name.endswith(COMMENTS):
                said += _said(one)
            elif PurePosixPath(one.name).name not in _RECORDS:
                study = study_in(one.name)
                sides = one.before[:_LONG], one.after[:_LONG]
                changes += islice(reading.changed(*sides, study), _SHOWN)
        undo = next(filter(None, (_undoes(one, commit, by) for one in files)), "")
        rows.append(HistoryRow(commit, changes, said, undo))
    branch = git.branch.format(edition=live.id)
    return {"there": True, "branch": branch, "rows": rows}


def fit(words: str) -> str:
    """Words without the characters that no XML may hold."""
    return _ODD.sub(" ", words)


def undo(live: Live, asked: Undo, by: Person) -> str:
    """Undo a commit; a LookupError where the edition has no such one.

    A :class:`analysis.errors.UserError` says what stands in its way.
    """
    git, record = live.journal.repository, _record_of(live, asked.approval)
    commits = git.changes(live.id, _COMMITS) if git else ()
    with live.lock:
        for commit, files in commits:
            given = commit.email == by.email and record in [one.name for one in files]
            if files and (given if record else commit.id == asked.commit):
                done = [_undo(live, one, commit, asked, by) for one in files]
                return next(filter(None, done), "")
    if record:
        what = "no commit of yours at the desk has this approval"
        raise user_error(what, mend=f"take it out of {record} by hand")
    raise LookupError(asked.commit)


def _record_of(live: Live, review: str) -> str:
    """The file of a review's approvals; a LookupError where there is no such review."""
    read = live.maker.read
    files = {one.id: one.file for one in read.states.asked} if read else {}
    return files[review] if review else ""


def _undoes(change: FileChange, commit: SavedCommit, by: Person) -> str:
    """What a button says that undoes a change; empty for who may not."""
    name, mine = PurePosixPath(change.name).name, commit.email == by.email
    if name in _RECORDS:
        words = "Withdraw this approval" if change.after else "Undo this"
        return words if mine and may(by, "approve") else ""
    if name == COMMENTS:
        return "Undo this" if may(by, "decide" if not mine else "comment") else ""
    return "Undo this" if may(by, "edit") else ""


def _undo(
    live: Live, change: FileChange, commit: SavedCommit, asked: Undo, by: Person
) -> str:
    file = change.name
    path = live.maker.sources.report / live.id / file
    if not _undoes(change, commit, by):
        what = f"this is for {commit.name} to undo, or for who decides"
        raise user_error(what, mend="ask them, or say why in a comment")
    now = path.read_text("utf-8") if path.is_file() else ""
    what = f"{file}: {'restore' if asked.restore else 'undo'} ‘{commit.message}’"
    if PurePosixPath(file).name == COMMENTS:
        return _undo_remarks(live, change, now, by, what)
    record = PurePosixPath(file).name in _RECORDS
    if asked.restore and record:  # it might be another's as well, who took it back
        raise user_error("an approval is given anew", path, mend="approve it again")
    if record and (kept := _withdrawn(path, change, by)) is not None:
        after = kept
    elif asked.restore or _plain(now) == _plain(change.after):
        after = change.after if asked.restore else change.before
    else:
        found = merge(change.after, now, change.before)
        if found.clashes or not file.endswith((".md", ".qmd")):
            what = "what it changed was changed again since"
            raise user_error(what, path, mend="undo the later change first, or edit it")
        after = f"{found.words}\n"
    if _plain(now) == _plain(after):
        return ""
    if record:
        try:
            return live.journal.save(saving(live, file, now, after, by, what))
        finally:
            live.update_texts()
    return save_text(live, file, now, after, by, what)


def _withdrawn(path: Path, change: FileChange, by: Person) -> str | None:
    """A record without the approval of a person, where it is that of a commit.

    What others approved stays; without any it is what it was before. None where the
    record has no such approval.
    """
    there = read_record(path.parent, path.name)
    if there is None or there.stamp not in change.after:
        return None
    others = tuple(one for one in there.approvals if one.by != by.name)
    if len(others) == len(there.approvals):
        return None
    if others and (seen := there.details()):
        return record_text(others, there.stamp, seen)
    return "" if there.stamp in change.before else change.before


def _undo_remarks(
    live: Live, change: FileChange, now: str, by: Person, what: str
) -> str:
    """Threads as they were before; what was accepted goes out of the text again."""
    path = live.maker.sources.report / live.id / change.name
    then, made = _threads(change.before), _threads(change.after)
    there, commit = _threads(now), ""
    for id, thread in made.items():
        if thread == then.get(id):
            continue
        if there.get(id) != thread:
            what = "somebody spoke in this thread since"
            raise user_error(what, path, mend="answer there")
        if thread.state == "accepted" and id in then:
            commit = _take_back(live, thread, by)
        if id in then:
            there[id] = then[id]
        else:
            del there[id]
    after = comments_text(Comments(threads=tuple(there.values())))
    entry = saving(live, change.name, now, after, by, what)
    return live.journal.save(entry, live.remarked) or commit


def _take_back(live: Live, thread: Thread, by: Person) -> str:
    """Save the words that stood there before a suggestion was accepted."""
    parts = parts_in(live.checked, thread.text)
    words = (thread.instead or "").strip()
    same = [one for one in parts if words and one.source.strip() == words]
    if len(same) != 1:
        what = "the words that were accepted were edited since"
        raise user_error(what, mend="edit them by hand")
    edit = Edit(thread.text, same[0].number, same[0].hash, thread.part)
    return save(live, edit, by)


def _threads(text: str) -> dict[str, Thread]:
    found = comments_of(text, Path(COMMENTS)) if text else Comments()
    return {one.id: one for one in found.threads}


def _said(change: FileChange) -> Iterator[str]:
    """What was said last in the threads that changed."""
    try:
        then, made = _threads(change.before), _threads(change.after)
    except UserError:
        return
    for id, thread in made.items():
        last = thread.said[-1]
        if thread != then.get(id) and last.words not in ("suggested", thread.state):
            yield f"{last.by}: {last.words}"


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n")
