"""Type 119, TCP/IP: zERT, how connections are protected (subtypes 11 and 12).

Layouts: IBM's z/OS Communications Server, "zERT connection detail record" and "zERT
Summary record", as the record layouts of Pacific Systems Group have them, the only
source (S). Of the protocols' sections those of TLS are read, and the version of SSH;
sections of IPSec, filters and certificates are not. Times of 11 are UTC.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.ingest.smf.header import local_micros
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.odd import no_interval, no_name, pass_over, spoil_odd
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.type119 import events, first, start_before, word

DETAIL = Layout(
    "zERT connection detail",
    "S",
    fields(
        ("Event", 0, 1),
        ("SecProtos", 1, 1),
        ("Flags", 2, 1),
        ("IPProto", 4, 1),
        ("Jobname", 8, 8, "name"),
        ("UserID", 24, 8, "name"),
        ("STime", 32, 4),
        ("SDate", 36, 4, "date"),
        ("ETime", 40, 4),
        ("EDate", 44, 4, "date"),
        ("RIP", 48, 16, "address"),
        ("RIP4", 48, 4, "ipv4"),
        ("LIP", 64, 16, "address"),
        ("LIP4", 64, 4, "ipv4"),
        ("RPort", 80, 2),
        ("LPort", 82, 2),
        ("ConnID", 84, 4),
        ("InBytes", 88, 8),
        ("OutBytes", 96, 8),
        ("InSegDG", 104, 8),
        ("OutSegDG", 112, 8),
    ),
    shortest=120,
)
DETAIL_TLS = Layout(
    "TLS of a connection",
    "S",
    fields(("TLS", 0, 2), ("Cipher", 56, 6, "text")),
    shortest=62,
)
DETAIL_SSH = Layout("SSH of a connection", "S", fields(("SSH", 0, 1)))
_LIFE = {
    "connections": ("ConnCnt", 108, 4),
    "partial_connections": ("PartialConnCnt", 112, 4),
    "short_connections": ("ShortConnCnt", 116, 4),
    "bytes_in": ("InBytes", 124, 8),
    "bytes_out": ("OutBytes", 132, 8),
    "packets_in": ("InSegDG", 140, 8),
    "packets_out": ("OutSegDG", 148, 8),
}
"""Counts over the life of a session, as they were when the interval began; those of its
end lie 48 bytes behind."""
_COUNTS = tuple(_LIFE.values())
SESSION = Layout(
    "zERT summary",
    "S",
    fields(
        ("SPAN", 0, 8, "tod"),
        ("Event", 8, 1),
        ("Flags", 9, 1),
        ("SecProtos", 10, 1),
        ("Jobname", 11, 8, "name"),
        ("UserID", 19, 8, "name"),
        ("IPProto", 27, 1),
        ("SrvIP", 28, 16, "address"),
        ("SrvIP4", 28, 4, "ipv4"),
        ("CltIP", 44, 16, "address"),
        ("CltIP4", 44, 4, "ipv4"),
        ("PortStart", 60, 2),
        ("PortEnd", 62, 2),
        ("SessionID", 64, 42, "text"),
        *((f"Init{name}", at, size) for name, at, size in _COUNTS),
        *((f"End{name}", at + 48, size) for name, at, size in _COUNTS),
        ("EndActive", 168, 4),
    ),
    shortest=204,
)
SESSION_TLS = Layout(
    "TLS of a session", "S", fields(("TLS", 2, 2), ("Cipher", 4, 6, "text"))
)
SESSION_SSH = Layout("SSH of a session", "S", fields(("SSH", 2, 1)))
_SHRUNK = "has a count that is less at the end of its interval"
_EVENTS = {1: "begin", 2: "change", 3: "end", 4: "short connection"}
_SUMMARY = 1
_IPV6, _SERVER, _CLIENT = 0x80, 0x40, 0x20
_TRANSPORTS = {6: "TCP", 17: "UDP"}
_PROTOCOLS = {
    0x00: "none", 0x80: "TLS", 0x40: "SSH", 0x20: "IPSec", 0xC0: "TLS and SSH",
    0xA0: "TLS and IPSec", 0x60: "SSH and IPSec", 0xE0: "TLS, SSH and IPSec",
}  # fmt: skip
_TLS = {
    0x0200: "SSLv2", 0x0300: "SSLv3", 0x0301: "TLSv1.0", 0x0302: "TLSv1.1",
    0x0303: "TLSv1.2", 0x0304: "TLSv1.3",
}  # fmt: skip

_COMMON = (
    "system",
    "position",
    "written_local",
    "stack",
    pl.col("Jobname").alias("job"),
    pl.col("UserID").alias("user"),
    word("IPProto", _TRANSPORTS).alias("transport"),
    word("SecProtos", _PROTOCOLS).alias("protection"),
    word("TLS", _TLS).alias("tls_version"),
    pl.col("Cipher").alias("cipher"),
    pl.col("SSH").alias("ssh_version"),
)


def read_details(records: Records, parts: Parts) -> Frames:
    """``zert_connection`` rows: one for each event of a connection."""
    rows = _protected(records, (DETAIL, DETAIL_TLS, DETAIL_SSH), (36, 52, 60), parts)
    rows = _of_events(records, rows, "119-11", tuple(_EVENTS), parts)
    started = local_micros("SDate", pl.col("STime") / 100)
    _spoil_strange(rows, "119-11", started.is_null(), parts)
    return {
        "zert_connection": rows.select(
            *_COMMON,
            event=word("Event", _EVENTS),
            start=started,
            end=local_micros("EDate", pl.col("ETime") / 100),
            local_ip=_address("LIP"),
            local_port="LPort",
            remote_ip=_address("RIP"),
            remote_port="RPort",
            connection="ConnID",
            bytes_in="InBytes",
            bytes_out="OutBytes",
            packets_in="InSegDG",
            packets_out="OutSegDG",
        )
    }


def read_sessions(records: Records, parts: Parts) -> Frames:
    """``zert_interval`` rows: one for each security session and interval."""
    rows = _protected(records, (SESSION, SESSION_TLS, SESSION_SSH), (36, 44, 52), parts)
    rows = _of_events(records, rows, "119-12", (_SUMMARY,), parts)
    _spoil_strange(rows, "119-12", no_interval("SPAN"), parts)
    shrunk = [pl.col(f"End{name}") < pl.col(f"Init{name}") for name, _, _ in _COUNTS]
    spoil_odd(rows, pl.any_horizontal(shrunk), "119-12", _SHRUNK, parts)
    server, client = ((pl.col("Flags") & bit) != 0 for bit in (_SERVER, _CLIENT))
    role = pl.when(server).then(pl.lit("server"))
    return {
        "zert_interval": rows.select(
            *_COMMON,
            role=role.when(client).then(pl.lit("client")),
            start=pl.lit(None, pl.Int64),
            start_local=start_before("written_local", pl.col("SPAN")),
            seconds="SPAN",
            server_ip=_address("SrvIP"),
            client_ip=_address("CltIP"),
            server_port="PortStart",
            last_server_port="PortEnd",
            session="SessionID",
            active_connections="EndActive",
            **{
                column: pl.col(f"End{name}") - pl.col(f"Init{name}")
                for column, (name, _, _) in _LIFE.items()
            },
        )
    }


def _protected(
    records: Records,
    layouts: tuple[Layout, ...],
    places: tuple[int, ...],
    parts: Parts,
) -> pl.DataFrame:
    """One row a record: of its identification and of each section, null without."""
    rows = events(records, parts)
    for layout, at in zip(layouts, places, strict=True):
        found = first(records, at, layout.name, parts)
        rows = rows.hstack(one_each(found, layout, parts, len(records)))
    return rows


def _of_events(
    records: Records, rows: pl.DataFrame, of: str, known: tuple[int, ...], parts: Parts
) -> pl.DataFrame:
    """The rows of known events; of others is told that they are of no connection."""
    others = rows["Event"].is_not_null() & ~rows["Event"].is_in(known)
    what = "says that zERT was started or stopped, and so gives no row"
    pass_over(records, np.flatnonzero(others), of, what, parts)
    return rows.filter(pl.col("Event").is_in(known))


def _spoil_strange(rows: pl.DataFrame, of: str, untimed: pl.Expr, parts: Parts) -> None:
    protocols = ~pl.col("SecProtos").is_in(list(_PROTOCOLS))
    transports = ~pl.col("IPProto").is_in(list(_TRANSPORTS))
    names = no_name("Jobname") | no_name("UserID")
    odd = protocols | transports | names | untimed
    spoil_odd(rows, odd, of, "has a protocol, a name or a time that is none", parts)


def _address(name: str) -> pl.Expr:
    """The address: of IPv4 the first four of its sixteen bytes."""
    six = (pl.col("Flags") & _IPV6) != 0
    return pl.when(six).then(name).otherwise(f"{name}4")
