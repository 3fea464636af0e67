"""Tables as frames and as Parquet files."""

from __future__ import annotations

import functools
import io
import re
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import polars as pl

from analysis.files.atomic import whole_folder
from analysis.files.seal import seal
from analysis.ingest.tables.catalog import TABLES

_COMPRESSION: Final = "zstd"
TableFiles = Mapping[str, Sequence[Path]]
_FILE: Final = re.compile(r"(\w+)(?:\.(\d+))?\.parquet")


def write_tables(
    tables: Mapping[str, pl.DataFrame], out: Path, room: Path | None = None
) -> None:
    """Write each table as ``<out>/<table>.parquet``; the folder appears as a whole.

    A table that has files in ``room`` is moved from there.
    """
    made = table_files(room) if room else {}
    with whole_folder(out) as draft:
        for name, frame in tables.items():
            for path in made.get(name, ()):
                shutil.move(path, draft / path.name)
            if name not in made:
                path = draft / file_name(name)
                frame.write_parquet(path, compression=_COMPRESSION)
        seal(draft)


def file_name(table: str, nth: int | None = None) -> str:
    """The name of the file of a table, or of its ``nth`` of several."""
    return f"{table}.parquet" if nth is None else f"{table}.{nth}.parquet"


def table_files(folder: Path) -> TableFiles:
    """The files of each table in a folder, in the order of their rows."""
    found: dict[str, dict[int, Path]] = defaultdict(dict)
    for path in folder.iterdir() if folder.is_dir() else ():
        named = _FILE.fullmatch(path.name)
        if named and named[1] in TABLES:
            found[named[1]][int(named[2] or 0)] = path
    return {table: [of[nth] for nth in sorted(of)] for table, of in found.items()}


def missing_files(table: str, files: Sequence[Path]) -> list[str]:
    """The names that lack among a table's files: it is one, or they are numbered from
    1 on. Of several the last one cannot be missed."""
    count, names = len(files), {path.name for path in files}
    numbers = range(1, count + 1) if count > 1 else [None]
    return [of for nth in numbers if (of := file_name(table, nth)) not in names]


@functools.cache
def _empty(name: str) -> bytes:
    """The file of a table without rows, as :func:`write_tables` writes it."""
    with io.BytesIO() as file:
        pl.DataFrame(schema=TABLES[name]).write_parquet(file, compression=_COMPRESSION)
        return file.getvalue()


def is_empty(name: str, files: Sequence[Path]) -> bool:
    """Whether a table's file is that of one without rows: of a campaign nearly all are,
    and to look at the bytes takes less than to open them as a table."""
    path, empty = files[0], _empty(name)
    if len(files) > 1 or path.stat().st_size != len(empty):
        return False
    return path.read_bytes() == empty


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
