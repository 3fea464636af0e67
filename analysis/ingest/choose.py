"""Where one interval comes from several files, keep one; say how far they differ.

A dump of SMF, a report in XML and a listing may tell of the same time. Added up, it
would count twice. The campaign declares which format comes first (``sources``); rows
of a later one that overlap rows of an earlier one are dropped, and a difference beyond
what rounding can do becomes a problem of the file whose rows were dropped. Of two files
of one format, one may tell the dispatch time that the other lacks: it is the more
precise and comes first.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import polars as pl

from analysis.ingest.reading import Problem, Reading

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
# Printed with two decimals (percent) or three (seconds, ms): half a digit for each
# of the figures that an average or a sum is made of, and 0.1% for different clocks.
ROUNDING = {"busy_pct": 0.011, "partition_busy_pct": 0.011}
_OTHER_ROUNDING, _SHARE = 0.004, 0.001
_TOLERANCE = 1.0  # seconds; real lengths wobble
_PERIODS = 8  # that a class of WLM may have

BASES = ("dispatch", "lpar_busy")  # of cpu_interval, the more precise first

Row = dict[str, Any]
Span = tuple[float, float, Row]


def choose_sources(
    tables: Mapping[str, pl.DataFrame],
    readings: Mapping[str, Reading],
    files: Mapping[str, str],
    order: Sequence[str],
) -> dict[str, pl.DataFrame]:
    """The tables with each interval once; problems are added to the readings.

    ``files`` gives the sha256 of each file, ``order`` the formats, first come first.
    """
    rank = {
        sha256: (order.index(readings[file].format), file)
        for file, sha256 in files.items()
        if file in readings and readings[file].format in order
    }
    chosen = dict(tables)
    for name, (key, figure) in COMPARED.items():
        if name in tables and tables[name]["source"].n_unique() > 1:
            chosen[name] = _choose(tables[name], key, figure, rank, readings)
    return chosen


def _choose(
    table: pl.DataFrame,
    key: tuple[str, ...],
    figure: str,
    rank: Mapping[str, tuple[int, str]],
    readings: Mapping[str, Reading],
) -> pl.DataFrame:
    kept: dict[tuple[Any, ...], list[Span]] = defaultdict(list)
    drop: set[int] = set()
    told: dict[str, list[str]] = defaultdict(list)
    rows = list(table.with_row_index("_row").iter_rows(named=True))
    known = [row for row in rows if row["start_utc"] and row["source"] in rank]
    for row in sorted(known, key=lambda row: _order(row, rank)):
        start = dt.datetime.fromisoformat(row["start_utc"]).timestamp()
        span = (start, start + (row["seconds"] or 0.0), row)
        spans = kept[tuple(row[name] for name in key)]
        other = _overlapping(spans, span)
        if other is None:
            spans.insert(bisect_left(spans, start, key=lambda s: s[0]), span)
            continue
        drop.add(row["_row"])
        if said := difference(row, other, figure):
            told[row["source"]].append(said)
    for sha256, differences in sorted(told.items()):
        _tell(readings[rank[sha256][1]], differences)
    return table.filter(~pl.int_range(pl.len()).is_in(sorted(drop)))


def _order(row: Row, rank: Mapping[str, tuple[int, str]]) -> tuple[Any, ...]:
    """Rows in the order in which they are chosen: format, basis, file, time."""
    form, file = rank[row["source"]]
    basis = row.get("basis")
    precision = BASES.index(basis) if basis in BASES else len(BASES)
    return form, precision, file, row["start_utc"]


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


def difference(row: Row, other: Row, figure: str) -> str:
    """How two rows of one interval differ beyond rounding, or ``""``.

    Rows of different lengths, or of a period and a whole class, are not compared.
    """
    if row.get("period") != other.get("period"):
        return ""
    one, two = row[figure], other[figure]
    if one is None or two is None:
        return ""
    if abs((row["seconds"] or 0.0) - (other["seconds"] or 0.0)) > _TOLERANCE:
        return ""
    rounding = ROUNDING.get(figure, _OTHER_ROUNDING)
    if abs(one - two) <= rounding + _SHARE * abs(two):
        return ""
    return (
        f"{figure} of the interval from {row['start_utc']} is {one:g} here and "
        f"{two:g} in the file that was taken"
    )


def _tell(reading: Reading, differences: list[str]) -> None:
    more = len(differences) - 1
    rest = f"; and {more} more intervals differ" if more else ""
    reading.problems.append(Problem(differences[0] + rest))
