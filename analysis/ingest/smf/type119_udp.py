"""Type 119, TCP/IP: UDP sockets that were closed (subtype 10).

Layout: IBM's z/OS Communications Server, "UDP socket close record", as the record
layouts of Pacific Systems Group have it, with which a public decoder read the 4,222
such records of a real dump (D). Times are local.
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.header import local_micros
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.type119 import events, first, word

SOCKET = Layout(
    "UDP socket close",
    "D",
    fields(
        ("RName", 0, 8, "text"),
        ("ConnID", 8, 4),
        ("OTime", 16, 4),
        ("ODate", 20, 4, "date"),
        ("CTime", 24, 4),
        ("CDate", 28, 4, "date"),
        ("RIP", 32, 16, "address"),
        ("LIP", 48, 16, "address"),
        ("RPort", 64, 2),
        ("LPort", 66, 2),
        ("Type", 68, 1),
        ("Reason", 69, 1),
        ("InDgrams", 72, 8),
        ("OutDgrams", 80, 8),
        ("InBytes", 88, 8),
        ("OutBytes", 96, 8),
    ),
    shortest=72,
)
_KINDS = {1: "standard", 2: "enterprise extender"}
_ENDS = {1: "normal", 2: "abnormal"}


def read_sockets(records: Records, parts: Parts) -> Frames:
    """``udp_socket`` rows: one for each socket that was closed.

    The partner is that of the last datagram received; there is none without one.
    """
    table = first(records, 36, SOCKET.name, parts).table(SOCKET, parts.page)
    rows = table.hstack(events(records, parts)[table["record"]])
    heard = pl.col("InDgrams") > 0
    return {
        "udp_socket": rows.select(
            "system",
            "position",
            "written_local",
            "stack",
            start=pl.lit(None, pl.Int64),
            start_local=local_micros("ODate", pl.col("OTime") / 100),
            end=pl.lit(None, pl.Int64),
            end_local=local_micros("CDate", pl.col("CTime") / 100),
            job="RName",
            connection="ConnID",
            local_ip="LIP",
            local_port="LPort",
            remote_ip=pl.when(heard).then("RIP"),
            remote_port=pl.when(heard).then("RPort"),
            bytes_in="InBytes",
            bytes_out="OutBytes",
            datagrams_in="InDgrams",
            datagrams_out="OutDgrams",
            kind=word("Type", _KINDS),
            closed=word("Reason", _ENDS),
        )
    }
