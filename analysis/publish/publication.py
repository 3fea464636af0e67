"""Publish bundles: each in place, then shown, then what is surplus removed.

Which release readers see then, and which of the old ones go, is decided below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.publish.bundle import Bundle
from analysis.publish.changes import FOLDER, Changes, changes_of, changes_path
from analysis.publish.destination import Destination, FullError
from analysis.publish.documents import MOST
from analysis.publish.feed import feed
from analysis.publish.listing import list_page, listed, pointer_page
from analysis.publish.place import (
    check_places,
    check_same,
    place_release,
    put_page,
    remove_left,
    remove_release,
    show,
)
from analysis.publish.release import Release, Shelf, read_shelf, release_path
from analysis.report.builds.site_search import SECTIONS, read_sections
from analysis.report.pages.fonts import font_css


@dataclass(frozen=True)
class Publication:
    """How to publish to a destination.

    ``keep`` is how many releases of an edition stay, all if None; ``asked`` lets a
    draft take a final release's place.
    """

    destination: Destination
    templates: Path
    keep: int | None = None
    asked: bool = False


def publish(doing: Publication, bundles: Sequence[Bundle], wait: float) -> None:
    """Publish bundles, one after the other, with the destination locked."""
    with doing.destination.lock(wait):
        check_places(doing.destination, [bundle.edition for bundle in bundles])
        remove_left(doing.destination)
        shelf = read_shelf(doing.destination)
        for path, why in shelf.unsound.items():
            print(f"note: {path} is left out: {why}")
        for bundle in bundles:
            shelf = _publish(doing, bundle, shelf)


def plan(doing: Publication, bundles: Sequence[Bundle]) -> None:
    """Say what :func:`publish` would do."""
    shelf = read_shelf(doing.destination)
    for bundle in bundles:
        there = bundle.id in {release.id for release in shelf.of(bundle.edition)}
        what = "is there already" if there else f"{bundle.size / 1e6:.1f} MB to copy"
        print(f"{bundle.edition} {bundle.id}: {what}, {len(bundle.files)} files")
        current = takes_over(bundle, shelf.releases, doing.asked)
        if not current:
            print(_beside(bundle))
        for release in surplus(after(bundle, shelf.releases, current), doing.keep):
            print(f"{bundle.edition} {release.id}: would be removed")
    print(f"dry run: nothing was written to {doing.destination.name}")


def show_shelf(
    destination: Destination, shelf: Shelf, templates: Path, current: Release | None
) -> None:
    """Let readers see the list of a shelf, and with it a release as the current one."""
    pointer = pointer_page(current, templates) if current else b""
    changes, sections = _with_changes(destination, shelf), _sections(destination, shelf)
    page = list_page(shelf.releases, templates, font_css(), changes, sections)
    show(destination, page, current, pointer, feed(shelf.releases, templates))


def _sections(
    destination: Destination, shelf: Shelf
) -> dict[str, list[dict[str, str]]]:
    """What the releases that the list shows first are searched by, by folder."""
    paths = {entry.shown.path for entry in listed(shelf.releases)}
    found = destination.read([f"{path}/{SECTIONS}" for path in sorted(paths)])
    return {path: read_sections(found.get(f"{path}/{SECTIONS}")) for path in paths}


def _with_changes(destination: Destination, shelf: Shelf) -> set[str]:
    """The releases, by their folders, that have a page of what they changed."""
    editions = {release.edition for release in shelf.releases}
    return {
        release_path(edition, name.removesuffix(".html"))
        for edition in sorted(editions)
        for name in destination.names(f"{FOLDER}/{edition}")
    }


def _publish(doing: Publication, bundle: Bundle, shelf: Shelf) -> Shelf:
    """Publish one bundle, if need be after removing what is surplus; the shelf then."""
    try:
        return _put(doing, bundle, shelf)
    except FullError:
        own = shelf.of(bundle.edition)
        gone = removable(own, bundle, doing.keep)
        if not gone:
            raise
        shelf = shelf.replaced(bundle.edition, [r for r in own if r not in gone])
        _remove(doing, gone, "removed to make room")
        show_shelf(doing.destination, shelf, doing.templates, None)
        return _put(doing, bundle, shelf)


def _put(doing: Publication, bundle: Bundle, shelf: Shelf) -> Shelf:
    """Put a bundle in place and show it, then remove what is surplus."""
    path = release_path(bundle.edition, bundle.id)
    new = doing.destination.kind(path) == "nothing"
    changes = _changes(doing, bundle, shelf) if new else None
    bundle = bundle.with_news(changes.news) if changes else bundle
    current = takes_over(bundle, shelf.releases, doing.asked)
    own = after(bundle, shelf.releases, current)
    release = next(found for found in own if found.id == bundle.id)
    if new:
        place_release(doing.destination, bundle, release.about)
        if changes:
            put_page(
                doing.destination, changes_path(bundle.edition, bundle.id), changes.page
            )
    else:
        check_same(doing.destination, bundle)
    gone = surplus(own, doing.keep)
    shelf = shelf.replaced(bundle.edition, [r for r in own if r not in gone])
    show_shelf(doing.destination, shelf, doing.templates, release if current else None)
    _tell(bundle, new, current)
    _remove(doing, gone, f"removed, {doing.keep} releases are kept")
    return shelf


def _changes(doing: Publication, bundle: Bundle, shelf: Shelf) -> Changes | None:
    """What a new release changes against the newest of its edition."""
    own = [release for release in shelf.of(bundle.edition) if release.id != bundle.id]
    if not own:
        return None
    return changes_of(doing.destination, own[0], bundle, doing.templates)


def _remove(doing: Publication, releases: Sequence[Release], what: str) -> None:
    for release in releases:
        remove_release(doing.destination, release)
        doing.destination.remove(changes_path(release.edition, release.id))
        print(f"{release.edition} {release.id}: {what}")


def _tell(bundle: Bundle, new: bool, current: bool) -> None:
    again = ", and is the current one again" if current else ""
    what = "published" if new else f"published before{again}"
    print(f"{bundle.edition} {bundle.id}: {what}, {len(bundle.files)} files")
    if not current:
        print(_beside(bundle))


def _beside(bundle: Bundle) -> str:
    address = f"{release_path(bundle.edition, bundle.id)}/{bundle.main}"
    why = "a draft takes no final release's place unless --current is given"
    return f"  at {address}, not as the current release: {why}"


def takes_over(bundle: Bundle, releases: Sequence[Release], asked: bool) -> bool:
    """Whether a bundle becomes the current release of its edition.

    A draft does not where the current one is final, unless it is ``asked`` for.
    """
    current = [r for r in releases if r.edition == bundle.edition and r.current]
    displaces = bool(bundle.about["draft"]) and any(not r.draft for r in current)
    return asked or not displaces


def after(bundle: Bundle, releases: Sequence[Release], current: bool) -> list[Release]:
    """The releases of an edition, newest first, once the bundle is published."""
    own = [r for r in releases if r.edition == bundle.edition]
    if bundle.id not in {release.id for release in own}:
        last = max((release.sequence for release in own), default=0)
        sequence = min(last + 1, MOST)  # whatever someone wrote into a release.json
        about = bundle.described(sequence)
        own = [Release(bundle.edition, bundle.id, about), *own]
    if not current:
        return own
    return [replace(release, current=release.id == bundle.id) for release in own]


def surplus(own: Sequence[Release], keep: int | None) -> list[Release]:
    """Those beyond the newest ``keep``; never the current one nor the newest final."""
    beyond = own[keep:] if keep else ()
    return [r for r in beyond if not r.current and r.id != _newest_final(own)]


def removable(
    own: Sequence[Release], bundle: Bundle, keep: int | None
) -> list[Release]:
    """What may go before the bundle has come; nothing without a current release."""
    if not any(release.current for release in own):
        return []
    beyond = surplus(after(bundle, own, current=False), keep)
    return [r for r in beyond if r.id not in (bundle.id, _newest_final(own))]


def _newest_final(own: Sequence[Release]) -> str | None:
    return next((release.id for release in own if not release.draft), None)
