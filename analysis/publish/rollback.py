"""Roll back: make an earlier release the current one again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from analysis.errors import user_error
from analysis.publish.destination import Destination
from analysis.publish.listing import listed_current
from analysis.publish.place import check_places, remove_left
from analysis.publish.publication import show_shelf
from analysis.publish.release import PAGE, Release, Shelf, read_file, read_shelf
from analysis.publish.sound import check_release


def roll_back(
    destination: Destination,
    templates: Path,
    editions: Sequence[str],
    id: str,
    wait: float,
) -> None:
    """Make the release ``id``, or the one before if empty, the current one.

    A :class:`UserError` where there is none, or where it is damaged.
    """
    plan_rollback(destination, editions, id)  # nothing is made where nothing is
    with destination.lock(wait):
        remove_left(destination)
        shelf = read_shelf(destination)
        release = _chosen(destination, shelf, editions, id)
        check_places(destination, [release.edition])
        check_release(destination, release)
        own = [
            replace(found, current=found.id == release.id)
            for found in shelf.of(release.edition)
        ]
        show_shelf(
            destination, shelf.replaced(release.edition, own), templates, release
        )
    print(f"{release.edition}: rolled back to {release.id}")


def plan_rollback(
    destination: Destination, editions: Sequence[str], id: str
) -> Release:
    """The sound release that :func:`roll_back` would make the current one."""
    shelf = read_shelf(destination)
    release = _chosen(destination, shelf, editions, id)
    check_release(destination, release)
    return release


def _chosen(
    destination: Destination, shelf: Shelf, editions: Sequence[str], id: str
) -> Release:
    """The release to roll back to: the one named, or the one before the current."""
    names = editions or sorted({release.edition for release in shelf.releases})
    own = [release for release in shelf.releases if release.edition in names]
    known = ", ".join(release.id for release in own) or "none"
    if id:
        found = [release for release in own if release.id == id]
        none = f"there is no release {id}; releases here: {known}"
    else:
        if len({release.edition for release in own}) > 1:
            raise user_error(
                f"there are several editions: {', '.join(names)}",
                mend="name one: --edition NAME",
            )
        found = _interrupted(destination, own) or _before_current(own)
        none = f"there is no release to roll back to; releases here: {known}"
    if not found:
        mend = "see them with --list; name one, as for a draft: --rollback ID"
        raise user_error(none, mend=mend)
    return found[0]


def _interrupted(destination: Destination, own: Sequence[Release]) -> list[Release]:
    """The current release where the list page, which follows, has a newer one."""
    listed = listed_current(read_file(destination, PAGE) or b"")
    return [
        now
        for now in own
        for told in own
        if now.current and told.id == listed.get(told.edition)
        if now.order < told.order
    ]


def _before_current(own: Sequence[Release]) -> list[Release]:
    """What was published before the current one; before a final one only final ones."""
    current = next((release for release in own if release.current), None)
    return [
        release
        for release in own
        if current
        and release.order < current.order
        and (current.draft or not release.draft)
    ]
