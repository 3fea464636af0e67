"""Type 115 of IBM MQ: calls of a queue manager (subtype 2), buffer pools (215).

Layouts: the C structures qwhs, qmst and qpst of IBM's mq-smf-csv; where they are in
the record: "Self-defining sections" and "The SMF header" of IBM MQ's documentation.
Verified with real records of two systems (V): the eyecatchers stand where they
should, an interval that begins at QWHSTIME and lasts QWHSDURN microseconds ends at
QWHSSTCK (UTC) and at SM115TME (local) to the hundredth of a second, and the next one
begins there. All counts are of the interval.
"""

from __future__ import annotations

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.header import headers
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Records, Sections
from analysis.ingest.smf.triplets import spread, triplet

_DAY = 86_400_000_000  # microseconds: no zone is that far from UTC
COMMON = Layout(
    "MQ common header",
    "V",
    fields(("SSID", 12, 4, "text"), ("STCK", 16, 8, "stck"), ("DURN", 44, 8)),
)
CALLS = Layout(
    "message manager",
    "V",
    fields(
        ("EYEC", 4, 4, "text"),
        ("OPEN", 8, 4),
        ("CLOS", 12, 4),
        ("GET", 16, 4),
        ("PUT", 20, 4),
        ("PUT1", 24, 4),
        ("INQ", 28, 4),
        ("SET", 36, 4),
        ("SUB", 48, 4),
        ("CB", 56, 4),
        ("CTL", 60, 4),
    ),
)
POOL = Layout(
    "buffer manager",
    "V",
    fields(
        ("EYEC", 4, 4, "text"),
        ("POOL", 8, 4),
        ("NBUF", 12, 4),
        ("CBSL", 16, 4),
        ("GETP", 24, 4),
        ("GETN", 28, 4),
        ("RIO", 32, 4),
        ("TPW", 40, 4),
        ("WIO", 44, 4),
        ("IMW", 48, 4),
        ("SOS", 68, 4),
    ),
)


def read_calls(records: Records, parts: Parts) -> Frames:
    """``mq_interval`` rows: one a queue manager and interval."""
    found = spread(triplet(records, 36, CALLS.name, parts.trouble))
    table = _timed(found, CALLS, "QMST", records, parts)
    return {
        "mq_interval": table.with_columns(
            opens="OPEN",
            closes="CLOS",
            gets="GET",
            puts="PUT",
            put1s="PUT1",
            inquiries="INQ",
            sets="SET",
            subscriptions="SUB",
            callbacks="CB",
            controls="CTL",
        )
    }


def read_pools(records: Records, parts: Parts) -> Frames:
    """``mq_pool_interval`` rows: one a buffer pool, queue manager and interval."""
    found = spread(triplet(records, 36, POOL.name, parts.trouble))
    table = _timed(found, POOL, "QPST", records, parts)
    return {
        "mq_pool_interval": table.with_columns(
            pool="POOL",
            buffers="NBUF",
            least_free="CBSL",
            pages_got=pl.col("GETP") + pl.col("GETN"),
            pages_read="RIO",
            pages_written="TPW",
            writes="WIO",
            synchronous_writes="IMW",
            no_buffer="SOS",
        )
    }


def _timed(
    sections: Sections, layout: Layout, eyecatcher: str, records: Records, parts: Parts
) -> pl.DataFrame:
    """The sections with system, queue manager, position and time of their records.

    A section without its eyecatcher is none, and one of an interval that is not known
    tells nothing: both are left out and told of.
    """
    common = spread(triplet(records, 28, COMMON.name, parts.trouble))
    head = one_each(common, COMMON, parts, len(records))
    times = headers(records, parts.page).hstack(head)
    table = sections.table(layout, parts.page)
    rows = table.hstack(times[table["record"]]).with_columns(
        queue_manager="SSID",
        start=pl.col("STCK") - pl.col("DURN"),
        seconds=pl.col("DURN") / 1_000_000,
    )
    wrong = rows["EYEC"].ne_missing(eyecatcher)
    what = f"has no {eyecatcher} where its {layout.name} data are"
    tell_each(rows.filter(wrong), 115, what, parts)
    moved = (rows["written_local"] - rows["STCK"]).abs() > _DAY
    what = "was written more than a day before or after its interval ended"
    tell_each(rows.filter(moved), 115, what, parts)
    untimed = ~wrong & (rows["start"].is_null() | (rows["seconds"] == 0))
    tell_each(rows.filter(untimed), 115, "does not say when its interval began", parts)
    return rows.filter(~wrong & ~untimed)


def tell_each(rows: pl.DataFrame, kind: int, what: str, parts: Parts) -> None:
    """Tell what is wrong with each record of which there are rows."""
    for position in rows["position"].unique(maintain_order=True).to_list():
        told = remark("odd_mq_record", type=kind, position=position, what=what)
        parts.trouble.damage(told, position, f"{kind} records, each of which {what}")
