"""A destination that is a folder of this machine or a mounted share."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import UserError, user_error
from analysis.files import limits
from analysis.files.hashes import hash_file
from analysis.publish.destination import (
    LOCK,
    NO_FILE,
    UNREADABLE,
    Kind,
    busy_error,
    draft,
    full_error,
)

FILE_MODE, FOLDER_MODE = 0o644, 0o755
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL, errno.EACCES}
_FULL = {errno.ENOSPC, errno.EDQUOT}
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
            _make_folders(self.root, self.root)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            descriptor = os.open(self.root / LOCK, flags, FILE_MODE)
        try:
            with as_user_errors(self.root):
                os.fchmod(descriptor, FILE_MODE)
                self._wait(descriptor, wait)
            yield
        finally:
            os.close(descriptor)

    def _wait(self, descriptor: int, wait: float) -> None:
        ends = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= ends:
                    raise busy_error(wait, self.root) from None
                time.sleep(0.05)
            else:
                os.ftruncate(descriptor, 0)  # what a holder over ssh wrote is void
                return

    def kind(self, path: str) -> Kind:
        """What stands there; a link is not followed."""
        place = self.root / path
        with as_user_errors(place):
            if place.is_symlink():
                return "link"
            if place.is_dir():
                return "folder"
            return "file" if place.exists() else "nothing"

    def names(self, path: str) -> list[str]:
        """Sorted names in a folder; none where there is no folder."""
        if self.kind(path) != "folder":
            return []
        with as_user_errors(self.root / path), suppress(FileNotFoundError):
            return sorted(os.listdir(self.root / path))
        return []

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those that are files, links apart."""
        found = {}
        for path in paths:
            place = self.root / path
            with as_user_errors(place), suppress(FileNotFoundError):
                if place.is_file() and not place.is_symlink():
                    with open(place, "rb") as stream:
                        found[path] = stream.read(limits.DOCUMENT_BYTES + 1)
        return found

    def target(self, path: str) -> str | None:
        """Where a symbolic link leads; None where there is none."""
        if self.kind(path) != "link":
            return None
        with as_user_errors(self.root / path):
            return os.readlink(self.root / path)

    def stage(self, path: str, content: bytes) -> None:
        """Write a file beside its place."""
        place = self.root / draft(path)
        with as_user_errors(place):
            _make_folders(place.parent, self.root)
            with open(place, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            place.chmod(FILE_MODE)

    def stage_link(self, path: str, target: str) -> bool:
        """Make a symbolic link beside its place; False where there are none."""
        if not self.links:
            return False
        place = self.root / draft(path)
        with as_user_errors(place):
            place.unlink(missing_ok=True)
            try:
                place.symlink_to(target)
            except OSError as error:
                if error.errno in _NO_LINKS:
                    return False
                raise
        return True

    def switch(self, paths: Sequence[str]) -> None:
        """Put what was staged in place, one after the other, each in one step."""
        for path in paths:
            with as_user_errors(self.root / path):
                os.replace(self.root / draft(path), self.root / path)

    def upload(self, files: Mapping[str, Path], path: str) -> None:
        """Copy files into the new folder ``path``, readable by a web server."""
        for name, source in files.items():
            place = self.root / path / name
            with as_user_errors(place):
                _make_folders(place.parent, self.root)
                shutil.copyfile(source, place)
                place.chmod(FILE_MODE)

    def hashes(self, path: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination."""
        folder = self.root / path
        return {
            place.relative_to(folder).as_posix(): _digest(place)
            for place in sorted(_files(folder))
        }

    def rename(self, path: str, to: str) -> None:
        """Rename a folder in one step."""
        with as_user_errors(self.root / to):
            os.rename(self.root / path, self.root / to)

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself."""
        place = self.root / path
        with as_user_errors(place):
            if self.kind(path) == "folder":
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[Path]:
    """All below a folder that is no folder itself."""
    for root, folders, files in os.walk(folder):
        links = (name for name in folders if Path(root, name).is_symlink())
        yield from (Path(root, name) for name in (*files, *links))


def _digest(place: Path) -> str:
    """A file's sha256; a link has none, as what it leads to is not the release's."""
    try:
        regular = place.is_file() and not place.is_symlink()
        return hash_file(place) if regular else NO_FILE
    except (UserError, OSError):
        return UNREADABLE


def _make_folders(folder: Path, root: Path) -> None:
    """Folders with the mode of a web root, whatever the umask is."""
    for part in (*reversed(folder.parents), folder):
        if part.is_relative_to(root) and not part.is_dir():
            part.mkdir()
            part.chmod(FOLDER_MODE)


@contextmanager
def as_user_errors(place: Path) -> Iterator[None]:
    """Turn what the system refuses into an error that says how to mend it."""
    try:
        yield
    except OSError as error:
        raise _error(error, place) from None


def _error(error: OSError, place: Path) -> Exception:
    what = f"the destination refuses: {(error.strerror or str(error)).lower()}"
    if error.errno in _FULL:
        return full_error(what, place)
    mend = _MENDS.get(error.errno or 0, "see that the destination works")
    return user_error(what, place, mend=mend)
