"""Which function decodes which record, and what is said of records that none does.

Names of TCP/IP: IBM's z/OS Communications Server, "SMF 119 record subtypes", and of 94
to 98 z/OS OpenSSH User's Guide. A layout is used that has a named public source. Of the
SMC records there was none with offsets but code that names no source, and contradicts
IBM's description of 41: its sections of links do not say of which link group they are.
"""

from __future__ import annotations

from functools import partial

from analysis.ingest.smf import (
    mq,
    rmf,
    subsystems,
    tcpip,
    type30,
    type70_crypto,
    type72,
    type110,
)
from analysis.ingest.smf.columns import NO_SUBTYPE
from analysis.ingest.smf.decode import Decoder, read
from analysis.ingest.smf.types import rmf as rmf_types
from analysis.ingest.smf.types import tcpip as tcpip_types

NAMES = {
    1: "TCP connection initiation",
    2: "TCP connection termination",
    3: "FTP client transfer completion",
    4: "TCP/IP profile event",
    5: "TCP/IP statistics",
    6: "interface statistics",
    7: "server port statistics",
    8: "TCP/IP stack start and stop",
    10: "UDP socket close",
    11: "zERT connection detail",
    12: "zERT summary",
    20: "TN3270E session initiation",
    21: "TN3270E session termination",
    22: "TSO Telnet client initiation",
    23: "TSO Telnet client termination",
    24: "TN3270E profile event",
    32: "DVIPA status change",
    33: "DVIPA removed",
    34: "DVIPA target added",
    35: "DVIPA target removed",
    36: "DVIPA target server started",
    37: "DVIPA target server ended",
    38: "SMC-D link statistics",
    39: "SMC-D link state start",
    40: "SMC-D link state end",
    41: "SMC-R link group statistics",
    42: "SMC-R link state start",
    43: "SMC-R link state end",
    44: "RNIC interface statistics",
    45: "ISM interface statistics",
    48: "CSSMTP configuration",
    49: "CSSMTP connection",
    50: "CSSMTP mail",
    51: "CSSMTP spool file",
    52: "CSSMTP statistics",
    70: "FTP server transfer completion",
    71: "FTP daemon configuration",
    72: "FTP server logon failure",
    73: "IKE tunnel activation and refresh",
    74: "IKE tunnel deactivation and expiry",
    75: "dynamic tunnel activation and refresh",
    76: "dynamic tunnel deactivation",
    77: "dynamic tunnel added",
    78: "dynamic tunnel removed",
    79: "manual tunnel activation",
    80: "manual tunnel deactivation",
    81: "VTAM 3270 intrusion detection event",
    94: "OpenSSH client connection started",
    95: "OpenSSH server connection started",
    96: "OpenSSH server transfer completion",
    97: "OpenSSH client transfer completion",
    98: "OpenSSH login failure",
}

_SMC = (
    "no named public source that could be had tells where its fields are; whether a "
    "connection used SMC shows in smc_status of tcp_connection"
)
_CARDS = (
    "no named public source that could be had tells where its fields are; the bytes of "
    "PCIe functions such as RoCE and ISM are in 74-9"
)
OTHERS = "events and settings of which no table is made"
WHY_NOT = {
    1: "the begin of a connection; 119-2 says it again when the connection ends",
    38: _SMC,
    39: _SMC,
    40: _SMC,
    41: _SMC,
    42: _SMC,
    43: _SMC,
    44: _CARDS,
    45: _CARDS,
}


CPU_ACTIVITY = (70, 1)  # decoded by Type70, which waits for the pieces of an interval

DECODERS: dict[Decoder, tuple[tuple[int, int], ...]] = {
    **{
        partial(read, declared): declared.kinds
        for declared in (*rmf_types.TYPES, *tcpip_types.TYPES)
    },
    subsystems.read_losses: ((7, NO_SUBTYPE),),
    type70_crypto.read: ((70, 2),),
    type72.read: ((72, 3),),
    type30.read_intervals: ((30, 2), (30, 3)),
    type30.read_totals: ((30, 4), (30, 5)),
    rmf.read_facilities: ((74, 4),),
    rmf.read_functions: ((74, 9),),
    subsystems.read_crypto_times: ((82, 20),),
    type110.read: ((110, 1),),
    subsystems.read_counters: ((113, 1),),
    mq.read_calls: ((115, 2),),
    mq.read_pools: ((115, 215),),
    mq.read_tasks: ((116, 1),),
    mq.read_channels: ((116, 10),),
    tcpip.read_profile: ((119, 4),),
    tcpip.read_ports: ((119, 7),),
    tcpip.read_client_transfers: ((119, 3),),
    tcpip.read_server_transfers: ((119, 70),),
    subsystems.read_requests: ((123, 1),),
}

_OTHER_PRODUCTS = {
    82: "ICSF: events of keys and cards; the time of requests to crypto cards is in "
    "82-20, their operations are in 70-2",
    110: "CICS: journals and statistics; transactions are in 110-1",
    115: "IBM MQ: calls are in 115-2 and buffer pools in 115-215",
    116: "IBM MQ accounting: tasks and their queues are in 116-1, channels in 116-10",
    123: "z/OS Connect: requests that it sends to others; no source has its offsets",
}

REAL = {115, 116}  # types of which the tests have seen dumps of real systems
READ = {CPU_ACTIVITY, *(kind for kinds in DECODERS.values() for kind in kinds)}

NOT_DECODED: dict[tuple[int, int | None], str] = {
    (30, 1): "the begin of an address space, which has no CPU time",
    (30, 6): "of system address spaces; its values are in part cumulative",
    (111, None): "CICS Transaction Gateway: its layout is not in the public "
    "documentation; its statistics are read from text or CSV",
    (71, 1): "paging: no public source that could be had tells where its counts are",
    (113, 2): "counters since they were started; those of each interval are in 113-1",
    **{(kind, None): why for kind, why in _OTHER_PRODUCTS.items()},
    **{(119, subtype): why for subtype, why in WHY_NOT.items()},
    (119, None): OTHERS,
}


def why_not(kind: int, subtype: int) -> str:
    """Why records that one may look for are counted only; empty for all others."""
    if (kind, subtype) in READ:
        return ""
    return NOT_DECODED.get((kind, subtype)) or NOT_DECODED.get((kind, None), "")


def described(kind: int, subtype: int) -> str:
    """What records of TCP/IP are and what becomes of them; empty for all others."""
    if kind != 119:
        return ""
    name = NAMES.get(subtype, "not documented")
    reason = why_not(kind, subtype)
    return f"{name} – counted: {reason}" if reason else f"{name} – read"
