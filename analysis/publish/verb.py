"""Publish finished editions to a folder, a mounted share or a host over ssh.

Each release is complete and verified before it becomes the current one. Drafts, void
approvals, errors of the lint, dead links and requests to the network stop it;
--draft publishes what is marked as a draft.
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
from pathlib import Path

from analysis.errors import raise_if, user_error
from analysis.publish.address import choose_destination
from analysis.publish.build import Build, read_build
from analysis.publish.bundle import Bundle, make_bundle
from analysis.publish.destination import Destination
from analysis.publish.gates import reasons
from analysis.publish.listing import MARK, PAGE, list_page, pointer_page
from analysis.publish.release import (
    Release,
    check_place,
    check_release,
    foreign_page,
    place_release,
    read_releases,
    remove_parts,
    set_current,
)
from analysis.publish.settings import SETTINGS, Settings, read_settings
from analysis.report.fonts import font_css

BUILDS = Path("report/build")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis publish``."""
    parser.add_argument("--to", metavar="DEST", help="a folder, or host:folder by ssh")
    parser.add_argument("--edition", nargs="*", help="editions; all that are built")
    parser.add_argument("--builds", type=Path, default=BUILDS)
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument("--settings", type=Path, default=SETTINGS)
    parser.add_argument("--draft", action="store_true", help="publish a marked draft")
    parser.add_argument("--with-raw", action="store_true", help="add the raw files")
    parser.add_argument("--keep", type=int, metavar="N", help="releases that stay")
    parser.add_argument("--wait", type=float, metavar="S", help="for another publisher")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="list the releases")
    action.add_argument(
        "--rollback",
        nargs="?",
        const="",
        metavar="ID",
        help="make the release before, or that one, the current one",
    )


def run(args: argparse.Namespace) -> int:
    """Publish, list or roll back; 0 when done."""
    settings = _settings(args)
    destination = choose_destination(settings)
    if args.list:
        print(_listing(read_releases(destination)))
    elif args.rollback is not None:
        _roll_back(args, settings, destination)
    else:
        _publish(args, settings, destination)
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    """The settings of the project with what the command line says instead."""
    given = {
        "destination": args.to,
        "keep": args.keep,
        "wait": args.wait,
        "with_raw": args.with_raw or None,
    }
    if args.keep is not None and args.keep < 1:
        raise user_error(
            "--keep must be 1 or more", mend="the current one always stays"
        )
    told = {name: value for name, value in given.items() if value is not None}
    return read_settings(args.settings).model_copy(update=told)


def _publish(
    args: argparse.Namespace, settings: Settings, destination: Destination
) -> None:
    builds = [read_build(folder) for folder in _folders(args)]
    raise_if([reason for build in builds for reason in reasons(build, args.draft)])
    published = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    raw = args.raw if settings.with_raw else None
    with tempfile.TemporaryDirectory() as scratch:
        bundles = [
            make_bundle(build, published, Path(scratch, build.edition), raw)
            for build in builds
        ]
        if args.dry_run:
            _tell_plan(bundles, settings, destination)
            return
        with destination.lock(settings.wait):
            _check_places(destination, builds)
            for bundle in bundles:
                _release(args, destination, bundle)
                _prune(destination, bundle.edition, settings.keep)
            _write_list(args, destination)


def _release(
    args: argparse.Namespace, destination: Destination, bundle: Bundle
) -> None:
    remove_parts(destination, bundle.edition)
    new = place_release(destination, bundle)
    pointer = pointer_page(bundle.id, args.templates)
    set_current(destination, bundle.edition, bundle.id, pointer)
    what = "published" if new else "published before, and is the current one again"
    print(f"{bundle.edition} {bundle.id}: {what}, {len(bundle.files)} files")


def _roll_back(
    args: argparse.Namespace, settings: Settings, destination: Destination
) -> None:
    with destination.lock(settings.wait):
        releases = read_releases(destination)
        release = _chosen(args, releases)
        check_release(destination, release)
        if args.dry_run:
            print(f"{release.edition}: would roll back to {release.id}")
            return
        pointer = pointer_page(release.id, args.templates)
        set_current(destination, release.edition, release.id, pointer)
        _write_list(args, destination)
    print(f"{release.edition}: rolled back to {release.id}")


def _chosen(args: argparse.Namespace, releases: list[Release]) -> Release:
    """The release to roll back to: the one named, or the one before the current."""
    names = args.edition or sorted({release.edition for release in releases})
    own = [release for release in releases if release.edition in names]
    if args.rollback:
        found = [release for release in own if release.id == args.rollback]
    else:
        if len({release.edition for release in own}) > 1:
            raise user_error(
                f"there are several editions: {', '.join(names)}",
                mend="name one: --edition NAME",
            )
        current = next((release.published for release in own if release.current), "")
        found = [release for release in own if release.published < current]
    if not found:
        known = ", ".join(release.id for release in own) or "none"
        raise user_error(
            f"there is no release to roll back to; releases here: {known}",
            mend="see them with --list",
        )
    return found[0]


def _prune(destination: Destination, edition: str, keep: int | None) -> None:
    """Remove releases beyond the newest ``keep``; the current one always stays."""
    own = [r for r in read_releases(destination) if r.edition == edition]
    for release in own[keep:] if keep else ():
        if not release.current:
            destination.remove(release.path)
            print(f"{edition} {release.id}: removed, {keep} releases are kept")


def _write_list(args: argparse.Namespace, destination: Destination) -> None:
    page = list_page(read_releases(destination), args.templates, font_css())
    destination.write(PAGE, page)


def _check_places(destination: Destination, builds: list[Build]) -> None:
    for build in builds:
        check_place(destination, build.edition)
    if foreign_page(destination, PAGE, MARK):
        raise user_error(
            "a page that is not ours stands in the way",
            f"{destination.name}/{PAGE}",
            mend="move it elsewhere, or publish to another folder",
        )


def _folders(args: argparse.Namespace) -> list[Path]:
    if args.edition:
        return [args.builds / name for name in args.edition]
    found = sorted(path.parent for path in args.builds.glob("*/manifest.json"))
    if not found:
        raise user_error(
            "nothing is built yet", args.builds, mend="run 'make report' first"
        )
    return found


def _tell_plan(
    bundles: list[Bundle], settings: Settings, destination: Destination
) -> None:
    releases = read_releases(destination)
    for bundle in bundles:
        there = any(
            (release.edition, release.id) == (bundle.edition, bundle.id)
            for release in releases
        )
        what = "is there already" if there else f"{bundle.size / 1e6:.1f} MB to copy"
        print(f"{bundle.edition} {bundle.id}: {what}, {len(bundle.files)} files")
        own = [r for r in releases if r.edition == bundle.edition and not r.current]
        room = settings.keep - (0 if there else 1) if settings.keep else len(own)
        for release in own[max(room, 0) :]:
            print(f"{bundle.edition} {release.id}: would be removed")
    print(f"dry run: nothing was written to {destination.name}")


def _listing(releases: list[Release]) -> str:
    rows = [
        (
            release.edition,
            release.id,
            release.published,
            "draft" if release.about["draft"] else "final",
            "current" if release.current else "",
        )
        for release in releases
    ]
    return "\n".join("  ".join(row).rstrip() for row in rows) or "nothing is published"
