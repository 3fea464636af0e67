"""Which module decodes which record, and what is said of records that none does."""

from __future__ import annotations

from collections.abc import Callable

from analysis.ingest.smf import (
    type30,
    type70_crypto,
    type72,
    type73_74,
    type113,
    type115,
    type116,
    type119,
    type119_interfaces,
    type119_profile,
    type119_sessions,
    type119_subtypes,
    type119_udp,
)
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records

Decoder = Callable[[Records, Parts], Frames]
CPU_ACTIVITY = (70, 1)  # decoded by Type70, which waits for the pieces of an interval

DECODERS: dict[Decoder, tuple[tuple[int, int], ...]] = {
    type70_crypto.read: ((70, 2),),
    type72.read: ((72, 3),),
    type30.read_intervals: ((30, 2), (30, 3)),
    type30.read_totals: ((30, 4), (30, 5)),
    type73_74.read_channels: ((73, 1),),
    type73_74.read_devices: ((74, 1),),
    type73_74.read_functions: ((74, 9),),
    type113.read: ((113, 1),),
    type115.read_calls: ((115, 2),),
    type115.read_pools: ((115, 215),),
    type116.read_tasks: ((116, 1),),
    type116.read_channels: ((116, 10),),
    type119.read_connections: ((119, 2),),
    type119.read_statistics: ((119, 5),),
    type119_interfaces.read_interfaces: ((119, 6),),
    type119_profile.read_profile: ((119, 4),),
    type119_udp.read_sockets: ((119, 10),),
    type119_sessions.read_client_transfers: ((119, 3),),
    type119_sessions.read_server_transfers: ((119, 70),),
    type119_sessions.read_begins: ((119, 20),),
    type119_sessions.read_sessions: ((119, 21),),
}

_ONE_SOURCE = "no second public source confirms where its fields are"
_RMF: dict[tuple[int, int | None], str] = {
    (71, 1): "paging",
    (74, 4): "coupling facility activity",
    (78, 3): "I/O queuing activity",
}
_OTHER_PRODUCTS = {
    82: f"ICSF: {_ONE_SOURCE}; operations of crypto cards are in 70-2",
    110: "CICS: its rows have the layout of a dictionary that each region writes, and "
    "are mostly compressed; the CPU time of its service classes is in 72-3",
    115: "IBM MQ: calls are in 115-2 and buffer pools in 115-215",
    116: "IBM MQ accounting: tasks and their queues are in 116-1, channels in 116-10",
    123: "z/OS Connect: it has two layouts, and no real record confirms either",
}

READ = {CPU_ACTIVITY, *(kind for kinds in DECODERS.values() for kind in kinds)}

NOT_DECODED: dict[tuple[int, int | None], str] = {
    (30, 1): "the begin of an address space, which has no CPU time",
    (30, 6): "of system address spaces; its values are in part cumulative",
    (111, None): "CICS Transaction Gateway: its layout is not in the public "
    "documentation; its statistics are read from text or CSV",
    (113, 2): "counters since they were started; those of each interval are in 113-1",
    **{(kind, None): why for kind, why in _OTHER_PRODUCTS.items()},
    **{key: f"{what}: {_ONE_SOURCE}" for key, what in _RMF.items()},
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
