"""Each record and each interval of a campaign counts once: the one rule for it.

What several files tell alike counts once, that of the first file by name. Dumps overlap
where an installation writes a day's file and a week's. Within a file the reader of SMF
has dropped what is repeated byte for byte, because it alone sees the bytes; nothing
after this drops anything.

Where one interval comes from several files, one is kept. A dump of SMF, a report in
XML and a listing may tell of the same time. Added up, it would count twice. The
campaign declares which format comes first (``sources``); rows of a later one that
overlap rows of an earlier one are dropped, and a difference beyond what rounding can do
becomes a problem of the file whose rows were dropped. Of two files of one format, one
may tell the dispatch time that the other lacks: it is the more precise and comes first.

A report by the half hour and one by the minute tell of the same time. A run of some
minutes holds whole minutes and no half hour, so of one format and basis the finer ones
come first where they cover the coarser one; where they leave gaps in it, the file does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from operator import itemgetter
from typing import Any

import polars as pl

from analysis.facts.kind import Values
from analysis.facts.remark import remark
from analysis.ingest.reading import Problem, Problems, Reading
from analysis.ingest.tables.catalog import TABLES

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
# Of declarations, logs and counters equal rows may be different ones; of what reports
# print no system writes a record.
_NO_RECORDS = {
    "campaign", "source", "run", "run_role", "benchmark", "run_cpu", "cpu_counter",
    "process_interval", "cgroup_counter", "xcf_interval", "metric_interval",
    "run_counter", "energy_counter",
}  # fmt: skip
RECORDED = [name for name in TABLES if name not in {*COMPARED, *_NO_RECORDS}]
_ORIGIN = ("source", "position", "run")
BASES = ("dispatch", "lpar_busy")  # of cpu_interval, the more precise first
# Resolved with two decimals (percent) or three (seconds, ms): half a digit for each
# of the figures that an average or a sum is made of, and 0.1% for different clocks.
_ROUNDING = {"busy_pct": 0.011, "partition_busy_pct": 0.011}
_OTHER_ROUNDING, _SHARE = 0.004, 0.001
_TOLERANCE = 1.0  # seconds; real lengths wobble
_APART = 999_000  # microseconds that stretches may overlap: less than the tolerance
_FINER = 0.5  # of the length of the coarser interval, at most
_COVERED = 0.95  # of its length, at least
_PERIODS = 8  # that a class of WLM may have

Row = dict[str, Any]
Place = tuple[int, int, bool, str, str]  # format, basis, coarse, file, start
Span = tuple[float, float, Row]  # begin and end in seconds


class OnceCounter:
    """Counts the rows of a campaign's tables once, and remembers what was dropped.

    ``files`` gives the sha256 of each file, ``order`` the formats, first come first.
    """

    def __init__(
        self,
        readings: Mapping[str, Reading],
        files: Mapping[str, str],
        order: Sequence[str],
    ) -> None:
        by_name = sorted(files.items(), reverse=True)
        self._names = {sha256: file for file, sha256 in by_name}
        self._rank = {
            sha256: (order.index(readings[file].format), file)
            for file, sha256 in files.items()
            if file in readings and readings[file].format in order
        }
        self._repeated = defaultdict[str, Counter[str]](Counter)
        self._differing = defaultdict[str, list[tuple[Place, str, Values]]](list)

    def rows(self, name: str, table: pl.DataFrame) -> pl.DataFrame:
        """The rows that count of a table, or of all its rows with some keys."""
        if table.is_empty():  # as most tables are
            return table
        return self._first(name, self._chosen(name, self._recorded(name, table)))

    def problems(self) -> Problems:
        """What is to be said of the rows that were dropped, by table and file."""
        repeated = [
            (
                file,
                remark(
                    "repeated",
                    f"{count} rows of {name} are in an earlier file too; they count "
                    "once",
                ),
            )
            for name in RECORDED
            for file, count in sorted(self._repeated[name].items())
            if file
        ]
        differing = []
        for name in COMPARED:
            of_file = defaultdict[tuple[str, str], list[Values]](list)
            for place, sha256, values in sorted(
                self._differing[name], key=itemgetter(0)
            ):
                of_file[sha256, place[3]].append(values)
            for (_, file), all_values in sorted(of_file.items()):
                more = {"more": len(all_values) - 1} if len(all_values) > 1 else {}
                kind = "intervals_differ" if more else "interval_differs"
                differing.append((file, remark(kind, **all_values[0], **more)))
        return [(file, Problem(words)) for file, words in (*repeated, *differing)]

    def _recorded(self, name: str, table: pl.DataFrame) -> pl.DataFrame:
        """Each record once, that of the first file by name."""
        columns = [column for column in table.columns if column not in _ORIGIN]
        if name not in RECORDED or table.select(columns).hash_rows().is_unique().all():
            return table  # as a rule, and without a copy of a large table
        rows = table.with_row_index("_row").with_columns(_file=self._file_of(table))
        rows = rows.sort("_file", "_row")
        once = rows.unique(columns, keep="first", maintain_order=True)
        dropped = rows.join(once.select("_row"), on="_row", how="anti")
        self._repeated[name].update(dropped["_file"].to_list())
        return once.sort("_row").drop("_row", "_file")

    def _chosen(self, name: str, table: pl.DataFrame) -> pl.DataFrame:
        """Of intervals in the same time those that come first in the order."""
        if name not in COMPARED or table["source"].n_unique() < 2:
            return table
        key, figure = COMPARED[name]
        rows = self._contested(table.with_row_index("_row"), key, figure)
        kept = defaultdict[tuple[Any, ...], list[Span]](list)
        drop: set[int] = set()
        for place, span in self._in_order(rows, key):
            spans = kept[tuple(span[2][column] for column in key)]
            if other := _overlapping(spans, span):
                drop.add(span[2]["_row"])
                if values := _difference(span[2], other, figure):
                    source = span[2]["source"]
                    self._differing[name].append((place, source, values))
            else:
                spans.insert(bisect_left(spans, span[0], key=itemgetter(0)), span)
        return table.filter(~pl.int_range(pl.len()).is_in(sorted(drop)))

    def _contested(
        self, rows: pl.DataFrame, key: tuple[str, ...], figure: str
    ) -> list[Row]:
        """The rows of which another file tells the time, or one that it adjoins.

        Rows are in one stretch of time while one begins before all others have ended.
        Where one file tells all of a stretch there is nothing to choose, and a dump has
        millions of such rows.
        """
        begin, end = begin_and_end()
        ranked = pl.col("source").is_in(list(self._rank))
        columns = {*key, "source", "start_utc", "seconds", "period", "basis", figure}
        shared = [column for column in rows.columns if column in columns]
        before = pl.col("_end").cum_max().shift(1).over(key)
        stretch = (pl.col("_begin") >= before - _APART).fill_null(False).cum_sum()
        return (
            rows.filter(pl.col("start_utc").is_not_null(), ranked)
            .select("_row", *shared, _begin=begin, _end=end)
            .sort(*key, "_begin")
            .with_columns(_stretch=stretch.over(key))
            .filter(pl.col("source").n_unique().over(*key, "_stretch") > 1)
            .sort("_row")
            .drop("_begin", "_end", "_stretch")
            .to_dicts()
        )

    def _in_order(
        self, rows: Iterable[Row], key: tuple[str, ...]
    ) -> list[tuple[Place, Span]]:
        """The rows with their times and places, what is to be chosen first."""
        groups = defaultdict[tuple[Any, ...], list[Span]](list)
        for row in rows:
            start = datetime.fromisoformat(row["start_utc"]).timestamp()
            basis = row.get("basis")
            precision = BASES.index(basis) if basis in BASES else len(BASES)
            form = self._rank[row["source"]][0]
            of = (form, precision, row.get("period"), *(row[name] for name in key))
            groups[of].append((start, start + (row["seconds"] or 0.0), row))
        ordered = []
        for (form, precision, *_), spans in groups.items():
            coarse = _told_finer(spans)
            for span in spans:
                row, file = span[2], self._rank[span[2]["source"]][1]
                late = row["_row"] in coarse
                ordered.append(((form, precision, late, file, row["start_utc"]), span))
        # Of equal places the earlier row comes first, as in the table.
        return sorted(ordered, key=lambda one: (one[0], one[1][2]["_row"]))

    def _first(self, name: str, table: pl.DataFrame) -> pl.DataFrame:
        """One row of each interval, the most precise of the first file.

        One file may tell an interval twice, as RMF's Monitor I and III do in one dump.
        """
        key = [*KEYS.get(name, ()), "start_utc", "seconds"]
        if name not in KEYS or not table.select(key).is_duplicated().any():
            return table
        figure = COMPARED[name][1] if name in COMPARED else "cp_seconds"
        basis = pl.col("basis") if "basis" in table.columns else pl.lit(None, pl.String)
        places = {basis: place for place, basis in enumerate(BASES)}
        rows = table.with_row_index("_row").with_columns(
            _rank=basis.replace_strict(places, default=len(BASES)),
            _lacks=pl.col(figure).is_null(),
            _file=self._file_of(table),
        )
        timed = pl.col("start_utc").is_not_null()
        order = ("_lacks", "_rank", "_file", "position", "_row")
        first = rows.filter(timed).sort(order)
        once = first.unique(key, keep="first", maintain_order=True)["_row"]
        return table[pl.concat([once, rows.filter(~timed)["_row"]]).sort()]

    def _file_of(self, table: pl.DataFrame) -> pl.Expr:
        """The name of the file of each row; empty where it has none."""
        hashes = filter(self._names.__contains__, table["source"].unique())
        names = {sha256: self._names[sha256] for sha256 in hashes}
        source = pl.col("source")
        return source.replace_strict(names, default="", return_dtype=pl.String)


def begin_and_end() -> tuple[pl.Expr, pl.Expr]:
    """The stretch of time of each row in microseconds; none where it has no start."""
    time = pl.col("start_utc").str.to_datetime("%+", time_zone="UTC", strict=False)
    begin = time.dt.epoch("us")
    length = pl.max_horizontal("seconds", _TOLERANCE)  # what begins at once is together
    return begin, begin + (length * 1e6).cast(pl.Int64, strict=False)


def _told_finer(spans: list[Span]) -> set[int]:
    """The rows that finer ones of other files cover, by their ``_row``."""
    spans.sort(key=itemgetter(0))
    starts = [start for start, _, _ in spans]
    numbers = set()
    for start, _, row in spans:
        seconds = row["seconds"] or 0.0
        first = bisect_left(starts, start - _TOLERANCE)
        last = bisect_left(starts, start + seconds - _TOLERANCE)
        finer = {  # once, of whichever file
            begin: length
            for begin, _, other in spans[first:last]
            if (length := other["seconds"] or 0.0) <= _FINER * seconds
            and other["source"] != row["source"]
        }
        if seconds and sum(finer.values()) >= _COVERED * seconds:
            numbers.add(row["_row"])
    return numbers


def _overlapping(spans: list[Span], span: Span) -> Row | None:
    """A row of another file in the same time, if there is one of the same period;
    spans are sorted, and only periods of one class overlap."""
    begin, end, row = span
    at = bisect_left(spans, begin, key=itemgetter(0))
    close = spans[max(at - 1, 0) : at + _PERIODS]
    pairs = [
        other
        for start, stop, other in takewhile(lambda s: s[0] < end, close)
        if min(stop, end) - max(start, begin) > _TOLERANCE
        and other["source"] != row["source"]
    ]
    same = (other for other in pairs if other.get("period") == row.get("period"))
    return next(same, pairs[0] if pairs else None)


def _difference(row: Row, other: Row, figure: str) -> Values | None:
    """How two rows of one interval differ beyond rounding; null where they do not.

    Rows of different lengths, or of a period and a whole class, are not compared.
    """
    lengths = [one["seconds"] or 0.0 for one in (row, other)]
    here, taken = row[figure], other[figure]
    if (
        row.get("period") != other.get("period")
        or here is None
        or taken is None
        or abs(lengths[0] - lengths[1]) > _TOLERANCE
        or abs(here - taken)
        <= _ROUNDING.get(figure, _OTHER_ROUNDING) + _SHARE * abs(taken)
    ):
        return None
    return {"figure": figure, "start": row["start_utc"], "here": here, "taken": taken}
