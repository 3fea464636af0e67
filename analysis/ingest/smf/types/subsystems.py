"""Types 7 (data lost), 82 (ICSF), 110 (CICS) and 123 (z/OS Connect).

Layouts. 7: the page of this record in z/OS MVS System Management Facilities, and that
of Pacific Systems Group (D). 82-20: the page of this section in z/OS Cryptographic
Services ICSF System Programmer's Guide (S). 110: the data areas DFHSMFDS and DFHMCTDR
of CICS Transaction Server, and the monitoring record formats in CICS Customization
Guide (D). 123: the C structures of both versions in IBM's mq-smf-csv (S); what of IBM's
pages "Request data from SMF type 123 subtype 1" was to be had agrees.
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.columns import (
    DAY,
    END,
    NO_SUBTYPE,
    START,
    UNKNOWN,
    F,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    local,
    moment,
    no_name,
    table,
)
from analysis.ingest.smf.validity import FLAGS

_YEAR = 366 * DAY * 1_000_000  # microseconds
# SMF writes one when it has buffers again, or when a filter of FLOOD(DROP) ended: the
# loss ended at the time of the header. Newer records have a count of four bytes, whose
# offset neither source that was to be had tells: the two bytes say that they are too
# few (SMF7NRF).
DATA_LOST = Layout("data lost", "D", (
    START,
    END,
    col("records_lost", 18, 2, when=~FLAGS["SMF7FL1", 0].speaks(),
        comment="records that were lost; null where more than 65,535"),
    *moment("start", 20),
    *fields(("FL1", 28, 1)),
))  # fmt: skip
LOSS = RecordType(
    ((7, NO_SUBTYPE),),
    table(
        "smf_loss",
        "When SMF of a system lost records (7); what they would have told is missing",
        DATA_LOST.columns,
    ),
    DATA_LOST,
    times={
        "start": UNKNOWN,
        "start_local": local("start"),
        "end": UNKNOWN,
        "end_local": pl.col("written_local"),
    },
    odd=(
        (
            ~(pl.col("written_local") - local("start"))
            .is_between(0, _YEAR)
            .fill_null(False),
            "has a time that is none",
        ),
    ),
)

_WORD = r"^[A-Z0-9]+$"
# ICSF writes one now and then for each card. The page calls its times EBCDIC, but eight
# bytes of a time are a clock value (UTC): where they are none of the day of the record,
# whose header's time is local, the record gives no row.
REQUEST = Layout("crypto processing times", "S", (
    col("card", 34, 1, comment="index of the crypto card"),
    col("serial", 35, 8, "name", "serial number of the card"),
    col("domain", 43, 1, comment="domain of the card"),
    col("function", 32, 2, "name", "function code of the request"),
    column("start_utc", "when the request was queued for the card [UTC, ISO 8601]", S),
    column("end_utc", "when its answer was taken [UTC, ISO 8601]", S),
    col("queue_length", 28, comment="requests in the queue of the card"),
    *fields(("start", 4, 8, "stck"), ("end", 12, 8, "stck")),
), shortest=44)  # fmt: skip
CRYPTO_REQUEST = RecordType(
    ((82, 20),),
    table(
        "crypto_request",
        "Requests to crypto cards that ICSF timed, one now and then (82-20; one "
        "source)",
        REQUEST.columns,
    ),
    REQUEST,
    odd=(
        (
            pl.col("start").is_null()
            | pl.col("end").is_null()
            | (pl.col("end") < pl.col("start"))
            | ((pl.col("written_local") - pl.col("end")).abs() > 2 * DAY * 1_000_000)
            | ~pl.col("serial").str.contains(_WORD)
            | ~pl.col("function").str.contains(_WORD),
            "has a name or a time that is none",
        ),
    ),
)

PRODUCT = Layout("CICS product", "D", fields(
    ("generic", 2, 8, "text"), ("region", 10, 8, "text"), ("CL", 22, 2),
    ("DCA", 24, 4), ("DCL", 28, 2), ("DCN", 30, 2), ("DRA", 32, 4), ("DRL", 36, 2),
    ("DRN", 38, 2),
), shortest=40, at=28)  # fmt: skip
ENTRY = Layout("dictionary entry", "D", fields(
    ("NAME", 0, 8, "text"), ("TYPE", 8, 1, "text"), ("IDNT", 9, 3, "text"),
    ("LENG", 12, 2), ("CONN", 14, 2),
), shortest=26)  # fmt: skip
TRANSACTION = table(
    "cics_transaction",
    "Transactions of CICS, one row for each performance record (110-1)",
    column("region", "CICS region: its specific name (APPLID)", S),
    column("transaction", "transaction identifier", S),
    column("task", "number of the task"),
    column("user", "user of the task when it began", S),
    column("kind", "why the record was written: end of task, conversation, user event, "
           "long-running task or syncpoint", S),
    START,
    END,
    column("response_seconds", "from the start to the end [s]", F),
    column("dispatch_seconds",
           "time that the task was dispatched on all its TCBs [s]", F),
    column("dispatches", "times that it was dispatched"),
    column("cpu_seconds", "CPU time on all its TCBs; part of it that ran on zIIPs is "
           "normalised [s]", F),
    column("suspend_seconds", "time that it was suspended [s]", F),
)  # fmt: skip

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
CONNECT = RecordType(
    ((123, 1),),
    table(
        "zosconnect_request",
        "Requests to APIs of z/OS Connect (123-1; one source)",
        SECOND.columns,
    ),
    SECOND,
    odd=(
        (
            ~pl.col("method").str.contains(r"^[A-Z]+$")
            | pl.col("start").is_null()
            | no_name("job")
            | (pl.col("end") < pl.col("start")).fill_null(True),
            "has a request without a method or a time",
        ),
    ),
)
TABLES = (LOSS.table, CRYPTO_REQUEST.table, TRANSACTION, CONNECT.table)
