"""Type 119, TCP/IP: statistics of reserved server ports (subtype 7).

Layout: IBM's z/OS Communications Server, "Server port statistics record", as the
record layouts of Pacific Systems Group have it, the only source (S).
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.odd import no_interval, no_name, spoil_odd
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.type119 import events, first, start_before

_PORT = fields(
    ("SPAN", 0, 8, "tod"),
    ("RName", 8, 8, "name"),
    ("BindIP", 16, 16, "address"),
    ("Port", 32, 2),
)
TCP_PORT = Layout(
    "TCP server port",
    "S",
    (
        *_PORT,
        *fields(
            ("Conn", 36, 4),
            ("Binds", 40, 4),
            ("BusySrv", 44, 4),
            ("SynAttack", 48, 4),
            ("Highwater", 52, 4),
            ("NumConns", 56, 4),
        ),
    ),
    shortest=52,
)
UDP_PORT = Layout(
    "UDP server port",
    "S",
    (
        *_PORT,
        *fields(
            ("IDgrams", 36, 8),
            ("ODgrams", 44, 8),
            ("IBytes", 52, 8),
            ("OBytes", 60, 8),
        ),
    ),
    shortest=68,
)
_COUNTS = {
    "connections_accepted": "Conn",
    "binds": "Binds",
    "rejected_busy": "BusySrv",
    "rejected_syn_attack": "SynAttack",
    "most_connections": "Highwater",
    "active_connections": "NumConns",
    "datagrams_in": "IDgrams",
    "datagrams_out": "ODgrams",
    "bytes_in": "IBytes",
    "bytes_out": "OBytes",
}
_UNBOUND = r"^[0:.]*$"  # all zero, of either version


def read_ports(records: Records, parts: Parts) -> Frames:
    """``server_port_interval`` rows: one for each reserved port and interval."""
    tables = []
    for at, layout, protocol in ((36, TCP_PORT, "TCP"), (44, UDP_PORT, "UDP")):
        found = first(records, at, layout.name, parts).table(layout, parts.page)
        tables.append(found.with_columns(transport=pl.lit(protocol)))
    table = pl.concat(tables, how="diagonal").sort("record", maintain_order=True)
    rows = table.hstack(events(records, parts)[table["record"]])
    odd = no_interval("SPAN") | no_name("RName")
    spoil_odd(rows, odd, "119-7", "has a name or an interval that is none", parts)
    return {
        "server_port_interval": rows.select(
            "system",
            "position",
            "written_local",
            "stack",
            "transport",
            start=pl.lit(None, pl.Int64),
            start_local=start_before("written_local", pl.col("SPAN")),
            seconds="SPAN",
            job="RName",
            local_ip=pl.when(~pl.col("BindIP").str.contains(_UNBOUND)).then("BindIP"),
            local_port="Port",
            **_COUNTS,
        )
    }
