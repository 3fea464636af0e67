"""Types 73 (channel paths), 74-1 (devices) and 74-9 (PCIe functions) of RMF.

Layouts: z/OS MVS System Management Facilities, RMF pages, such as "Channel path data
section" (D). Where the words of the channel measurement group lie in it (SMF73CCM)
could not be established: bytes and total utilisation of a channel are not read.
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records, Sections
from analysis.ingest.smf.rmf import intervals, triplets_end
from analysis.ingest.smf.triplets import part, spread, triplet

CHANNEL = Layout(
    "channel path",
    "D",
    fields(
        ("PID", 0, 1, "hex"),
        ("FG2", 1, 1),
        ("FG3", 2, 1),
        ("FG4", 3, 1),
        ("PBY", 8, 4),
        ("PTI", 12, 4),
        ("ACR", 17, 5, "text"),
    ),
    shortest=22,
)
DEVICE = Layout(
    "device",
    "D",
    fields(
        ("NUM", 0, 2, "hex"),
        ("LCU", 2, 2, "hex"),
        ("SER", 6, 6, "text"),
        ("SSC", 20, 4),
        ("MEC", 24, 4),
        ("CNN", 28, 4),
        ("PEN", 32, 4),
        ("ATV", 36, 4),
        ("DIS", 40, 4),
    ),
    shortest=44,
)
FUNCTION = Layout(
    "PCIe function",
    "D",
    fields(
        ("PFID", 0, 4, "hex"),
        ("ERRT", 8, 4),
        ("DEVN", 16, 24, "text"),
        ("JOBN", 40, 8, "text"),
        ("PCID", 50, 2, "hex"),
        ("ALLT", 60, 4),
    ),
    shortest=64,
)
TRAFFIC = Layout(
    "PCIe function type data",
    "D",
    fields(
        ("FIRST", 0, 8),
        ("SECOND", 8, 8),
        ("DFMT", 16, 1),
        ("DPKR", 24, 8),
        ("DPKT", 32, 8),
    ),
    shortest=40,
)
_TICK = 128e-6  # seconds
_RECONFIGURED, _ONLINE = 0x02, 0x01  # SMF73FG2 bits 6 and 7
_VALID = 0x02  # SMF73FG3 bit 6


def read_channels(records: Records, parts: Parts) -> Frames:
    """``channel_interval`` rows of the channel paths that are valid."""
    end = triplets_end(records)
    found = spread(triplet(records, 44, CHANNEL.name, parts.trouble, end, needed=True))
    table = _timed(found, CHANNEL, records, parts).filter((pl.col("FG3") & _VALID) != 0)
    busy = pl.when(pl.col("PTI") > 0).then(100 * pl.col("PBY") / pl.col("PTI"))
    whole = (pl.col("FG2") & _RECONFIGURED) == 0
    return {
        "channel_interval": table.with_columns(
            channel="PID",
            kind="ACR",
            online=(pl.col("FG2") & _ONLINE) != 0,
            partition_busy_pct=pl.when(whole).then(busy),
        )
    }


def read_devices(records: Records, parts: Parts) -> Frames:
    """``device_interval`` rows; milliseconds are means over measured requests."""
    end = triplets_end(records)
    found = spread(triplet(records, 44, DEVICE.name, parts.trouble, end, needed=True))
    table = _timed(found, DEVICE, records, parts)
    each = pl.when(pl.col("MEC") > 0).then(1000 * _TICK / pl.col("MEC"))
    return {
        "device_interval": table.with_columns(
            device="NUM",
            volume="SER",
            lcu="LCU",
            requests="SSC",
            connect_ms=pl.col("CNN") * each,
            pending_ms=pl.col("PEN") * each,
            disconnect_ms=pl.col("DIS") * each,
            busy_seconds=pl.col("ATV") * _TICK,
        )
    }


def read_functions(records: Records, parts: Parts) -> Frames:
    """``pcie_interval`` rows: bytes by direct memory access, or of the Ethernet side
    (``counts`` says which), of each PCIe function."""
    end = triplets_end(records)
    functions = spread(
        triplet(records, 36, FUNCTION.name, parts.trouble, end, needed=True)
    )
    table = _timed(functions, FUNCTION, records, parts)
    nth = pl.int_range(pl.len()).over("record")
    data = triplet(records, 44, "PCIe function type data", parts.trouble, end)
    traffic = part(data, data.count * 0, data.count).table(TRAFFIC, parts.page)
    table = table.with_columns(nth=nth).join(
        traffic.with_columns(nth=nth), on=["record", "nth"], how="left"
    )
    kind = pl.col("DFMT").replace_strict(
        {0: "dma", 1: "ethernet"}, default=None, return_dtype=pl.String
    )
    known = kind.is_not_null()
    return {
        "pcie_interval": table.with_columns(
            function="PFID",
            device="DEVN",
            job="JOBN",
            channel="PCID",
            allocated_seconds=pl.col("ALLT") / 1000,
            counts=kind,
            bytes_in=pl.when(known).then("FIRST"),
            bytes_out=pl.when(known).then("SECOND"),
            packets_in=pl.when(pl.col("DFMT") == 1).then("DPKR"),
            packets_out=pl.when(pl.col("DFMT") == 1).then("DPKT"),
        )
    }


def _timed(
    sections: Sections, layout: Layout, records: Records, parts: Parts
) -> pl.DataFrame:
    """The sections with system, position and time of their records."""
    rows = intervals(records, parts).select(
        "system", "position", "start", "start_local", "seconds", "token"
    )
    table = sections.table(layout, parts.page)
    return table.hstack(rows[table["record"]])
