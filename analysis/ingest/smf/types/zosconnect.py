"""Type 123 subtype 1, requests to APIs of z/OS Connect.

Layouts: the C structures of both versions in IBM's mq-smf-csv (S); what of IBM's pages
"Request data from SMF type 123 subtype 1" was to be had agrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.ingest.smf.columns import (
    END,
    START,
    F,
    Frames,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    no_name,
    table,
)

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch

_FIRST_END = 72  # of the two triplets of version 1
# Version 1 has one request a record, and triplets of three words; version 2 has up to
# twenty. Times are clock values (UTC), of version 2 extended ones, of which the first
# byte is left out.
SERVER = Layout("z/OS Connect server", "S", fields(("job", 28, 8, "name")), shortest=36)
FIRST = Layout("z/OS Connect request", "S", fields(
    ("start", 16, 8, "stck"), ("end", 24, 8, "stck"), ("request_bytes", 96, 4),
    ("service", 100, 64, "text"), ("method", 164, 8, "name"),
    ("response_bytes", 172, 4), ("user", 176, 64, "text"),
), shortest=240)  # fmt: skip
SECOND = Layout("z/OS Connect request", "S", (
    column("job", "job of the server", S),
    col("api", 128, 64, "text", "name of the API; null of records of version 1"),
    col("service", 200, 64, "text", "name of the service"),
    col("method", 272, 8, "name", "HTTP method"),
    col("status", 2, 2, comment="HTTP status; null of records of version 1"),
    col("user", 8, 64, "text", "user who sent the request"),
    col("backend", 752, 32, "text", "system of record that did the work"),
    START,
    END,
    column("response_seconds", type=F, value=(pl.col("end") - pl.col("start")) / 1e6),
    column("backend_seconds", "from the request's way there to the response [s]", F,
           value=(pl.col("received") - pl.col("sent")) / 1e6),
    col("request_bytes", 664, comment="bytes of the request [byte]"),
    col("response_bytes", 668, comment="bytes of the response [byte]"),
    *fields(
        ("start", 673, 8, "stck"), ("end", 689, 8, "stck"), ("sent", 705, 8, "stck"),
        ("received", 721, 8, "stck"),
    ),
), shortest=784)  # fmt: skip


def _read(batch: RecordBatch) -> Frames:
    """A row for each request."""
    version = batch.number(24, 4)
    others = batch.positions((version != 1) & (version != 2))
    batch.pass_over(others, "has a version that is not known")
    first, second = version == 1, version == 2
    end = batch.every(_FIRST_END)
    end[~first] = 0
    versions = [
        batch.triplets(at, f"{name} (1)", ends=end, wide=True).sections()
        for at, name in ((48, SERVER.name), (60, FIRST.name))
    ]
    # Records of version 2 say where their triplets are, and how many.
    records, offset = batch.records, batch.number(29, 1)
    size = (8 * batch.number(28, 1)).clip(0, (records.length - offset).clip(0))
    whole = records.whole().only(second)
    owners = whole.moved(offset[second], size[second])
    versions += [
        batch.inner(owners, at, f"{name} (2)", (offset + size)[second]).sections()
        for at, name in ((0, SERVER.name), (8, SECOND.name))
    ]
    rows = []
    for at, layout in ((0, FIRST), (2, SECOND)):
        server, data = versions[at : at + 2]
        heads = batch.headers().hstack(batch.first(SERVER, among=server))
        some = batch.rows(data, layout)
        rows.append(some.hstack(heads[some["record"]]).drop("record"))
    return batch.finish(pl.concat(rows, how="diagonal"))


CONNECT = RecordType("123-1", table(
    "zosconnect_request", "Requests to APIs of z/OS Connect (123-1; one source)",
    SECOND,
),
    SECOND,
    odd={"has a request without a method or a time":
        ~pl.col("method").str.contains(r"^[A-Z]+$")
        | pl.col("start").is_null()
        | no_name("job")
        | (pl.col("end") < pl.col("start")).fill_null(True)},
    read=_read,
)  # fmt: skip
RECORDS = (CONNECT,)
COUNTED = {
    (123, None): "z/OS Connect: requests that it sends to others; no source has its "
    "offsets",
}
