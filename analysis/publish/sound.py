"""Whether a release at a destination is as it was published."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.errors import user_error
from analysis.publish.build import MANIFEST, RELEASE, SUMS
from analysis.publish.destination import NO_FILE, UNREADABLE, Destination
from analysis.publish.documents import (
    Manifest,
    disagreements,
    parse,
    parse_sums,
    shown,
)
from analysis.publish.release import ROOT, Release, Shelf

_TOLD = (
    "edition", "build", "title", "subtitle", "headline", "date", "number", "status",
    "origins", "formats", "draft",
)  # fmt: skip
_WORDS = {NO_FILE: "is no file", UNREADABLE: "cannot be read"}


def check_release(destination: Destination, release: Release) -> None:
    """A :class:`UserError` where a release is not as it was published."""
    if destination.kind(release.path) == "folder":
        contents = destination.read(_lists(release))
        bad = damage(release, destination.hashes(release.path), contents)
    else:
        bad = ["it is no folder"]
    if bad:
        raise user_error(
            f"this release is damaged: {short_list(bad)}",
            f"{destination.name}/{release.path}",
            mend="roll back to another release, remove this folder, and publish again",
        )


def damaged_releases(destination: Destination, shelf: Shelf) -> dict[str, list[str]]:
    """What is wrong with each release that is not sound, by its folder."""
    found = {path: [why] for path, why in shelf.unsound.items()}
    contents = destination.read([n for r in shelf.releases for n in _lists(r)])
    for edition in sorted({release.edition for release in shelf.releases}):
        hashes: dict[str, dict[str, str]] = {}
        for path, digest in destination.hashes(f"{ROOT}/{edition}").items():
            id, _, name = path.partition("/")
            hashes.setdefault(id, {})[name] = digest
        for release in shelf.of(edition):
            bad = damage(release, hashes.get(release.id, {}), contents)
            if bad and destination.kind(release.path) != "nothing":
                found[release.path] = bad
    return found


def damage(
    release: Release, hashes: Mapping[str, str], contents: Mapping[str, bytes]
) -> list[str]:
    """How the files that are there, their lists and the manifest differ.

    ``hashes`` has the sha256 of each file that is there, ``contents`` the bytes of
    ``SHA256SUMS`` and ``manifest.json`` by their paths.
    """
    bad = differences(hashes, release.about["files"])
    return bad or _contradictions(release, contents)


def differences(found: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Files that are missing, foreign or changed; ``release.json`` is left out."""
    missing = [f"{shown(name)} is missing" for name in wanted if name not in found]
    changed = [
        f"{shown(name)} {'is foreign' if name not in wanted else _changed(digest)}"
        for name, digest in found.items()
        if name != RELEASE and wanted.get(name) != digest
    ]
    return sorted(missing + changed)


def short_list(found: list[str]) -> str:
    """The first three, and how many more."""
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return ", ".join(found[:3]) + more


def _changed(digest: str) -> str:
    return _WORDS.get(digest, "is not the same")


def _lists(release: Release) -> list[str]:
    return [f"{release.path}/{name}" for name in (SUMS, MANIFEST)]


def _contradictions(release: Release, contents: Mapping[str, bytes]) -> list[str]:
    """Where release.json, SHA256SUMS and manifest.json do not say the same."""
    lists = [contents.get(path, b"") for path in _lists(release)]
    try:
        sums, manifest = parse_sums(lists[0]), parse(lists[1], Manifest)
    except ValueError as error:
        return [f"{SUMS} or {MANIFEST} cannot be read: {error}"]
    listed = {n: digest for n, digest in release.about["files"].items() if n != SUMS}
    bad = [
        f"{RELEASE} and {SUMS} disagree on {shown(name)}"
        for name in sorted({*listed, *sums})
        if listed.get(name) != sums.get(name)
    ]
    bad += disagreements(manifest, sums, SUMS)
    told = manifest.model_dump() | {"draft": manifest.status != "final"}
    return bad + [
        f"{RELEASE} and {MANIFEST} disagree on the {name}"
        for name in _TOLD
        if told.get(name) != release.about.get(name)
    ]
