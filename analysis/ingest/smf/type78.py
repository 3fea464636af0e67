"""Type 78 subtype 3 of RMF, I/O queuing activity: logical control units.

Layout: z/OS MVS System Management Facilities, "I/O Queuing Data Section"; that its
triplet is the third is the order of the fields in IBM's SMF Explorer (S). Configuration
and I/O processors are not read: the triplets of their sections lie in others, whose
layout was not to be had.
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.odd import spoil_odd
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.rmf import intervals, triplets_end
from analysis.ingest.smf.triplets import spread, triplet
from analysis.ingest.smf.validity import FLAGS, tell_flags

CONTROL_UNIT = Layout(
    "I/O queuing",
    "S",
    fields(
        ("ID2", 0, 2, "hex"),
        ("DST", 2, 1),
        ("QSM", 4, 4),
        ("QCT", 8, 4),
        ("DCTM", 44, 4),
        ("DDTM", 48, 4),
        ("CSST", 52, 4),
    ),
    shortest=12,
)
_TICK = 128e-6  # seconds
_STATUS = [FLAGS["R783DST", bit] for bit in range(4)]


def read(records: Records, parts: Parts) -> Frames:
    """``lcu_interval`` rows: one a logical control unit; of one that the hardware did
    not measure, times are null."""
    end, name = triplets_end(records), CONTROL_UNIT.name
    found = spread(triplet(records, 44, name, parts.trouble, end, needed=True))
    table = found.table(CONTROL_UNIT, parts.page)
    times = intervals(records, parts).select(
        "system", "position", "start", "start_local", "seconds", "token"
    )
    rows = table.hstack(times[table["record"]])
    odd = (pl.col("QCT") == 0) & (pl.col("QSM") > 0)
    spoil_odd(rows, odd, "78-3", "has a control unit that can be none", parts)
    tell_flags(rows, _STATUS, parts, "ID2")
    measured = ~_STATUS[0].speaks()
    return {
        "lcu_interval": rows.with_columns(
            lcu="ID2",
            queued="QCT",
            queue_lengths="QSM",
            **{
                column: pl.when(measured).then(pl.col(field) * _TICK)
                for column, field in (
                    ("connect_seconds", "DCTM"),
                    ("disconnect_seconds", "DDTM"),
                    ("wait_seconds", "CSST"),
                )
            },
        )
    }
