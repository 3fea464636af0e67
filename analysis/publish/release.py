"""Releases: complete and verified folders, and which of them is the current one.

At a destination, ``releases/<edition>/<build>/`` holds a release and
``releases/<edition>/current`` leads to one. Where there are no symbolic links,
``current/index.html`` is a small page that leads there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from analysis.errors import UserError, user_error
from analysis.publish.build import (
    BUILD_ID,
    MANIFEST,
    MOST,
    RELEASE,
    SIGNATURE,
    SUMS,
    Hashes,
    Line,
    Manifest,
    Moment,
    Named,
    disagreements,
    parse,
    parse_sums,
    safe_edition,
    shown,
)
from analysis.publish.destination import NO_FILE, UNREADABLE, Destination, SiteEntry
from analysis.report.output import known_files

ROOT, CURRENT, PAGE, FEED = "releases", "current", "index.html", "feed.xml"
LLMS = "llms.txt"
_READ = (RELEASE, PAGE, FEED, LLMS)
_PLACE = re.compile(rf"{ROOT}/([^/]+)/([^/]+)")
_POINTER = re.compile(rb'<meta name="release" content="([^"]+)">')
_WORDS = {NO_FILE: "is no file", UNREADABLE: "cannot be read"}


class Release(Named):
    """One release at a destination, as its ``release.json`` describes it.

    ``sequence`` counts the releases of an edition from 1, and is 0 where that was not
    yet counted. ``news`` says what changed against the release before. Whether it is
    the ``current`` one stands elsewhere.
    """

    published: Moment
    draft: bool
    news: Line | None = None
    files: Hashes
    sequence: Annotated[int, Field(ge=0, le=MOST)] = 0
    current: bool = Field(default=False, exclude=True)

    @property
    def path(self) -> str:
        """Its folder, from the destination."""
        return f"{ROOT}/{self.edition}/{self.build}"

    @property
    def changes(self) -> str:
        """Where the comparison with the release before lies, from the destination."""
        return f"changes/{self.edition}/{self.build}.html"

    @property
    def outputs(self) -> Mapping[str, str]:
        """The file of each format that is there, the main one first."""
        named = {"edition": self.edition, "formats": self.formats}
        return known_files(named, self.files.__contains__)

    @property
    def signed(self) -> bool:
        """Whether its list of hashes is signed, by whom it may be."""
        return SIGNATURE in self.files

    @property
    def main(self) -> str:
        """The file that a reader opens first."""
        return next(iter(self.outputs.values()), PAGE)

    @property
    def order(self) -> tuple[int, str, str]:
        """What sorts by publication, also where a clock was set back."""
        return self.sequence, self.published, self.build


@dataclass(frozen=True)
class Shelf:
    """What a destination holds: releases, and folders in whose place one should be.

    Releases are sorted by edition and then newest first. ``unsound`` says of each
    other thing that has a build's name what is wrong with it. ``places`` is all that
    was looked at, and ``texts`` are the pages among it.
    """

    releases: tuple[Release, ...]
    unsound: Mapping[str, str]
    places: Mapping[str, SiteEntry]
    texts: Mapping[str, bytes]

    def of(self, edition: str) -> list[Release]:
        """The releases of one edition, newest first."""
        return [each for each in self.releases if each.edition == edition]

    def replaced(self, edition: str, releases: Sequence[Release]) -> Shelf:
        """The shelf with these releases of one edition."""
        others = [each for each in self.releases if each.edition != edition]
        return replace(self, releases=by_edition([*others, *releases]))


def by_edition(releases: Sequence[Release]) -> tuple[Release, ...]:
    """Releases sorted by edition, those of an edition newest first."""
    newest = sorted(releases, key=lambda release: release.order, reverse=True)
    return tuple(sorted(newest, key=lambda release: release.edition))


def read_shelf(destination: Destination) -> Shelf:
    """All releases of all editions. Half-copied ones are none."""
    places = destination.entries()
    texts = destination.read(
        [
            path
            for path, entry in places.items()
            if entry.kind == "file" and path.rpartition("/")[2] in _READ
        ]
    )
    releases, unsound = [], {}
    for path, entry in sorted(places.items()):
        match = _PLACE.fullmatch(path)
        if not (match and safe_edition(match[1]) and BUILD_ID.fullmatch(match[2])):
            continue
        if entry.kind != "folder":
            unsound[path] = "it is no folder"
            continue
        current = current_id(places, texts, match[1]) == match[2]
        try:
            release = describe(texts.get(f"{path}/{RELEASE}"), match[1], match[2])
            releases.append(release.model_copy(update={"current": current}))
        except ValueError as error:
            unsound[path] = f"{RELEASE}: {error}"
    return Shelf(by_edition(releases), unsound, places, texts)


def current_id(
    places: Mapping[str, SiteEntry], texts: Mapping[str, bytes], edition: str
) -> str | None:
    """The build id to which ``current`` leads; None where there is none."""
    path = f"{ROOT}/{edition}/{CURRENT}"
    if path in places and places[path].kind == "link":
        return places[path].target.rstrip("/").rpartition("/")[2]
    match = _POINTER.search(texts.get(f"{path}/{PAGE}", b""))
    return match[1].decode(errors="replace") if match else None


def describe(content: bytes | None, edition: str, build: str) -> Release:
    """What ``release.json`` says; a ValueError where it is not that of the release."""
    if content is None:
        raise ValueError("this file is missing, or too long")
    release = parse(content, Release)
    if (release.edition, release.build) != (edition, build):
        raise ValueError(f"it is that of {release.edition!r} {release.build!r}")
    return release


def check_release(destination: Destination, release: Release) -> None:
    """A :class:`UserError` where a release is not as it was published."""
    damaged = damage(destination, [release], release.path)
    if bad := damaged.get(release.path, ["nothing is in it"]):
        raise damaged_error(destination, release.path, bad)


def damaged_error(destination: Destination, path: str, bad: list[str]) -> UserError:
    """A release in its folder is not sound, and why."""
    return user_error(
        f"this release is damaged: {short_list(bad)}",
        f"{destination.name}/{path}",
        mend="roll back to another release, remove this folder, and publish again",
    )


def damage(
    destination: Destination, releases: Sequence[Release], within: str = ROOT
) -> dict[str, list[str]]:
    """How the files below ``within``, their lists and the manifests differ.

    By the folder of each release that is there, an empty list where it is sound.
    """
    hashes: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, digest in destination.hashes(within).items():
        *folder, file = f"{within}/{name}".split("/", 3)
        hashes["/".join(folder)][file] = digest
    contents = destination.read(
        [f"{release.path}/{name}" for release in releases for name in (SUMS, MANIFEST)]
    )
    return {
        release.path: differences(hashes[release.path], release.files)
        or _contradictions(release, contents)
        for release in releases
        if release.path in hashes
    }


def differences(there: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Files that are missing, foreign or changed; ``release.json`` is left out."""
    missing = [f"{shown(name)} is missing" for name in wanted if name not in there]
    changed = [
        f"{shown(name)} "
        + (_WORDS.get(digest, "is not the same") if name in wanted else "is foreign")
        for name, digest in there.items()
        if name != RELEASE and wanted.get(name) != digest
    ]
    return sorted(missing + changed)


def short_list(words: list[str]) -> str:
    """The first three, and how many more."""
    more = f" and {len(words) - 3} more" if len(words) > 3 else ""
    return ", ".join(words[:3]) + more


def _contradictions(release: Release, contents: Mapping[str, bytes]) -> list[str]:
    """Where release.json, SHA256SUMS and manifest.json do not say the same."""
    lists = [contents.get(f"{release.path}/{name}", b"") for name in (SUMS, MANIFEST)]
    try:
        sums, manifest = parse_sums(lists[0]), parse(lists[1], Manifest)
    except ValueError as error:
        return [f"{SUMS} or {MANIFEST} cannot be read: {error}"]
    listed = {
        n: digest for n, digest in release.files.items() if n not in (SUMS, SIGNATURE)
    }
    bad = [
        f"{RELEASE} and {SUMS} disagree on {shown(name)}"
        for name in sorted({*listed, *sums})
        if listed.get(name) != sums.get(name)
    ]
    bad += disagreements(manifest, sums, SUMS)
    other = [
        n for n in Named.model_fields if getattr(manifest, n) != getattr(release, n)
    ]
    other += ["draft"] if release.draft == (manifest.status == "final") else []
    return bad + [f"{RELEASE} and {MANIFEST} disagree on the {name}" for name in other]
