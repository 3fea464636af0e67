"""Copies of the project in which something may be built, edited or killed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_ELSEWHERE = {".git", ".venv", ".bootstrap", ".snakemake", ".hypothesis", "dist"}
_BUILT = {Path("data/build"), Path("report/build")}


def copy_project(to: Path, without: Collection[str] = (), root: Path = ROOT) -> Path:
    """A copy of a checkout as a fresh clone has it: no environment, nothing built.

    ``without`` are paths in the project that are not copied either.
    """
    left_out = {root / path for path in without}
    for path in project_files(root):
        if left_out.isdisjoint((path, *path.parents)):
            target = to / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    return to


def project_files(root: Path = ROOT) -> list[Path]:
    """A checkout's own files, as a fresh clone has them, sorted."""
    files = []
    for folder, folders, names in os.walk(root):
        inside = Path(folder).relative_to(root)
        for listed in (folders, names):
            listed[:] = [
                name
                for name in listed
                if name not in _ELSEWHERE
                and not name.endswith(("__pycache__", "_cache"))
                and inside / name not in _BUILT
            ]
        files += [Path(folder, name) for name in names]
    return sorted(files)
