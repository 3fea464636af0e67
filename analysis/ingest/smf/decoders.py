"""Which module decodes which record, and what is said of records that none does."""

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
    type119_subtypes,
)
from analysis.ingest.smf.columns import NO_SUBTYPE
from analysis.ingest.smf.decode import Decoder, read
from analysis.ingest.smf.types import rmf as rmf_types
from analysis.ingest.smf.types import tcpip as tcpip_types

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
