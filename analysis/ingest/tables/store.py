"""Tables as frames and as Parquet files."""

from __future__ import annotations

import functools
import io
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import polars as pl

from analysis.files.atomic import whole_folder
from analysis.files.checksums import seal
from analysis.ingest.tables.catalog import TABLES

_COMPRESSION: Final = "zstd"


def write_tables(
    tables: Mapping[str, pl.DataFrame], out: Path, room: Path | None = None
) -> None:
    """Write each table as ``<out>/<table>.parquet``; the folder appears as a whole.

    A table that has a file in ``room`` is moved from there.
    """
    with whole_folder(out) as draft:
        for name, frame in tables.items():
            path = draft / file_name(name)
            if room and (made := room / path.name).is_file():
                shutil.move(made, path)
            else:
                frame.write_parquet(path, compression=_COMPRESSION)
        seal(draft)


def file_name(table: str) -> str:
    """The name of the file of a table."""
    return f"{table}.parquet"


@functools.cache
def _empty(name: str) -> bytes:
    """The file of a table without rows, as :func:`write_tables` writes it."""
    with io.BytesIO() as file:
        pl.DataFrame(schema=TABLES[name]).write_parquet(file, compression=_COMPRESSION)
        return file.getvalue()


def is_empty(name: str, path: Path) -> bool:
    """Whether a table's file is that of one without rows: of a campaign nearly all are,
    and to look at the bytes takes less than to open them as a table."""
    empty = _empty(name)
    return path.stat().st_size == len(empty) and path.read_bytes() == empty


def stack(name: str, frames: list[pl.DataFrame]) -> pl.DataFrame:
    """All rows of a table in the order of the frames, with its columns and types."""
    schema = TABLES[name]
    if all(frame.schema == schema for frame in frames):
        return pl.concat([pl.DataFrame(schema=schema), *frames])
    return pl.concat(
        [pl.DataFrame(schema=schema), *frames], how="diagonal_relaxed"
    ).select(pl.col(c).cast(t) for c, t in schema.items())


def join_frames(name: str, frames: list[pl.DataFrame]) -> pl.DataFrame:
    """All frames of a table as one: its columns, its types, sorted by all of them."""
    schema = TABLES[name]
    shaped = [f.select(c for c in schema if c in f.columns) for f in frames]
    return stack(name, shaped).sort(list(schema), nulls_last=True)
