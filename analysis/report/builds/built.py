"""Finished builds: folders with a manifest, each of an edition that still exists."""

from __future__ import annotations

from pathlib import Path

from analysis.declared.edition import find_editions

BUILDS, REPORT = Path("report/build"), Path("report")


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
