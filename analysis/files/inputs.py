"""The files that people write or deliver: which there are, and that all are files.

A walk opens nothing. What would hold up or mislead who opens it is refused by name:
pipes, sockets and devices, links that lead nowhere, in a circle or out of the folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import Issue, Place, raise_if
from analysis.files.regular_file import kind_of

COPY = "copy what it leads to, or remove it"
REMOVE = "remove it"
_Found = tuple[str, os.DirEntry[str]]


def campaign_files(folder: Path) -> dict[str, bool]:
    """Files below a campaign's folder, ``/`` between folders: whether each is a link.

    What begins with a dot is left out, and folders that are links are not entered. A
    :class:`UserError` names all that is no file.
    """
    return {name: entry.is_symlink() for name, entry in campaign_entries(folder)}


def campaign_entries(folder: Path) -> list[tuple[str, os.DirEntry[str]]]:
    """As :func:`campaign_files`, each with the entry of its folder."""
    return _Walk(folder, folder, _is_hidden, False).files()


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
    found = 0
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                found += os.lstat(os.path.join(at, name)).st_size
            except FileNotFoundError:
                continue  # a build that runs has taken it away
    return found


def is_draft(name: str) -> bool:
    """Whether a path ends in a name of an editor's draft or of something hidden."""
    last = name.rpartition("/")[2]
    return last.startswith((".", "~")) or last.endswith("~")


def _is_hidden(name: str) -> bool:
    return name[name.rfind("/") + 1] == "."


@dataclass
class _Walk:
    """One walk below ``top``; links must lead to what is ``within``."""

    top: Path
    within: Path
    left_out: Callable[[str], bool]
    enter_links: bool
    issues: list[Issue] = field(default_factory=list)
    found: list[_Found] = field(default_factory=list)

    def files(self) -> list[_Found]:
        self._enter("", (self.top.resolve(),))
        raise_if(sorted(self.issues, key=lambda issue: str(issue.where)))
        return self.found

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
                self.found.append((name, entry))

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
        elif not (name.isascii() or _is_text(name)):
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
            what = f"is a symbolic link that leads out of {self._within()}"
            self._note(name, what, COPY)
        elif not kind:
            self.found.append((name, entry))
        elif not target.is_dir():
            self._note(name, f"is a symbolic link to {kind}, no file", REMOVE)
        elif target in above:
            self._note(name, "is a symbolic link that leads in a circle", REMOVE)
        elif self.enter_links:
            self._enter(f"{name}/", (*above, target))

    def _within(self) -> str:
        return "the project" if self.enter_links else "the campaign's folder"

    def _note(self, name: str, what: str, mend: str) -> None:
        self.issues.append(Issue(what, Place(str(self.top / name)), mend))


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
