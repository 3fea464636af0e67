"""Putting a finished folder in place: all of its files in one step."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from analysis.files.atomic import fresh_folder, link_file, put_folder, remove_folder

MANIFEST = "manifest.json"
TABLES = "tables"  # of a report: large, never edited


def deliver(made: Path, out: Path) -> None:
    """Let a copy of ``made`` take the place of the folder ``out``."""
    with placed(out) as draft:
        hidden = shutil.ignore_patterns(".*")  # of Snakemake
        shutil.copytree(
            made, draft, dirs_exist_ok=True, copy_function=_copied, ignore=hidden
        )


@contextmanager
def placed(out: Path) -> Iterator[Path]:
    """An empty folder that takes the place of ``out`` when the block ends well.

    A reader meets the old folder or the new one, never files of both, and so does who
    comes after a kill. Beside a manifest stays what that of the old report does not
    name, as it is not the report's.
    """
    draft = fresh_folder(out)
    try:
        yield draft
    except BaseException:
        remove_folder(draft)
        raise
    is_report = (draft / MANIFEST).is_file()
    if is_report:
        for name in _others(out):
            _bring(out / name, draft / name, _copy)
    old = put_folder(draft, out)
    if is_report:
        for name in _others(old):  # what came since then
            _bring(old / name, out / name, os.replace)
    remove_folder(old)


def files_below(folder: Path) -> list[Path]:
    """All files below a folder, in the order of their names."""
    return sorted(p for p in folder.rglob("*") if p.is_file())


def _others(out: Path) -> list[str]:
    """Files in a report's folder that are not the report's."""
    try:
        own = {*json.loads((out / MANIFEST).read_text(encoding="utf-8"))["files"]}
    except (OSError, ValueError, LookupError, TypeError):
        own = set()
    names = (path.relative_to(out).as_posix() for path in files_below(out))
    return [name for name in names if name not in {MANIFEST, *own}]


def _copied(source: str, target: str) -> None:
    """Copy a file; a table is given another name where that can be."""
    if TABLES in Path(source).parts[:-1]:
        link_file(Path(source), Path(target))
    else:
        shutil.copy2(source, target)


def _bring(source: Path, target: Path, how: Callable[[Path, Path], object]) -> None:
    """Bring a file to where none of the new report is."""
    if not os.path.lexists(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        how(source, target)


def _copy(source: Path, target: Path) -> None:
    shutil.copy2(source, target, follow_symlinks=False)
