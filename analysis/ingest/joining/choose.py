"""Each record and each interval of a campaign counts once: the one rule for it.

What several files tell alike counts once. Dumps overlap where an installation writes
a day's file and a week's. Within a file the reader of SMF has dropped what is repeated
byte for byte, because it alone sees the bytes; nothing after this drops anything.

Where one interval comes from several files, one is kept. A dump of SMF, a report in
XML and a listing may tell of the same time. Added up, it would count twice. The
campaign declares which format comes first (``sources``); rows of a later one that
overlap rows of an earlier one are dropped, and a difference beyond what rounding can do
becomes a problem of the file whose rows were dropped. Of two files of one format, one
may tell the dispatch time that the other lacks: it is the more precise and comes first.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import polars as pl

from analysis.facts.kind import Values
from analysis.facts.remark import remark
from analysis.ingest.joining.preferred import BASES, Place, Rank, contested, in_order
from analysis.ingest.joining.repeated import file_of, recorded_once, tell_repeated
from analysis.ingest.reading import Problem, Problems, Reading

# What tells the rows of one file and interval apart, beyond start and length.
KEYS = {
    "cpu_interval": ("system", "scope", "cpu_type", "run"),
    "partition_interval": ("system", "partition", "cpu_type"),
    "class_interval": ("system", "class_kind", "class", "period"),
    "address_space_interval": ("system", "job", "asid", "step", "kind"),
}
# By table: what tells its rows apart, and the figure that is compared.
COMPARED = {
    "cpu_interval": (("system", "cpu_type"), "busy_pct"),
    "partition_interval": (("system", "partition", "cpu_type"), "dispatch_seconds"),
    # One file may tell a class by its periods and another one as a whole.
    "class_interval": (("system", "class_kind", "class"), "cp_seconds"),
    "channel_interval": (("system", "channel"), "partition_busy_pct"),
    "device_interval": (("system", "device"), "connect_ms"),
    "pcie_interval": (("system", "function"), "bytes_out"),
}
# Resolved with two decimals (percent) or three (seconds, ms): half a digit for each
# of the figures that an average or a sum is made of, and 0.1% for different clocks.
ROUNDING = {"busy_pct": 0.011, "partition_busy_pct": 0.011}
_OTHER_ROUNDING, _SHARE = 0.004, 0.001
_TOLERANCE = 1.0  # seconds; real lengths wobble
_PERIODS = 8  # that a class of WLM may have

Row = dict[str, Any]
Span = tuple[float, float, Row]
Differing = tuple[Place, str, Values]  # of a row of the file with that sha256


@dataclass
class CountedOnce:
    """What was dropped of a table: rows by file, and what differed in them, each with
    its place in the order of choosing."""

    repeated: Counter[str] = field(default_factory=Counter)
    differing: list[Differing] = field(default_factory=list)

    def take(self, other: CountedOnce) -> None:
        """Add what was dropped of rows behind these."""
        self.repeated += other.repeated
        self.differing += other.differing

    def told(self) -> list[Any]:
        """As what JSON can hold."""
        return [self.repeated, self.differing]

    @classmethod
    def of(cls, told: list[Any]) -> CountedOnce:
        """What was :meth:`told`."""
        repeated, differing = told
        found = ((tuple(place), of, said) for place, of, said in differing)
        return cls(Counter(repeated), list(found))


def count_once(
    tables: Mapping[str, pl.DataFrame],
    readings: Mapping[str, Reading],
    files: Mapping[str, str],
    order: Sequence[str],
    told: Mapping[str, CountedOnce] = MappingProxyType({}),
) -> tuple[dict[str, pl.DataFrame], Problems]:
    """The tables with each record and each interval once, and what is to be said.

    ``files`` gives the sha256 of each file, ``order`` the formats, first come first;
    ``told`` what was dropped already of some tables.
    """
    rank = rank_of(readings, files, order)
    kept, found = dict(tables), dict(told)
    for name in tables.keys() - told.keys():
        kept[name], found[name] = counted_once(name, tables[name], files, rank)
    repeated = tell_repeated({name: one.repeated for name, one in found.items()})
    differing = {name: one.differing for name, one in found.items()}
    return kept, [*repeated, *_tell_differing(differing)]


def counted_once(
    name: str, table: pl.DataFrame, files: Mapping[str, str], rank: Rank
) -> tuple[pl.DataFrame, CountedOnce]:
    """A table, or all its rows of some intervals, with each of them once."""
    if table.is_empty():  # as most tables are
        return table, CountedOnce()
    names = {sha256: file for file, sha256 in sorted(files.items(), reverse=True)}
    once, repeated = recorded_once(name, table, names)
    chosen, differing = _choose(name, once, rank)
    return _first(name, chosen, names), CountedOnce(repeated, differing)


def rank_of(
    readings: Mapping[str, Reading], files: Mapping[str, str], order: Sequence[str]
) -> Rank:
    """The place of its format and the name of each file, by its sha256."""
    return {
        sha256: (order.index(readings[file].format), file)
        for file, sha256 in files.items()
        if file in readings and readings[file].format in order
    }


def _first(name: str, table: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """The table with one row of each interval, the most precise of the first file.

    One file may tell an interval twice, as RMF's Monitor I and III do in one dump.
    """
    key = [*KEYS.get(name, ()), "start_utc", "seconds"]
    if name not in KEYS or not table.select(key).is_duplicated().any():
        return table
    figure = COMPARED[name][1] if name in COMPARED else "cp_seconds"
    basis = pl.col("basis") if "basis" in table.columns else pl.lit(None, pl.String)
    rank = basis.replace_strict({b: n for n, b in enumerate(BASES)}, default=len(BASES))
    ordered = table.with_row_index("_row").with_columns(
        _rank=rank, _lacks=pl.col(figure).is_null(), _file=file_of(names)
    )
    first = ordered.filter(pl.col("start_utc").is_not_null()).sort(
        "_lacks", "_rank", "_file", "position", "_row"
    )
    once = first.unique(key, keep="first", maintain_order=True)["_row"]
    untimed = ordered.filter(pl.col("start_utc").is_null())["_row"]
    rows = pl.concat([once, untimed]).sort()
    return table[rows]


def choose_sources(
    tables: Mapping[str, pl.DataFrame],
    readings: Mapping[str, Reading],
    files: Mapping[str, str],
    order: Sequence[str],
) -> tuple[dict[str, pl.DataFrame], Problems]:
    """The tables with each interval of one file alone, and how far others differ.

    ``files`` gives the sha256 of each file, ``order`` the formats, first come first.
    """
    rank = rank_of(readings, files, order)
    chosen, told = dict(tables), dict[str, list[Differing]]()
    for name in tables:
        chosen[name], told[name] = _choose(name, tables[name], rank)
    return chosen, _tell_differing(told)


def _choose(
    name: str, table: pl.DataFrame, rank: Rank
) -> tuple[pl.DataFrame, list[Differing]]:
    if name not in COMPARED or table["source"].n_unique() < 2:
        return table, []
    key, figure = COMPARED[name]
    kept: dict[tuple[Any, ...], list[Span]] = defaultdict(list)
    drop: set[int] = set()
    told: list[Differing] = []
    known = contested(table.with_row_index("_row"), key, figure, rank)
    for place, row in in_order(known, key, rank):
        start = dt.datetime.fromisoformat(row["start_utc"]).timestamp()
        span = (start, start + (row["seconds"] or 0.0), row)
        spans = kept[tuple(row[name] for name in key)]
        other = _overlapping(spans, span)
        if other is None:
            spans.insert(bisect_left(spans, start, key=lambda s: s[0]), span)
            continue
        drop.add(row["_row"])
        if said := difference(row, other, figure):
            told.append((place, row["source"], said))
    return table.filter(~pl.int_range(pl.len()).is_in(sorted(drop))), told


def _tell_differing(told: Mapping[str, list[Differing]]) -> Problems:
    """What is to be said of rows that were dropped, by table and file."""
    problems = Problems()
    for name in COMPARED:
        of_file: dict[tuple[str, str], list[Values]] = defaultdict(list)
        for place, sha256, said in sorted(told.get(name, ()), key=itemgetter(0)):
            of_file[sha256, place[3]].append(said)
        problems += [
            (file, _differing(differences))
            for (_, file), differences in sorted(of_file.items())
        ]
    return problems


def _overlapping(spans: list[Span], span: Span) -> Row | None:
    """A row of another file in the same time, if there is one of the same period;
    spans are sorted, and only periods of one class overlap."""
    begin, end, row = span
    at = bisect_left(spans, begin, key=lambda s: s[0])
    close = spans[max(at - 1, 0) : at + _PERIODS]
    near = takewhile(lambda s: s[0] < end, close)
    found = [
        other
        for start, stop, other in near
        if min(stop, end) - max(start, begin) > _TOLERANCE
        and other["source"] != row["source"]
    ]
    same = (other for other in found if other.get("period") == row.get("period"))
    return next(same, found[0] if found else None)


def difference(row: Row, other: Row, figure: str) -> Values | None:
    """How two rows of one interval differ beyond rounding; null where they do not.

    Rows of different lengths, or of a period and a whole class, are not compared.
    """
    if row.get("period") != other.get("period"):
        return None
    one, two = row[figure], other[figure]
    if one is None or two is None:
        return None
    if abs((row["seconds"] or 0.0) - (other["seconds"] or 0.0)) > _TOLERANCE:
        return None
    rounding = ROUNDING.get(figure, _OTHER_ROUNDING)
    if abs(one - two) <= rounding + _SHARE * abs(two):
        return None
    return {"figure": figure, "start": row["start_utc"], "here": one, "taken": two}


def _differing(differences: list[Values]) -> Problem:
    """The first difference of a file, and how many more there are."""
    more = len(differences) - 1
    kind = "intervals_differ" if more else "interval_differs"
    return Problem(remark(kind, **differences[0], **({"more": more} if more else {})))
