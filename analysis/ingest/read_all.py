"""Read all files of a campaign, in parallel where that is faster."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections import defaultdict
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import forkserver
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

import polars as pl

from analysis.errors import Issue, UserError, is_of_machine, user_error
from analysis.facts.remark import Remark, quote, remark, together
from analysis.files.atomic import name_file
from analysis.files.mapped import give_back, mapped_frame
from analysis.ingest.detect import FORMATS, read_file
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.rmf.mapped_csv import with_mappings
from analysis.progress import WorkDone, counted

# Reading is Python code, which threads only slow down. Worker processes take 0.3 s to
# start; one process reads some 30 MB/s. So workers pay from several MB onwards.
PARALLEL_BYTES = 16_000_000
_HANDED_OVER_BYTES = 4_000_000  # of a table: from these on files, not a message
_HANDED_OVER_ROWS = 1 << 18  # of such a file
Handed = tuple[Reading, Mapping[str, Sequence[Path]]]


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
    workers, total = min(_cores(), len(files)), sum(sizes.values())
    progress = WorkDone(folder.name, len(files), "files", total)
    if workers < 2 or total < parallel:
        in_turn = counted(files, progress, (sizes[file] for file in files))
        return {file: read(file) for file in in_turn}
    chunk = max(1, len(files) // (workers * 16))
    chunks = -(-len(files) // chunk)
    by_size = sorted(files, key=lambda file: (-sizes[file], file))
    order = [file for nth in range(chunks) for file in by_size[nth::chunks]]
    with (
        TemporaryDirectory(prefix="rows-") as room,
        ProcessPoolExecutor(workers, _context()) as pool,
    ):
        handed = pool.map(partial(_hand_over, room, read), order, chunksize=chunk)
        readings = map(_taken_over, handed)
        told = counted(readings, progress, (sizes[file] for file in order))
        return dict(zip(order, told, strict=True))


def _hand_over(room: str, read: Callable[[str], Reading], file: str) -> Handed:
    """What a file says, for another process: large tables as files in ``room``."""
    reading, files = read(file), defaultdict[str, list[Path]](list)
    for name, rows in reading.tables.items():
        if rows.estimated_size() < _HANDED_OVER_BYTES:
            continue
        for piece in rows.iter_slices(_HANDED_OVER_ROWS):
            with NamedTemporaryFile(dir=room, suffix=".arrow", delete=False) as draft:
                files[name].append(Path(draft.name))
            piece.write_ipc(files[name][-1], compression="uncompressed")
            give_back()
    reading.tables = {n: t for n, t in reading.tables.items() if n not in files}
    return reading, files


def _taken_over(handed: Handed) -> Reading:
    """The reading that was handed over; the files of its tables may go."""
    reading, files = handed
    for name, paths in files.items():
        reading.tables[name] = pl.concat(map(mapped_frame, paths), rechunk=False)
    return reading


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
) -> Reading:
    try:
        told = {"codepage": codepage, "dates": dates}
        beside = os.path.dirname(file) in mapped
        return read_file(folder / file, zone, **told, mapped=beside)
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
