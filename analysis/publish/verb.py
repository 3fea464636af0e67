"""Publish finished editions to a folder, a mounted share or a host over ssh.

Each release is complete and verified before it becomes the current one. Drafts, void
approvals, errors of the lint, dead links and requests to the network stop it;
--draft publishes what is marked as a draft, which takes no final release's place.
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
from pathlib import Path

from analysis.arguments import seconds, whole
from analysis.built import BUILDS, REPORT, find_builds, left_out
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.publish.address import choose_destination
from analysis.publish.build import Build, read_build
from analysis.publish.bundle import Bundle, make_bundle
from analysis.publish.destination import Destination
from analysis.publish.gates import reasons
from analysis.publish.keep import after, surplus, takes_over
from analysis.publish.listing import MARK, PAGE, list_page, pointer_page
from analysis.publish.release import (
    Release,
    check_place,
    check_release,
    foreign_page,
    place_release,
    read_releases,
    release_path,
    remove_parts,
    set_current,
)
from analysis.publish.settings import SETTINGS, Settings, read_settings
from analysis.report.fonts import font_css


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis publish``."""
    parser.add_argument("--to", metavar="DEST", help="a folder, or host:folder by ssh")
    parser.add_argument("--edition", nargs="*", help="editions; all that are built")
    parser.add_argument("--builds", type=Path, default=BUILDS)
    parser.add_argument("--report", type=Path, default=REPORT, help="the editions")
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument("--settings", type=Path, default=SETTINGS)
    parser.add_argument("--draft", action="store_true", help="publish a marked draft")
    parser.add_argument(
        "--current", action="store_true", help="let a draft take a final one's place"
    )
    parser.add_argument("--with-raw", action="store_true", help="add the raw files")
    parser.add_argument(
        "--keep", type=whole("--keep", 1), metavar="N", help="releases that stay"
    )
    parser.add_argument(
        "--wait", type=seconds("--wait"), metavar="S", help="for another publisher"
    )
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
            _tell_plan(args, bundles, settings, destination)
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
    current = takes_over(bundle, read_releases(destination), args.current)
    new = place_release(destination, bundle)
    if current:
        pointer = pointer_page(bundle.id, args.templates)
        set_current(destination, bundle.edition, bundle.id, pointer)
    again = ", and is the current one again" if current else ""
    what = "published" if new else f"published before{again}"
    print(f"{bundle.edition} {bundle.id}: {what}, {len(bundle.files)} files")
    if not current:
        print(_beside(bundle))


def _beside(bundle: Bundle) -> str:
    address = f"{release_path(bundle.edition, bundle.id)}/{PAGE}"
    why = "a draft takes no final release's place unless --current is given"
    return f"  at {address}, not as the current release: {why}"


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
    known = ", ".join(release.id for release in own) or "none"
    if args.rollback:
        found = [release for release in own if release.id == args.rollback]
        none = f"there is no release {args.rollback}; releases here: {known}"
    else:
        if len({release.edition for release in own}) > 1:
            raise user_error(
                f"there are several editions: {', '.join(names)}",
                mend="name one: --edition NAME",
            )
        found = _before_current(own)
        none = f"there is no release to roll back to; releases here: {known}"
    if not found:
        raise user_error(none, mend="see them with --list")
    return found[0]


def _before_current(own: list[Release]) -> list[Release]:
    """What was published before the current one; before a final one only final ones."""
    current = next((release for release in own if release.current), None)
    return [
        release
        for release in own
        if current
        and release.published < current.published
        and (current.draft or not release.draft)
    ]


def _prune(destination: Destination, edition: str, keep: int | None) -> None:
    own = [r for r in read_releases(destination) if r.edition == edition]
    for release in surplus(own, keep):
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
    found, gone = find_builds(args.builds, args.report)
    if args.edition:
        raise_if([_gone(f, args.report) for f in gone if f.name in args.edition])
        return [args.builds / name for name in args.edition]
    for folder in gone:
        print(left_out(folder, args.report))
    if not found:
        raise user_error(
            "nothing is built yet", args.builds, mend="run 'make report' first"
        )
    return found


def _gone(folder: Path, report: Path) -> Issue:
    return Issue(
        f"{report / folder.name} is no edition any more",
        Place(str(folder)),
        f"remove this folder, or bring {report / folder.name / 'edition.yaml'} back",
    )


def _tell_plan(
    args: argparse.Namespace,
    bundles: list[Bundle],
    settings: Settings,
    destination: Destination,
) -> None:
    releases = read_releases(destination)
    for bundle in bundles:
        there = any(
            (release.edition, release.id) == (bundle.edition, bundle.id)
            for release in releases
        )
        what = "is there already" if there else f"{bundle.size / 1e6:.1f} MB to copy"
        print(f"{bundle.edition} {bundle.id}: {what}, {len(bundle.files)} files")
        current = takes_over(bundle, releases, args.current)
        if not current:
            print(_beside(bundle))
        for release in surplus(after(bundle, releases, current), settings.keep):
            print(f"{bundle.edition} {release.id}: would be removed")
    print(f"dry run: nothing was written to {destination.name}")


def _listing(releases: list[Release]) -> str:
    rows = [
        (
            release.edition,
            release.id,
            release.published,
            "draft" if release.draft else "final",
            "current" if release.current else "",
        )
        for release in releases
    ]
    return "\n".join("  ".join(row).rstrip() for row in rows) or "nothing is published"
