"""Types 73 (channel paths), 74-1 (devices) and 74-9 (PCIe functions) of RMF.

Layouts: z/OS MVS System Management Facilities, RMF pages, such as "Channel path data
section" (D). Where the words of the channel measurement group lie in it (SMF73CCM)
could not be established: bytes and total utilisation of a channel are not read.
"""

from __future__ import annotations

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records, Sections
from analysis.ingest.smf.rmf import intervals, triplets_end
from analysis.ingest.smf.triplets import part, spread, triplet
from analysis.ingest.smf.validity import FLAGS, any_of, tell_flags

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
        ("CNF", 5, 1),
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
        ("PFFL", 4, 2),
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
_ONLINE = 0x01  # SMF73FG2 bit 7
_NO_PATH = FLAGS["SMF73FG3", 6]
_ODD_PATH = [FLAGS["SMF73FG2", 5], FLAGS["SMF73FG2", 6], FLAGS["SMF73FG4", 0]]
_DEVICE = [FLAGS["SMF74CNF", bit] for bit in (1, 2, 3, 4, 6)]
_NO_LCU, _ODD_DEVICE = _DEVICE[0], [FLAGS["SMF74CNF", bit] for bit in (2, 4, 6)]
_IN_ERROR = FLAGS["R749PFFL", 2]


def read_channels(records: Records, parts: Parts) -> Frames:
    """``channel_interval`` rows of the channel paths that are valid."""
    end = triplets_end(records)
    found = spread(triplet(records, 44, CHANNEL.name, parts.trouble, end, needed=True))
    table = _timed(found, CHANNEL, records, parts).filter(~_NO_PATH.speaks())
    tell_flags(table, _ODD_PATH, parts, "PID")
    busy = pl.when(pl.col("PTI") > 0).then(100 * pl.col("PBY") / pl.col("PTI"))
    return {
        "channel_interval": table.with_columns(
            channel="PID",
            kind="ACR",
            online=(pl.col("FG2") & _ONLINE) != 0,
            partition_busy_pct=pl.when(~any_of(_ODD_PATH)).then(busy),
        )
    }


def read_devices(records: Records, parts: Parts) -> Frames:
    """``device_interval`` rows; milliseconds are means over measured requests."""
    end = triplets_end(records)
    found = spread(triplet(records, 44, DEVICE.name, parts.trouble, end, needed=True))
    table = _timed(found, DEVICE, records, parts)
    tell_flags(table, _DEVICE, parts, "NUM")
    sound = pl.when(~any_of(_ODD_DEVICE))
    each = pl.when(pl.col("MEC") > 0).then(1000 * _TICK / pl.col("MEC"))
    return {
        "device_interval": table.with_columns(
            device="NUM",
            volume="SER",
            lcu=pl.when(~_NO_LCU.speaks()).then("LCU"),
            requests=sound.then("SSC"),
            connect_ms=sound.then(pl.col("CNN") * each),
            pending_ms=sound.then(pl.col("PEN") * each),
            disconnect_ms=sound.then(pl.col("DIS") * each),
            busy_seconds=sound.then(pl.col("ATV") * _TICK),
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
    _tell_errors(table, parts)
    sound = ~_IN_ERROR.speaks() & (pl.col("ERRT") == 0)
    table = table.with_columns(nth=nth).join(
        traffic.with_columns(nth=nth), on=["record", "nth"], how="left"
    )
    kind = pl.col("DFMT").replace_strict(
        {0: "dma", 1: "ethernet"}, default=None, return_dtype=pl.String
    )
    known = kind.is_not_null() & sound
    ethernet = sound & (pl.col("DFMT") == 1)
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
            packets_in=pl.when(ethernet).then("DPKR"),
            packets_out=pl.when(ethernet).then("DPKT"),
        )
    }


def _tell_errors(table: pl.DataFrame, parts: Parts) -> None:
    """Tell of functions without valid data for some time, or that were in error."""
    tell_flags(table, [_IN_ERROR], parts, "PFID")
    some = table.filter(pl.col("ERRT") > 0)
    where, names, millis = (some[c].to_list() for c in ("position", "PFID", "ERRT"))
    parts.trouble.damage_each(
        where,
        lambda nth: remark(
            "function_without_data",
            where=where[nth],
            function=names[nth],
            seconds=millis[nth] / 1000,
        ),
        "PCIe functions without valid data for some time",
    )


def _timed(
    sections: Sections, layout: Layout, records: Records, parts: Parts
) -> pl.DataFrame:
    """The sections with system, position and time of their records."""
    rows = intervals(records, parts).select(
        "system", "position", "start", "start_local", "seconds", "token"
    )
    table = sections.table(layout, parts.page)
    return table.hstack(rows[table["record"]])
