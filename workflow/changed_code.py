"""Code that changes while a build runs: nobody knows which of the two a step ran.

Keys tell the code as the build found it. A verb imports its modules later, and some of
them when it comes to them, so a change that is undone would leave a result of code that
was there for a moment under the key of the code before and after it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from analysis.errors import UserError
from analysis.files.atomic import remove_folder
from analysis.programs.fingerprint import PACKAGES, ROOT, modules_of
from workflow.clocks import is_younger

# What steps keep, each under the key of its code; of a campaign its own.
_KEPT = {"ingest": Path("data/build/parts"), "derive": Path("data/build/studies")}


def changed_code(step: str, start: os.stat_result) -> list[Path]:
    """The files of the code of a step that changed in any way since ``start`` was
    written, also those beside its modules; mostly none, which takes some ms."""
    changed = [Path(path) for path in _files() if _is_younger(path, start)]
    if not changed:
        return []
    try:
        modules = {path for path, _ in modules_of(step.partition("-")[0]).values()}
    except UserError:  # a module is no Python at this moment
        return changed
    folders = {path.parent for path in modules}
    return [
        path
        for path in changed
        if path in modules or (path.suffix != ".py" and _room(path) in folders)
    ]


def drop_kept(step: str) -> None:
    """Remove what a step keeps for later builds: it may be of either code."""
    verb, _, campaign = step.partition("-")
    if verb in _KEPT:
        remove_folder(_KEPT[verb] / campaign)


def _files() -> Iterator[str]:
    for package in PACKAGES:
        for folder, folders, names in os.walk(ROOT / package):
            folders[:] = [name for name in folders if name != "__pycache__"]
            yield from (f"{folder}/{name}" for name in names if name[0] != ".")


def _is_younger(path: str, start: os.stat_result) -> bool:
    try:
        return is_younger(os.stat(path), start)
    except FileNotFoundError:
        return False  # where it comes back, it is younger then


def _room(path: Path) -> Path:
    """The folder of the modules beside which a file lies: its own, or one above."""
    return next(one for one in path.parents if any(one.glob("*.py")))
