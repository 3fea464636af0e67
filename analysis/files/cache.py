"""What was made once, kept under a key of all that it was made from.

``data/build/cache/<room>/<key>/`` is a folder with the files that were made. It appears
whole or not at all, so a kill or a full disk leaves nothing that misleads; two builds
that make the same at once keep either. Nothing in it is ever changed. What was not
asked for in a long time is removed by the verb ``prune``; all of it may be removed at
any moment, and costs time alone.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from analysis.files.atomic import remove_folder

CACHE = Path("data/build/cache")
UNUSED_DAYS = 30  # after these an entry may go


class Cache:
    """The entries of one room, such as ``studies``, in a folder."""

    def __init__(self, room: str, folder: Path = CACHE) -> None:
        self.folder = folder / room

    def get(self, key: str) -> Path | None:
        """The folder of an entry, or None; whoever asks keeps it from being pruned."""
        entry = self.folder / key
        with suppress(OSError):
            os.utime(entry)
            return entry
        return None

    def put(self, key: str, write: Callable[[Path], None]) -> Path | None:
        """Keep what ``write`` puts into the folder it is given; that folder, or None
        where nothing can be kept."""
        entry = self.folder / key
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(prefix=".", suffix=".part", dir=self.folder))
        except OSError:
            return None
        try:
            draft.chmod(0o755)
            write(draft)
            os.rename(draft, entry)
        except OSError:  # no room, or another build was faster
            return entry if entry.is_dir() else None
        finally:
            remove_folder(draft)
        return entry


def unused(folder: Path = CACHE, days: float = UNUSED_DAYS) -> Iterator[Path]:
    """Entries that nobody asked for in so many days, and drafts that a kill left."""
    before = time.time() - days * 86_400
    for entry in sorted(folder.glob("*/*")):
        draft = entry.name.endswith(".part")
        with suppress(FileNotFoundError):
            if draft or entry.stat().st_mtime < before:
                yield entry
