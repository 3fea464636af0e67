"""Type 7, data lost: how many records SMF could not write, from when to when.

SMF writes one when it has buffers again, or when a filter of FLOOD(DROP) ended. Layout:
the page of this record in z/OS MVS System Management Facilities, and that of Pacific
Systems Group (D). The loss ended at the time of the header; both times are local. Newer
records have a count of four bytes, whose offset neither source that was to be had
tells: the two bytes say that they are too few (SMF7NRF), and the count is null then.
"""

from __future__ import annotations

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.clocks import utc_text
from analysis.ingest.smf.header import headers, local_micros
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.odd import DAY, spoil_odd
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.trouble import Trouble
from analysis.ingest.smf.validity import FLAGS

LOSS = Layout(
    "data lost",
    "D",
    fields(("NRO", 18, 2), ("STM", 20, 4), ("STD", 24, 4, "date"), ("FL1", 28, 1)),
)
_MANY = FLAGS["SMF7FL1", 0]
_LONGEST = 366 * DAY * 1_000_000  # microseconds


def read(records: Records, parts: Parts) -> Frames:
    """``smf_loss`` rows: one for each time that SMF lost records."""
    rows = headers(records, parts.page).hstack(records.table(LOSS, parts.page))
    rows = rows.drop("record").with_columns(
        start=pl.lit(None, pl.Int64),
        start_local=local_micros("STD", pl.col("STM") / 100),
        end=pl.lit(None, pl.Int64),
        end_local="written_local",
        records_lost=pl.when(~_MANY.speaks()).then("NRO"),
    )
    seconds = pl.col("end_local") - pl.col("start_local")
    odd = ~seconds.is_between(0, _LONGEST).fill_null(False)
    spoil_odd(rows, odd, "7", "has a time that is none", parts)
    return {"smf_loss": rows}


def tell_losses(rows: pl.DataFrame, trouble: Trouble) -> None:
    """Say of each loss how much it was, and from when to when."""
    for row in rows.with_columns(
        since=_moment("start"), until=_moment("end")
    ).to_dicts():
        told = remark(
            "records_lost",
            system=row["system"],
            records=row["records_lost"],
            since=row["since"],
            until=row["until"],
        )
        trouble.damage(told, row["position"], "records 7 of SMF")


def _moment(name: str) -> pl.Expr:
    """A time in words: in UTC, where that is known."""
    utc, local = (
        utc_text(pl.col(column)).str.slice(0, 19) + pl.lit(zone)
        for column, zone in ((name, " UTC"), (f"{name}_local", " local time"))
    )
    return pl.coalesce(utc, local)
