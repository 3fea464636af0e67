"""What a release changed against the one before: a page of its own, and one line.

The page lies beside the releases, which stay as they were built.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import UserError, user_error
from analysis.facts.sentences import listed
from analysis.publish.build import (
    FACTS,
    MANIFEST,
    PROVENANCE,
    Build,
    read_build,
    safe_name,
)
from analysis.publish.bundle import Bundle
from analysis.publish.destination import Destination
from analysis.publish.diff.comparison import BuildComparison, compare
from analysis.publish.diff.page import as_page
from analysis.publish.documents import Manifest, parse
from analysis.publish.release import LIST, Release, read_file, release_path
from analysis.report.pages.fonts import font_css

FOLDER = "changes"
_COMPARED = ("data/", "figures/")


@dataclass(frozen=True)
class Changes:
    """The page of a comparison, and what is new in a few words."""

    page: bytes
    news: str


def changes_path(edition: str, id: str) -> str:
    """Where the comparison of a release with the one before lies."""
    return f"{FOLDER}/{edition}/{id}.html"


def changes_of(
    destination: Destination, before: Release, bundle: Bundle, templates: Path
) -> Changes | None:
    """A bundle against a release; None where that release cannot be read as a build."""
    after = _compared(read_build(bundle.files[MANIFEST].parent))
    links = [
        (
            f"../../{release_path(bundle.edition, bundle.id)}/{bundle.main}",
            "This release",
        ),
        (f"../../{before.path}/{before.main}", "The one before"),
        (f"../../{LIST}", "All reports"),
    ]
    with tempfile.TemporaryDirectory() as name:
        try:
            _fetch(destination, before, Path(name))
            found = compare(_compared(read_build(Path(name))), after)
        except UserError as error:
            print(f"note: not compared with {before.path}: {error}")
            return None
        page = as_page(found, templates, font_css(), links)
    return Changes(page.encode(), news(found))


def news(found: BuildComparison) -> str:
    """``3 values, 1 figure and 2 texts changed``."""
    counts = (
        (len(found.visible_facts), "value"),
        (len(found.claims), "claim"),
        (len(found.figures), "figure"),
        (len(found.texts), "text"),
        (len(found.raw), "raw file"),
    )
    told = [f"{n:,} {word}{'s' if n > 1 else ''}" for n, word in counts if n]
    return f"{listed(told)} changed" if told else "no value, figure or text changed"


def _wanted(name: str) -> bool:
    return name in (FACTS, PROVENANCE) or name.startswith(_COMPARED)


def _compared(build: Build) -> Build:
    """A build with the files alone that a comparison reads."""
    return replace(build, files={n: d for n, d in build.files.items() if _wanted(n)})


def _fetch(destination: Destination, release: Release, folder: Path) -> None:
    """Bring what a comparison reads of a release into a folder."""
    path = f"{release.path}/{MANIFEST}"
    content = read_file(destination, path)
    try:
        names = list(_names(content or b""))
    except ValueError as error:
        mend = "publish the release before again"
        raise user_error(f"cannot be read: {error}", path, mend=mend) from None
    found = destination.read([f"{release.path}/{name}" for name in names])
    for place, data in {**found, path: content or b""}.items():
        target = folder / place.removeprefix(f"{release.path}/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _names(manifest: bytes) -> Iterator[str]:
    for name in parse(manifest, Manifest).files:
        if _wanted(name) and safe_name(name):
            yield name
