"""Read all files of a campaign, in parallel where that is faster."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from analysis.errors import UserError
from analysis.ingest.detect import read_file
from analysis.ingest.reading import Problem, Reading

# Reading is Python code, which threads only slow down. A worker process takes 0.3 s
# to start; one process reads some 10 MB/s. So workers pay from several MB onwards.
PARALLEL_BYTES = 16_000_000


def read_all(
    folder: Path,
    files: Sequence[str],
    zone: str,
    parallel: int = PARALLEL_BYTES,
    dates: str | None = None,
) -> dict[str, Reading]:
    """What each file says, by file; one that cannot be read has the status failed.

    Worker processes share the work where the files have ``parallel`` bytes or more.
    """
    sizes = {file: (folder / file).stat().st_size for file in files}
    read = partial(_read, folder, zone, dates)
    workers = min(os.cpu_count() or 1, len(files))
    if workers < 2 or sum(sizes.values()) < parallel:
        return {file: read(file) for file in files}
    large_first = sorted(files, key=lambda file: (-sizes[file], file))
    # Not fork: the threads of polars do not survive it.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context) as pool:
        chunk = max(1, len(files) // (workers * 16))
        readings = pool.map(read, large_first, chunksize=chunk)
        return dict(zip(large_first, readings, strict=True))


def _read(folder: Path, zone: str, dates: str | None, file: str) -> Reading:
    try:
        return read_file(folder / file, zone, dates=dates)
    except UserError as error:
        return _failed(error.issues[0].what)
    except Exception as error:  # one damaged file must not stop the other files
        return _failed(f"the reader could not cope: {type(error).__name__}: {error}")


def _failed(reason: str) -> Reading:
    problems = [Problem(reason)]
    return Reading("unknown", status="failed", reason=reason, problems=problems)
