"""Branches that are checked out in other worktrees of a repository.

A commit on such a branch from outside would leave that worktree behind it: whoever
commits there next would take back what was saved.
"""

from __future__ import annotations

from pathlib import Path

_HEAD, _POINTER = "HEAD", "gitdir"


def checked_out_at(own: Path, common: Path, ref: str) -> Path | None:
    """Another worktree whose checkout is a branch, None where there is none.

    ``own`` is the folder that Git keeps of this worktree, ``common`` that of all.
    """
    for folder in (common, *sorted((common / "worktrees").glob("*"))):
        if folder.resolve() == own.resolve():
            continue
        if _read(folder / _HEAD) == f"ref: {ref}":
            place = _place(folder, common)
            if place is None or place.is_dir():
                return place or common
    return None


def _place(folder: Path, common: Path) -> Path | None:
    """The worktree of a folder of Git's; None for a bare repository."""
    if folder != common:
        return Path(_read(folder / _POINTER)).parent
    return common.parent if common.name == ".git" else None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except OSError:
        return ""
