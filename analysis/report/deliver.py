"""Putting a finished report in place: file by file, its manifest last."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from analysis.report.assemble import files_below

_PART = ".part"


def deliver(rendered: Path, out: Path, manifest: str) -> None:
    """Put the files of ``rendered`` in ``out``, and remove those of the report before.

    Each file is replaced in one step, and the one named ``manifest`` after all
    others: a reader never meets half a file, and a kill leaves the old manifest. What
    no manifest names is not the report's and stays.
    """
    names = [p.relative_to(rendered).as_posix() for p in files_below(rendered)]
    for name in names:
        if name != manifest:
            _replace(rendered / name, out / name)
    for name in sorted(_files_of(out / manifest) - set(names)):
        _remove(out, name)
    _replace(rendered / manifest, out / manifest)


def _replace(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + _PART)
    shutil.copyfile(source, part)
    part.replace(target)


def _files_of(manifest: Path) -> set[str]:
    try:
        return set(json.loads(manifest.read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _remove(out: Path, name: str) -> None:
    path = out / name
    if path.is_relative_to(out) and ".." not in path.parts:
        path.unlink(missing_ok=True)
