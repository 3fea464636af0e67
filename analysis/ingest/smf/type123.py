"""Type 123 subtype 1, z/OS Connect: requests to APIs.

Layouts: the C structures of both versions in IBM's mq-smf-csv (S); what of IBM's pages
"Request data from SMF type 123 subtype 1" was to be had agrees. Version 1 has one
request a record, and triplets of three words; version 2 has up to twenty. Times are
clock values (UTC), of version 2 extended ones, of which the first byte is left out.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf.header import headers
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.odd import no_name, pass_over, spoil_odd
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Records, Sections
from analysis.ingest.smf.triplets import checked, spread, triplet

SERVER = Layout("z/OS Connect server", "S", fields(("JOB", 28, 8, "name")), shortest=36)
FIRST = Layout(
    "z/OS Connect request",
    "S",
    fields(
        ("ENTRY", 16, 8, "stck"),
        ("EXIT", 24, 8, "stck"),
        ("REQUESTED", 96, 4),
        ("SERVICE", 100, 64, "text"),
        ("METHOD", 164, 8, "name"),
        ("RESPONDED", 172, 4),
        ("USER", 176, 64, "text"),
    ),
    shortest=240,
)
SECOND = Layout(
    "z/OS Connect request",
    "S",
    fields(
        ("STATUS", 2, 2),
        ("USER", 8, 64, "text"),
        ("API", 128, 64, "text"),
        ("SERVICE", 200, 64, "text"),
        ("METHOD", 272, 8, "name"),
        ("REQUESTED", 664, 4),
        ("RESPONDED", 668, 4),
        ("ENTRY", 673, 8, "stck"),
        ("EXIT", 689, 8, "stck"),
        ("SENT", 705, 8, "stck"),
        ("RECEIVED", 721, 8, "stck"),
        ("BACKEND", 752, 32, "text"),
    ),
    shortest=784,
)
_FIRST_END = 72  # of the two triplets of version 1
_METHOD = r"^[A-Z]+$"
Mask = NDArray[np.bool_]


def read(records: Records, parts: Parts) -> Frames:
    """``zosconnect_request`` rows: one for each request."""
    version = records.number(24, 4)
    others = np.flatnonzero((version != 1) & (version != 2))
    pass_over(records, others, "123-1", "has a version that is not known", parts)
    found = [
        _joined(records, *_of_first(records, version == 1, parts), FIRST, parts),
        _joined(records, *_of_second(records, version == 2, parts), SECOND, parts),
    ]
    rows = pl.concat(found, how="diagonal")
    odd = ~pl.col("METHOD").str.contains(_METHOD) | pl.col("ENTRY").is_null()
    odd |= no_name("JOB") | (pl.col("EXIT") < pl.col("ENTRY")).fill_null(True)
    spoil_odd(rows, odd, "123-1", "has a request without a method or a time", parts)
    return {"zosconnect_request": _requests(rows)}


def _of_first(records: Records, which: Mask, parts: Parts) -> tuple[Sections, Sections]:
    """The servers and requests of records of version 1."""
    end = np.where(which, _FIRST_END, 0)
    server, data = (
        triplet(records, at, f"{name} (1)", parts.trouble, end, wide=True)
        for at, name in ((48, SERVER.name), (60, FIRST.name))
    )
    return spread(server), spread(data)


def _of_second(
    records: Records, which: Mask, parts: Parts
) -> tuple[Sections, Sections]:
    """Those of records of version 2, which say where their triplets are."""
    index = np.flatnonzero(which)
    some = records.only(index)
    offset = some.number(29, 1)
    size = np.clip(8 * some.number(28, 1), 0, np.maximum(some.length - offset, 0))
    owners = Sections(records, index, some.start + offset, size, index)
    server, data = (
        checked(owners, at, f"{name} (2)", parts.trouble, offset + size)
        for at, name in ((0, SERVER.name), (8, SECOND.name))
    )
    return spread(server), spread(data)


def _joined(
    records: Records, server: Sections, data: Sections, layout: Layout, parts: Parts
) -> pl.DataFrame:
    of_record = headers(records, parts.page).hstack(
        one_each(server, SERVER, parts, len(records))
    )
    table = data.table(layout, parts.page)
    return table.hstack(of_record[table["record"]]).drop("record")


def _requests(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(
        "system",
        "position",
        "written_local",
        start="ENTRY",
        end="EXIT",
        job="JOB",
        api="API",
        service="SERVICE",
        method="METHOD",
        status="STATUS",
        user="USER",
        backend="BACKEND",
        request_bytes="REQUESTED",
        response_bytes="RESPONDED",
        response_seconds=(pl.col("EXIT") - pl.col("ENTRY")) / 1e6,
        backend_seconds=(pl.col("RECEIVED") - pl.col("SENT")) / 1e6,
    )
