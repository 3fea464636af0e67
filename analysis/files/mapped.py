"""Arrow files as frames over the mapped file: rows take memory while they are used.

Pages of a mapped file that were looked at count as memory of the process until the
system wants them back. Who goes through large files gives them back on the way, so
that what a process is seen to have is what it needs.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import cast
from weakref import WeakSet

import polars as pl

_MAPPED: WeakSet[mmap.mmap] = WeakSet()


def mapped_frame(path: Path) -> pl.DataFrame:
    """The rows of an Arrow file that is not compressed; it may be deleted after."""
    import pyarrow as pa  # and numpy: 40 MB that small logs need not spend

    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    _MAPPED.add(data)
    table = pa.ipc.open_file(pa.py_buffer(data)).read_all()
    return cast(pl.DataFrame, pl.from_arrow(table))


def give_back() -> None:
    """Take the pages of all mapped files out of the process; frames stay valid."""
    for data in list(_MAPPED):
        data.madvise(mmap.MADV_DONTNEED)
