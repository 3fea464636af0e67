"""The RMF product section, which the records of types 70 to 79 share.

Source: C mapping generated from IBM's ERBSMF70, and the RMF pages of z/OS MVS System
Management Facilities (D). Interval start and date are local; SMF70LGO is the offset
from GMT, SMF70IET the interval's expiry by the clock (UTC), the same in all records
of one interval.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.smf.header import headers, local_micros
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Parts, one_each
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.triplets import spread, triplet
from analysis.ingest.smf.validity import FLAGS, tell_flags

PRODUCT = Layout(
    "RMF product",
    "D",
    fields(
        ("MFV", 0, 2),
        ("IST", 10, 4, "clock"),
        ("DAT", 14, 4, "date"),
        ("INT", 18, 4, "span"),
        ("SAM", 24, 4),
        ("FLA", 30, 2),
        ("MVS", 40, 8, "text"),
        ("PTN", 50, 1),
        ("IET", 52, 8, "stck"),
        ("LGO", 60, 8, "offset"),
        ("RAO", 68, 4),
        ("RAL", 72, 2),
        ("RAN", 74, 2),
        ("XNM", 88, 8, "text"),
        ("SNM", 96, 8, "text"),
    ),
    shortest=60,
)
_MONITOR_III = 0x2000  # bit 2 of SMF70FLA
_ZIIP_BOOST, _SPEED_BOOST = 0x0040, 0x0020  # bits 9 and 10
_FAR = 900_000_000  # the two ways to the start differ by more: the clock was changed


def triplets_end(records: Records) -> NDArray[np.int64]:
    """Where the triplets of an RMF record end: there are SMF70TRN from 28 on."""
    return 28 + 8 * records.number(24, 2)


def intervals(records: Records, parts: Parts) -> pl.DataFrame:
    """One row a record: ``system``, ``position``, ``start`` (UTC, microseconds),
    ``start_local``, ``seconds``, ``token`` (SMF70IET), ``partition`` (PR/SM number of
    the writer), ``boost`` and ``monitor`` (1 or 3).

    ``start`` is null where the section has no GMT offset. A record without a start or
    a length of its interval is spoilt: no share of CPU time can be told of it.
    """
    end, name = triplets_end(records), PRODUCT.name
    found = spread(triplet(records, 28, name, parts.trouble, end, needed=True))
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
        lambda nth: remark("timeless_record", where=where[nth]),
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
