"""The large tables of a campaign: sorted, counted once and written slice by slice.

A dump of gigabytes gives millions of rows. Of the tables that no step needs as a whole
no more than a slice is in memory at a time. Files that tell of other times are sorted
by themselves, each into a file of the table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from analysis.files.atomic import name_file
from analysis.files.mapped import give_back
from analysis.ingest.joining.apart import in_groups
from analysis.ingest.joining.assign import (
    OF_MACHINES,
    CampaignReading,
    Gathered,
    UseColumns,
    filled,
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
from analysis.ingest.joining.slices import ROWS, are_sorted, slices, sorted_runs
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.store import file_name, join_frames

LARGE = ROWS >> 2  # rows from which on a table is large
_RUN = ROWS >> 4  # of fewer rows there would be too many runs
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
    """A table in Parquet files, and what was dropped from it as told twice."""

    paths: tuple[Path, ...]
    told: CountedOnce

    def rows(self) -> pl.LazyFrame:
        """Its rows, for who needs few of them."""
        return pl.scan_parquet([*self.paths])


@dataclass(frozen=True)
class _Files:
    """The files of a campaign with their sha256, of which there may be many beside few
    dumps: looked through once, not for each table and each dump.

    ``named`` are the files of each sha256.
    """

    hashes: Mapping[str, str]
    named: Mapping[str, list[str]]
    rank: Rank

    @classmethod
    def of(cls, evidence: CampaignReading) -> _Files:
        hashes, sources = evidence.checked.files, evidence.checked.campaign.sources
        named = defaultdict[str, list[str]](list)
        for file, sha256 in hashes.items():
            named[sha256].append(file)
        rank = rank_of(evidence.readings, hashes, sources)
        return cls(hashes, named, rank)

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
        return {name: _table(name, found, files, room) for name in names}
    except OSError as error:
        name_file(error, room)
        raise


def _table(name: str, found: Gathered, files: _Files, room: Path) -> LargeTable:
    groups = _apart(name, found)
    paths, dropped = list[Path](), CountedOnce()
    for nth, some in enumerate(groups, 1):
        paths.append(room / file_name(name, nth if len(groups) > 1 else None))
        dropped.take(_written(name, some, files, paths[-1]))
    return LargeTable(tuple(paths), dropped)


def _apart(name: str, found: Gathered) -> list[Gathered]:
    """The rows of files that have something in common, in the order of time."""
    parts, facts = found.parts[name], found.facts[name]
    groups = in_groups(name, parts, LARGE)
    return [
        Gathered({name: [parts[n] for n in of]}, {name: [facts[n] for n in of]}, [])
        for of in groups
    ]


def _written(name: str, found: Gathered, files: _Files, path: Path) -> CountedOnce:
    import pyarrow.parquet as pq  # few campaigns are so large

    own, dropped = files.told_in(name, found), CountedOnce()
    schema = pl.DataFrame(schema=TABLES[name]).to_arrow().schema
    with (
        TemporaryDirectory(dir=path.parent) as folder,
        pq.ParquetWriter(path, schema, compression="zstd") as file,
    ):
        for some in _slices(name, found, Path(folder)):
            once, more = counted_once(name, some, own, files.rank)
            file.write_table(once.to_arrow().cast(schema))
            dropped.take(more)
    return dropped


def _slices(name: str, found: Gathered, folder: Path) -> Iterator[pl.DataFrame]:
    """All rows, sorted, a slice at a time. Runs are made in a folder, but for those
    that lie in files already: of kept parts."""
    key, facts = key_of(name), list[UseColumns]()
    runs, rest = list[pl.DataFrame](), list[tuple[pl.DataFrame, UseColumns]]()
    for rows, told in zip(found.parts[name], found.facts[name], strict=True):
        for piece in rows.iter_slices(ROWS):
            if piece.height >= _RUN and is_run(name, piece):
                runs.append(piece)
                facts.append(told)
            else:
                rest.append((piece, told))
            give_back()
    made = (filled(name, *some) for some in _in_runs(rest))
    runs += sorted_runs(made, folder)
    for parts in slices(runs, key, ROWS):
        own, others = parts[: len(facts)], parts[len(facts) :]
        yield join_frames(name, [with_facts(name, own, facts), *others])


def is_run(name: str, rows: pl.DataFrame) -> bool:
    """Whether rows are a run as they are."""
    return rows.schema == TABLES[name] and are_sorted(rows, key_of(name))


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


def _in_runs(
    pieces: Iterable[tuple[pl.DataFrame, UseColumns]],
) -> Iterator[tuple[list[pl.DataFrame], list[UseColumns]]]:
    """Rows with what runs say of their files, so many at a time as make a run."""
    some, of, count = list[pl.DataFrame](), list[UseColumns](), 0
    for piece, told in pieces:
        if some and count + piece.height > ROWS:
            yield some, of
            some, of, count = [], [], 0
        some.append(piece)
        of.append(told)
        count += piece.height
    if some:
        yield some, of


def told_of(large: Mapping[str, LargeTable]) -> dict[str, CountedOnce]:
    """What was dropped of each large table."""
    return {name: table.told for name, table in large.items()}
