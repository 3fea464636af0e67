"""Large tables of a campaign, kept while all that their rows come from is the same.

A table lies in a folder of its own, with a hash of its bytes: the file that is kept is
that of the campaign's tables, so who edits the one edits the other. What was said of it
has a hash, too, in the line above it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from analysis.errors import UserError
from analysis.files.atomic import link_file, remove_folder, whole_folder
from analysis.files.digests import digest_of
from analysis.files.file_cache import hash_file

_TOLD = "told.txt"


class KeptTables:
    """The large tables of one campaign, kept in a folder.

    ``by`` is a hash of what makes other rows of the same files.
    """

    def __init__(self, folder: Path, by: str) -> None:
        self.folder = folder
        self.by = by
        self._same: set[str] = set()
        self._made: dict[str, tuple[str, Any]] = {}

    def take(self, name: str, of: Mapping[str, str], room: Path) -> Any:
        """Put a table as a file into ``room``, and return what was said of it; none
        where it is not kept, or was made ``of`` something else."""
        place = self._place(name, of)
        try:
            digest, _, text = (place / _TOLD).read_text("utf-8").partition("\n")
            if digest != _digest(text):
                return None  # damaged
            told = json.loads(text)
            if hash_file(place / _file(name)) != told["sha256"]:
                return None  # edited: it is made anew
            said = told["said"]
        except (OSError, UserError, UnicodeError):
            return None
        link_file(place / _file(name), room / _file(name))
        self._same.add(place.name)
        return said

    def add(self, name: str, of: Mapping[str, str], said: Any) -> None:
        """Note that a table was made, and what is to be said of it, as JSON."""
        self._made[self._place(name, of).name] = name, said

    def keep(self, room: Path) -> None:
        """Keep the tables that were made, once it is known that no file changed while
        they were, and no others; without room on the disk it costs time alone."""
        with suppress(OSError):
            for key, (name, said) in self._made.items():
                with whole_folder(self.folder / key) as draft:
                    link_file(room / _file(name), draft / _file(name))
                    told = {"sha256": hash_file(draft / _file(name)), "said": said}
                    text = json.dumps(told)
                    (draft / _TOLD).write_text(f"{_digest(text)}\n{text}", "utf-8")
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            if path.name not in self._same | self._made.keys():
                remove_folder(path)

    def _place(self, name: str, of: Mapping[str, str]) -> Path:
        return self.folder / f"{name}-{digest_of({**of, '': self.by})}"


def _file(name: str) -> str:
    return f"{name}.parquet"


def _digest(text: str) -> str:
    return digest_of({_TOLD: text})
