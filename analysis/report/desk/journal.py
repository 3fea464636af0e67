"""What was to be saved: written before the file, gone after the commit.

Whatever a crash left is done at the next start; where the file became another one
meanwhile, the entry stays and is told.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from analysis.errors import UserError
from analysis.files.atomic import write_text
from analysis.report.desk.people import Person
from analysis.report.desk.repository import Repository

JOURNAL = Path("data/build/desk")


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


_ENTRY = TypeAdapter(JournalEntry)


@dataclass(frozen=True)
class Journal:
    """The entries in a folder; ``report`` is what the names of files begin at.

    ``done`` is set after each save.
    """

    folder: Path
    report: Path
    repository: Repository | None
    done: threading.Event = field(default_factory=threading.Event)

    def save(self, entry: JournalEntry) -> str:
        """Write the file and commit it; returns the commit, empty without Git.

        A :class:`UserError` of Git leaves the file saved and the entry to be done.
        """
        place = self.folder / f"{secrets.token_hex(8)}.json"
        write_text(place, json.dumps(asdict(entry), ensure_ascii=False))
        try:
            write_text(self.report / entry.file, entry.after)
        except OSError:
            place.unlink()
            raise
        return self._done(place, entry)

    def recover(self) -> Iterator[str]:
        """Do what a crash left; tells what could not be done."""
        for place in sorted(self.folder.glob("*.json")):
            try:
                entry = _ENTRY.validate_json(place.read_bytes())
            except (OSError, ValidationError):
                yield f"{place} cannot be read: look at it, then remove it"
                continue
            yield from self._recovered(place, entry)

    def _recovered(self, place: Path, entry: JournalEntry) -> Iterator[str]:
        path = self.report / entry.file
        now = path.read_text("utf-8") if path.is_file() else ""
        if now not in (entry.before, entry.after):
            yield (
                f"an edit of {entry.file} by {entry.name} was not saved, and the file "
                f"is another one now: its text is in {place}; put it in its place, "
                "then remove that file"
            )
            return
        try:
            write_text(path, entry.after)
            self._done(place, entry)
        except (UserError, OSError) as error:
            yield f"an edit of {entry.file} is not committed yet: {error}"

    def _done(self, place: Path, entry: JournalEntry) -> str:
        made = ""
        if self.repository:
            by, path = Person(entry.name, entry.email), self.report / entry.file
            made = self.repository.commit(
                entry.edition, path, entry.before, entry.after, by, entry.what
            )
        place.unlink()
        self.done.set()
        return made
