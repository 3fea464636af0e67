"""What was to be saved: written before the file, gone after the commit.

Whatever a crash left is done at the next start, what Git refused with the next save;
where the file became another one meanwhile, the entry stays and is told.
"""

from __future__ import annotations

import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from analysis.errors import UserError, user_error
from analysis.files.atomic import alone_in, write_text
from analysis.report.desk.people import Person
from analysis.report.desk.repository import Repository

JOURNAL = Path("data/build/desk")
_DIGITS = 20  # of the number by which entries are in order
_NUMBER = "[0-9]" * _DIGITS
_TIDY = 100  # saves, after which Git is asked whether it has something to pack


@dataclass(frozen=True)
class JournalEntry:
    """One save: the file, what it held and shall hold, by whom, with which words."""

    edition: str
    file: str
    before: str
    after: str
    name: str
    email: str
    what: str


class MeanwhileError(UserError):
    """Somebody wrote a file after it was read for a save, which changed nothing."""


_ENTRY = TypeAdapter(JournalEntry)
_Written = tuple[Path, JournalEntry]


@dataclass(frozen=True)
class Journal:
    """The entries in a folder; ``report`` is what the names of files begin at.

    ``done`` is set after each save. ``left`` are by edition the entries, the oldest
    first, that are in their files and that Git would not have yet; ``saved`` counts.
    Whoever saves is alone in an edition.
    """

    folder: Path
    report: Path
    repository: Repository | None
    done: threading.Event = field(default_factory=threading.Event)
    left: dict[str, list[_Written]] = field(default_factory=dict)
    saved: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def note(self, entry: JournalEntry) -> Path:
        """Write an entry before its file is; who does not save it removes it."""
        # Behind all that wait, also where somebody set the clock back.
        waiting = [int(p.name[:_DIGITS]) for p in self.folder.glob(f"{_NUMBER}-*.json")]
        number = max([time.time_ns(), *(one + 1 for one in waiting)])
        place = self.folder / f"{number:0{_DIGITS}}-{secrets.token_hex(4)}.json"
        write_text(place, json.dumps(asdict(entry), ensure_ascii=False))
        return place

    def save(
        self,
        entry: JournalEntry,
        noted: Path | None = None,
        written: Callable[[], object] = lambda: None,
    ) -> str:
        """Write the file and commit it; returns the commit, empty without Git.

        ``written`` is called as soon as the file has it, before Git is asked. A
        :class:`MeanwhileError` where it does not hold what the entry says that it held.
        A :class:`UserError` of Git leaves the file saved and the entry to be done, by
        the next save of the edition or at the next start.
        """
        place = noted or self.note(entry)
        try:
            self.write(entry)
        except (OSError, MeanwhileError):
            place.unlink()
            raise
        written()
        try:
            return self._commit(entry.edition, [(place, entry)])
        except UserError as error:
            [issue, *_] = error.issues
            what = f"the words are saved, but not committed yet: {issue.what}"
            mend = f"{issue.mend}; the next save commits these as well"
            raise user_error(what, mend=mend) from None

    def write(self, entry: JournalEntry) -> None:
        """Write the file, if nobody else did since it was read; see :meth:`save`."""
        path = self.report / entry.file
        with alone_in(self.folder):  # another desk may be at work on the same files
            now = path.read_bytes() if path.is_file() else b""
            if _plain(now) not in map(_plain, _known(entry)):
                what = f"{path.name} was changed meanwhile, outside of this desk"
                mend = "look at it, then send this again"
                raise MeanwhileError(user_error(what, path, mend=mend).issues)
            write_text(path, entry.after)

    def waiting(self) -> Iterator[str]:
        """What is in its file and not committed, in words."""
        for edition, left in self.left.items():
            if left:
                files = ", ".join(sorted({entry.file for _, entry in left}))
                yield (
                    f"{edition}: Git has no commit yet of what was saved in {files}; "
                    "the next save tries again"
                )

    def recover(self) -> Iterator[str]:
        """Do what a crash left; tells what could not be done."""
        for draft in self.folder.glob(".*.part"):
            draft.unlink(missing_ok=True)
        files: dict[str, list[_Written]] = {}
        for place in sorted(self.folder.glob("*.json")):
            try:
                entry = _ENTRY.validate_json(place.read_bytes())
            except (OSError, ValidationError):
                yield f"{place} cannot be read: look at it, then remove it"
                continue
            files.setdefault(entry.file, []).append((place, entry))
        for written in files.values():
            yield from self._recovered(written)

    def _recovered(self, written: list[_Written]) -> Iterator[str]:
        """Entries of one file, the oldest first."""
        entries = [entry for _, entry in written]
        path = self.report / entries[0].file
        now = path.read_bytes() if path.is_file() else b""
        known = {text for one in entries for text in _known(one)}
        if now not in known:
            for place, entry in written:
                yield (
                    f"an edit of {entry.file} by {entry.name} was not saved, and the "
                    f"file is another one now: its text is in {place}; put it in its "
                    "place, then remove that file"
                )
            return
        try:
            write_text(path, entries[-1].after)
            self._commit(entries[-1].edition, written)
        except (UserError, OSError) as error:
            yield f"an edit of {path.name} is not committed yet: {error}"

    def _commit(self, edition: str, written: list[_Written]) -> str:
        """Commit what is left of an edition, then this; the last commit's hash."""
        left, made = self.left.setdefault(edition, []), ""
        left += written
        while left:
            place, entry = left[0]
            if self.repository:
                by, path = Person(entry.name, entry.email), self.report / entry.file
                made = self.repository.commit(
                    edition, path, entry.before, entry.after, by, entry.what
                )
            place.unlink(missing_ok=True)
            left.pop(0)
        self.done.set()
        if self.repository and next(self.saved) % _TIDY == 0:
            threading.Thread(target=self.repository.pack, daemon=True).start()
        return made


def _known(entry: JournalEntry) -> tuple[bytes, bytes]:
    """What a file may hold before and after a save."""
    return entry.before.encode(), entry.after.encode()


def _plain(data: bytes) -> bytes:
    """The same with plain line ends, of which a file may have several kinds."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
