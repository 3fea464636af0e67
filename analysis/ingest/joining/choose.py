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
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import polars as pl

from analysis.facts.kind import Values
from analysis.facts.remark import remark
from analysis.ingest.joining.preferred import BASES, in_order
from analysis.ingest.reading import Problem, Problems, Reading

# Tables of records that one system writes once; reports in text or XML have none.
RECORDED = (
    "address_space_interval", "address_space_total", "tcp_connection",
    "tcpip_interval", "interface_interval", "ftp_transfer", "tn3270_session",
    "counter_interval", "crypto_interval", "gateway_interval",
    "mq_interval", "mq_pool_interval", "mq_task_interval", "mq_queue_interval",
    "mq_channel_interval", "udp_socket", "tcpip_profile", "server_port_interval",
    "zert_connection", "zert_interval", "cf_interval", "cf_structure_interval",
    "cf_processor_interval", "lcu_interval", "crypto_request", "cics_transaction",
    "zosconnect_request", "storage_snapshot",
)  # fmt: skip
_ORIGIN = {"source", "position", "run"}
# What tells the rows of one file and interval apart, beyond start and length.
_KEYS = {
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
# Printed with two decimals (percent) or three (seconds, ms): half a digit for each
# of the figures that an average or a sum is made of, and 0.1% for different clocks.
ROUNDING = {"busy_pct": 0.011, "partition_busy_pct": 0.011}
_OTHER_ROUNDING, _SHARE = 0.004, 0.001
_TOLERANCE = 1.0  # seconds; real lengths wobble
_PERIODS = 8  # that a class of WLM may have

Row = dict[str, Any]
Span = tuple[float, float, Row]


def count_once(
    tables: Mapping[str, pl.DataFrame],
    readings: Mapping[str, Reading],
    files: Mapping[str, str],
    order: Sequence[str],
) -> tuple[dict[str, pl.DataFrame], Problems]:
    """The tables with each record and each interval once, and what is to be said.

    ``files`` gives the sha256 of each file, ``order`` the formats, first come first.
    """
    names = {sha256: file for file, sha256 in sorted(files.items(), reverse=True)}
    once, repeated = drop_repeated(tables, names)
    chosen, differing = choose_sources(once, readings, files, order)
    kept = {name: _first(name, table, names) for name, table in chosen.items()}
    return kept, [*repeated, *differing]


def drop_repeated(
    tables: Mapping[str, pl.DataFrame], names: Mapping[str, str]
) -> tuple[dict[str, pl.DataFrame], Problems]:
    """The tables with each record once, that of the first file by name.

    ``names`` gives the file of each sha256. What is dropped is a problem of the file
    that it was in.
    """
    kept, problems = dict(tables), Problems()
    for table in RECORDED:
        if table in tables and tables[table].height:
            kept[table], more = _once(table, tables[table], names)
            problems += more
    return kept, problems


def _once(
    name: str, table: pl.DataFrame, names: Mapping[str, str]
) -> tuple[pl.DataFrame, Problems]:
    columns = [column for column in table.columns if column not in _ORIGIN]
    if table.select(columns).hash_rows().is_unique().all():
        return table, []  # as a rule, and without a copy of a large table
    ordered = table.with_row_index("_row").with_columns(_file=_file(names))
    ordered = ordered.sort("_file", "_row")
    once = ordered.unique(columns, keep="first", maintain_order=True)
    dropped = ordered.join(once.select("_row"), on="_row", how="anti")
    counts = dropped["_file"].value_counts(sort=True).sort("_file").rows()
    problems = [
        (file, Problem(remark("repeated", rows=count, table=name)))
        for file, count in counts
        if file
    ]
    return once.sort("_row").drop("_row", "_file"), problems


def _file(names: Mapping[str, str]) -> pl.Expr:
    return pl.col("source").replace_strict(names, default="", return_dtype=pl.String)


def _first(name: str, table: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """The table with one row of each interval, the most precise of the first file.

    One file may tell an interval twice, as RMF's Monitor I and III do in one dump.
    """
    key = [*_KEYS.get(name, ()), "start_utc", "seconds"]
    if name not in _KEYS or not table.select(key).is_duplicated().any():
        return table
    figure = COMPARED[name][1] if name in COMPARED else "cp_seconds"
    basis = pl.col("basis") if "basis" in table.columns else pl.lit(None, pl.String)
    rank = basis.replace_strict({b: n for n, b in enumerate(BASES)}, default=len(BASES))
    ordered = table.with_row_index("_row").with_columns(
        _rank=rank, _lacks=pl.col(figure).is_null(), _file=_file(names)
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
    rank = {
        sha256: (order.index(readings[file].format), file)
        for file, sha256 in files.items()
        if file in readings and readings[file].format in order
    }
    chosen, problems = dict(tables), Problems()
    for name, (key, figure) in COMPARED.items():
        if name in tables and tables[name]["source"].n_unique() > 1:
            chosen[name], more = _choose(tables[name], key, figure, rank)
            problems += more
    return chosen, problems


def _choose(
    table: pl.DataFrame,
    key: tuple[str, ...],
    figure: str,
    rank: Mapping[str, tuple[int, str]],
) -> tuple[pl.DataFrame, Problems]:
    kept: dict[tuple[Any, ...], list[Span]] = defaultdict(list)
    drop: set[int] = set()
    told: dict[str, list[Values]] = defaultdict(list)
    rows = list(table.with_row_index("_row").iter_rows(named=True))
    known = [row for row in rows if row["start_utc"] and row["source"] in rank]
    for row in in_order(known, key, rank):
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
    problems = [
        (rank[sha256][1], _differing(differences))
        for sha256, differences in sorted(told.items())
    ]
    return table.filter(~pl.int_range(pl.len()).is_in(sorted(drop))), problems


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
