"""Put releases in place and take them away, so that what can be seen is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.files.hashes import hash_file
from analysis.publish.build import RELEASE, safe_edition
from analysis.publish.bundle import Bundle
from analysis.publish.changes import FOLDER
from analysis.publish.destination import Destination
from analysis.publish.feed import FEED
from analysis.publish.feed import MARK as FEED_MARK
from analysis.publish.listing import MARK
from analysis.publish.release import (
    CURRENT,
    PAGE,
    POINTER,
    ROOT,
    Release,
    describe,
    read_file,
    release_path,
)
from analysis.publish.sound import check_release, differences, short_list

_PAGES = "|".join(map(re.escape, (PAGE, FEED)))
_LEFT = re.compile(rf"\.([0-9a-f]{{6,64}}(\.html)?|{CURRENT}|{_PAGES})\.part")


def place_release(
    destination: Destination, bundle: Bundle, about: Mapping[str, Any]
) -> None:
    """Put a complete, verified release in place; ``about`` is its release.json.

    It is copied under another name, read again from the destination and renamed
    last, so that a release that can be seen is whole.
    """
    path = release_path(bundle.edition, bundle.id)
    part = _part(bundle.edition, bundle.id)
    try:
        destination.upload(bundle.files, part)
        destination.stage(f"{part}/{RELEASE}", json.dumps(about, indent=1).encode())
        destination.switch([f"{part}/{RELEASE}"])
        bad = differences(destination.hashes(part), bundle.hashes)
        if bad:
            raise user_error(
                f"what arrived is not what was sent: {short_list(bad)}",
                f"{destination.name}/{part}",
                mend="see that the destination works, then publish again",
            )
        destination.rename(part, path)
    except UserError:
        with suppress(UserError):  # the first error is the one to tell
            destination.remove(part)
        _check_sources(bundle)
        raise


def check_same(destination: Destination, bundle: Bundle) -> None:
    """A :class:`UserError` where what has the build's name is another release."""
    path = release_path(bundle.edition, bundle.id)
    where = f"{destination.name}/{path}"
    content = read_file(destination, f"{path}/{RELEASE}")
    try:
        about = describe(content, bundle.edition, bundle.id)
    except ValueError:
        raise user_error(
            "a folder that is no release has the name of this build",
            where,
            mend="move it elsewhere, then publish again",
        ) from None
    check_release(destination, Release(bundle.edition, bundle.id, about))
    if about["files"] != bundle.hashes:
        raise user_error(
            "this build is published already, with other files",
            where,
            mend="publish with the same options as then (--with-raw), or remove it",
        )


def put_page(destination: Destination, path: str, page: bytes) -> None:
    """Put a page of our own in place, in one step."""
    destination.stage(path, page)
    destination.switch([path])


def show(
    destination: Destination,
    page: bytes,
    release: Release | None,
    pointer: bytes,
    feed: bytes,
) -> None:
    """Let readers see a list page and, with it, a release as the current one.

    All is written before anything changes. The list comes last: where it names
    another release than ``current`` leads to, the change was cut short.
    """
    destination.stage(PAGE, page)
    destination.stage(FEED, feed)
    changed = [FEED, PAGE]
    if release:
        path = f"{ROOT}/{release.edition}/{CURRENT}"
        folder = destination.kind(path) == "folder"
        if folder or not destination.stage_link(path, release.id):
            path = f"{path}/{PAGE}"
            destination.stage(path, pointer)
        changed.insert(0, path)
    destination.switch(changed)


def remove_release(destination: Destination, release: Release) -> None:
    """Remove a release; one that is half removed cannot be seen any more."""
    part = _part(release.edition, release.id)
    destination.rename(release.path, part)
    destination.remove(part)


def remove_left(destination: Destination) -> None:
    """Remove what a killed publisher left half written, copied or removed."""
    editions = [f"{ROOT}/{e}" for e in destination.names(ROOT) if safe_edition(e)]
    pointers = [f"{path}/{CURRENT}" for path in editions]
    pages = [f"{FOLDER}/{edition}" for edition in destination.names(FOLDER)]
    for folder in (".", *editions, *pointers, *pages):
        for name in destination.names(folder):
            if _LEFT.fullmatch(name):
                destination.remove(f"{folder}/{name}")


def check_places(destination: Destination, editions: Iterable[str]) -> None:
    """A :class:`UserError` where something foreign stands in the way."""
    issues = []
    for path in (ROOT, *(f"{ROOT}/{edition}" for edition in editions)):
        if destination.kind(path) not in ("nothing", "folder"):
            issues.append(_foreign(destination, path))
        if path != ROOT and not _is_pointer(destination, f"{path}/{CURRENT}"):
            issues.append(_foreign(destination, f"{path}/{CURRENT}"))
    raise_if(issues)
    for name, mark in ((PAGE, MARK), (FEED, FEED_MARK)):
        page = read_file(destination, name) or b""
        if mark not in page and destination.kind(name) != "nothing":
            raise user_error(
                "a page that is not ours stands in the way",
                f"{destination.name}/{name}",
                mend="move it elsewhere, or publish to another folder",
            )


def _is_pointer(destination: Destination, path: str) -> bool:
    """Whether ``current`` is absent, a link, our page, or one that was not finished."""
    kind = destination.kind(path)
    if kind != "folder":
        return kind in ("nothing", "link")
    page = read_file(destination, f"{path}/{PAGE}")
    if page is None:
        return all(_LEFT.fullmatch(name) for name in destination.names(path))
    return bool(POINTER.search(page))


def _part(edition: str, id: str) -> str:
    """The hidden folder of a release that is being copied or removed."""
    return release_path(edition, f".{id}.part")


def _check_sources(bundle: Bundle) -> None:
    """A :class:`UserError` where the build is no longer what was to be published."""
    for name, path in bundle.files.items():
        if not path.is_file() or hash_file(path) != bundle.hashes[name]:
            raise user_error(
                "the build changed while it was published",
                path,
                mend="wait until 'make report' has ended, then publish again",
            )


def _foreign(destination: Destination, path: str) -> Issue:
    return Issue(
        "something that is no release stands in the way",
        Place(f"{destination.name}/{path}"),
        "move it elsewhere, or publish to another folder",
    )
