"""Remove what no build needs: what was made of campaigns and editions that are gone,
logs and drafts of builds that ended.

Without ``--yes`` it only says what, and how much. It looks below ``data/build`` alone:
raw files, texts, finished reports and releases are never touched. Whatever it removes
by mistake, a build makes again.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from analysis.catalogue.words import size_text
from analysis.declared.campaign import find_campaigns
from analysis.declared.edition import find_editions
from analysis.errors import UserError, user_error
from analysis.files.atomic import remove_folder
from analysis.files.inputs import folder_bytes
from analysis.files.owner import is_open_elsewhere, leave, own

RAW, REPORT, SYNTHETIC = Path("raw"), Path("report"), Path("synthetic/campaigns")
BUILD, STATE = Path("data/build"), Path(".snakemake")
LOCK, OWNER, JOBS = STATE / "build.lock", STATE / "build.owner", STATE / "jobs"
_OF_CAMPAIGNS = ("ingest", "parts", "raw", "digests/raw")
_OF_EDITIONS = ("figures", "document", "rendered", "digests/report")
_OF_STEPS = ("marks", "digests/made", "log")
_STEPS = {"generate": 0, "ingest": 0, "figures": 1, "report": 1}  # of which names


@dataclass(frozen=True)
class Old:
    """A file or folder that no build needs, why, and its size."""

    path: Path
    why: str
    bytes: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis prune``."""
    parser.add_argument("--yes", action="store_true", help="remove it")


def run(args: argparse.Namespace) -> int:
    """Say what is old, or remove it; a :class:`UserError` while a build runs."""
    with _no_build():
        found = sorted(find_old(), key=lambda old: (-old.bytes, old.path))
        for old in found:
            print(f"{size_text(old.bytes):>10}  {old.path}  ({old.why})")
            if args.yes:
                _remove(old.path)
    total = size_text(sum(old.bytes for old in found))
    if not found:
        print("nothing is old: a build needs all that is there")
    elif args.yes:
        print(f"removed: {len(found)} files and folders, {total}")
    else:
        print(f"{len(found)} files and folders, {total}; --yes removes them")
    return 0


def find_old() -> Iterator[Old]:
    """What no build of the project in the current folder needs."""
    names = ({*find_campaigns(RAW), *find_campaigns(SYNTHETIC)}, _editions())
    whys = ("the campaign is gone", "the edition is gone")
    for folders, known, why in zip(
        (_OF_CAMPAIGNS, _OF_EDITIONS), names, whys, strict=True
    ):
        for path in _entries(folders):
            if _name(path) not in known:
                yield _old(path, why)
    for path in _entries(_OF_STEPS):
        verb, _, rest = _step(path).partition("-")
        if verb in _STEPS and rest not in names[_STEPS[verb]]:
            yield _old(path, whys[_STEPS[verb]])
        elif path.suffix == ".log" and not _mark(path).exists():
            yield _old(path, "the log of a job that was made anew")
    yield from (_old(path, "left by a build that was ended") for path in _drafts())


def _editions() -> set[str]:
    found = set(find_editions(REPORT))
    if not found and BUILD.is_dir():
        what = "there is no edition: all that was built would go"
        raise user_error(what, REPORT, mend="run it in the project's folder")
    return found


def _entries(folders: Collection[str]) -> Iterator[Path]:
    """What lies in these folders, but for what is hidden; links are not followed."""
    for folder in map(BUILD.joinpath, folders):
        if folder.is_dir() and not folder.is_symlink():
            yield from (p for p in sorted(folder.iterdir()) if p.name[0] != ".")


def _name(path: Path) -> str:
    """The campaign or edition that an entry is of: a folder, or a file of digests."""
    return path.name.removesuffix(".json") if path.is_file() else path.name


def _step(path: Path) -> str:
    """The step that an entry is of: ``ingest-lab`` of its log ``ingest-lab-2.log``."""
    return path.stem.rpartition("-")[0] if path.suffix == ".log" else _name(path)


def _mark(log: Path) -> Path:
    step, _, number = log.stem.rpartition("-")
    return BUILD / "marks" / step / number


def _drafts() -> Iterator[Path]:
    """Drafts of files and folders, and folders that a draft took the place of."""
    for at, folders, files in os.walk(BUILD):
        drafts = [n for n in (*folders, *files) if _is_draft(n)]
        folders[:] = [name for name in folders if name not in drafts]
        yield from (Path(at, name) for name in drafts)


def _is_draft(name: str) -> bool:
    return name.startswith(".") and name.endswith((".part", ".old"))


def _old(path: Path, why: str) -> Old:
    return Old(path, why, folder_bytes(path))


def _remove(path: Path) -> None:
    if path.is_dir():
        remove_folder(path)
    else:
        path.unlink(missing_ok=True)
    if os.path.lexists(path):
        mend = "see that it is yours, with all that is in it"
        raise user_error("cannot be removed", path, mend=mend)


@contextmanager
def _no_build() -> Iterator[None]:
    """Keeps builds out, as a build keeps out others; an error while one runs."""
    STATE.mkdir(exist_ok=True)
    with LOCK.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _busy(f"process {LOCK.read_text('utf-8').strip()}") from None
        if _has_jobs():
            raise _busy("jobs of one that was killed")
        if other := own(OWNER, lambda _: os.kill(os.getpid(), signal.SIGINT)):
            raise _busy(str(other))
        try:
            yield
        finally:
            leave(OWNER)


def _busy(who: str) -> UserError:
    what = f"a build is running in this folder ({who})"
    return user_error(what, LOCK, mend="wait until it ends, then run this again")


def _has_jobs() -> bool:
    """Whether a job of a killed build still holds the pipe of jobs open."""
    if not (JOBS.exists() and stat.S_ISFIFO(JOBS.stat().st_mode)):
        return False
    pipe = os.open(JOBS, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return is_open_elsewhere(pipe)
    finally:
        os.close(pipe)
