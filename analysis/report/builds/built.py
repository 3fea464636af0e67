"""Finished builds: folders with a manifest, each of an edition that still exists.

Beside them stands for which editions a later build began: who publishes the last good
one after a failed, killed or running build is told so.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from analysis.declared.edition import find_editions
from analysis.files.atomic import write_text

BUILDS, REPORT = Path("report/build"), Path("report")
_BEGUN = ".begun"  # a folder beside the builds, with a file for each edition


def find_builds(builds: Path, report: Path) -> tuple[list[Path], list[Path]]:
    """Folders of finished builds, sorted: those whose edition exists, and the others.

    An edition exists where ``report`` has a folder of its name with edition.yaml.
    """
    editions = set(find_editions(report))
    folders = (path.parent for path in builds.glob("*/manifest.json"))
    found = sorted(path for path in folders if not path.name.startswith("."))
    return (
        [folder for folder in found if folder.name in editions],
        [folder for folder in found if folder.name not in editions],
    )


def left_out(folder: Path, report: Path) -> str:
    """One line for a build whose edition is gone."""
    return f"note: {folder} is left out: {report / folder.name} is no edition any more"


def begin_build(builds: Path, edition: str) -> None:
    """Write down that a build of an edition begins now."""
    write_text(builds / _BEGUN / edition, "")


def end_build(builds: Path, edition: str) -> None:
    """The finished build of an edition is the last that began."""
    (builds / _BEGUN / edition).unlink(missing_ok=True)


def begun_since(folder: Path) -> dt.datetime | None:
    """When a build began that was to take the place of the one in ``folder``, UTC.

    None where there is none.
    """
    note = folder.parent / _BEGUN / folder.name
    if not note.is_file():
        return None
    return dt.datetime.fromtimestamp(note.stat().st_mtime, dt.UTC)
