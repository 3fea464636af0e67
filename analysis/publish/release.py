"""Releases: complete and verified folders, and which of them is the current one.

At a destination, ``releases/<edition>/<build>/`` holds a release and
``releases/<edition>/current`` leads to one. Where there are no symbolic links,
``current/index.html`` is a small page that leads there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.publish.build import BUILD_ID, RELEASE, safe_edition
from analysis.publish.destination import Destination
from analysis.publish.documents import Description, parse
from analysis.report.output import known_files

ROOT, CURRENT, PAGE = "releases", "current", "index.html"
LIST = PAGE  # of all releases, in the destination itself
POINTER = re.compile(rb'<meta name="release" content="([^"]+)">')


@dataclass(frozen=True)
class Release:
    """One release at a destination, as its ``release.json`` describes it.

    ``about`` has the entries of :class:`analysis.publish.documents.Description`.
    """

    edition: str
    id: str
    about: Mapping[str, Any]
    current: bool = False

    @property
    def path(self) -> str:
        """Its folder, from the destination."""
        return release_path(self.edition, self.id)

    @property
    def formats(self) -> Mapping[str, str]:
        """The file of each format of the edition, the main one first."""
        return known_files(self.about, self.about["files"].__contains__)

    @property
    def main(self) -> str:
        """The file that a reader opens first."""
        return next(iter(self.formats.values()), PAGE)

    @property
    def draft(self) -> bool:
        """Whether it was published as a draft."""
        return bool(self.about["draft"])

    @property
    def published(self) -> str:
        """When it was published, UTC, ISO 8601."""
        return str(self.about["published"])

    @property
    def sequence(self) -> int:
        """The how-manieth of its edition it is; 0 where that was not yet counted."""
        return int(self.about.get("sequence", 0))

    @property
    def order(self) -> tuple[int, str, str]:
        """What sorts by publication, also where a clock was set back."""
        return self.sequence, self.published, self.id


@dataclass(frozen=True)
class Shelf:
    """What a destination holds: releases, and folders in whose place one should be.

    Releases are sorted by edition and then newest first. ``unsound`` says of each
    other folder that has a build's name what is wrong with its ``release.json``.
    """

    releases: tuple[Release, ...]
    unsound: Mapping[str, str]

    def of(self, edition: str) -> list[Release]:
        """The releases of one edition, newest first."""
        return [found for found in self.releases if found.edition == edition]

    def replaced(self, edition: str, own: Sequence[Release]) -> Shelf:
        """The shelf with these releases of one edition."""
        others = [found for found in self.releases if found.edition != edition]
        return Shelf(_sorted([*others, *own]), self.unsound)


def release_path(edition: str, id: str) -> str:
    """The folder of a release, from the destination."""
    return f"{ROOT}/{edition}/{id}"


def read_shelf(destination: Destination) -> Shelf:
    """All releases of all editions. Half-copied ones are none."""
    places = list(_places(destination))
    paths = [f"{release_path(*place)}/{RELEASE}" for place in places]
    contents = destination.read(paths)
    currents = {edition: current_id(destination, edition) for edition, _ in places}
    releases, unsound = [], {}
    for (edition, id), path in zip(places, paths, strict=True):
        try:
            about = describe(contents.get(path), edition, id)
        except ValueError as error:
            unsound[release_path(edition, id)] = f"{RELEASE}: {error}"
        else:
            releases.append(Release(edition, id, about, id == currents[edition]))
    return Shelf(_sorted(releases), unsound)


def current_id(destination: Destination, edition: str) -> str | None:
    """The build id to which ``current`` leads; None where there is none."""
    path = f"{ROOT}/{edition}/{CURRENT}"
    if target := destination.target(path):
        return target.rstrip("/").rpartition("/")[2]
    page = read_file(destination, f"{path}/{PAGE}")
    match = POINTER.search(page) if page else None
    return match[1].decode(errors="replace") if match else None


def read_file(destination: Destination, path: str) -> bytes | None:
    """A file's bytes; None where there is none."""
    return destination.read([path]).get(path)


def describe(content: bytes | None, edition: str, id: str) -> dict[str, Any]:
    """What ``release.json`` says; a ValueError where it is not that of the release."""
    if content is None:
        raise ValueError("this file is missing")
    about = parse(content, Description)
    if (about.edition, about.build) != (edition, id):
        raise ValueError(f"it is that of {about.edition!r} {about.build!r}")
    return about.model_dump()


def _places(destination: Destination) -> Iterator[tuple[str, str]]:
    """Edition and build of each folder that has the name of a release."""
    for edition in filter(safe_edition, destination.names(ROOT)):
        for id in destination.names(f"{ROOT}/{edition}"):
            if BUILD_ID.fullmatch(id):
                yield edition, id


def _sorted(releases: Sequence[Release]) -> tuple[Release, ...]:
    newest = sorted(releases, key=lambda release: release.order, reverse=True)
    return tuple(sorted(newest, key=lambda release: release.edition))
