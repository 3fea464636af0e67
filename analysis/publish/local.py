"""A destination that is a folder of this machine or a mounted share."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import user_error
from analysis.file_cache import hash_file
from analysis.publish.destination import Kind

LOCK = ".publish.lock"
FILE_MODE, FOLDER_MODE = 0o644, 0o755
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL, errno.EACCES}
_MENDS = {
    errno.ENOSPC: "make room there, or publish with a smaller --keep",
    errno.EDQUOT: "make room there, or publish with a smaller --keep",
    errno.EROFS: "mount it for writing",
    errno.EACCES: "let this user write there",
    errno.EPERM: "let this user write there",
    errno.ENOENT: "see that it is mounted, then publish again",
    errno.ENOTDIR: "name a folder, and move the file that is in its place",
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
        with told(self.root):
            if not self.root.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, "no such folder")
            _make_folders(self.root, self.root)
            descriptor = os.open(self.root / LOCK, os.O_RDWR | os.O_CREAT, FILE_MODE)
            os.fchmod(descriptor, FILE_MODE)
        try:
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
                    raise user_error(
                        f"someone else publishes here now; waited {wait:g} s",
                        self.root,
                        mend="publish again when they are done, or wait longer: --wait",
                    ) from None
                time.sleep(0.05)
            else:
                return

    def kind(self, path: str) -> Kind:
        """What stands there; a link is not followed."""
        place = self.root / path
        if place.is_symlink():
            return "link"
        if place.is_dir():
            return "folder"
        return "file" if place.exists() else "nothing"

    def names(self, path: str) -> list[str]:
        """Sorted names in a folder; none where there is no folder."""
        with told(self.root / path):
            if self.kind(path) != "folder":
                return []
            return sorted(os.listdir(self.root / path))

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is none."""
        place = self.root / path
        with told(place):
            return place.read_bytes() if place.exists() else None

    def target(self, path: str) -> str | None:
        """Where a symbolic link leads; None where there is none."""
        if self.kind(path) != "link":
            return None
        with told(self.root / path):
            return os.readlink(self.root / path)

    def write(self, path: str, content: bytes) -> None:
        """Put a file in place in one step."""
        place = self.root / path
        draft = place.with_name(f".{place.name}.part")
        with told(place):
            _make_folders(place.parent, self.root)
            with open(draft, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            draft.chmod(FILE_MODE)
            os.replace(draft, place)

    def link(self, path: str, target: str) -> bool:
        """Put a symbolic link in place in one step; False where there are none."""
        if not self.links:
            return False
        place = self.root / path
        draft = place.with_name(f".{place.name}.part")
        with told(place):
            draft.unlink(missing_ok=True)
            try:
                draft.symlink_to(target)
            except OSError as error:
                if error.errno in _NO_LINKS:
                    return False
                raise
            os.replace(draft, place)
        return True

    def upload(self, files: Mapping[str, Path], path: str) -> None:
        """Copy files into the new folder ``path``, readable by a web server."""
        for name, source in files.items():
            place = self.root / path / name
            with told(place):
                _make_folders(place.parent, self.root)
                shutil.copyfile(source, place)
                place.chmod(FILE_MODE)

    def hashes(self, path: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination."""
        folder = self.root / path
        with told(folder):
            return {
                place.relative_to(folder).as_posix(): _digest(place)
                for place in sorted(folder.rglob("*"))
                if place.is_symlink() or not place.is_dir()
            }

    def rename(self, path: str, to: str) -> None:
        """Rename a folder in one step."""
        with told(self.root / to):
            os.rename(self.root / path, self.root / to)

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself."""
        place = self.root / path
        with told(place):
            if self.kind(path) == "folder":
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)


def _digest(place: Path) -> str:
    """A file's sha256; a link has none, as what it leads to is not the release's."""
    return "a link" if place.is_symlink() else hash_file(place)


def _make_folders(folder: Path, root: Path) -> None:
    """Folders with the mode of a web root, whatever the umask is."""
    for part in (*reversed(folder.parents), folder):
        if part.is_relative_to(root) and not part.is_dir():
            part.mkdir()
            part.chmod(FOLDER_MODE)


@contextmanager
def told(place: Path) -> Iterator[None]:
    """Turn what the system refuses into an error that says how to mend it."""
    try:
        yield
    except OSError as error:
        raise _error(error, place) from None


def _error(error: OSError, place: Path) -> Exception:
    what = f"the destination refuses: {(error.strerror or str(error)).lower()}"
    mend = _MENDS.get(error.errno or 0, "see that the destination works")
    return user_error(what, place, mend=mend)
