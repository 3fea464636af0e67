"""Copies of the project in which something may be built, edited or killed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_ELSEWHERE = {".git", ".venv", ".bootstrap", ".snakemake", ".hypothesis", "dist"}
_BUILT = {ROOT / "data" / "build", ROOT / "report" / "build"}


def copy_project(to: Path, without: Collection[str] = ()) -> Path:
    """A copy of the project as a fresh clone has it: no environment, nothing built.

    ``without`` are paths in the project that are not copied either.
    """
    left_out = {ROOT / path for path in without}

    def ignore(folder: str, names: Iterable[str]) -> set[str]:
        there = list(names)
        own = {name for name in there if Path(folder, name) in left_out}
        return own | _not_in_a_clone(folder, there)

    shutil.copytree(ROOT, to, ignore=ignore)
    return to


def _not_in_a_clone(folder: str, names: Iterable[str]) -> set[str]:
    return {
        name
        for name in names
        if name in _ELSEWHERE
        or name.endswith(("__pycache__", "_cache"))
        or Path(folder, name) in _BUILT
    }


def project_files() -> list[Path]:
    """The project's own files, as a fresh clone has them, sorted."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        hidden = _not_in_a_clone(folder, [*folders, *names])
        folders[:] = [name for name in folders if name not in hidden]
        found += [Path(folder, name) for name in names if name not in hidden]
    return sorted(found)
