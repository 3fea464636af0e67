"""Type 7, data lost: when SMF of a system lost records.

Layout: the page of this record in z/OS MVS System Management Facilities, and that of
Pacific Systems Group (D).

SMF writes one when it has buffers again, or when a filter of FLOOD(DROP) ended: the
loss ended at the time of the header. Newer records have a count of four bytes, whose
offset neither source that was to be had tells: the two bytes say that they are too few
(SMF7NRF).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import (
    DAY,
    END,
    START,
    UNKNOWN,
    Frames,
    Layout,
    RecordType,
    col,
    flags,
    local,
    moment,
    table,
    utc_text,
)

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.trouble import Trouble

_YEAR = 366 * DAY * 1_000_000  # microseconds
FL1 = flags("FL1", 28, 1, "SMF7FL1", "7", {
    0: ("more than 65,535 records were lost", "`records_lost` null"),
})  # fmt: skip
DATA_LOST = Layout("data lost", "D", (
    START,
    END,
    col("records_lost", 18, 2, when=~FL1.speaks(0),
        comment="records that were lost; null where more than 65,535"),
    *moment("start", 20),
    FL1,
))  # fmt: skip


def _read(batch: RecordBatch) -> Frames:
    """A row for each time that SMF lost records."""
    rows = batch.records.whole().table(DATA_LOST, batch.page).drop("record")
    return batch.finish(batch.headers().hstack(rows))


def _tell(rows: pl.DataFrame, trouble: Trouble) -> None:
    """Say of each loss how much it was, and from when to when."""
    for row in rows.with_columns(
        since=_moment("start"), until=_moment("end")
    ).to_dicts():
        problem = remark(
            "records_lost",
            system=row["system"],
            records=row["records_lost"],
            since=row["since"],
            until=row["until"],
        )
        trouble.damage(problem, row["position"], "records 7 of SMF")


def _moment(name: str) -> pl.Expr:
    """A time in words: in UTC, where that is known."""
    utc, local = (
        utc_text(pl.col(column)).str.slice(0, 19) + pl.lit(zone)
        for column, zone in ((name, " UTC"), (f"{name}_local", " local time"))
    )
    return pl.coalesce(utc, local)


_ENDED = pl.col("written_local")
LOSS = RecordType("7", table(
    "smf_loss",
    "When SMF of a system lost records (7); what they would have told is missing",
    DATA_LOST,
),
    DATA_LOST,
    times={
        "start": UNKNOWN,
        "start_local": local("start"),
        "end": UNKNOWN,
        "end_local": _ENDED,
    },
    odd={"has a time that is none":
        ~(_ENDED - local("start")).is_between(0, _YEAR).fill_null(False)},
    read=_read, finished=_tell,
)  # fmt: skip
RECORDS = (LOSS,)
