"""Publish bundles: each in place, then shown, then what is surplus removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.publish.bundle import Bundle
from analysis.publish.destination import Destination, FullError
from analysis.publish.keep import after, removable, surplus, takes_over
from analysis.publish.listing import PAGE, list_page, pointer_page
from analysis.publish.place import (
    check_places,
    check_same,
    place_release,
    remove_left,
    remove_release,
    show,
)
from analysis.publish.release import Release, Shelf, read_shelf, release_path
from analysis.report.fonts import font_css


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
    pointer = pointer_page(current.id, templates) if current else b""
    page = list_page(shelf.releases, templates, font_css())
    show(destination, page, current, pointer)


def _publish(doing: Publication, bundle: Bundle, shelf: Shelf) -> Shelf:
    """Publish one bundle; the shelf as it is then."""
    current = takes_over(bundle, shelf.releases, doing.asked)
    own = after(bundle, shelf.releases, current)
    release = next(found for found in own if found.id == bundle.id)
    new = bundle.id not in {found.id for found in shelf.of(bundle.edition)}
    if new:
        shelf = _place(doing, bundle, release, shelf)
    else:
        check_same(doing.destination, bundle)
    there = {found.id for found in shelf.of(bundle.edition)} | {bundle.id}
    gone = [found for found in surplus(own, doing.keep) if found.id in there]
    left = [found for found in own if found.id in there and found not in gone]
    shelf = shelf.replaced(bundle.edition, left)
    show_shelf(doing.destination, shelf, doing.templates, release if current else None)
    _tell(bundle, new, current)
    for found in gone:
        remove_release(doing.destination, found)
        print(f"{found.edition} {found.id}: removed, {doing.keep} releases are kept")
    return shelf


def _place(doing: Publication, bundle: Bundle, release: Release, shelf: Shelf) -> Shelf:
    """Put a new release in place, if need be after removing what is surplus then."""
    try:
        place_release(doing.destination, bundle, release.about)
    except FullError:
        gone = removable(shelf.of(bundle.edition), release, doing.keep)
        if not gone:
            raise
        left = [found for found in shelf.of(bundle.edition) if found not in gone]
        shelf = shelf.replaced(bundle.edition, left)
        for found in gone:
            remove_release(doing.destination, found)
            print(f"{found.edition} {found.id}: removed to make room")
        show_shelf(doing.destination, shelf, doing.templates, None)
        place_release(doing.destination, bundle, release.about)
    return shelf


def _tell(bundle: Bundle, new: bool, current: bool) -> None:
    again = ", and is the current one again" if current else ""
    what = "published" if new else f"published before{again}"
    print(f"{bundle.edition} {bundle.id}: {what}, {len(bundle.files)} files")
    if not current:
        print(_beside(bundle))


def _beside(bundle: Bundle) -> str:
    address = f"{release_path(bundle.edition, bundle.id)}/{PAGE}"
    why = "a draft takes no final release's place unless --current is given"
    return f"  at {address}, not as the current release: {why}"
