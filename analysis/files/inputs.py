"""The files that people write or deliver: which there are, and that all are files.

A walk opens nothing. What would hold up or mislead who opens it is refused by name:
pipes, sockets and devices, links that lead nowhere, in a circle or out of the folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path

from analysis.errors import Issue, Place, raise_if, user_error

COPY = "copy what it leads to, or remove it"
REMOVE = "remove it"
_Entry = tuple[str, os.DirEntry[str]]  # the name below the folder
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # in case it became a FIFO since it was looked at
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def kind_of(mode: int) -> str:
    """What a mode of ``stat`` says that is no file, in words; empty for a file."""
    kind = stat.S_IFMT(mode)
    return "" if kind == stat.S_IFREG else _KINDS.get(kind, "something else")


def open_regular(path: Path) -> FileIO:
    """A regular file, opened to read its bytes; see :func:`descriptor_of`."""
    return FileIO(descriptor_of(path))


def descriptor_of(path: Path) -> int:
    """The descriptor of a regular file, opened to read its bytes; it is to be closed.

    Anything else, such as a FIFO or a device, is a :class:`UserError` and is not even
    opened: to open it could wait for ever, or do something.
    """
    try:
        mode = os.stat(path).st_mode
        if kind := kind_of(mode):
            mend = "copy what it gives into a file, and name that"
            mend = "name one file in it" if stat.S_ISDIR(mode) else mend
            raise user_error(f"this is {kind}", path, mend=mend)
        return os.open(path, _FLAGS)
    except FileNotFoundError:
        raise user_error("there is no such file", path, mend="check the path") from None
    except (OSError, ValueError) as error:  # such as a path with a NUL in it
        what = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        raise user_error(what, path, mend="see that it is yours to read") from None


def campaign_files(folder: Path) -> dict[str, bool]:
    """Files below a campaign's folder, ``/`` between folders: whether each is a link.

    What begins with a dot is left out, and folders that are links are not entered. A
    :class:`UserError` names all that is no file.
    """
    return {name: entry.is_symlink() for name, entry in campaign_entries(folder)}


def campaign_entries(folder: Path) -> list[_Entry]:
    """As :func:`campaign_files`, each with the entry of its folder."""
    return _Walk(folder, folder, lambda n: n[n.rfind("/") + 1] == ".", False).files()


def text_files(folder: Path, without: str = "") -> list[Path]:
    """Files below a folder of texts, declarations or templates, sorted.

    An editor's drafts are left out, and what is below the folder ``without``. Links
    must stay in the folder or in the project, which is the current folder. A
    :class:`UserError` names all that is no file.
    """
    walk = _Walk(folder, Path(), lambda n: is_draft(n) or n == without, True)
    return sorted(folder / name for name, _ in walk.files())


def folder_bytes(folder: Path) -> int:
    """The bytes of all files below a folder, or of a file; links are not followed."""
    if folder.is_file() and not folder.is_symlink():
        return folder.stat().st_size
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):  # a build that runs has taken it away
                total += os.lstat(os.path.join(at, name)).st_size
    return total


def is_draft(name: str) -> bool:
    """Whether a path ends in a name of an editor's draft or of something hidden."""
    last = name.rpartition("/")[2]
    return last.startswith((".", "~")) or last.endswith("~")


@dataclass
class _Walk:
    """One walk below ``top``; links must lead to what is ``within``."""

    top: Path
    within: Path
    left_out: Callable[[str], bool]
    enter_links: bool
    issues: list[Issue] = field(default_factory=list)
    entries: list[_Entry] = field(default_factory=list)

    def files(self) -> list[_Entry]:
        self._enter("", (self.top.resolve(),))
        raise_if(sorted(self.issues, key=lambda issue: str(issue.where)))
        return self.entries

    def _enter(self, folder: str, above: tuple[Path, ...]) -> None:
        for entry in self._entries(folder):
            name = folder + entry.name
            if self.left_out(name):
                continue
            if entry.is_symlink():
                self._follow(name, entry, above)
            elif entry.is_dir():
                self._enter(f"{name}/", (*above, above[-1] / entry.name))
            elif self._is_sound(name, entry):
                self.entries.append((name, entry))

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self.top / folder) as entries:
                return list(entries)
        except FileNotFoundError:
            return []
        except OSError as error:
            self._note(folder.rstrip("/"), f"cannot be read: {error.strerror}", "")
            return []

    def _is_sound(self, name: str, entry: os.DirEntry[str]) -> bool:
        if not entry.is_file(follow_symlinks=False):
            kind = kind_of(entry.stat(follow_symlinks=False).st_mode)
            self._note(name, f"is {kind}, no file", REMOVE)
        elif not name.isascii() and name.encode(errors="ignore").decode() != name:
            self._note(name, "has a name that is not UTF-8", "rename it")
        else:
            return True
        return False

    def _follow(
        self, name: str, entry: os.DirEntry[str], above: tuple[Path, ...]
    ) -> None:
        path = self.top / name
        try:
            target = path.resolve(strict=True)
            kind = kind_of(target.stat().st_mode)
        except (OSError, RuntimeError):
            self._note(name, "is a symbolic link that leads nowhere", COPY)
            return
        if not any(target.is_relative_to(p) for p in (above[0], self.within.resolve())):
            within = "the project" if self.enter_links else "the campaign's folder"
            self._note(name, f"is a symbolic link that leads out of {within}", COPY)
        elif not kind:
            self.entries.append((name, entry))
        elif not target.is_dir():
            self._note(name, f"is a symbolic link to {kind}, no file", REMOVE)
        elif target in above:
            self._note(name, "is a symbolic link that leads in a circle", REMOVE)
        elif self.enter_links:
            self._enter(f"{name}/", (*above, target))

    def _note(self, name: str, what: str, mend: str) -> None:
        self.issues.append(Issue(what, Place(str(self.top / name)), mend))
