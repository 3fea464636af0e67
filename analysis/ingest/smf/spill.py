"""Frames kept within a limit of memory: beyond it they go to a temporary file.

What went to a file comes back as frames over the mapped file, so that it takes memory
only while it is used.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from analysis.files.mapped import give_back, mapped_frame

LIMIT = 64 << 20


class Spill:
    """Frames by table, in the order in which they were added; files lie in a folder
    that goes with this object."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.size = 0
        self.files = 0
        self.kept: dict[str, list[pl.DataFrame]] = defaultdict(list)
        self.parts: dict[str, list[Path]] = defaultdict(list)
        self.folder: tempfile.TemporaryDirectory[str] | None = None

    def add(self, table: str, rows: pl.DataFrame) -> None:
        """Keep the rows of a table."""
        if rows.height:
            self.kept[table].append(rows)
            self.size += int(rows.estimated_size())
        if self.size > self.limit:
            self._write()

    def names(self) -> list[str]:
        """The tables that have rows."""
        return sorted({*self.kept, *self.parts})

    def pieces(self, table: str) -> Iterator[pl.DataFrame]:
        """The rows of a table, a piece at a time."""
        for path in self.parts.get(table, []):
            yield mapped_frame(path)
            give_back()
        yield from self.kept.get(table, [])

    def whole(self, table: str) -> pl.DataFrame:
        """All rows of a table as one frame."""
        return pl.concat(list(self.pieces(table)), rechunk=False)

    def _write(self) -> None:
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(
                prefix="smf-", ignore_cleanup_errors=True
            )
        for table, frames in self.kept.items():
            path = Path(self.folder.name, f"{self.files}.arrow")
            pl.concat(frames).write_ipc(path, compression="uncompressed")
            self.parts[table].append(path)
            self.files += 1
        self.kept.clear()
        self.size = 0
