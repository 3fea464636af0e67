"""Type 119, TCP/IP: statistics of interfaces (subtype 6)."""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.type119 import events, first, start_before

INTERFACE = Layout(
    "interface statistics",
    "D",
    fields(
        ("SPAN", 0, 8, "tod"),
        ("IFName", 24, 16, "text"),
        ("Desc", 56, 18, "text"),
        ("ActualMtu", 76, 4),
        ("Speed", 80, 4),
        ("HSpeed", 84, 4),
        ("InBytes", 88, 8),
        ("InUniC", 96, 8),
        ("InBroadC", 104, 8),
        ("InMultiC", 112, 8),
        ("InDisc", 120, 4),
        ("InError", 124, 4),
        ("OutBytes", 132, 8),
        ("OutUniC", 140, 8),
        ("OutBroadC", 148, 8),
        ("OutMultiC", 156, 8),
        ("OutDisc", 164, 4),
        ("OutError", 168, 4),
    ),
    shortest=172,
)
_FAST = 0xFFFF_FFFF  # the speed is in HSpeed


def read_interfaces(records: Records, parts: Parts) -> Frames:
    """``interface_interval`` rows: one for each interface and interval."""
    table = first(records, 36, INTERFACE.name, parts).table(INTERFACE, parts.page)
    rows = table.hstack(events(records, parts)[table["record"]])
    slow = pl.when(pl.col("Speed") > 0).then(pl.col("Speed") / 1e6)
    fast = pl.when(pl.col("HSpeed") > 0).then(pl.col("HSpeed").cast(pl.Float64))
    return {
        "interface_interval": rows.select(
            "system",
            "position",
            "written_local",
            "stack",
            start=pl.lit(None, pl.Int64),
            start_local=start_before("written_local", pl.col("SPAN")),
            seconds="SPAN",
            interface="IFName",
            kind="Desc",
            mtu="ActualMtu",
            speed_mbps=pl.when(pl.col("Speed") == _FAST).then(fast).otherwise(slow),
            bytes_in="InBytes",
            bytes_out="OutBytes",
            packets_in=pl.sum_horizontal("InUniC", "InBroadC", "InMultiC"),
            packets_out=pl.sum_horizontal("OutUniC", "OutBroadC", "OutMultiC"),
            discards_in="InDisc",
            discards_out="OutDisc",
            errors_in="InError",
            errors_out="OutError",
        )
    }
