"""Putting a finished report in place: all of its files in one step."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from analysis.files.atomic import fresh_folder, put_folder, remove_folder
from analysis.report.builds.handed_on import HandedOn, place_tables
from analysis.report.document.assemble import files_below


def deliver(
    rendered: Path, out: Path, manifest: str, tables: Iterable[HandedOn] = ()
) -> None:
    """Let the files of ``rendered``, and tables, take the place of the report ``out``.

    A reader meets the old report or the new one, never files of both, and so does who
    comes after a kill. What the old report's ``manifest`` does not name is not the
    report's and stays.
    """
    draft = fresh_folder(out)
    shutil.copytree(rendered, draft, dirs_exist_ok=True)
    place_tables(tables, draft)
    for name in _others(out, manifest):
        _bring(out / name, draft / name, _copy)
    old = put_folder(draft, out)
    for name in _others(old, manifest):  # what came since then
        _bring(old / name, out / name, os.replace)
    remove_folder(old)


def _others(folder: Path, manifest: str) -> list[str]:
    """Files in a report's folder that are not the report's."""
    own = {manifest, *_files_of(folder / manifest)}
    names = (path.relative_to(folder).as_posix() for path in files_below(folder))
    return [name for name in names if name not in own]


def _files_of(manifest: Path) -> set[str]:
    try:
        return set(json.loads(manifest.read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, LookupError, TypeError):
        return set()


def _bring(source: Path, target: Path, how: Callable[[Path, Path], object]) -> None:
    """Bring a file to where none of the new report is."""
    if not os.path.lexists(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        how(source, target)


def _copy(source: Path, target: Path) -> None:
    shutil.copy2(source, target, follow_symlinks=False)
