"""Publish finished editions to a folder, a mounted share or a host over ssh.

Each release is complete and verified before it becomes the current one. Drafts, void
approvals, errors of the lint, dead links and requests to the network stop it;
--draft publishes what is marked as a draft, which takes no final release's place.
``publish.yaml`` says where and how a project publishes.
"""

from __future__ import annotations

import argparse
import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from pydantic import Field

from analysis.declared.base import Declared, check_declared, load_yaml
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.publish.build import read_build
from analysis.publish.destination import (
    Destination,
    LocalDestination,
    RemoteDestination,
)
from analysis.publish.publication import Options, publish, roll_back
from analysis.publish.release import damage, read_shelf, short_list
from analysis.report.builds.built import BUILDS, REPORT, find_builds, left_out
from analysis.usage import seconds, whole

_REMOTE = re.compile(
    r"(?P<host>(?:[A-Za-z0-9_][\w.-]*@)?(?:[A-Za-z0-9_][\w.-]*|\[[0-9a-fA-F:.]+\]))"
    r":(?P<folder>[^:].*)"
)
SETTINGS = Path("publish.yaml")


class Settings(Declared):
    """Options of ``publish``; those of the command line come before them.

    ``keep`` is how many releases of an edition stay, all of them if it is absent.
    ``sign`` is the key of SSH that signs releases, ``wait`` how many seconds to wait
    for another publisher, ``links`` whether the share has symbolic links, ``ssh`` the
    program with options for this host.
    """

    destination: str = ""
    keep: Annotated[int, Field(ge=1)] | None = None
    with_raw: bool = Field(default=False, alias="with-raw")
    sign: Path | None = None
    links: bool = True
    ssh: str = "ssh"
    wait: Annotated[float, Field(ge=0)] = 60.0


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
    parser.add_argument(
        "--old", action="store_true", help="publish a build although a later one failed"
    )
    parser.add_argument("--with-raw", action="store_true", help="add the raw files")
    parser.add_argument(
        "--sign", type=Path, metavar="KEY", help="sign with this key of SSH"
    )
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
    """Publish, list or roll back; 0 when done, 1 where the list has damaged ones."""
    settings = read_settings(args.settings)
    to = choose_destination(args.to or settings.destination, settings)
    if args.list:
        return _list(to)
    how = Options(
        templates=args.templates,
        raw=args.raw,
        report=args.report,
        draft=args.draft,
        current=args.current,
        old=args.old,
        with_raw=args.with_raw or settings.with_raw,
        keep=args.keep or settings.keep,
        wait=settings.wait if args.wait is None else args.wait,
        dry_run=args.dry_run,
        key=args.sign or settings.sign,
    )
    if args.rollback is None:
        publish([read_build(folder) for folder in _folders(args)], to, how)
    else:
        roll_back(args.edition or (), args.rollback, to, how)
    return 0


def _folders(args: argparse.Namespace) -> list[Path]:
    """The builds that are to be published."""
    folders, gone = find_builds(args.builds, args.report)
    if args.edition:
        raise_if([_gone(f, args.report) for f in gone if f.name in args.edition])
        return [args.builds / name for name in args.edition]
    for folder in gone:
        print(left_out(folder, args.report))
    if not folders:
        raise user_error(
            "nothing is built yet", args.builds, mend="run 'make report' first"
        )
    return folders


def _gone(folder: Path, report: Path) -> Issue:
    return Issue(
        f"{report / folder.name} is no edition any more",
        Place(str(folder)),
        f"remove this folder, or bring {report / folder.name / 'edition.yaml'} back",
    )


def _list(destination: Destination) -> int:
    """Print all releases and what is wrong with any; 1 where something is."""
    shelf = read_shelf(destination)
    damaged = damage(destination, shelf.releases)
    for release in shelf.releases:
        row = (
            release.edition,
            release.build,
            release.published,
            "draft" if release.draft else "final",
            "signed" if release.signed else "unsigned",
            "current" if release.current else "",
        )
        bad = damaged.get(release.path)
        words = f"  damaged: {short_list(bad)}" if bad else ""
        print("  ".join(row).rstrip() + words)
    for path, why in shelf.unsound.items():
        print(f"{path}  damaged: {why}")
    if not (shelf.releases or shelf.unsound):
        print("nothing is published")
    return int(bool(shelf.unsound) or any(damaged.values()))


def choose_destination(text: str, settings: Settings) -> Destination:
    """The destination of that name; ``host:folder`` is one over ssh."""
    if not text.strip():
        raise user_error(
            "no destination is given",
            mend="make publish DEST=/srv/www/reports, or 'destination' in publish.yaml",
        )
    before, colon, _ = text.partition(":")
    if not colon or "/" in before:
        return LocalDestination(Path(text), settings.links)
    match = _REMOTE.fullmatch(text)
    if match and "://" not in text and match["folder"].strip("/"):
        folder = match["folder"].rstrip("/")
        return RemoteDestination(match["host"], folder, _program(settings.ssh))
    raise user_error(
        f"not a destination: {text!r}",
        mend="write a folder, or host:folder for a folder of a host over ssh",
    )


def _program(text: str) -> tuple[str, ...]:
    """The words of a command."""
    with suppress(ValueError):  # a quote without its end
        if words := tuple(shlex.split(text)):
            return words
    raise user_error(
        f"not a program with its options: {text!r}",
        SETTINGS,
        mend="write ssh: ssh -p 2222, or leave it out",
    )


def read_settings(path: Path) -> Settings:
    """The settings of the project, the defaults where the file is absent or empty."""
    if not path.is_file():
        return Settings()
    data, node = load_yaml(path)
    return Settings() if data is None else check_declared(data, node, Settings, path)
