"""The large tables of a campaign: sorted on disk, counted once, written piece by piece.

A dump of gigabytes gives millions of rows. Tables that no step needs as a whole are
sorted by DuckDB within a limit of memory, and lie in files from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from analysis.files.atomic import name_file
from analysis.files.limits import MIB
from analysis.files.mapped import give_back
from analysis.ingest.joining.assign import (
    OF_MACHINES,
    CampaignReading,
    Gathered,
    UseColumns,
    with_facts,
)
from analysis.ingest.joining.choose import (
    COMPARED,
    KEYS,
    CountedOnce,
    counted_once,
    rank_of,
)
from analysis.ingest.joining.preferred import Rank
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.store import file_name, join_frames

LARGE = 1 << 16  # rows from which on a table is large
ROWS = 1 << 16  # that are looked at together
_SORTED_IN = 256 * MIB  # of memory; DuckDB puts what is more into files
# Steps look at all rows of these: of a system there is one, or few, in an interval.
_AS_A_WHOLE = {
    *OF_MACHINES,
    "cgroup_counter",
    "gateway_interval",
    "interface_interval",
    "run_cpu",
}
_ORIGIN = ("run", "source", "position")


@dataclass(frozen=True)
class LargeTable:
    """A table in a Parquet file, and what was dropped from it as told twice."""

    path: Path
    told: CountedOnce

    def rows(self) -> pl.LazyFrame:
        """Its rows, for who needs few of them."""
        return pl.scan_parquet(self.path)


@dataclass(frozen=True)
class _Files:
    """The files of a campaign with their sha256, of which there may be many beside few
    dumps: looked through once, not for each table and each dump.

    ``named`` are the files of each sha256.
    """

    named: Mapping[str, list[str]]
    rank: Rank

    @classmethod
    def of(cls, evidence: CampaignReading) -> _Files:
        hashes, sources = evidence.checked.files, evidence.checked.campaign.sources
        named = defaultdict[str, list[str]](list)
        for file, sha256 in hashes.items():
            named[sha256].append(file)
        return cls(named, rank_of(evidence.readings, hashes, sources))

    def told_in(self, name: str, found: Gathered) -> dict[str, str]:
        """Those that rows of a table are from, with their sha256."""
        sources = {str(told["_source"]) for told in found.facts[name]}
        return {file: of for of in sources for file in self.named.get(of, ())}


def write_large(
    found: Gathered, evidence: CampaignReading, room: Path
) -> dict[str, LargeTable]:
    """The large tables as files in a folder, as the others are after
    :func:`analysis.ingest.joining.choose.count_once`."""
    names = [
        name
        for name in sorted(TABLES.keys() - _AS_A_WHOLE)
        if sum(rows.height for rows in found.parts.get(name, [])) > LARGE
    ]
    if not names:
        return {}
    files = _Files.of(evidence)
    try:
        return {name: _written(name, found, files, room) for name in names}
    except OSError as error:
        name_file(error, room)
        raise


def _written(name: str, found: Gathered, files: _Files, room: Path) -> LargeTable:
    import pyarrow.parquet as pq

    own, dropped = files.told_in(name, found), CountedOnce()
    schema = pl.DataFrame(schema=TABLES[name]).to_arrow().schema
    path = room / file_name(name)
    with (
        TemporaryDirectory(dir=room) as folder,
        pq.ParquetWriter(path, schema, compression="zstd") as file,
    ):
        unsorted = Path(folder, "unsorted.parquet")
        with pq.ParquetWriter(unsorted, schema, compression="lz4") as all_rows:
            for rows in _with_facts(name, found):
                all_rows.write_table(rows.to_arrow().cast(schema))
                give_back()
        for rows in _whole_keys(_sorted(unsorted, key_of(name)), key_of(name)):
            once, more = counted_once(name, join_frames(name, [rows]), own, files.rank)
            file.write_table(once.to_arrow().cast(schema))
            dropped.take(more)
    return LargeTable(path, dropped)


def _with_facts(name: str, found: Gathered) -> Iterator[pl.DataFrame]:
    """All rows with what runs say of their files, those of many small files at once."""
    some, of, count = list[pl.DataFrame](), list[UseColumns](), 0
    columns = list(TABLES[name])
    for rows, told in zip(found.parts[name], found.facts[name], strict=True):
        for piece in rows.iter_slices(ROWS):
            if some and count + piece.height > ROWS:
                yield with_facts(name, some, of).select(columns)
                some, of, count = [], [], 0
            some.append(piece)
            of.append(told)
            count += piece.height
    yield with_facts(name, some, of).select(columns)


def _sorted(unsorted: Path, key: Iterable[str]) -> Iterator[pl.DataFrame]:
    """The rows of a file in the order of a key, some at a time."""
    import duckdb  # few campaigns are so large

    within: dict[str, Any] = {
        "memory_limit": f"{_SORTED_IN}B",
        "temp_directory": str(unsorted.parent),
        "threads": 1,
    }
    order = ", ".join(f'"{column}" NULLS LAST' for column in key)
    with duckdb.connect(config=within) as con:
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
        last = rows.select(key).row(-1)
        alike = (
            pl.col(c).eq_missing(pl.lit(v)) for c, v in zip(key, last, strict=True)
        )
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
        return _leading(name, COMPARED[name][0])
    if name in KEYS:
        return _leading(name, (*KEYS[name], "start_utc"))
    return _leading(name, [column for column in TABLES[name] if column not in _ORIGIN])


def _leading(name: str, columns: Iterable[str]) -> list[str]:
    own, found = set(columns), list[str]()
    for column, kind in TABLES[name].items():
        if column not in own or kind not in (pl.String, pl.Int64):
            break
        found.append(column)
    return found


def told_of(large: Mapping[str, LargeTable]) -> dict[str, CountedOnce]:
    """What was dropped of each large table."""
    return {name: table.told for name, table in large.items()}
