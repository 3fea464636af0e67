"""Large tables: sorted on disk, counted once, written piece by piece.

A dump of gigabytes gives millions of rows. Tables that no step needs as a whole are
sorted by DuckDB within a limit of memory, and lie in files from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from analysis.files.atomic import name_file
from analysis.files.limits import MIB
from analysis.files.mapped import give_back
from analysis.ingest.joining.assign import OF_MACHINES, FileRows, Rows, with_known
from analysis.ingest.joining.once import COMPARED, KEYS, OnceCounter
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.store import file_name, join_frames

LARGE = 1 << 16  # rows from which on a table is large
ROWS = 1 << 16  # that are looked at together
_SORTED_IN = 256 * MIB  # of memory; DuckDB puts what is more into files
# Steps look at all rows of these: of a system there is one, or few, in an interval.
_AS_A_WHOLE = (
    *OF_MACHINES, "cgroup_counter", "gateway_interval", "interface_interval", "run_cpu",
    "run_counter",
)  # fmt: skip
_ORIGIN = ("run", "source", "position")


def write_large(rows: Rows, once: OnceCounter, room: Path) -> list[str]:
    """The names of the large tables, whose rows that count are now files in ``room``,
    sorted as those of the others are."""
    names = [
        name
        for name in sorted(TABLES.keys() - _AS_A_WHOLE)
        if key_of(name) and sum(part.height for part, _ in rows.get(name, ())) > LARGE
    ]
    try:
        for name in names:
            _write(name, rows[name], once, room)
    except OSError as error:
        name_file(error, room)
        raise
    return names


def _write(name: str, files: Sequence[FileRows], once: OnceCounter, room: Path) -> None:
    import pyarrow.parquet as pq  # few campaigns are so large

    schema = pl.DataFrame(schema=TABLES[name]).to_arrow().schema
    key = key_of(name)
    with (
        TemporaryDirectory(dir=room) as folder,
        pq.ParquetWriter(room / file_name(name), schema, compression="zstd") as out,
    ):
        unsorted = Path(folder, "unsorted.parquet")
        with pq.ParquetWriter(unsorted, schema, compression="lz4") as all_rows:
            for some in _some_at_a_time(files):
                piece = with_known(name, some).select(list(TABLES[name]))
                all_rows.write_table(piece.to_arrow().cast(schema))
                give_back()
        for piece in _whole_keys(_sorted(unsorted, key), key):
            counted = once.rows(name, join_frames(name, [piece]))
            out.write_table(counted.to_arrow().cast(schema))


def _some_at_a_time(files: Sequence[FileRows]) -> Iterator[list[FileRows]]:
    """All rows in lots of no more than ``ROWS``, those of many small files at once."""
    some, count = list[FileRows](), 0
    for rows, known in files:
        for piece in rows.iter_slices(ROWS):
            if some and count + piece.height > ROWS:
                yield some
                some, count = [], 0
            some.append((piece, known))
            count += piece.height
    yield some


def _sorted(unsorted: Path, key: Iterable[str]) -> Iterator[pl.DataFrame]:
    """The rows of a file in the order of a key, some at a time."""
    import duckdb

    order = ", ".join(f'"{column}" NULLS LAST' for column in key)
    with duckdb.connect(
        config={
            "memory_limit": f"{_SORTED_IN}B",
            "temp_directory": str(unsorted.parent),
            "threads": 1,
        }
    ) as con:
        try:
            rows = con.read_parquet(str(unsorted)).order(order)
            for batch in rows.to_arrow_reader(ROWS):
                yield pl.DataFrame(pl.from_arrow(batch))
        except duckdb.IOException as error:  # as a full disk is told
            raise OSError(str(error)) from None


def _whole_keys(
    pieces: Iterable[pl.DataFrame], key: list[str]
) -> Iterator[pl.DataFrame]:
    """Sorted rows, some at a time; those that have the key in common stay together."""
    left: pl.DataFrame | None = None
    for piece in pieces:
        rows = piece if left is None else pl.concat([left, piece])
        last = zip(key, rows.select(key).row(-1), strict=True)
        alike = [pl.col(column).eq_missing(pl.lit(value)) for column, value in last]
        count = rows.select(pl.all_horizontal(*alike).sum()).item()
        if count < rows.height:
            yield rows[:-count]
        left = rows[-count:]
    if left is not None:
        yield left


def key_of(name: str) -> list[str]:
    """The first columns of a table that rows must have in common, to be told twice or
    to be chosen among."""
    if name in COMPARED:
        columns = {*COMPARED[name][0]}
    elif name in KEYS:
        columns = {*KEYS[name], "start_utc"}
    else:
        columns = TABLES[name].keys() - _ORIGIN
    key = list[str]()
    for column, kind in TABLES[name].items():
        if column not in columns or kind not in (pl.String, pl.Int64):
            break
        key.append(column)
    return key
