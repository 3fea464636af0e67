"""Where releases go: a folder or mounted share; :mod:`.remote` has a host over ssh.

All paths are relative to the destination, with ``/`` between their parts.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from analysis.errors import UserError, user_error
from analysis.files import limits
from analysis.files.hashes import hash_file

LOCK, STAGE = ".publish.lock", ".publish"  # while nobody publishes the stage is empty
NO_FILE, UNREADABLE = "no file", "cannot be read"  # in the place of a sha256
# The places of a site, as Python and the find of a host over ssh both read it.
SITE = (
    r"index\.html|feed\.xml|releases(/[^/]+){0,2}"
    r"|releases/[^/]+/[^/]+/release\.json|releases/[^/]+/current/index\.html"
)
_FILE_MODE, _FOLDER_MODE = 0o644, 0o755
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL, errno.EACCES}
_NAME_A_FOLDER = "name a folder, and move the file that is in its place"
_MENDS = {
    errno.EROFS: "mount it for writing",
    errno.EACCES: "let this user write there",
    errno.EPERM: "let this user write there",
    errno.ENOENT: "see that it is mounted, then publish again",
    errno.ENOTDIR: _NAME_A_FOLDER,
    errno.EEXIST: _NAME_A_FOLDER,
    errno.ELOOP: "mend the symbolic links, which lead in a circle",
    errno.ENAMETOOLONG: "choose a destination with a shorter path",
    errno.ENOLCK: "let the share lock files, or publish over ssh: host:folder",
}


class SiteEntry(NamedTuple):
    """What stands at a place: ``folder``, ``file``, ``link`` with its target, or else
    ``other``.
    """

    kind: str
    target: str = ""


class Destination(Protocol):
    """The few operations that publishing needs; each may raise a :class:`UserError`."""

    @property
    def name(self) -> str:
        """How the user wrote it."""

    def lock(self, wait: float) -> AbstractContextManager[None]:
        """Hold the destination; waits so many seconds for another publisher."""

    def entries(self) -> dict[str, SiteEntry]:
        """What stands at the places of a site, by path; links are not followed."""

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those that are files, and no longer than a document may be."""

    def upload(self, files: Mapping[str, Path], folder: str) -> None:
        """Copy files below a folder, readable by a web server."""

    def hashes(self, folder: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination;
        what is no file, or cannot be read, has words in its place.
        """

    def link(self, path: str, target: str) -> bool:
        """Make a symbolic link where nothing is; False where there are none."""

    def move(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Rename files and folders, one after the other, each in one step.

        A file or link takes the place of another.
        """

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself, if it is there."""


@dataclass(frozen=True)
class LocalDestination:
    """A folder; ``links`` False is a share that is known to have none."""

    root: Path
    links: bool = True

    @property
    def name(self) -> str:
        """The folder."""
        return str(self.root)

    @contextmanager
    def lock(self, wait: float) -> Iterator[None]:
        """Hold a lock file, which the system frees even after a kill."""
        with as_user_errors(self.root):
            if not self.root.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, "no such folder")
            self._make_folders(self.root)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            descriptor = os.open(self.root / LOCK, flags, _FILE_MODE)
        try:
            with as_user_errors(self.root):
                os.fchmod(descriptor, _FILE_MODE)
                self._wait(descriptor, wait)
            yield
        finally:
            os.close(descriptor)

    def _wait(self, descriptor: int, wait: float) -> None:
        ends = time.monotonic() + wait
        while True:
            try:
                return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= ends:
                    raise busy_error(wait, self.root) from None
                time.sleep(0.05)

    def entries(self) -> dict[str, SiteEntry]:
        """What stands at the places of a site, by path; links are not followed."""
        found: dict[str, SiteEntry] = {}
        folders = [self.root]
        for folder in folders:  # which grows
            with as_user_errors(folder), suppress(FileNotFoundError):
                for place in map(folder.joinpath, sorted(os.listdir(folder))):
                    path = place.relative_to(self.root).as_posix()
                    if re.fullmatch(SITE, path):
                        found[path] = _entry(place)
                        folders += [place] if found[path].kind == "folder" else []
        return found

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those that are files, and no longer than a document may be."""
        found = {}
        for path in paths:
            place = self.root / path
            with as_user_errors(place), suppress(FileNotFoundError):
                short = place.lstat().st_size <= limits.DOCUMENT_BYTES
                if short and _entry(place).kind == "file":
                    found[path] = place.read_bytes()
        return found

    def upload(self, files: Mapping[str, Path], folder: str) -> None:
        """Copy files below a folder, readable by a web server."""
        for name, source in files.items():
            place = self.root / folder / name
            with as_user_errors(place):
                self._make_folders(place.parent)
                shutil.copyfile(source, place)
                place.chmod(_FILE_MODE)

    def hashes(self, folder: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination."""
        place = self.root / folder
        return {
            path.relative_to(place).as_posix(): _digest(path)
            for path in sorted(_files(place))
        }

    def link(self, path: str, target: str) -> bool:
        """Make a symbolic link where nothing is; False where there are none."""
        with as_user_errors(self.root / path):
            self._make_folders((self.root / path).parent)
            try:
                if self.links:
                    os.symlink(target, self.root / path)
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                return False
        return self.links

    def move(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Rename one after the other; a file is on the disk before it is in place."""
        for source, target in pairs:
            place = self.root / target
            with as_user_errors(place):
                self._make_folders(place.parent)
                if _entry(self.root / source).kind == "file":
                    with open(self.root / source, "rb") as stream:
                        os.fsync(stream.fileno())
                os.replace(self.root / source, place)

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself, if it is there."""
        place = self.root / path
        with as_user_errors(place), suppress(FileNotFoundError):
            if _entry(place).kind == "folder":
                shutil.rmtree(place)
            else:
                place.unlink()

    def _make_folders(self, folder: Path) -> None:
        """Folders with the mode of a web root, whatever the umask is."""
        for part in (*reversed(folder.parents), folder):
            if part.is_relative_to(self.root) and not part.is_dir():
                part.mkdir()
                part.chmod(_FOLDER_MODE)


class FullError(UserError):
    """The destination has no room for what is to be written."""


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


@contextmanager
def as_user_errors(place: Path) -> Iterator[None]:
    """Turn what the system refuses into an error that says how to mend it."""
    try:
        yield
    except OSError as error:
        what = f"the destination refuses: {(error.strerror or str(error)).lower()}"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise full_error(what, place) from None
        mend = _MENDS.get(error.errno or 0, "see that the destination works")
        raise user_error(what, place, mend=mend) from None


def _entry(place: Path) -> SiteEntry:
    if place.is_symlink():
        return SiteEntry("link", os.readlink(place))
    if place.is_dir():
        return SiteEntry("folder")
    return SiteEntry("file" if place.is_file() else "other")


def _files(folder: Path) -> Iterator[Path]:
    """All below a folder that is no folder itself."""
    for root, folders, files in os.walk(folder):
        links = (name for name in folders if Path(root, name).is_symlink())
        yield from (Path(root, name) for name in (*files, *links))


def _digest(place: Path) -> str:
    """A file's sha256; a link has none, as what it leads to is not the release's."""
    try:
        return hash_file(place) if _entry(place).kind == "file" else NO_FILE
    except (UserError, OSError):
        return UNREADABLE
