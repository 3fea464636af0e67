"""Words that no build would take: kept for who wrote them, and no part of a text.

They lie beside the journal, a file an edition, so that they outlive the browser. Nobody
else is shown them; saving, suggesting or discarding them ends them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from analysis.errors import UserError
from analysis.files.atomic import alone_in, write_text
from analysis.report.desk.desk import Live
from analysis.report.desk.editing import Edit, save
from analysis.report.desk.parts import parts_in
from analysis.report.desk.people import Person
from analysis.report.desk.remarks import suggest
from analysis.report.desk.store import MeanwhileError

_FOLDER = "drafts"
_MOST = 20  # of one person in an edition


class KeptError(UserError):
    """Why something is not saved, which is kept as a draft of who wrote it."""


@dataclass(frozen=True)
class KeptDraft:
    """An edit that was refused: whose, when (ISO 8601), and why."""

    edit: Edit
    email: str
    at: str
    why: tuple[str, ...]

    @property
    def as_json(self) -> dict[str, Any]:
        """As JSON, for who wrote it."""
        return asdict(self.edit) | {"at": self.at, "why": self.why}


_DRAFTS = TypeAdapter(tuple[KeptDraft, ...])


def save_or_keep(live: Live, edit: Edit, by: Person) -> str:
    """Save words, or keep them as a draft and say why with a :class:`KeptError`."""
    try:
        commit = save(live, edit, by)
    except MeanwhileError:  # nothing is wrong with the words
        raise
    except UserError as error:
        if _is_there(live, edit):  # it is Git alone that would not have it
            raise
        why = tuple(issue.what for issue in error.issues)
        when = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        try:
            _change(live, edit, by, [KeptDraft(edit, by.email, when, why)])
        except OSError:  # the browser has them still
            raise error from None
        raise KeptError(error.issues) from None
    discard(live, edit, by)
    return commit


def suggest_draft(live: Live, edit: Edit, by: Person) -> str:
    """Suggest words, which are no draft any more; returns the commit."""
    commit = suggest(live, edit, by)
    discard(live, edit, by)
    return commit


def discard(live: Live, edit: Edit, by: Person) -> None:
    """Take the draft of a part away, where there is one."""
    if draft_of(live, edit.text, edit.number, edit.hash, by):
        with suppress(OSError):
            _change(live, edit, by, [])


def drafts_of(live: Live, by: Person) -> Iterator[KeptDraft]:
    """The drafts of a person, the last first."""
    own = [one for one in _read(_path(live)) if one.email == by.email]
    yield from reversed(own)


def draft_of(
    live: Live, text: str, number: int, hash: str, by: Person
) -> KeptDraft | None:
    """The draft of a person for a part, wherever that is now."""
    found = drafts_of(live, by)
    same = (one for one in found if _same(one.edit, text, number, hash))
    return next(same, None)


def _same(edit: Edit, text: str, number: int, hash: str) -> bool:
    return edit.text == text and (edit.hash == hash or edit.number == number)


def _change(live: Live, edit: Edit, by: Person, new: Iterable[KeptDraft]) -> None:
    path = _path(live)
    path.parent.mkdir(parents=True, exist_ok=True)
    with alone_in(path.parent):
        place = edit.text, edit.number, edit.hash
        every = [
            one
            for one in _read(path)
            if one.email != by.email or not _same(one.edit, *place)
        ]
        own = [one for one in every if one.email == by.email]
        every = [one for one in every if one not in own[: 1 - _MOST]]
        write_text(path, _DRAFTS.dump_json((*every, *new)).decode())


def _path(live: Live) -> Path:
    return live.journal.folder / _FOLDER / f"{live.id}.json"


def _read(path: Path) -> tuple[KeptDraft, ...]:
    """All drafts; none of a file that nobody can read."""
    try:
        return _DRAFTS.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return ()


def _is_there(live: Live, edit: Edit) -> bool:
    try:
        words = " ".join(edit.markdown.split())
        parts = parts_in(live.checked, edit.text)
    except (UserError, LookupError, OSError):
        return False
    return any(" ".join(one.source.split()) == words for one in parts)
