"""Type 113 subtype 1, hardware counters: cycles and instructions of each CPU.

Layout: IBM's SMF113Formatter (D). The basic counter set has cycles and instructions
as its first two counters; they explain why the cost of a workload changed. Subtype 2
has another layout and counters since they were started: it is counted only.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.ingest.smf.header import headers
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.triplets import checked, spread, triplet
from analysis.ingest.smf.validity import FLAGS, any_of, tell_flags

IDENTIFICATION = Layout(
    "identification",
    "D",
    fields(("START", 24, 8, "stck"), ("END", 32, 8, "stck")),
    shortest=40,
)
DATA = Layout(
    "data",
    "D",
    fields(
        ("CpuId", 16, 2),
        ("CpuProcClass", 18, 1),
        ("CpuSpeed", 20, 4),
        ("Flags", 50, 1),
    ),
    shortest=60,
)
COUNTER = Layout("counter", "D", fields(("VALUE", 0, 8)))
_TRIPLETS_END = 52  # of those that are read
_BASIC = 1
_LOST = [FLAGS["SMF113_1_Flags", bit] for bit in (0, 1)]


def read(records: Records, parts: Parts) -> Frames:
    """``counter_interval`` rows: one a CPU and interval."""
    trouble = parts.trouble
    end = np.full(len(records), _TRIPLETS_END)
    name = IDENTIFICATION.name
    told = spread(triplet(records, 36, name, trouble, end, needed=True))
    times = headers(records, parts.page).hstack(
        one_each(told, IDENTIFICATION, parts, len(records))
    )
    data = spread(triplet(records, 44, "counter data", trouble, end, needed=True))
    table = data.table(DATA, parts.page)
    sets = spread(checked(data, 52, "counter set", trouble))
    basic = sets.only(sets.number(0, 2) == _BASIC)
    values = spread(checked(basic, 4, "counters", trouble))
    counters = values.table(COUNTER, parts.page).select(
        "VALUE", section=pl.Series(basic.owner[values.owner])
    )
    wide = counters.group_by("section", maintain_order=True).agg(
        cycles=pl.col("VALUE").get(0),
        instructions=pl.col("VALUE").get(1, null_on_oob=True),
    )
    rows = (
        table.hstack(times[table["record"]])
        .with_columns(section=pl.int_range(pl.len()))
        .join(wide, on="section", how="left", maintain_order="left")
    )
    tell_flags(rows, _LOST, parts)
    kept = pl.when(~any_of(_LOST))
    return {
        "counter_interval": rows.with_columns(
            kept.then("cycles").alias("cycles"),
            kept.then("instructions").alias("instructions"),
            start=pl.col("START"),
            seconds=(pl.col("END") - pl.col("START")) / 1e6,
            cpu="CpuId",
            cpu_class="CpuProcClass",
            cycles_per_us="CpuSpeed",
        )
    }
