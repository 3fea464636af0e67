"""Where releases go: a folder or mounted share, or a folder of a host over ssh.

All paths are relative to the destination, with ``/`` between their parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import Literal, Protocol

from analysis.errors import UserError, user_error

Kind = Literal["nothing", "file", "folder", "link"]
LOCK = ".publish.lock"
NO_FILE, UNREADABLE = "no file", "cannot be read"  # in the place of a sha256


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

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those that are files, links apart, each at most as long as a
        document may be and a byte more.
        """

    def target(self, path: str) -> str | None:
        """Where a symbolic link leads; None where there is none."""

    def stage(self, path: str, content: bytes) -> None:
        """Write a file beside its place, under the name of its :func:`draft`."""

    def stage_link(self, path: str, target: str) -> bool:
        """Make a symbolic link beside its place; False where there are none."""

    def switch(self, paths: Sequence[str]) -> None:
        """Put what was staged in place, one after the other, each in one step."""

    def upload(self, files: Mapping[str, Path], path: str) -> None:
        """Copy files into the new folder ``path``, readable by a web server."""

    def hashes(self, path: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination;
        what is no file, or cannot be read, has words in its place.
        """

    def rename(self, path: str, to: str) -> None:
        """Rename a folder in one step."""

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself."""


class FullError(UserError):
    """The destination has no room for what is to be written."""


def draft(path: str) -> str:
    """The hidden name under which a path is written before it is put in place."""
    place = PurePosixPath(path)
    return str(place.with_name(f".{place.name}.part"))


def full_error(what: str, where: str | Path) -> FullError:
    """There is no room: ``what`` the system says of it, and ``where``."""
    mend = "make room there, or publish with a smaller --keep"
    return FullError(user_error(what, where, mend=mend).issues)


def busy_error(wait: float, where: str | Path) -> UserError:
    """Another publisher holds the lock."""
    return user_error(
        f"someone else publishes here now; waited {wait:g} s",
        where,
        mend="publish again when they are done, or wait longer: --wait",
    )
