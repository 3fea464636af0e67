"""Type 119, TCP/IP.

Layouts: IBM's z/OS Communications Server pages (commonamf, commontcp, tcpstat, fstcrd,
…), offsets transcribed in two public code bases and, of subtype 2, cross-checked with a
third (D). Of 10, as the record layouts of Pacific Systems Group have it, with which a
public decoder read the 4,222 such records of a real dump (D); of 7, 11 and 12 they are
the only source (S). Of the profile (4), IBM's pages (subtype4self, tcpipv4cs,
subtype4udpconfig, tcpprgcs) and the names and sizes of the mapping EZBNMMPC in a public
decoder (D); taken is what both have. That its global section is the eighth is of the
decoder alone: its eyecatcher proves it.

Times are local, as is the header's, but for clock values and those of 11. Intervals end
when their records were written.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.ingest.smf.columns import (
    END,
    SECONDS,
    STACK,
    START,
    UNKNOWN,
    DeclaredColumn,
    F,
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
    start_before,
    table,
    word,
)
from analysis.ingest.smf.validity import FLAGS

IDENTIFICATION = Layout(
    "TCP/IP identification",
    "D",
    fields(("stack", 16, 8, "text"), ("reason", 60, 1)),
    shortest=61,
    at=28,
)
ENDED = {
    "start": UNKNOWN,
    "start_local": start_before("written_local", pl.col("seconds")),
}
LASTED = {
    "start": UNKNOWN,
    "start_local": local("start"),
    "end": UNKNOWN,
    "end_local": local("end"),
}

CONNECTION = Layout("TCP connection termination", "D", (
    col("job", 0, 8, "text", "name of the job, started task or user"),
    col("role", 112, 1, comment="server (passive open) or client (active open)",
        words={0: "server", 1: "client"}),
    START,
    END,
    col("local_ip", 52, 16, "address", "IP address on this side"),
    col("local_port", 70, 2, comment="port on this side"),
    col("remote_ip", 36, 16, "address", "IP address of the partner"),
    col("remote_port", 68, 2, comment="port of the partner"),
    col("bytes_in", 72, 8, comment="bytes received [byte]"),
    col("bytes_out", 80, 8, comment="bytes sent [byte]"),
    col("segments_in", 180, 8, comment="TCP segments received"),
    col("segments_out", 188, 8, comment="TCP segments sent"),
    col("retransmits", 114, 2, comment="TCP segments sent again"),
    STACK,
    col("connection", 8, 4, comment="number of the connection"),
    col("rtt_ms", 104, 4,
        comment="smoothed round-trip time when it closed, in whole ms [ms]"),
    col("smc_status", 15, 1,
        comment="SMC state of the connection as it is in the record"),
    *moment("start", 20),
    *moment("end", 28),
    *fields(("start_clock", 196, 8, "stck"), ("end_clock", 204, 8, "stck")),
), shortest=180, at=36)  # fmt: skip
TCP_CONNECTION = RecordType(
    ((119, 2),),
    table("tcp_connection", "TCP connections that ended (119-2)", CONNECTION.columns),
    CONNECTION,
    times=LASTED | {"start": pl.col("start_clock"), "end": pl.col("end_clock")},
)

TCP = Layout("TCP statistics", "D", (
    Field("tcp_span", 0, 8, "tod"),
    col("segments_in", 44),
    col("segments_out", 48),
    col("retransmits", 52),
    col("connections_opened", 24, comment="connections that this side opened"),
    col("connections_accepted", 28, comment="connections that this side accepted"),
), shortest=56, at=44)  # fmt: skip
IP = Layout("IP statistics", "D", (
    Field("ip_span", 0, 8, "tod"),
    col("datagrams_in", 8, comment="IP datagrams received"),
    col("datagrams_out", 36, comment="IP datagrams sent"),
), shortest=40, at=36)  # fmt: skip
UDP = Layout("UDP statistics", "D", (
    Field("udp_span", 0, 8, "tod"),
    col("udp_in", 8, 8, comment="UDP datagrams received"),
    col("udp_out", 24, 8, comment="UDP datagrams sent"),
), shortest=32, at=52)  # fmt: skip
_SPAN = pl.coalesce("tcp_span", "ip_span", "udp_span")
TCPIP_INTERVAL = table(
    "tcpip_interval", "Counts of a TCP/IP stack (119-5)",
    STACK, START, SECONDS, TCP.columns, IP.columns, UDP.columns,
)  # fmt: skip
STATISTICS = RecordType(
    ((119, 5),),
    TCPIP_INTERVAL,
    None,
    (IP, TCP, UDP),
    {"start": UNKNOWN, "start_local": start_before("written_local", _SPAN),
     "seconds": _SPAN, "more": FLAGS["SMF119TI_Reason", 1].speaks()},
)  # fmt: skip
_FAST = pl.col("speed") == 0xFFFF_FFFF  # the speed is in the second field
INTERFACE = Layout("interface statistics", "D", (
    STACK,
    col("interface", 24, 16, "text", "name of the interface"),
    START,
    col("seconds", 0, 8, "tod"),
    col("bytes_in", 88, 8),
    col("bytes_out", 132, 8),
    column("packets_in", "packets received",
           value=pl.sum_horizontal("unicast_in", "broadcast_in", "multicast_in")),
    column("packets_out", "packets sent",
           value=pl.sum_horizontal("unicast_out", "broadcast_out", "multicast_out")),
    column("speed_mbps", "speed of the interface [Mbit/s]", F,
           value=pl.when(_FAST)
           .then(pl.when(pl.col("high_speed") > 0).then(pl.col("high_speed").cast(F)))
           .otherwise(pl.when(pl.col("speed") > 0).then(pl.col("speed") / 1e6))),
    col("kind", 56, 18, "text", "type of the interface, such as IPAQENET"),
    col("mtu", 76, comment="largest packet [byte]"),
    col("discards_in", 120, comment="packets received and discarded"),
    col("discards_out", 164, comment="packets discarded before they were sent"),
    col("errors_in", 124, comment="packets received with errors"),
    col("errors_out", 168, comment="packets not sent for errors"),
    *fields(
        ("speed", 80, 4), ("high_speed", 84, 4),
        ("unicast_in", 96, 8), ("broadcast_in", 104, 8), ("multicast_in", 112, 8),
        ("unicast_out", 140, 8), ("broadcast_out", 148, 8), ("multicast_out", 156, 8),
    ),
), shortest=172, at=36)  # fmt: skip
INTERFACE_INTERVAL = RecordType(
    ((119, 6),),
    table(
        "interface_interval",
        "Counts of a network interface (119-6)",
        INTERFACE.columns,
    ),
    INTERFACE,
    times=ENDED,
)

SOCKET = Layout("UDP socket close", "D", (
    col("job", 0, 8, "text"),
    START,
    END,
    col("local_ip", 48, 16, "address"),
    col("local_port", 66, 2),
    col("remote_ip", 32, 16, "address", "IP address that the last datagram came from",
        when=pl.col("datagrams_in") > 0),
    col("remote_port", 64, 2, comment="port that the last datagram came from",
        when=pl.col("datagrams_in") > 0),
    col("bytes_in", 88, 8),
    col("bytes_out", 96, 8),
    col("datagrams_in", 72, 8, comment="UDP datagrams received"),
    col("datagrams_out", 80, 8, comment="UDP datagrams sent"),
    col("kind", 68, 1, comment="standard, or enterprise extender",
        words={1: "standard", 2: "enterprise extender"}),
    col("closed", 69, 1, comment="how it was closed: normal or abnormal",
        words={1: "normal", 2: "abnormal"}),
    STACK,
    col("connection", 8, comment="number of the socket"),
    *moment("start", 16),
    *moment("end", 24),
), shortest=72, at=36)  # fmt: skip
UDP_SOCKET = RecordType(
    ((119, 10),),
    table("udp_socket", "UDP sockets that were closed (119-10)", SOCKET.columns),
    SOCKET,
    times=LASTED,
)

_PORT = (
    col("local_ip", 16, 16, "address",
        "IP address that the port is bound to; null: any",
        when=~pl.col("local_ip").str.contains(r"^[0:.]*$")),  # zeros of either version
    col("local_port", 32, 2),
    col("job", 8, 8, "name", "job that the port is reserved for"),
    START,
    col("seconds", 0, 8, "tod"),
)  # fmt: skip
TCP_PORT = Layout("TCP server port", "S", (
    *_PORT,
    col("connections_accepted", 36),
    col("binds", 40, comment="sockets that were bound to the port"),
    col("rejected_busy", 44,
        comment="connections rejected because the server was busy"),
    col("rejected_syn_attack", 48,
        comment="connections rejected as part of a SYN attack"),
    col("most_connections", 52, comment="most TCP connections at one time"),
    col("active_connections", 56,
        comment="TCP connections at the end of the interval"),
), shortest=52, at=36)  # fmt: skip
UDP_PORT = Layout("UDP server port", "S", (
    *_PORT,
    col("datagrams_in", 36, 8, comment="UDP datagrams received"),
    col("datagrams_out", 44, 8, comment="UDP datagrams sent"),
    col("bytes_in", 52, 8),
    col("bytes_out", 60, 8),
), shortest=68, at=44)  # fmt: skip
PORT_SECTIONS = {"TCP": TCP_PORT, "UDP": UDP_PORT}
PORTS = RecordType(
    ((119, 7),),
    table(
        "server_port_interval",
        "Counts of ports that are reserved for servers (119-7; one source)",
        column("transport", "TCP or UDP", S),
        TCP_PORT.columns,
        UDP_PORT.columns[len(_PORT) :],
        STACK,
    ),
    None,
    (TCP_PORT, UDP_PORT),
    times=ENDED,
    odd=(
        (
            no_interval("seconds") | no_name("job"),
            "has a name or an interval that is none",
        ),
    ),
)

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
ZERT_CONNECTION = RecordType(
    ((119, 11),),
    table(
        "zert_connection",
        "How connections were protected, when they began, changed or ended (119-11; "
        "one source)",
        DETAIL.columns,
    ),
    None,
    (DETAIL, DETAIL_TLS, DETAIL_SSH),
    {"start": local("start"), "end": local("end")},
    pl.col("event").is_in(list(EVENTS)),
    odd=((_ODD_PROTECTION | local("start").is_null(), _ODD_WORDS),),
    passed_over=(~pl.col("event").is_in(list(EVENTS)), _ZERT_ITSELF),
)


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
ZERT_INTERVAL = RecordType(
    ((119, 12),),
    table(
        "zert_interval",
        "Connections that were protected alike, by interval (119-12; one source)",
        SESSION.columns,
    ),
    None,
    (SESSION, SESSION_TLS, SESSION_SSH),
    ENDED,
    pl.col("event") == SUMMARY,
    odd=(
        (_ODD_PROTECTION | no_interval("seconds"), _ODD_WORDS),
        (_SHRUNK, "has a count that is less at the end of its interval"),
    ),
    passed_over=(pl.col("event") != SUMMARY, _ZERT_ITSELF),
)

_NAMED = (
    STACK,
    column("remote_ip", type=S),
)
FTP = table(
    "ftp_transfer",
    "Files transferred by FTP (119-3 and 119-70)",
    column("role", "server or client", S),
    column("command", "FTP command, such as RETR or STOR", S),
    START,
    SECONDS,
    column("bytes", "bytes transferred [byte]"),
    column("file", "data set or file; null where the record has none", S),
    *_NAMED,
)
CLIENT = Layout("FTP client transfer", "D", (
    *fields(
        ("command", 0, 4, "text"), ("remote_ip", 8, 16, "address"),
        ("data_set_type", 99, 1, "text"), ("hundredths", 116, 4), ("bytes", 120, 8),
        ("member", 132, 8, "text"), ("bytes_float", 156, 8, "hfp"),
    ),
    *moment("start", 100),
), shortest=128, at=36)  # fmt: skip
SERVER = Layout("FTP server transfer", "D", (
    *fields(
        ("command", 4, 4, "text"), ("remote_ip", 12, 16, "address"),
        ("data_set_type", 95, 1, "text"), ("hundredths", 112, 4), ("bytes", 116, 8),
        ("member", 128, 8, "text"), ("bytes_float", 152, 8, "hfp"),
    ),
    *moment("start", 96),
), shortest=124, at=36)  # fmt: skip

_WHO = (
    col("lu", 0, 8, "text", "name of the logical unit"),
    col("application", 8, 8, "text", "name of the VTAM application"),
)
_EACH = pl.when(pl.col("round_trips") > 0).then(1 / pl.col("round_trips"))
ROUND_TRIPS = Layout("TN3270E round trips", "D", (
    col("round_trips", 8, comment="transactions that were timed"),
    col("response_ms", 0, comment="mean response time [ms]",
        value=pl.col("response_ms") * _EACH),
    column("response_ms_resolution", type=F, value=_EACH),
    col("network_ms", 4, comment="part of response_ms spent in the network [ms]",
        value=pl.col("network_ms") * _EACH),
    column("host_ms", "part of response_ms spent in the host [ms]", F,
           value=(pl.col("response_ms") - pl.col("network_ms")) * _EACH),
), shortest=12, at=52)  # fmt: skip
TERMINAL = Layout("TN3270E session", "D", (
    *_WHO,
    START,
    END,
    col("seconds", 96, per=100),
    col("bytes_in", 64, 8),
    col("bytes_out", 72, 8),
    Field("remote_ip", 20, 16, "address"),
    *moment("start", 80),
    *moment("end", 88),
), shortest=100, at=36)  # fmt: skip
TN3270_SESSION = table(
    "tn3270_session",
    "TN3270E sessions that ended (119-21) or only began (119-20)",
    TERMINAL.columns,
    ROUND_TRIPS.columns,
    *_NAMED,
)
TERMINAL_END = RecordType(
    ((119, 21),), TN3270_SESSION, TERMINAL, (ROUND_TRIPS,), LASTED
)
BEGIN = Layout("TN3270E session begin", "D", (
    *_WHO,
    Field("remote_ip", 20, 16, "address"),
    *moment("start", 56),
), shortest=64, at=36)  # fmt: skip
TERMINAL_BEGIN = RecordType(
    ((119, 20),),
    TN3270_SESSION,
    BEGIN,
    times={
        "start": UNKNOWN,
        "start_local": local("start"),
        "end": UNKNOWN,
        "end_local": UNKNOWN,
    },
)


@dataclass(frozen=True)
class ProfileSection:
    """A section of the profile, whose first four bytes say what it is (``eye``): the
    bits of its flags that are parameters of the statement, and the units of the
    parameters that are fields."""

    eye: str
    statement: str
    section: Layout
    switches: dict[str, int]
    units: dict[str, str]


PROFILE = table(
    "tcpip_profile",
    "Settings of a TCP/IP stack when it started or its profile was changed (119-4); "
    "those of IPCONFIG, UDPCONFIG and GLOBALCONFIG that are read",
    STACK,
    column("start_utc", "when the record was written [UTC, ISO 8601]", S),
    column("statement", "statement of the profile, such as GLOBALCONFIG", S),
    column("parameter", "parameter of the statement, such as SMCR", S),
    column("value", "its value in its unit; 1 and 0 say that it is on or off"),
    column("unit", "unit of the value: s or byte; null of switches", S),
)
PROFILE_SECTIONS = (
    ProfileSection("V4CF", "IPCONFIG", Layout("IPv4 configuration", "D", fields(
        ("eye", 0, 4, "text"), ("flags", 4, 4), ("ARPTO", 8, 4),
        ("DEVRETRYDURATION", 12, 4),
    ), shortest=16, at=60), {
        "DATAGRAMFWD": 0x4000_0000, "DYNAMICXCF": 0x1000_0000,
        "IGNOREREDIRECT": 0x0400_0000, "IPSECURITY": 0x0100_0000,
        "IQDIOROUTING": 0x0080_0000,
    }, {"ARPTO": "s", "DEVRETRYDURATION": "s"}),
    ProfileSection("UDCF", "UDPCONFIG", Layout("UDP configuration", "D", fields(
        ("eye", 0, 4, "text"), ("flags", 4, 1), ("UDPRCVBUFRSIZE", 8, 2),
        ("UDPSENDBFRSIZE", 10, 2),
    ), shortest=12, at=84), {
        "RESTRICTLOWPORTS": 0x80, "UDPCHKSUM": 0x40, "UDPQUEUELIMIT": 0x20,
    }, {"UDPRCVBUFRSIZE": "byte", "UDPSENDBFRSIZE": "byte"}),
    ProfileSection("GBCF", "GLOBALCONFIG", Layout("global configuration", "D", fields(
        ("eye", 0, 4, "text"), ("flags", 4, 2), ("SYSPLEXWLMPOLL", 10, 1),
    ), shortest=6, at=92), {
        "EXPLICITBINDPORTRANGE": 0x8000, "IQDMULTIWRITE": 0x4000,
        "TCPIPSTATISTICS": 0x0800, "ZIIP": 0x0400, "WLMPRIORITYQ": 0x0200,
        "SMCR": 0x0100, "SMCD": 0x0080, "ZERT": 0x0040,
    }, {"SYSPLEXWLMPOLL": "s"}),
)  # fmt: skip
TYPES = (
    TCP_CONNECTION, STATISTICS, INTERFACE_INTERVAL, UDP_SOCKET, ZERT_CONNECTION,
    ZERT_INTERVAL, TERMINAL_BEGIN, TERMINAL_END,
)  # fmt: skip
TABLES = (
    *dict.fromkeys(declared.table for declared in (*TYPES, PORTS)),
    FTP,
    PROFILE,
)
