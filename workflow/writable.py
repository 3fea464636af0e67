"""Whether a build may write where it has to: it is told before anything runs.

After one build as another user, such as root, folders are that user's. Snakemake would
tell of it with its own code.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from analysis.errors import Issue, Place, raise_if
from analysis.report.builds.built import BUILDS
from workflow.made import MARKS, Step
from workflow.single import STATE

LOGS = Path("data/build/log")
_YOURS = 'make them yours: sudo chown -R "$USER" data/build report/build .snakemake'
_AWAY = "move it away, and run this again"


def check_writable(steps: Iterable[Step]) -> None:
    """Raise a :class:`UserError` that names folders in which steps have to write, and
    cannot."""
    folders = [
        STATE,
        STATE / "log",
        MARKS.parent,
        MARKS,
        LOGS,
        BUILDS,
        BUILDS / ".begun",
    ]
    for step in steps:
        folders += [Path(step.mark).parent, step.result.parent]
    raise_if([issue for one in dict.fromkeys(folders) for issue in _issues(one)])


def _issues(folder: Path) -> list[Issue]:
    if not os.path.lexists(folder):
        return []  # it is made
    if not folder.is_dir():
        what = "is a file, where a folder belongs"
        return [Issue(what, Place(str(folder)), _AWAY)]
    if not os.access(folder, os.W_OK | os.X_OK):
        return [Issue("nothing can be written there", Place(str(folder)), _YOURS)]
    return []
