"""Type 113 subtype 1: hardware counters of CPUs. Layout: IBM's SMF113Formatter (D)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.ingest.smf.columns import (
    PLAIN,
    START,
    F,
    Family,
    Field,
    Frames,
    Layout,
    RecordType,
    col,
    column,
    ends_at,
    fields,
    flags,
    table,
)

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch

_BASIC = 1  # the counter set with cycles and instructions first
_NONE = "`cycles` and `instructions` null"
FLAGS = flags("Flags", 50, 1, "SMF113_1_Flags", "113-1", {
    0: ("counter data were lost", _NONE, "degrades"),
    1: ("data were lost", _NONE, "degrades"),
    2: ("MT counter data were lost", "nothing: it is not read"),
})  # fmt: skip
_KEPT = ~FLAGS.speaks(0, 1)
INTERVAL = Layout(
    "identification",
    "D",
    fields(("start", 24, 8, "stck"), ("end", 32, 8, "stck")),
    shortest=40,
    at=36,
)
COUNTERS = Layout("data", "D", (
    col("cpu", 16, 2, comment="number of the CPU"),
    col("cpu_class", 18, 1,
        comment="class of the CPU as it is in the record; 0 is a CP"),
    START,
    column("seconds", "", F, value=(pl.col("end") - pl.col("start")) / 1e6),
    column("cycles", "cycles in the interval", when=_KEPT),
    column("instructions", "instructions in the interval", when=_KEPT),
    col("cycles_per_us", 20, comment="speed of the CPU [1/µs]"),
    FLAGS,
), shortest=60, at=44)  # fmt: skip
COUNTER = Layout("counter", "D", (Field("VALUE", 0, 8),))


def _read(batch: RecordBatch) -> Frames:
    """A row a CPU and interval. The basic counter set has cycles and instructions as
    its first two counters."""
    heads = batch.headers().hstack(batch.first(INTERVAL, needed=True))
    data = batch.triplets(COUNTERS.at, "counter data", needed=True).sections()
    table = batch.rows(data, COUNTERS)
    sets = batch.inner(data, 52, "counter set").sections()
    basic = sets.only(sets.number(0, 2) == _BASIC)
    values = batch.inner(basic, 4, "counters").sections()
    wide = (
        batch.rows(values, COUNTER)
        .select("VALUE", section=pl.Series(basic.owner[values.owner]))
        .group_by("section", maintain_order=True)
        .agg(
            cycles=pl.col("VALUE").get(0),
            instructions=pl.col("VALUE").get(1, null_on_oob=True),
        )
    )
    rows = (
        table.hstack(heads[table["record"]])
        .with_columns(section=pl.int_range(pl.len()))
        .join(wide, on="section", how="left", maintain_order="left")
    )
    return batch.finish(rows)


COUNTER_INTERVAL = RecordType("113-1", table(
    "counter_interval", "Cycles and instructions of a CPU (113-1)", COUNTERS,
), COUNTERS, family=Family(PLAIN.head, ends_at(52)), read=_read)  # fmt: skip
RECORDS = (COUNTER_INTERVAL,)
COUNTED = {
    (113, 2): "counters since they were started; those of each interval are in 113-1",
}
