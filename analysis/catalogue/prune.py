"""Remove what no build needs: what was made of campaigns and editions that are gone,
what is kept and nobody asked for in a month, and drafts of builds that ended.

Without ``--yes`` it only says what, and how much. It looks below ``data/build`` alone:
raw files, texts, finished reports and releases are never touched. Whatever it removes
by mistake, a build makes again.
"""

from __future__ import annotations

import argparse
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.catalogue.verb import size_text
from analysis.declared.campaign import find_campaigns
from analysis.declared.edition import find_editions
from analysis.errors import user_error
from analysis.files.atomic import remove_folder
from analysis.files.cache import UNUSED_DAYS, unused
from analysis.files.inputs import folder_bytes

RAW, REPORT, SYNTHETIC = Path("raw"), Path("report"), Path("synthetic/campaigns")
BUILD, STATE = Path("data/build"), Path(".snakemake")
LOCK = STATE / "build.lock"
_OF_CAMPAIGNS = ("ingest", "raw", "digests/raw")
_OF_EDITIONS = ("derived", "facts", "figures", "document", "rendered")


@dataclass(frozen=True)
class Old:
    """A file or folder that no build needs, why, and its size."""

    path: Path
    why: str

    @cached_property
    def bytes(self) -> int:
        """Of all that is in it."""
        return folder_bytes(self.path)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis prune``."""
    parser.add_argument("--yes", action="store_true", help="remove it")


def run(args: argparse.Namespace) -> int:
    """Say what is old, or remove it; a :class:`UserError` while a build runs."""
    with _no_build():
        all_old = sorted(find_old(), key=lambda old: (-old.bytes, old.path))
        for old in all_old:
            print(f"{size_text(old.bytes):>10}  {old.path}  ({old.why})")
            if args.yes:
                remove_folder(old.path)
                if os.path.lexists(old.path):
                    mend = "see that it is yours, with all that is in it"
                    raise user_error("cannot be removed", old.path, mend=mend)
    total = size_text(sum(old.bytes for old in all_old))
    if not all_old:
        print("nothing is old: a build needs all that is there")
    elif args.yes:
        print(f"removed: {len(all_old)} files and folders, {total}")
    else:
        print(f"{len(all_old)} files and folders, {total}; --yes removes them")
    return 0


def find_old() -> Iterator[Old]:
    """What no build of the project in the current folder needs."""
    campaigns = {*find_campaigns(RAW), *find_campaigns(SYNTHETIC)}
    for folders, known, why in (
        (_OF_CAMPAIGNS, campaigns, "the campaign is gone"),
        (_OF_EDITIONS, _editions(), "the edition is gone"),
    ):
        for path in (p for name in folders for p in _entries(BUILD / name)):
            if path.name.removesuffix(".placed") not in known:
                yield Old(path, why)
    for path in unused(BUILD / "cache"):
        yield Old(path, f"kept, and not asked for in {UNUSED_DAYS} days")
    yield from (Old(path, "left by a build that was ended") for path in _drafts())


def _editions() -> set[str]:
    editions = set(find_editions(REPORT))
    if not editions and BUILD.is_dir():
        what = "there is no edition: all that was built would go"
        raise user_error(what, REPORT, mend="run it in the project's folder")
    return editions


def _entries(folder: Path) -> Iterator[Path]:
    """What lies in a folder, but for what is hidden; links are not followed."""
    if folder.is_dir() and not folder.is_symlink():
        yield from (path for path in sorted(folder.iterdir()) if path.name[0] != ".")


def _drafts() -> Iterator[Path]:
    """Drafts of files and folders, and folders that a draft took the place of."""
    for at, folders, files in os.walk(BUILD):
        ends = (".part", ".old")
        drafts = [n for n in (*folders, *files) if n[0] == "." and n.endswith(ends)]
        folders[:] = [n for n in folders if n not in drafts and n != "cache"]
        yield from (Path(at, name) for name in drafts)


@contextmanager
def _no_build() -> Iterator[None]:
    """Keeps builds out, as a build keeps out others; an error while one runs."""
    STATE.mkdir(exist_ok=True)
    with LOCK.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = LOCK.read_text("utf-8").strip()
            what = f"a build is running in this folder (process {holder})"
            mend = "wait until it ends, then run this again"
            raise user_error(what, LOCK, mend=mend) from None
        yield
