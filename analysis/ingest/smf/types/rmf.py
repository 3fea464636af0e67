"""Types 72 to 78 of RMF, and the product section that all records of RMF share.

Layouts: z/OS MVS System Management Facilities, RMF pages, such as "Channel path data
section" (D); of 74-4 and 78-3 they are alone, and the order of the triplets is that of
the fields in IBM's SMF Explorer (S). Of the product section and of 72, a C mapping
generated from IBM's ERBSMF70, offsets of the period section summed from it (D; past
R723CETS to be confirmed by a real record).

Interval start and date are local; SMF70LGO is the offset from GMT, SMF70IET the
interval's expiry by the clock (UTC), the same in all records of one interval.

Not read are the words of the channel measurement group (SMF73CCM), whose place could
not be established, so bytes and total utilisation of a channel; service times of
coupling facilities, as the part of the page that has their offsets was not to be had;
and in 78-3 configuration and I/O processors, whose triplets lie in others.
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.columns import (
    SECONDS,
    START,
    B,
    F,
    Field,
    Layout,
    RecordType,
    S,
    broken_count,
    col,
    column,
    fields,
    no_name,
    table,
    word,
)
from analysis.ingest.smf.validity import FLAGS, any_of

PRODUCT = Layout("RMF product", "D", fields(
    ("MFV", 0, 2), ("IST", 10, 4, "clock"), ("DAT", 14, 4, "date"),
    ("INT", 18, 4, "span"), ("SAM", 24, 4), ("FLA", 30, 2), ("MVS", 40, 8, "text"),
    ("PTN", 50, 1), ("IET", 52, 8, "stck"), ("LGO", 60, 8, "offset"), ("RAO", 68, 4),
    ("RAL", 72, 2), ("RAN", 74, 2), ("XNM", 88, 8, "text"), ("SNM", 96, 8, "text"),
), shortest=60, at=28)  # fmt: skip
_TICK = 128e-6  # seconds
_BLOCK = 4096  # bytes of a unit of storage
_SLACK = 1.05  # clocks of a coupling facility and of its systems differ

_ODD_PATH = [FLAGS["SMF73FG2", 5], FLAGS["SMF73FG2", 6], FLAGS["SMF73FG4", 0]]
PATH = Layout("channel path", "D", (
    col("channel", 0, 1, "hex",
        "CHPID, or of PCIe the physical channel, in hexadecimal"),
    START,
    SECONDS,
    column("partition_busy_pct", "channel busy for this LPAR [%]", F,
           value=pl.when(pl.col("PTI") > 0).then(100 * pl.col("PBY") / pl.col("PTI")),
           when=~any_of(_ODD_PATH)),
    column("online", "whether it was online at the end", B,
           value=(pl.col("FG2") & 0x01) != 0),
    *fields(("FG2", 1, 1), ("FG3", 2, 1), ("FG4", 3, 1), ("PBY", 8, 4), ("PTI", 12, 4)),
    col("kind", 17, 5, "text", "type of the channel path, such as OSD or IQD"),
), shortest=22, at=44)  # fmt: skip
CHANNEL = RecordType(
    ((73, 1),),
    table(
        "channel_interval",
        "Channel paths (73)",
        PATH.columns[:-1],
        behind=(
            PATH.columns[-1],
            # What reports of RMF tell.
            column("speed_mbps", "speed of the channel path [Mbit/s]", F),
            column("total_busy_pct", "channel busy for all LPARs [%]", F),
            column("bus_busy_pct", "bus of the channel busy [%]", F),
            *(
                column(f"{whose}_{what}_bytes_per_second", words.format(of), F)
                for what, words in (
                    ("read", "bytes read for {} [byte/s]"),
                    ("write", "bytes written for {} [byte/s]"),
                )
                for whose, of in (("partition", "this LPAR"), ("total", "all LPARs"))
            ),
            column("partition_messages_per_second",
                   "HiperSockets messages of this LPAR [1/s]", F),
            column("total_messages_per_second",
                   "HiperSockets messages of all LPARs [1/s]", F),
            column("send_failures_per_second",
                   "messages that this LPAR could not send [1/s]", F),
            column("receive_failures_per_second",
                   "messages that this LPAR could not receive [1/s]", F),
        ),
    ),
    PATH,
    keep=~FLAGS["SMF73FG3", 6].speaks(),
    flags=tuple(_ODD_PATH),
    named="channel",
)  # fmt: skip

_DEVICE_FLAGS = tuple(FLAGS["SMF74CNF", bit] for bit in (1, 2, 3, 4, 6))
_SOUND = ~any_of(FLAGS["SMF74CNF", bit] for bit in (2, 4, 6))
_EACH = pl.when(pl.col("MEC") > 0).then(1000 * _TICK / pl.col("MEC"))
DEVICE_DATA = Layout("device", "D", (
    col("device", 0, 2, "hex",
        "device number in hexadecimal; of PCIe the name of the device"),
    col("volume", 6, 6, "text", "volume serial number"),
    col("lcu", 2, 2, "hex", "logical control unit in hexadecimal",
        when=~FLAGS["SMF74CNF", 1].speaks()),
    START,
    SECONDS,
    col("requests", 20, comment="start subchannel requests", when=_SOUND),
    col("busy_seconds", 36, comment="device active time [s]", times=_TICK, when=_SOUND),
    col("pending_ms", 32, comment="mean pending time of a request [ms]",
        value=pl.col("pending_ms") * _EACH, when=_SOUND),
    col("connect_ms", 28, comment="mean connect time of a request [ms]",
        value=pl.col("connect_ms") * _EACH, when=_SOUND),
    col("disconnect_ms", 40, comment="mean disconnect time of a request [ms]",
        value=pl.col("disconnect_ms") * _EACH, when=_SOUND),
    *fields(("CNF", 5, 1), ("MEC", 24, 4)),
), shortest=44, at=44)  # fmt: skip
DEVICE = RecordType(
    ((74, 1),),
    table(
        "device_interval",
        "Devices (74-1); times are means over measured requests",
        DEVICE_DATA.columns,
        behind=(
            # What reports of RMF tell.
            column("kind", "type of the device", S),
            column("rate", "start subchannel requests a second [1/s]", F),
            column("response_ms", "mean response time of a request [ms]", F),
            column("iosq_ms", "mean time in the queue of IOS [ms]", F),
            column("busy_pct", "share of the time that the device was in use [%]", F),
            column("connect_pct",
                   "share of the time that the device was connected [%]", F),
        ),
    ),
    DEVICE_DATA,
    flags=_DEVICE_FLAGS,
    named="device",
)  # fmt: skip

_NO_FACILITY = no_name("facility") | (pl.col("facility") == "")
FACILITY = Layout("local coupling facility", "S", (
    col("facility", 0, 8, "name", "coupling facility"),
    START,
    SECONDS,
    col("requests", 52, 8, "hfp", "requests of the system to the coupling facility"),
    col("failed_requests", 60, 8, "hfp", "of them those that were not successful"),
    col("path_busy", 24, 8, "hfp", "requests that failed because a path was busy"),
    col("subchannels", 32, comment="subchannels defined"),
    col("subchannels_in_use", 36, comment="subchannels in use"),
    col("subchannel_busy", 44, 8, "hfp", "times that all subchannels were busy"),
    col("contention_seconds", 84, 8, per=1e6,
        comment="time that requests waited for a subchannel [s]"),
), shortest=100, at=36)  # fmt: skip
STORAGE = Layout("coupling facility storage", "S", (
    col("storage_bytes", 8, times=_BLOCK, comment="storage of the coupling facility; "
        "null where another system tells it [byte]"),
    col("free_bytes", 12, times=_BLOCK, comment="of it that is free [byte]"),
), at=52)  # fmt: skip
CF = RecordType(
    ((74, 4),),
    table(
        "cf_interval",
        "Requests of a system to a coupling facility (74-4; one source)",
        FACILITY.columns,
        STORAGE.columns,
    ),
    None,
    (FACILITY, STORAGE),
    odd=(
        (
            _NO_FACILITY
            | broken_count(
                "path_busy", "subchannel_busy", "requests", "failed_requests"
            ),
            "has a facility without a name",
        ),
    ),
)
_STRUCTURES = {1: "list", 2: "serialized list", 3: "lock", 4: "cache"}
REQUEST = Layout("coupling facility request", "S", (
    col("structure", 0, 16, "name", "structure of the coupling facility"),
    col("kind", 24, 1, words=_STRUCTURES,
        comment="list, serialized list, lock or cache"),
    START,
    SECONDS,
    col("requests", 52, 8, "hfp", "requests for lists, locks or cache entries"),
    col("changed_requests", 44, 8, "hfp",
        "requests that became asynchronous for lack of resources"),
    col("entries", 32,
        comment="list entries in use; of a lock structure data elements"),
    col("entries_limit", 28,
        comment="list entries there may be; of a lock structure data elements"),
    col("lock_entries", 40, comment="entries of the lock table in use"),
    col("lock_entries_limit", 36, comment="entries of the lock table"),
    column("structure_bytes", "size that was asked for; null where another system "
           "tells it [byte]", value=pl.col("blocks") * _BLOCK),
    Field("version", 16, 8, "bits"),
), shortest=60, at=68)  # fmt: skip
STRUCTURE = Layout(
    "coupling facility structure",
    "S",
    fields(("structure", 0, 16, "name"), ("blocks", 16, 4), ("version", 20, 8, "bits")),
    shortest=28,
    at=60,
)
_OF_FACILITY = column("facility", type=S)
CF_STRUCTURE = RecordType(
    ((74, 4),),
    table(
        "cf_structure_interval",
        "Requests of a system to a structure of a coupling facility (74-4; one source)",
        _OF_FACILITY,
        REQUEST.columns,
    ),
    REQUEST,
    odd=(
        (
            no_name("structure")
            | ~pl.col("kind").is_in(list(_STRUCTURES))
            | broken_count("changed_requests", "requests")
            | (pl.col("structure") == ""),
            "has a structure that can be none",
        ),
    ),
)
_SPENT = (pl.col("busy_seconds") + pl.col("wait_seconds")) / 1e6
PROCESSOR = Layout("coupling facility processor", "S", (
    col("cpu", 0, comment="the processor's number"),
    START,
    SECONDS,
    col("busy_seconds", 4, comment="time that the processor was busy [s]", per=1e6),
    col("wait_seconds", 8, comment="time that the processor waited [s]", per=1e6),
    column("busy_pct", "busy share of busy and wait time [%]", F,
           value=100 * pl.col("busy_seconds") / 1e6 / pl.when(_SPENT > 0).then(_SPENT)),
), shortest=12, at=76)  # fmt: skip
CF_PROCESSOR = RecordType(
    ((74, 4),),
    table(
        "cf_processor_interval",
        "Processors of a coupling facility, as a system saw them (74-4; one source)",
        _OF_FACILITY,
        PROCESSOR.columns,
    ),
    PROCESSOR,
    odd=(
        (
            pl.col("seconds") * _SLACK < _SPENT,
            "has a processor that was busy longer than its interval",
        ),
    ),
)

FUNCTION = Layout("PCIe function", "D", (
    col("function", 0, 4, "hex", "PCIe function id in hexadecimal"),
    col("device", 16, 24, "text"),
    col("channel", 50, 2, "hex"),
    col("job", 40, 8, "text"),
    START,
    SECONDS,
    col("allocated_seconds", 60, per=1000,
        comment="time for which the function was allocated [s]"),
    *fields(("PFFL", 4, 2), ("ERRT", 8, 4)),
), shortest=64, at=36)  # fmt: skip
_COUNTED = {0: "dma", 1: "ethernet"}
_FAULTLESS = ~FLAGS["R749PFFL", 2].speaks() & (pl.col("ERRT") == 0)
_KNOWN = word("counts", _COUNTED).is_not_null() & _FAULTLESS
_ETHERNET = _FAULTLESS & (pl.col("counts") == 1)
TRAFFIC = Layout("PCIe function type data", "D", (
    col("counts", 16, 1, words=_COUNTED,
        comment="what the bytes are of: dma or ethernet"),
    col("bytes_in", 0, 8, when=_KNOWN,
        comment="bytes received, or read from memory where counts is dma [byte]"),
    col("bytes_out", 8, 8, when=_KNOWN,
        comment="bytes sent, or written to memory where counts is dma [byte]"),
    col("packets_in", 24, 8, when=_ETHERNET),
    col("packets_out", 32, 8, when=_ETHERNET),
), shortest=40, at=44)  # fmt: skip
PCIE = RecordType(
    ((74, 9),),
    table(
        "pcie_interval",
        "PCIe functions such as RoCE and ISM (74-9)",
        FUNCTION.columns,
        TRAFFIC.columns,
    ),
    FUNCTION,
    (TRAFFIC,),
    flags=(FLAGS["R749PFFL", 2],),
    named="function",
)

_MEASURED = ~FLAGS["R783DST", 0].speaks()
CONTROL_UNIT = Layout("I/O queuing", "S", (
    col("lcu", 0, 2, "hex", "logical control unit"),
    START,
    SECONDS,
    col("queued", 8, comment="entries on the queue of the control unit"),
    col("queue_lengths", 4, comment="sum of the lengths of that queue"),
    col("connect_seconds", 44, times=_TICK, when=_MEASURED,
        comment="time that its devices were connected [s]"),
    col("disconnect_seconds", 48, times=_TICK, when=_MEASURED,
        comment="time that its devices were disconnected [s]"),
    col("wait_seconds", 52, times=_TICK, when=_MEASURED,
        comment="time that requests waited in the channel subsystem [s]"),
    Field("DST", 2, 1),
), shortest=12, at=44)  # fmt: skip
LCU = RecordType(
    ((78, 3),),
    table(
        "lcu_interval",
        "Logical control units with I/O activity (78-3; one source)",
        CONTROL_UNIT.columns,
    ),
    CONTROL_UNIT,
    flags=tuple(FLAGS["R783DST", bit] for bit in range(4)),
    named="lcu",
    odd=(
        (
            (pl.col("queued") == 0) & (pl.col("queue_lengths") > 0),
            "has a control unit that can be none",
        ),
    ),
)
TYPES = (CHANNEL, DEVICE, LCU)
TABLES = tuple(one.table for one in (*TYPES, CF, CF_STRUCTURE, CF_PROCESSOR, PCIE))
