"""Types 73 to 78 of RMF, and the product section that all records of RMF share.

Layouts: z/OS MVS System Management Facilities, RMF pages, such as "Channel path data
section" (D); of 74-4 and 78-3 they are alone, and the order of the triplets is that of
the fields in IBM's SMF Explorer (S). Of the product section, a C mapping generated
from IBM's ERBSMF70 (D).

Interval start and date are local; SMF70LGO is the offset from GMT, SMF70IET the
interval's expiry by the clock (UTC), the same in all records of one interval.

Not read are the words of the channel measurement group (SMF73CCM), whose place could
not be established, so bytes and total utilisation of a channel; service times of
coupling facilities, as the part of the page that has their offsets was not to be had;
and in 78-3 configuration and I/O processors, whose triplets lie in others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import (
    SECONDS,
    START,
    B,
    Bit,
    F,
    Family,
    Field,
    Frames,
    Layout,
    RecordType,
    S,
    broken_count,
    col,
    column,
    fields,
    flags,
    local_micros,
    no_name,
    table,
    word,
)

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.records import Ints

FLA = flags("FLA", 30, 2, "SMF70FLA", "70 to 78", {
    1: ("samples were skipped", "values stay: none is of samples", "told"),
    6: Bit("z/OS runs in another virtual machine",
           "nothing that rests on wait times is used; `guest`", "told",
           records="70-1"),
})  # fmt: skip
_MONITOR_III = 0x2000  # bit 2 of SMF70FLA
BOOSTS = {1: "zIIP boost", 2: "speed boost", 3: "speed and zIIP boost"}
BOOST_CLASSES = {1: "IPL", 2: "shutdown", 3: "recovery process"}
_FAR = 900_000_000  # the two ways to the start differ by more: the clock was changed
PRODUCT = Layout("RMF product", "D", (
    *fields(
        ("MFV", 0, 2), ("IST", 10, 4, "clock"), ("DAT", 14, 4, "date"),
        ("INT", 18, 4, "span"), ("SAM", 24, 4), ("MVS", 40, 8, "text"), ("PTN", 50, 1),
        ("IET", 52, 8, "stck"), ("LGO", 60, 8, "offset"), ("RAO", 68, 4),
        ("RAL", 72, 2), ("RAN", 74, 2), ("XNM", 88, 8, "text"), ("SNM", 96, 8, "text"),
    ),
    FLA,
), shortest=60, at=28)  # fmt: skip


def triplets_end(batch: RecordBatch) -> Ints:
    """Where the triplets of a record of RMF or TCP/IP end: their number is at 24."""
    return 28 + 8 * batch.number(24, 2)


def interval_times(batch: RecordBatch) -> pl.DataFrame:
    """What most tables of RMF need of :func:`intervals`."""
    return intervals(batch).select(
        "system", "position", "start", "start_local", "seconds", "token"
    )


def intervals(batch: RecordBatch) -> pl.DataFrame:
    """One row a record of RMF: ``system``, ``position``, ``start`` (UTC, microseconds),
    ``start_local``, ``seconds``, ``token`` (SMF70IET), ``partition`` (PR/SM number of
    the writer), ``boost``, ``boost_class`` and ``monitor`` (1 or 3).

    ``start`` is null where the section has no GMT offset. A record without a start or
    a length of its interval is spoilt: no share of CPU time can be told of it.
    """
    products = batch.sections(PRODUCT, needed=True)
    rows = batch.headers().hstack(batch.first(PRODUCT, among=products))
    timed = (pl.col("INT") > 0) & pl.col("DAT").is_not_null() & (pl.col("IST") >= 0)
    timeless = rows.filter(~timed.fill_null(False))
    batch.spoil(timeless, "tells no start and length of its interval")
    batch.tell_flags(rows, [FLA], bits=[1])
    local = local_micros("DAT", pl.col("IST"))
    offset = (pl.col("LGO") * 1_000_000).round().cast(pl.Int64)
    by_token = pl.col("IET") - (pl.col("INT") * 1_000_000).cast(pl.Int64)
    apart = ((local - offset) - by_token).abs()
    # Where daylight saving ended or began in the interval, the offset is not the
    # one of its start; a token of another day is no expiry and says nothing.
    start = pl.when((apart > _FAR) & (apart < 8 * _FAR)).then(by_token)
    return with_boosts(rows, "FLA", 5).with_columns(
        start_local=local,
        start=start.otherwise(local - offset),
        gmt_offset=offset,
        seconds=pl.col("INT"),
        token=pl.col("IET"),
        partition=pl.col("PTN"),
        monitor=pl.when(pl.col("FLA") & _MONITOR_III != 0).then(3).otherwise(1),
    )


def with_boosts(rows: pl.DataFrame, flags: str, speed: int) -> pl.DataFrame:
    """With ``boost`` and ``boost_class`` in words, null where no boost was active.

    Of a column of flags, bit ``speed`` tells of a speed boost and the one above it of a
    zIIP boost, counted from the lowest; the lowest three are the class.
    """
    which = rows[flags] // 2**speed % 4
    which = which // 2 + which % 2 * 2
    if not (which > 0).any():
        return rows.with_columns(
            boost=pl.lit(None, pl.String), boost_class=pl.lit(None, pl.String)
        )
    each = ("boost", which, BOOSTS), ("boost_class", rows[flags] % 8, BOOST_CLASSES)
    return rows.with_columns(
        pl.when(which > 0)
        .then(numbers.replace_strict(words, default=None, return_dtype=pl.String))
        .alias(name)
        for name, numbers, words in each
    )


RMF = Family(interval_times, triplets_end, needed=True, timed=("start",))
_TICK = 128e-6  # seconds
_BLOCK = 4096  # bytes of a unit of storage
_SLACK = 1.05  # clocks of a coupling facility and of its systems differ

_CHPID = "CHPID, or of PCIe the physical channel, in hexadecimal"
_NO_SHARE = "`partition_busy_pct` null"
FG2 = flags("FG2", 1, 1, "SMF73FG2", "73-1", {
    5: ("only partial statistics are available", _NO_SHARE, "told"),
    6: ("the channel path was varied, its data are invalid", _NO_SHARE, "told"),
})  # fmt: skip
FG3 = flags("FG3", 2, 1, "SMF73FG3", "73-1", {
    6: Bit("there is no such path", "no row", off=True),
})  # fmt: skip
FG4 = flags("FG4", 3, 1, "SMF73FG4", "73-1", {
    0: ("the entry of the measurement block is not valid", _NO_SHARE, "degrades"),
})  # fmt: skip
PATH = Layout("channel path", "D", (
    col("channel", 0, 1, "hex", _CHPID),
    START,
    SECONDS,
    column("partition_busy_pct", "channel busy for this LPAR [%]", F,
           value=pl.when(pl.col("PTI") > 0).then(100 * pl.col("PBY") / pl.col("PTI")),
           when=~(FG2.speaks() | FG4.speaks())),
    column("online", "whether it was online at the end", B,
           value=(pl.col("FG2") & 0x01) != 0),
    FG2, FG3, FG4,
    *fields(("PBY", 8, 4), ("PTI", 12, 4)),
    col("kind", 17, 5, "text", "type of the channel path, such as OSD or IQD"),
), shortest=22, at=44)  # fmt: skip
CHANNEL = RecordType("73-1", table(
    "channel_interval", "Channel paths (73)", PATH.columns[:-1],
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
), PATH, keep=~FG3.speaks(6), named="channel", family=RMF)  # fmt: skip

_NULL = "counts and times null"
CNF = flags("CNF", 5, 1, "SMF74CNF", "74-1", {
    1: ("there is no data of the logical control unit", "`lcu` null", "told"),
    2: ("counts and times are incorrect", _NULL, "degrades"),
    3: ("the device was deleted", "values stay", "told"),
    4: ("only partial statistics are available", _NULL, "told"),
    6: ("the device was varied, its data are invalid", _NULL, "told"),
})  # fmt: skip
_SOUND = ~CNF.speaks(2, 4, 6)
_EACH = pl.when(pl.col("MEC") > 0).then(1000 * _TICK / pl.col("MEC"))
DEVICE_DATA = Layout("device", "D", (
    col("device", 0, 2, "hex",
        "device number in hexadecimal; of PCIe the name of the device"),
    col("volume", 6, 6, "text", "volume serial number"),
    col("lcu", 2, 2, "hex", "logical control unit in hexadecimal",
        when=~CNF.speaks(1)),
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
    CNF,
    Field("MEC", 24, 4),
), shortest=44, at=44)  # fmt: skip
DEVICE = RecordType("74-1", table(
    "device_interval", "Devices (74-1); times are means over measured requests",
    DEVICE_DATA,
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
), DEVICE_DATA, named="device", family=RMF)  # fmt: skip

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


def _read_facilities(batch: RecordBatch) -> Frames:
    """A row a facility, a row a structure that the system was connected to, and a row a
    processor."""
    facility = batch.sections(FACILITY, needed=True)
    one = batch.first(FACILITY, among=facility)
    storage = batch.first(STORAGE)
    times = interval_times(batch)
    frames = batch.finish(times.hstack(one).hstack(storage))
    heads = times.hstack(one.select("facility"))
    requests, sizes = batch.table(REQUEST), batch.table(STRUCTURE)
    key = ["record", "structure", "version"]
    sizes = sizes.unique(key, keep="first")
    rows = requests.join(sizes, on=key, how="left", maintain_order="left")
    frames |= batch.finish(rows.hstack(heads[rows["record"]]), CF_STRUCTURE)
    rows = batch.table(PROCESSOR)
    return frames | batch.finish(rows.hstack(heads[rows["record"]]), CF_PROCESSOR)


CF = RecordType("74-4", table(
    "cf_interval", "Requests of a system to a coupling facility (74-4; one source)",
    FACILITY, STORAGE,
),
    None, (FACILITY, STORAGE), family=RMF, read=_read_facilities,
    odd={"has a facility without a name":
        _NO_FACILITY
        | broken_count(
            "path_busy", "subchannel_busy", "requests", "failed_requests"
        )},
)  # fmt: skip
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
CF_STRUCTURE = RecordType("74-4", table(
    "cf_structure_interval",
    "Requests of a system to a structure of a coupling facility (74-4; one source)",
    _OF_FACILITY, REQUEST,
),
    REQUEST,
    odd={"has a structure that can be none":
        no_name("structure")
        | ~pl.col("kind").is_in(list(_STRUCTURES))
        | broken_count("changed_requests", "requests")
        | (pl.col("structure") == "")},
)  # fmt: skip
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
CF_PROCESSOR = RecordType("74-4", table(
    "cf_processor_interval",
    "Processors of a coupling facility, as a system saw them (74-4; one source)",
    _OF_FACILITY, PROCESSOR,
),
    PROCESSOR,
    odd={"has a processor that was busy longer than its interval":
        pl.col("seconds") * _SLACK < _SPENT},
)  # fmt: skip

PFFL = flags("PFFL", 4, 2, "R749PFFL", "74-9", {
    2: ("the function was in error", "bytes and packets null", "degrades"),
})  # fmt: skip
FUNCTION = Layout("PCIe function", "D", (
    col("function", 0, 4, "hex", "PCIe function id in hexadecimal"),
    col("device", 16, 24, "text"),
    col("channel", 50, 2, "hex", _CHPID),
    col("job", 40, 8, "text"),
    START,
    SECONDS,
    col("allocated_seconds", 60, per=1000,
        comment="time for which the function was allocated [s]"),
    PFFL,
    Field("ERRT", 8, 4),
), shortest=64, at=36)  # fmt: skip
_COUNTED = {0: "dma", 1: "ethernet"}
_FAULTLESS = ~PFFL.speaks(2) & (pl.col("ERRT") == 0)
_KNOWN = word("counts", _COUNTED).is_not_null() & _FAULTLESS
_ETHERNET = _FAULTLESS & (pl.col("counts") == 1)
TRAFFIC = Layout("PCIe function type data", "D", (
    col("counts", 16, 1, words=_COUNTED,
        comment="what the bytes are of: ethernet, or dma, where received are those "
        "read from memory and sent those written to it"),
    col("bytes_in", 0, 8, when=_KNOWN),
    col("bytes_out", 8, 8, when=_KNOWN),
    col("packets_in", 24, 8, when=_ETHERNET),
    col("packets_out", 32, 8, when=_ETHERNET),
), shortest=40, at=44)  # fmt: skip


def _read_functions(batch: RecordBatch) -> Frames:
    """A row a function: bytes by direct memory access, or of the Ethernet side, as
    ``counts`` says, which its section of type data has in the same place."""
    rows = batch.table(FUNCTION, needed=True)
    rows = rows.hstack(interval_times(batch)[rows["record"]])
    traffic = batch.table(TRAFFIC)
    some = rows.filter(pl.col("ERRT") > 0).select("position", "function", "ERRT").rows()
    batch.trouble.damage_each(
        [where for where, _, _ in some],
        lambda nth: remark(
            "function_without_data",
            f"the 74-9 record at byte offset {some[nth][0]} has no valid data of "
            f"function {some[nth][1]} for {some[nth][2] / 1000:g} s of its "
            "interval: bytes and packets null",
        ),
        "PCIe functions without valid data for some time",
    )
    nth = pl.int_range(pl.len()).over("record")
    rows = rows.with_columns(nth=nth).join(
        traffic.with_columns(nth=nth), on=["record", "nth"], how="left"
    )
    return batch.finish(rows)


PCIE = RecordType("74-9", table(
    "pcie_interval", "PCIe functions such as RoCE and ISM (74-9)",
    FUNCTION, TRAFFIC,
), FUNCTION, (TRAFFIC,), named="function", family=RMF,
    read=_read_functions)  # fmt: skip

DST = flags("DST", 2, 1, "R783DST", "78-3", {
    0: ("there are no hardware measurements", "times null", "told"),
    1: ("the control unit was changed", "values stay", "told"),
    2: ("the control unit was added", "values stay", "told"),
    3: ("a change of the configuration was tried", "values stay", "told"),
})  # fmt: skip
_MEASURED = ~DST.speaks(0)
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
    DST,
), shortest=12, at=44)  # fmt: skip
LCU = RecordType("78-3", table(
    "lcu_interval", "Logical control units with I/O activity (78-3; one source)",
    CONTROL_UNIT,
),
    CONTROL_UNIT, named="lcu", family=RMF,
    odd={"has a control unit that can be none":
        (pl.col("queued") == 0) & (pl.col("queue_lengths") > 0)},
)  # fmt: skip
RECORDS = (CHANNEL, DEVICE, LCU, CF, CF_STRUCTURE, CF_PROCESSOR, PCIE)
