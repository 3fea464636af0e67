"""Types 119-11 and 119-12 of TCP/IP: how connections were protected, as zERT saw them.

Layouts: the record layouts of Pacific Systems Group alone (S). Times of 11 are UTC.
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.columns import (
    END,
    STACK,
    START,
    DeclaredColumn,
    Field,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    local,
    moment,
    no_interval,
    no_name,
    table,
    word,
)
from analysis.ingest.smf.types.tcpip import ENDED, TCPIP

_TRANSPORTS = {6: "TCP", 17: "UDP"}
_PROTOCOLS = {
    0x00: "none", 0x80: "TLS", 0x40: "SSH", 0x20: "IPSec", 0xC0: "TLS and SSH",
    0xA0: "TLS and IPSec", 0x60: "SSH and IPSec", 0xE0: "TLS, SSH and IPSec",
}  # fmt: skip
_TLS = {
    0x0200: "SSLv2", 0x0300: "SSLv3", 0x0301: "TLSv1.0", 0x0302: "TLSv1.1",
    0x0303: "TLSv1.2", 0x0304: "TLSv1.3",
}  # fmt: skip
EVENTS = {1: "begin", 2: "change", 3: "end", 4: "short connection"}
SUMMARY = 1  # the event of 119-12 that is no start or stop of zERT


def _protected(
    places: tuple[int, int, int, int, int, int], whose: str
) -> tuple[DeclaredColumn | Field, ...]:
    """What both records say of the protection, with the places of event, flags,
    protocols, transport, job and user."""
    event, flags, protocols, transport, job, user = places
    return (
        col("job", job, 8, "name"),
        col("user", user, 8, "name", whose),
        col("transport", transport, 1, words=_TRANSPORTS),
        col("protection", protocols, 1, words=_PROTOCOLS,
            comment="none, TLS, SSH, IPSec or several of them"),
        column("tls_version", "version of TLS; null without", S,
               value=word("tls", _TLS)),
        column("cipher", "identifier of the negotiated TLS cipher suite, in hex", S),
        column("ssh_version", "version of SSH; null without"),
        *fields(("event", event, 1), ("flags", flags, 1)),
    )  # fmt: skip


def _ip(
    name: str, offset: int, comment: str = ""
) -> tuple[DeclaredColumn | Field, ...]:
    """An address: of IPv4 the first four of its sixteen bytes."""
    six = (pl.col("flags") & 0x80) != 0
    value = pl.when(six).then(name).otherwise(f"{name}4")
    field = Field(name, offset, 16, "address")
    return (
        column(name, comment, S, field, value),
        Field(f"{name}4", offset, 4, "ipv4"),
    )


DETAIL = Layout("zERT connection detail", "S", (
    column("event", "begin, change, end, or short connection (of less than 10 s)", S,
           value=word("event", EVENTS)),
    *_protected((0, 2, 1, 4, 8, 24), "user of the socket"),
    START,
    END,
    *_ip("local_ip", 64),
    col("local_port", 82, 2),
    *_ip("remote_ip", 48),
    col("remote_port", 80, 2),
    col("bytes_in", 88, 8, comment="bytes received since the connection began [byte]"),
    col("bytes_out", 96, 8, comment="bytes sent since the connection began [byte]"),
    col("packets_in", 104, 8,
        comment="TCP segments or UDP datagrams received since then"),
    col("packets_out", 112, 8, comment="TCP segments or UDP datagrams sent since then"),
    STACK,
    col("connection", 84),
    *moment("start", 32),
    *moment("end", 40),
), shortest=120, at=36)  # fmt: skip
DETAIL_TLS = Layout(
    "TLS of a connection",
    "S",
    fields(("tls", 0, 2), ("cipher", 56, 6, "text")),
    shortest=62,
    at=52,
)
DETAIL_SSH = Layout("SSH of a connection", "S", fields(("ssh_version", 0, 1)), at=60)
_ODD_PROTECTION = (
    ~pl.col("protection").is_in(list(_PROTOCOLS))
    | ~pl.col("transport").is_in(list(_TRANSPORTS))
    | no_name("job")
    | no_name("user")
)
_ZERT_ITSELF = "says that zERT was started or stopped, and so gives no row"
_ODD_WORDS = "has a protocol, a name or a time that is none"
ZERT_CONNECTION = RecordType("119-11", table(
    "zert_connection",
    "How connections were protected, when they began, changed or ended (119-11; "
        "one source)",
    DETAIL,
),
    None, (DETAIL, DETAIL_TLS, DETAIL_SSH),
    {"start": local("start"), "end": local("end")},
    pl.col("event").is_in(list(EVENTS)),
    odd={_ODD_WORDS: _ODD_PROTECTION | local("start").is_null()},
    passed_over=(~pl.col("event").is_in(list(EVENTS)), _ZERT_ITSELF), family=TCPIP,
)  # fmt: skip


def _during(
    name: str, offset: int, length: int = 8, comment: str = ""
) -> list[DeclaredColumn | Field]:
    """What a count over the life of a session grew by: it is there as it was when the
    interval began and, 48 bytes behind, as it was at the end."""
    begin, end = (
        Field(f"{name}_before", offset, length),
        Field(name, offset + 48, length),
    )
    grown = pl.col(name) - pl.col(f"{name}_before")
    return [column(name, comment, field=end, value=grown), begin]


SESSION = Layout("zERT summary", "S", (
    col("session", 64, 42, "text",
        "identifier of the connections that are protected alike"),
    column("role", "server or client: this side of the connections", S,
           value=pl.when((pl.col("flags") & 0x40) != 0).then(pl.lit("server"))
           .when((pl.col("flags") & 0x20) != 0).then(pl.lit("client"))),
    *_protected((8, 9, 10, 27, 11, 19), "user of the sockets"),
    START,
    col("seconds", 0, 8, "tod"),
    *_ip("server_ip", 28, "IP address of the server"),
    col("server_port", 60, 2, comment="port of the server, or the first of several"),
    col("last_server_port", 62, 2,
        comment="port of the server, or the last of several"),
    *_ip("client_ip", 44, "IP address of the client"),
    *_during("connections", 108, 4,
             "connections that began, or came to be protected so"),
    *_during("partial_connections", 112, 4,
             "of them those that were protected so for a part only"),
    *_during("short_connections", 116, 4, "of them those of less than 10 s"),
    col("active_connections", 168),
    *_during("bytes_in", 124),
    *_during("bytes_out", 132),
    *_during("packets_in", 140, comment="TCP segments or UDP datagrams received"),
    *_during("packets_out", 148, comment="TCP segments or UDP datagrams sent"),
    STACK,
), shortest=204, at=36)  # fmt: skip
SESSION_TLS = Layout(
    "TLS of a session", "S", fields(("tls", 2, 2), ("cipher", 4, 6, "text")), at=44
)
SESSION_SSH = Layout("SSH of a session", "S", fields(("ssh_version", 2, 1)), at=52)
_SHRUNK = pl.any_horizontal(
    pl.col(field.name.removesuffix("_before")) < pl.col(field.name)
    for field in SESSION.fields
    if field.name.endswith("_before")
)
ZERT_INTERVAL = RecordType("119-12", table(
    "zert_interval",
    "Connections that were protected alike, by interval (119-12; one source)",
    SESSION,
),
    None, (SESSION, SESSION_TLS, SESSION_SSH), ENDED, pl.col("event") == SUMMARY,
    odd={
        _ODD_WORDS: _ODD_PROTECTION | no_interval("seconds"),
        "has a count that is less at the end of its interval": _SHRUNK,
    },
    passed_over=(pl.col("event") != SUMMARY, _ZERT_ITSELF), family=TCPIP,
)  # fmt: skip
RECORDS = (ZERT_CONNECTION, ZERT_INTERVAL)
