"""Where releases go: a folder or mounted share, or a folder of a host over ssh.

All paths are relative to the destination, with ``/`` between their parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal, Protocol

Kind = Literal["nothing", "file", "folder", "link"]


class Destination(Protocol):
    """The few operations that publishing needs; each may raise a :class:`UserError`."""

    @property
    def name(self) -> str:
        """How the user wrote it."""

    def lock(self, wait: float) -> AbstractContextManager[None]:
        """Hold the destination; waits so many seconds for another publisher."""

    def kind(self, path: str) -> Kind:
        """What stands there; a link is not followed."""

    def names(self, path: str) -> list[str]:
        """Sorted names in a folder; none where there is no folder."""

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is none."""

    def target(self, path: str) -> str | None:
        """Where a symbolic link leads; None where there is none."""

    def write(self, path: str, content: bytes) -> None:
        """Put a file in place in one step."""

    def link(self, path: str, target: str) -> bool:
        """Put a symbolic link in place in one step; False where there are none."""

    def upload(self, files: Mapping[str, Path], path: str) -> None:
        """Copy files into the new folder ``path``, readable by a web server."""

    def hashes(self, path: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination."""

    def rename(self, path: str, to: str) -> None:
        """Rename a folder in one step."""

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself."""
