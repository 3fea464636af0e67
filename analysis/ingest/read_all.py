"""Read all files of a campaign, in parallel where that is faster."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain
from multiprocessing import forkserver
from pathlib import Path

from analysis.errors import Issue, UserError, is_of_machine, user_error
from analysis.facts.remark import Remark, quote, remark, together
from analysis.files.atomic import name_file
from analysis.files.regular_file import open_regular
from analysis.ingest import smf
from analysis.ingest.detect import FORMATS, read_file
from analysis.ingest.raw_file import HEAD
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.rmf.mapped_csv import with_mappings
from analysis.progress import WorkDone, counted

# Reading is Python code, which threads only slow down. Worker processes take 0.3 s to
# start; one process reads some 30 MB/s. So workers pay from several MB onwards.
PARALLEL_BYTES = 16_000_000


def prepare(size: int) -> None:
    """Start the process that workers come from, where :func:`read_all` will want it.

    It is ready when the checks of a campaign of ``size`` bytes are done, which take
    one CPU.
    """
    if _cores() < 2 or not _has_forkserver():
        return
    if size >= PARALLEL_BYTES:
        _context()
        forkserver.ensure_running()


def read_all(
    folder: Path,
    files: Sequence[str],
    zone: str,
    dates: str | None = None,
    codepage: str | None = None,
    parallel: int = PARALLEL_BYTES,
) -> dict[str, Reading]:
    """What each file says, by file; one that cannot be read has the status failed.

    Worker processes share the work where the files have ``parallel`` bytes or more.
    """
    with _told_of(folder):
        return _read_all(folder, files, (zone, dates, codepage), parallel)


def _read_all(
    folder: Path,
    files: Sequence[str],
    clock: tuple[str, str | None, str | None],
    parallel: int,
) -> dict[str, Reading]:
    sizes = _sizes(folder, files)
    mapped = with_mappings(folder, files)
    read = partial(_read, folder, *clock, mapped)
    heavy = (file for file in files if sizes[file] >= smf.IN_PARTS)
    large = [file for file in heavy if _is_dump(folder / file)]
    workers = _cores() if large else min(_cores(), len(files))
    total = sum(sizes.values())
    progress = WorkDone(folder.name, len(files), "files", total)
    if workers < 2 or total < parallel:
        in_turn = counted(files, progress, (sizes[file] for file in files))
        return {file: read(file) for file in in_turn}
    rest = sorted({*files} - {*large}, key=lambda file: (-sizes[file], file))
    with ProcessPoolExecutor(workers, _context()) as pool:
        chunk = max(1, len(rest) // (workers * 16))
        alone = pool.map(read, rest, chunksize=chunk)
        # All processes read one dump after the other, as soon as the rest is dealt out.
        in_parts = (read(file, pool=(pool, workers)) for file in large)
        order = [*large, *rest]
        readings = counted(
            chain(in_parts, alone), progress, (sizes[file] for file in order)
        )
        return dict(zip(order, readings, strict=True))


@contextmanager
def _told_of(folder: Path) -> Iterator[None]:
    """Say where there is no room, and that a process was ended, as by a system without
    memory."""
    try:
        yield
    except BrokenExecutor:
        mend = "see that there is memory for all processes, then run it again"
        what = "a process that read files was ended before it was done"
        raise user_error(what, folder, mend=mend) from None
    except OSError as error:
        name_file(error, Path(tempfile.gettempdir()))
        raise


def _is_dump(path: Path) -> bool:
    """Whether several processes read a large file faster than one."""
    with open_regular(path) as file:
        return smf.recognise(file.read(HEAD))


def _sizes(folder: Path, files: Iterable[str]) -> dict[str, int]:
    return {file: os.stat(f"{folder}/{file}").st_size for file in files}


def _cores() -> int:
    """The CPUs that this process may use: of a job, or of a container, not all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _context() -> multiprocessing.context.BaseContext:
    """Workers that have all formats at hand. They are forked from a process of their
    own, because threads that polars may have started here do not survive a fork."""
    if not _has_forkserver():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *FORMATS.modules])
    return context


def _has_forkserver() -> bool:
    return "forkserver" in multiprocessing.get_all_start_methods()


def _read(
    folder: Path,
    zone: str,
    dates: str | None,
    codepage: str | None,
    mapped: Container[str],
    file: str,
    pool: tuple[Executor, int] | None = None,
) -> Reading:
    try:
        told = {"codepage": codepage, "dates": dates}
        beside = os.path.dirname(file) in mapped
        return read_file(folder / file, zone, **told, pool=pool, mapped=beside)
    except UserError as error:
        issue = error.issues[0]
        return _failed(_of_issue(issue))
    except BrokenExecutor:
        raise
    except Exception as error:  # one damaged file must not stop the other files
        if is_of_machine(error):
            raise
        return _failed(
            remark("reader_failed", name=type(error).__name__, error=str(error))
        )


def _failed(cause: Remark) -> Reading:
    problems = [Problem(cause)]
    return Reading("unknown", status="failed", cause=cause, problems=problems)


def _of_issue(issue: Issue) -> Remark:
    """What is wrong with a file and how to mend it."""
    return together([quote(text) for text in (issue.what, issue.mend) if text])
