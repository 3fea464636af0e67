"""Which module decodes which record, and what is said of records that none does."""

from __future__ import annotations

from collections.abc import Callable

from analysis.ingest.smf import (
    type7,
    type30,
    type70_crypto,
    type72,
    type73_74,
    type74_cf,
    type78,
    type82,
    type110,
    type113,
    type115,
    type116,
    type119,
    type119_interfaces,
    type119_ports,
    type119_profile,
    type119_sessions,
    type119_subtypes,
    type119_udp,
    type119_zert,
    type123,
)
from analysis.ingest.smf.header import NO_SUBTYPE
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records

Decoder = Callable[[Records, Parts], Frames]
CPU_ACTIVITY = (70, 1)  # decoded by Type70, which waits for the pieces of an interval

DECODERS: dict[Decoder, tuple[tuple[int, int], ...]] = {
    type7.read: ((7, NO_SUBTYPE),),
    type70_crypto.read: ((70, 2),),
    type72.read: ((72, 3),),
    type30.read_intervals: ((30, 2), (30, 3)),
    type30.read_totals: ((30, 4), (30, 5)),
    type73_74.read_channels: ((73, 1),),
    type73_74.read_devices: ((74, 1),),
    type74_cf.read: ((74, 4),),
    type73_74.read_functions: ((74, 9),),
    type78.read: ((78, 3),),
    type82.read: ((82, 20),),
    type110.read: ((110, 1),),
    type113.read: ((113, 1),),
    type115.read_calls: ((115, 2),),
    type115.read_pools: ((115, 215),),
    type116.read_tasks: ((116, 1),),
    type116.read_channels: ((116, 10),),
    type119.read_connections: ((119, 2),),
    type119.read_statistics: ((119, 5),),
    type119_interfaces.read_interfaces: ((119, 6),),
    type119_profile.read_profile: ((119, 4),),
    type119_ports.read_ports: ((119, 7),),
    type119_udp.read_sockets: ((119, 10),),
    type119_zert.read_details: ((119, 11),),
    type119_zert.read_sessions: ((119, 12),),
    type119_sessions.read_client_transfers: ((119, 3),),
    type119_sessions.read_server_transfers: ((119, 70),),
    type119_sessions.read_begins: ((119, 20),),
    type119_sessions.read_sessions: ((119, 21),),
    type123.read: ((123, 1),),
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
    **{(119, subtype): why for subtype, why in type119_subtypes.WHY_NOT.items()},
    (119, None): type119_subtypes.OTHERS,
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
    name = type119_subtypes.NAMES.get(subtype, "not documented")
    reason = why_not(kind, subtype)
    return f"{name} – counted: {reason}" if reason else f"{name} – read"
