"""Files of large tables of a campaign, kept while all that their rows come from is the
same.

Each lies in a folder of its own, with a hash of its bytes: the file that is kept is
that of the campaign's tables, so who edits the one edits the other. What was said of it
has a hash, too, in the line above it. So has what is known of raw files' rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from analysis.errors import UserError
from analysis.files.atomic import link_file, remove_folder, whole_file, whole_folder
from analysis.files.digests import digest_of
from analysis.files.file_cache import hash_file

_TOLD, _ROWS = "told.txt", "rows.parquet"
_KNOWN = "known.txt"


class KeptTables:
    """The large tables of one campaign, kept in a folder.

    ``by`` is a hash of what makes other rows of the same files.
    """

    def __init__(self, folder: Path, by: str) -> None:
        self.folder = folder
        self.by = by
        self._same: set[str] = set()
        self._made: dict[str, tuple[Path, Any]] = {}
        told = _read(folder / _KNOWN) or {}
        self._before: dict[str, Any] = told["known"] if told.get("by") == by else {}
        self._known: dict[str, Any] = {}

    def known(self, key: str, look: Callable[[], Any]) -> Any:
        """What is known of the rows of a raw file, as JSON, or a look at them."""
        if key not in self._known:
            before = self._before
            self._known[key] = before[key] if key in before else look()
        return self._known[key]

    def take(self, name: str, of: Mapping[str, str], path: Path) -> Any:
        """Let a table's file be at a path, and return what was said of it; none where
        it is not kept, or was made ``of`` something else."""
        place = self._place(name, of)
        told = _read(place / _TOLD)
        try:
            if told is None or hash_file(place / _ROWS) != told["sha256"]:
                return None  # edited: it is made anew
        except UserError:
            return None
        link_file(place / _ROWS, path)
        self._same.add(place.name)
        return told["said"]

    def add(self, name: str, of: Mapping[str, str], path: Path, said: Any) -> None:
        """Note that a table's file was made, and what is to be said of it, as JSON."""
        self._made[self._place(name, of).name] = path, said

    def keep(self) -> None:
        """Keep what was made, once it is known that no file changed meanwhile, and
        nothing else; without room on the disk it costs time alone."""
        with suppress(OSError):
            for key, (path, said) in self._made.items():
                with whole_folder(self.folder / key) as draft:
                    link_file(path, draft / _ROWS)
                    told = {"sha256": hash_file(draft / _ROWS), "said": said}
                    (draft / _TOLD).write_text(_text(told), "utf-8")
            if self._known != self._before:
                with whole_file(self.folder / _KNOWN) as file:
                    file.write_text(
                        _text({"by": self.by, "known": self._known}), "utf-8"
                    )
        names = {_KNOWN, *self._same, *self._made}
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            if path.name not in names:
                remove_folder(path)

    def _place(self, name: str, of: Mapping[str, str]) -> Path:
        return self.folder / f"{name}-{digest_of({**of, '': self.by})}"


def _text(told: Any) -> str:
    """JSON below its hash."""
    text = json.dumps(told, sort_keys=True)
    return f"{digest_of({_TOLD: text})}\n{text}"


def _read(path: Path) -> Any:
    """What was written as :func:`_text`; none where it is absent or damaged."""
    with suppress(OSError, UnicodeError):
        digest, _, text = path.read_text("utf-8").partition("\n")
        if digest == digest_of({_TOLD: text}):
            return json.loads(text)
    return None
