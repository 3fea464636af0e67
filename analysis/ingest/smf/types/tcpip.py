"""Type 119, TCP/IP.

Layouts: IBM's z/OS Communications Server pages (commonamf, commontcp, tcpstat, fstcrd,
…), offsets transcribed in two public code bases and, of subtype 2, cross-checked with a
third (D). Of 10, as the record layouts of Pacific Systems Group have it, with which a
public decoder read the 4,222 such records of a real dump (D); of 7 they are the only
source (S). Codes of a connection's end are in words as message LOG0116 of SDS
VitalSigns has them, and in hexadecimal where its public page ends. Names of records:
IBM's "SMF 119 record subtypes", and of 94 to 98 z/OS OpenSSH User's Guide. Of the SMC
records there was no layout with offsets but code that names no source, and contradicts
IBM's description of 41: its sections of links do not say of which link group they are.

Times are local, as is the header's, but for clock values. Intervals end when their
records were written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import (
    END,
    SECONDS,
    STACK,
    START,
    UNKNOWN,
    F,
    Family,
    Field,
    Frames,
    I,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    flags,
    local,
    moment,
    no_interval,
    no_name,
    start_before,
    table,
)
from analysis.ingest.smf.types.rmf import triplets_end

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.trouble import Trouble

REASON = flags("reason", 60, 1, "SMF119TI_Reason", "119-5", {
    1: ("more records of the interval follow",
        "counts of all are added up; no row where one is missing"),
})  # fmt: skip
IDENTIFICATION = Layout(
    "TCP/IP identification",
    "D",
    (Field("stack", 16, 8, "text"), REASON),
    shortest=61,
    at=28,
)


def _head(batch: RecordBatch) -> pl.DataFrame:
    """``system``, ``position``, ``written_local``, ``stack``, ``reason``."""
    identified = batch.sections(IDENTIFICATION, needed=True)
    return batch.headers().hstack(batch.first(IDENTIFICATION, among=identified))


TCPIP = Family(_head, triplets_end)
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

_ENDS = {code: f"X'{code:02X}'" for code in range(1, 256)} | {
    0x11: "error of a send by FRCA", 0x12: "FIN on a persistent socket of FRCA",
    0x21: "stack ended", 0x22: "last stack of the dynamic VIPA ended",
    0x31: "intrusion detection", 0x32: "denied by NetAccess",
    0x33: "last ACK received", 0x41: "dropped by an operator",
    0x42: "local IP address was deleted", 0x51: "closed before it was accepted",
    0x52: "closed by the application", 0x53: "orderly close by Pascal",
    0x54: "disconnected by Pascal",
}  # fmt: skip
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
    col("cause", 14, 1, words=_ENDS,
        comment="why it ended; the code of the record where that is not known"),
    col("tls", 12, 1, comment="what AT-TLS says: not secure, handshake, or secure",
        words={1: "not secure", 2: "handshake", 3: "secure"}),
    col("rtt_deviation_ms", 108,
        comment="how far round-trip times were off rtt_ms, in whole ms [ms]"),
    col("segment_bytes", 100,
        comment="largest segment that it sent when it closed [byte]"),
    col("send_window_bytes", 88, comment="send window when it closed [byte]"),
    col("most_send_window_bytes", 92, comment="largest send window [byte]"),
    col("congestion_window_bytes", 96,
        comment="congestion window when it closed [byte]"),
    col("duplicate_acks_in", 212, comment="duplicate acknowledgements received"),
), shortest=180, at=36)  # fmt: skip
TCP_CONNECTION = RecordType("119-2", table(
    "tcp_connection", "TCP connections that ended (119-2)", CONNECTION,
),
    CONNECTION,
    times=LASTED | {"start": pl.col("start_clock"), "end": pl.col("end_clock")},
    family=TCPIP,
)  # fmt: skip

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
_APART = 60_000_000  # microseconds: records of one interval are written at once
_SPAN = pl.coalesce("tcp_span", "ip_span", "udp_span")
TCPIP_INTERVAL = table(
    "tcpip_interval", "Counts of a TCP/IP stack (119-5)",
    STACK, START, SECONDS, TCP.columns, IP.columns, UDP.columns,
)  # fmt: skip


def _statistics(rows: pl.DataFrame, trouble: Trouble, _: Frames) -> pl.DataFrame:
    """One row for each interval: the counts of its records are added up. One that
    lacks a record is told of and left out."""
    key = ["system", "stack"]
    apart = pl.col("written_local").diff() > _APART
    begins = (~pl.col("more").shift(1) | apart).fill_null(True)
    ordered = rows.sort("position").with_columns(
        nth=begins.cast(pl.Int64).cum_sum().over(key)
    )
    counts = [one.name for part in (TCP, IP, UDP) for one in part.columns]
    joined = ordered.group_by([*key, "nth"], maintain_order=True).agg(
        pl.col("position", "written_local", "start", "start_local").first(),
        pl.col("seconds").max(),
        pl.col("more").last(),
        *(
            pl.when(pl.col(name).is_not_null().any())
            .then(pl.col(name).sum())
            .alias(name)
            for name in counts
        ),
    )
    where = joined.filter("more")["position"].to_list()
    trouble.damage_each(
        where,
        lambda nth: remark(
            "lonely_statistics",
            f"the 119-5 record at byte offset {where[nth]} says that more of "
            "its interval follow, and none does: the interval was not used",
        ),
        "119-5 records whose others are missing",
    )
    return joined.filter(~pl.col("more"))


STATISTICS = RecordType(
    "119-5", TCPIP_INTERVAL, None, (IP, TCP, UDP),
    {"start": UNKNOWN, "start_local": start_before("written_local", _SPAN),
     "seconds": _SPAN, "more": REASON.speaks(1)},
    family=TCPIP, keys=("system", "stack"), whole=_statistics,
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
INTERFACE_INTERVAL = RecordType("119-6", table(
    "interface_interval", "Counts of a network interface (119-6)", INTERFACE,
), INTERFACE, times=ENDED, family=TCPIP, keys=("system", "stack"))  # fmt: skip

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
UDP_SOCKET = RecordType("119-10", table(
    "udp_socket", "UDP sockets that were closed (119-10)", SOCKET,
), SOCKET, times=LASTED, family=TCPIP)  # fmt: skip

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


def _read_ports(batch: RecordBatch) -> Frames:
    """A row for each reserved port and interval."""
    tables = [
        batch.table(section).with_columns(transport=pl.lit(protocol))
        for protocol, section in (("TCP", TCP_PORT), ("UDP", UDP_PORT))
    ]
    rows = pl.concat(tables, how="diagonal").sort("record", maintain_order=True)
    return batch.finish(rows.hstack(_head(batch)[rows["record"]]))


PORTS = RecordType("119-7", table(
    "server_port_interval",
    "Counts of ports that are reserved for servers (119-7; one source)",
    column("transport", "TCP or UDP", S), TCP_PORT, UDP_PORT.columns[len(_PORT) :],
    STACK,
),
    None, (TCP_PORT, UDP_PORT), times=ENDED,
    odd={"has a name or an interval that is none":
        no_interval("seconds") | no_name("job")},
    family=TCPIP, read=_read_ports, keys=("system", "stack"),
)  # fmt: skip

_FILE, _MEMBER = pl.col("file"), pl.col("member")
_OF_MEMBER = (pl.col("data_set_type") == "P") & (_MEMBER != "")
_COUNTED = pl.col("bytes_float").round().cast(pl.Int64, strict=False)


def _transfer(role: str, front: int, moved: int, shortest: int) -> Layout:
    """The section of a transfer, which server and client lay out alike but for so many
    bytes in ``front``, and so many by which the later ones are ``moved``."""
    return Layout(f"FTP {role} transfer", "D", (
        column("role", "server or client", S, value=pl.lit(role)),
        col("command", front, 4, "text", "FTP command, such as RETR or STOR"),
        START,
        col("seconds", 112 + moved, per=100),
        col("bytes", 116 + moved, 8, comment="bytes transferred [byte]", type=I,
            value=pl.when(pl.col("bytes") == 0).then(_COUNTED.fill_null(0))
            .otherwise("bytes")),
        # The name of a member of a partitioned data set is as z/OS writes it.
        column("file", "data set or file; null where the record has none", S,
               value=pl.when((_OF_MEMBER & ~_FILE.str.ends_with(")")).fill_null(False))
               .then(pl.format("{}({})", _FILE, _MEMBER)).otherwise(_FILE)),
        STACK,
        col("remote_ip", 8 + front, 16, "address"),
        *fields(
            ("data_set_type", 95 + moved, 1, "text"),
            ("member", 128 + moved, 8, "text"), ("bytes_float", 152 + moved, 8, "hfp"),
        ),
        *moment("start", 96 + moved),
    ), shortest=shortest, at=36)  # fmt: skip


CLIENT = _transfer("client", 0, 4, 128)
SERVER = _transfer("server", 4, 0, 124)
# A text from end to end. Those of the host's name and of the new one of a file that was
# renamed are looked at only to see that they are sound.
_HOST, _SERVED, _RENAMED = (
    Layout(name, "D", (), at=at)
    for name, at in (
        ("FTP host name", 44), ("FTP file name", 52), ("FTP new file name", 60)
    )
)  # fmt: skip
_FETCHED = Layout("FTP file name", "D", (), at=44)


def _read_transfers(batch: RecordBatch) -> Frames:
    """A row a transfer; of a renamed file with its old name.

    A record that goes on with the names of load modules, where those of a transfer do
    not fit in one, has no section of a transfer.
    """
    layout = batch.declared.main or SERVER
    if layout is SERVER:
        batch.sections(_HOST)
        batch.sections(_RENAMED)
    modules = (triplets_end(batch) >= 84) & (batch.number(82, 2) > 0)
    goes_on = modules & (batch.number(42, 2) == 0)
    batch.trouble.excuse(batch.positions(goes_on))
    rows = batch.table(layout)
    names = batch.texts(_SERVED if layout is SERVER else _FETCHED, "file")
    rows = rows.hstack(_head(batch)[rows["record"]])
    rows = rows.join(names, on="record", how="left", maintain_order="left")
    return batch.finish(rows)


FTP_CLIENT = RecordType("119-3", table(
    "ftp_transfer", "Files transferred by FTP (119-3 and 119-70)", SERVER,
),
    CLIENT, times={"start": UNKNOWN, "start_local": local("start")}, family=TCPIP,
    read=_read_transfers,
)  # fmt: skip
FTP_SERVER = replace(FTP_CLIENT, records="119-70", main=SERVER)

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
    STACK,
    column("remote_ip", type=S),
)


def _sessions(rows: pl.DataFrame, _: Trouble, __: Frames) -> pl.DataFrame:
    """One row for each session: of those that ended, the row of their end."""
    begun = pl.col("end_local").is_null()
    key = ["system", "stack", "lu", "application", "start_local"]
    left = rows.filter(begun).join(rows.filter(~begun), on=key, how="anti")
    return pl.concat([rows.filter(~begun), left]).sort("position")


TERMINAL_END = RecordType(
    "119-21", TN3270_SESSION, TERMINAL, (ROUND_TRIPS,), LASTED, family=TCPIP,
    whole=_sessions,
)  # fmt: skip
BEGIN = Layout("TN3270E session begin", "D", (
    *_WHO,
    Field("remote_ip", 20, 16, "address"),
    *moment("start", 56),
), shortest=64, at=36)  # fmt: skip
TERMINAL_BEGIN = RecordType(
    "119-20", TN3270_SESSION, BEGIN,
    times={
        "start": UNKNOWN,
        "start_local": local("start"),
        "end": UNKNOWN,
        "end_local": UNKNOWN,
    },
    family=TCPIP, whole=_sessions,
)  # fmt: skip


RECORDS = (
    TCP_CONNECTION, STATISTICS, INTERFACE_INTERVAL, UDP_SOCKET, TERMINAL_BEGIN,
    TERMINAL_END, PORTS, FTP_CLIENT, FTP_SERVER,
)  # fmt: skip
_SUBTYPES = {
    1: "TCP connection initiation", 2: "TCP connection termination",
    3: "FTP client transfer completion", 4: "TCP/IP profile event",
    5: "TCP/IP statistics", 6: "interface statistics", 7: "server port statistics",
    8: "TCP/IP stack start and stop", 10: "UDP socket close",
    11: "zERT connection detail", 12: "zERT summary", 20: "TN3270E session initiation",
    21: "TN3270E session termination", 22: "TSO Telnet client initiation",
    23: "TSO Telnet client termination", 24: "TN3270E profile event",
    32: "DVIPA status change", 33: "DVIPA removed", 34: "DVIPA target added",
    35: "DVIPA target removed", 36: "DVIPA target server started",
    37: "DVIPA target server ended", 38: "SMC-D link statistics",
    39: "SMC-D link state start", 40: "SMC-D link state end",
    41: "SMC-R link group statistics", 42: "SMC-R link state start",
    43: "SMC-R link state end", 44: "RNIC interface statistics",
    45: "ISM interface statistics", 48: "CSSMTP configuration", 49: "CSSMTP connection",
    50: "CSSMTP mail", 51: "CSSMTP spool file", 52: "CSSMTP statistics",
    70: "FTP server transfer completion", 71: "FTP daemon configuration",
    72: "FTP server logon failure", 73: "IKE tunnel activation and refresh",
    74: "IKE tunnel deactivation and expiry",
    75: "dynamic tunnel activation and refresh", 76: "dynamic tunnel deactivation",
    77: "dynamic tunnel added", 78: "dynamic tunnel removed",
    79: "manual tunnel activation", 80: "manual tunnel deactivation",
    81: "VTAM 3270 intrusion detection event", 94: "OpenSSH client connection started",
    95: "OpenSSH server connection started", 96: "OpenSSH server transfer completion",
    97: "OpenSSH client transfer completion", 98: "OpenSSH login failure",
}  # fmt: skip
NAMES = {(119, subtype): name for subtype, name in _SUBTYPES.items()}
_UNPLACED = "; no named public source that could be had tells where its fields are"
_IN_2 = ", and whether a connection used SMC shows in smc_status of tcp_connection"
_SMC_COUNTS = f"how much ran over each SMC link in an interval{_UNPLACED}{_IN_2}"
_SMC_EVENTS = f"when an SMC link began and ended, and its bytes{_UNPLACED}{_IN_2}"
_CARDS = (
    f"counts of an RNIC or ISM interface{_UNPLACED}, and the bytes of PCIe functions "
    "such as RoCE and ISM are in 74-9"
)
COUNTED: dict[tuple[int, int | None], str] = {
    (119, 1): "the begin of a connection; 119-2 says it again when the connection ends",
    **{(119, subtype): _SMC_COUNTS for subtype in (38, 41)},
    **{(119, subtype): _SMC_EVENTS for subtype in (39, 40, 42, 43)},
    (119, 44): _CARDS,
    (119, 45): _CARDS,
    (119, None): "events and settings of which no table is made",
}
