"""Records that are declared, read: what every decoder of a record type works with.

The standard header ends at 18 without subtypes and at 24 with them (flag X'40'); the
extended header (record type byte 126) has the type at 52 and ends at 56. Sources: z/OS
MVS System Management Facilities, "Standard and extended SMF record headers" (D); the
standard one is verified against real dumps (V).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from analysis.facts.remark import Remark, remark
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.columns import (
    NO_SUBTYPE,
    DeclaredTable,
    Layout,
    RecordType,
    fields,
    local_micros,
)
from analysis.ingest.smf.records import Ints, Records, Sections, spread, triplet
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.types.rmf import PRODUCT
from analysis.ingest.smf.types.tcpip import IDENTIFICATION
from analysis.ingest.smf.validity import FLAGS, ValidityFlag

_SUBTYPES, _EXTENDED = 0x40, 126
_FIRST = np.dtype(
    {
        "names": ["flag", "kind", "subtype"],
        "formats": ["u1", "u1", ">u2"],
        "offsets": [4, 5, 22],
        "itemsize": 24,
    }
)
DUMP = (2, 3)  # header and trailer that the dump program adds

_HEADER = Layout(
    "header",
    "V",
    fields(("TME", 6, 4), ("DTE", 10, 4, "date"), ("SID", 14, 4, "text")),
)


def kinds(records: Records) -> tuple[Ints, Ints]:
    """Type and subtype of every record; subtype -1 where it has none."""
    raw = records.items(_FIRST)
    kind = raw["kind"].astype(np.int64)
    has_subtype = (raw["flag"] & _SUBTYPES != 0) & (records.length >= 24)
    subtype = np.where(has_subtype, raw["subtype"].astype(np.int64), NO_SUBTYPE)
    if not (kind == _EXTENDED).any():
        return kind, subtype
    extended = (kind == _EXTENDED) & (records.length >= 56)
    extended &= records.number(24, 2) == 32
    return np.where(extended, records.number(52, 2), kind), subtype


def headers(records: Records, page: CodePage) -> pl.DataFrame:
    """``system``, ``position`` and ``written_local`` (microseconds of local time
    since 1970, when SMF moved the record to its buffer): one row a record."""
    table = records.table(_HEADER, page)
    return table.select(
        system="SID",
        position=pl.Series(records.position),
        written_local=local_micros("DTE", pl.col("TME") / 100),
    )


Frames = dict[str, pl.DataFrame]
_MONITOR_III = 0x2000  # bit 2 of SMF70FLA
_ZIIP_BOOST, _SPEED_BOOST = 0x0040, 0x0020  # bits 9 and 10
_FAR = 900_000_000  # the two ways to the start differ by more: the clock was changed
_TIMES = (
    "written_local",
    "start",
    "start_local",
    "end",
    "end_local",
    "gmt_offset",
    "token",
    "more",
)  # columns that tables need until their times are known, and then not


@dataclass
class Parts:
    """The code page of the texts, where problems go, and what records have told that
    later ones need (``remembered``)."""

    page: CodePage
    trouble: Trouble
    remembered: dict[Any, Any] = field(default_factory=dict)


Decoder = Callable[[Records, Parts], Frames]


def triplets_end(records: Records) -> Ints:
    """Where the triplets of a record of RMF or TCP/IP end: their number is at 24."""
    return 28 + 8 * records.number(24, 2)


def sections(
    records: Records, section: Layout, parts: Parts, needed: bool = False
) -> Sections:
    """All sections of a kind in records of RMF or TCP/IP."""
    end = triplets_end(records)
    name = section.name
    return spread(triplet(records, section.at, name, parts.trouble, end, needed=needed))


def one_each(
    found: Sections, section: Layout, parts: Parts, count: int
) -> pl.DataFrame:
    """The first section of each of ``count`` records: one row a record, null where
    it has none."""
    table = found.table(section, parts.page)
    if np.array_equal(found.record, np.arange(count)):
        return table.drop("record")
    first = table.unique("record", keep="first", maintain_order=True)
    every = pl.DataFrame({"record": pl.int_range(count, eager=True)})
    return every.join(first, on="record", how="left", maintain_order="left").drop(
        "record"
    )


def read(declared: RecordType, records: Records, parts: Parts) -> Frames:
    """The rows of records of a type that is declared, by their table."""
    found, main = None, declared.main
    rmf = declared.kinds[0][0] != 119
    if main:
        found = sections(records, main, parts, needed=rmf).table(main, parts.page)
    rows = interval_times(records, parts) if rmf else events(records, parts)
    for section in declared.beside:
        one = one_each(sections(records, section, parts), section, parts, len(records))
        rows = rows.hstack(one)
    if found is not None:
        rows = found.hstack(rows[found["record"]])
    return finish(declared, rows, parts)


def finish(declared: RecordType, rows: pl.DataFrame, parts: Parts) -> Frames:
    """The rows of a table from the fields of its sections and the heads of records."""
    if declared.passed_over:
        which, what = declared.passed_over
        others = rows.filter(which)["position"].to_list()
        pass_over(others, declared.of, what, parts)
    if declared.keep is not None:
        rows = rows.filter(declared.keep)
    tell_flags(rows, declared.flags, parts, declared.named)
    for which, what in declared.odd:
        spoil_odd(rows, which, declared.of, what, parts)
    if declared.times:
        rows = rows.with_columns(**declared.times)
    filled = (*declared.beside, *([declared.main] if declared.main else []))
    made = [column for section in filled for column in section.columns]
    return {declared.table.name: selected(declared.table, rows, made)}


def selected(
    table: DeclaredTable, rows: pl.DataFrame, columns: Iterable[Any] | None = None
) -> pl.DataFrame:
    """The columns of a table, of which ``columns`` may have a value of others, and the
    times that they still need; null are those that the rows do not have."""
    values = {
        column.name: value
        for column in (table.columns if columns is None else columns)
        if (value := column.expression) is not None
    }
    there = {*rows.columns, *values}
    return rows.select(
        *(name for name in _TIMES if name in there),
        *(
            values.get(name, name) if name in there else pl.lit(None, kind).alias(name)
            for name, kind in table.schema.items()
            if name not in ("start_utc", "end_utc", "source")
        ),
    )


def events(records: Records, parts: Parts) -> pl.DataFrame:
    """``system``, ``position``, ``written_local``, ``stack``, ``reason`` of records of
    TCP/IP."""
    found = sections(records, IDENTIFICATION, parts, needed=True)
    return headers(records, parts.page).hstack(
        one_each(found, IDENTIFICATION, parts, len(records))
    )


def interval_times(records: Records, parts: Parts) -> pl.DataFrame:
    """What most tables of RMF need of :func:`intervals`."""
    return intervals(records, parts).select(
        "system", "position", "start", "start_local", "seconds", "token"
    )


def intervals(records: Records, parts: Parts) -> pl.DataFrame:
    """One row a record of RMF: ``system``, ``position``, ``start`` (UTC, microseconds),
    ``start_local``, ``seconds``, ``token`` (SMF70IET), ``partition`` (PR/SM number of
    the writer), ``boost`` and ``monitor`` (1 or 3).

    ``start`` is null where the section has no GMT offset. A record without a start or
    a length of its interval is spoilt: no share of CPU time can be told of it.
    """
    found = sections(records, PRODUCT, parts, needed=True)
    product = one_each(found, PRODUCT, parts, len(records))
    rows = headers(records, parts.page).hstack(product)
    _spoil_timeless(rows, parts)
    tell_flags(rows, [FLAGS["SMF70FLA", 1]], parts)
    local = local_micros("DAT", pl.col("IST"))
    offset = (pl.col("LGO") * 1_000_000).round().cast(pl.Int64)
    by_token = pl.col("IET") - (pl.col("INT") * 1_000_000).cast(pl.Int64)
    far = ((local - offset) - by_token).abs() > _FAR
    # Where daylight saving ended or began in the interval, the offset is not the
    # one of its start; a token of another day is no expiry and says nothing.
    start = pl.when(far & (((local - offset) - by_token).abs() < 8 * _FAR)).then(
        by_token
    )
    return rows.with_columns(
        start_local=local,
        start=start.otherwise(local - offset),
        gmt_offset=offset,
        seconds=pl.col("INT"),
        token=pl.col("IET"),
        partition=pl.col("PTN"),
        boost=_boost(),
        monitor=pl.when(pl.col("FLA") & _MONITOR_III != 0).then(3).otherwise(1),
    )


def _spoil_timeless(rows: pl.DataFrame, parts: Parts) -> None:
    timed = (pl.col("INT") > 0) & pl.col("DAT").is_not_null() & (pl.col("IST") >= 0)
    where = rows.filter(~timed.fill_null(False))["position"].to_list()
    parts.trouble.spoil(
        where,
        lambda nth: remark(
            "timeless_record",
            f"the RMF record at byte offset {where[nth]} tells no start and "
            "length of its interval",
        ),
        "RMF records without the time of their interval",
    )


def _boost() -> pl.Expr:
    """Which System Recovery Boost was active, or null."""
    speed, ziip = (pl.col("FLA") & bit != 0 for bit in (_SPEED_BOOST, _ZIIP_BOOST))
    return (
        pl.when(speed & ziip)
        .then(pl.lit("speed and zIIP boost"))
        .when(speed)
        .then(pl.lit("speed boost"))
        .when(ziip)
        .then(pl.lit("zIIP boost"))
    )


def spoil_odd(
    rows: pl.DataFrame, odd: pl.Expr, of: str, what: str, parts: Parts
) -> None:
    """Spoil the records of the rows (``position``) of which ``odd`` is true: a layout
    that nothing else confirms may be that of another release, and then finds names
    that are none, counts with fractions and times that cannot be."""
    where = rows.filter(odd.fill_null(False))["position"].unique(maintain_order=True)
    places = where.to_list()
    parts.trouble.spoil(
        places,
        lambda nth: remark("odd_record", of=of, where=places[nth], what=what),
        f"{of} records, each of which {what}",
    )


def pass_over(places: list[int], of: str, what: str, parts: Parts) -> None:
    """Tell of sound records at some byte offsets that rightly give no row."""
    parts.trouble.excuse(places)
    parts.trouble.tell_each(
        places,
        lambda nth: remark("odd_record", of=of, where=places[nth], what=what),
        f"{of} records, each of which {what}",
    )


def tell_flags(
    rows: pl.DataFrame, flags: Iterable[ValidityFlag], parts: Parts, named: str = ""
) -> None:
    """Tell of each row (``position``) in which a bit speaks; the column ``named`` says
    what the row is of."""
    for flag in flags:
        some = rows.filter(flag.speaks())
        where = some["position"].to_list()
        names = some[named].to_list() if named else where
        about = {
            "says": flag.says,
            "name": flag.name,
            "effect": flag.effect.replace("`", ""),
        }

        def told(nth: int) -> Remark:
            of = f" of {names[nth]}" if named else ""  # noqa: B023 - called at once
            return remark("validity_flag", where=where[nth], of=of, **about)  # noqa: B023

        kind = f"records with {flag.name}"
        if flag.manner == "degrades":
            parts.trouble.damage_each(where, told, kind)
        else:
            parts.trouble.tell_each(where, told, kind)
