"""Type 70 subtype 1, RMF CPU activity: CPU time of the own and all other partitions.

Layout: C mapping generated from IBM's ERBSMF70 and its field texts (D).

Records become flat tables of one row a section, numbered within their interval, so
that partitions find their logical processors, processors their CPU data and cores
their threads by joins. What lacks a section that it speaks of would give CPU time that
is too small, or that of other CPUs: nothing of such an interval is used.

LPAR busy and MVS busy are computed as RMF does. Sources: IBM's definitions of "TIME %
LPAR BUSY" and "MVS BUSY", checked against the averages of 297 printed intervals (V).
With ONT online, PDT dispatch, WAT wait and PAT parked time of a CPU:

- dedicated: (ONT - WAT) / ONT; shared: PDT / ONT; shared with wait completion and no
  HiperDispatch: (PDT - WAT) / ONT; with SMT: the core's LPAR busy time / interval;
- MVS busy: (ONT - PAT - WAT) / (ONT - PAT), none where the CPU was parked throughout;
- LPAR busy of a type is the plain mean over its CPUs, where a CPU that was varied
  counts by its online time; MVS busy is weighted by the time not parked.
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
    Frames,
    Layout,
    RecordType,
    S,
    column,
    fields,
    flags,
    table,
    word,
)
from analysis.ingest.smf.types.rmf import FLA, PRODUCT, RMF, intervals
from analysis.ingest.smf.types.type72 import with_capture

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch

INB = flags("INB", 4, 1, "SMF70INB", "70-1", {
    0: ("DIAGNOSE X'204' failed",
        "no partition is used: CPUs were busy while they did not wait", "degrades"),
    5: ("z/OS is a z/VM guest",
        "nothing that rests on wait times is used; `guest`", "told"),
})  # fmt: skip
CNF = flags("CNF", 10, 1, "SMF70CNF", "70-1", {
    6: ("the CPU was varied, its data are invalid",
        "its wait time is not used; `varied`", "told"),
})  # fmt: skip
VPF = flags("VPF", 12, 1, "SMF70VPF", "70-1", {
    1: ("wait completion was changed", "its busy time is not used", "told"),
})  # fmt: skip
CORE_FLAGS = flags("Core_Flg", 2, 1, "SMF70_Core_Flg", "70-1", {
    0: Bit("LPAR busy time of the core is not valid",
           "dispatch time is used instead", off=True),
})  # fmt: skip
_FAILED = INB.speaks(0)
_ONLINE = (pl.col("CNF") & 0x01) != 0
_COMPLETION = (pl.col("VPF") & 0x80) != 0
_HIPERDISPATCH = (pl.col("HHF").fill_null(0) & 0x40) != 0
_GUEST = FLA.speaks(6) | INB.speaks(5)
_NOT_TOLD = (pl.col("ONT") == 0) & (pl.col("PDT") > 0)
_ONLINE_TIME = pl.when(_NOT_TOLD).then("seconds").otherwise(pl.col("ONT") / 1e6)
_DEDICATED = pl.col("BPS") == 0xFFFF
_TYPES = {0: "CP", 1: "zAAP", 2: "zIIP"}  # SMF70TYP
_NAMES = {"CP": "CP", "IIP": "zIIP", "IFA": "zAAP"}  # SMF70CIN; others as they are
_CPU = ["interval", "cpu_type"]
_PLACES = 6  # of a number of CPUs: their online time is told in microseconds
_MOST = 4096  # pieces that may wait at once: 128 MiB at most

CONTROL = Layout("CPU control", "D", (
    *fields(("MOD", 0, 2), ("HHF", 94, 1), ("NRM", 188, 4), ("CAI", 216, 1)), INB,
), at=36)  # fmt: skip
CPU = Layout("CPU data", "D", (
    *fields(("WAT", 0, 8, "tod"), ("CID", 8, 2), ("TYP", 15, 1), ("PAT", 32, 8, "tod")),
    CNF,
), shortest=16, at=44)  # fmt: skip
PARTITION = Layout("partition", "D", fields(
    ("LPM", 0, 8, "text"), ("LPN", 8, 1), ("BDN", 10, 2), ("BDS", 12, 4),
), shortest=16, at=60)  # fmt: skip
PROCESSOR = Layout("logical processor", "D", (
    *fields(
        ("PDT", 0, 8), ("VPA", 8, 2), ("BPS", 10, 2), ("CIX", 14, 2), ("EDT", 16, 8),
        ("ONT", 40, 8),
    ),
    VPF,
), shortest=48, at=68)  # fmt: skip
NAME = Layout("CPU name", "D", fields(("CIN", 0, 16, "text")), at=76)
CORE = Layout("logical core", "D", (
    *fields(
        ("Core_ID", 0, 2), ("CPU_Skip", 4, 2), ("CPU_Num", 6, 2), ("LPAR_Busy", 12, 4)
    ),
    CORE_FLAGS,
), shortest=16, at=84)  # fmt: skip
REASSEMBLY = Layout("reassembly area", "D", fields(("RBR", 0, 2), ("RSQ", 2, 2)))
_SECTIONS = (CONTROL, CPU, PARTITION, PROCESSOR, NAME, CORE)


def _read(batch: RecordBatch) -> Frames:
    """The rows of all intervals of which every piece has been read."""
    batch = batch.with_carried()
    if not len(batch):
        return {}
    rows = _gathered(batch)
    batch.trouble.excuse(rows.filter("broken")["position"])
    heads = (
        rows.filter(pl.col("interval").is_not_null())
        .sort("interval", "RSQ", "row")
        .unique("interval", keep="first", maintain_order=True)
    )
    if not heads.height:
        return {}
    tables = {one.name: _of_intervals(batch.table(one), rows) for one in _SECTIONS}
    batch.spoil_overlapping()
    _spoil_contradictory(batch, tables, heads)
    processors = _processors(batch, tables, heads)
    failed = tables[CONTROL.name].filter(_FAILED)["interval"]
    processors = _without(processors, failed)
    if spoilt := batch.spoilt():
        is_spoilt = pl.col("position").is_in(pl.Series(spoilt).implode())
        bad = rows.filter(is_spoilt)["interval"].drop_nulls().unique()
        what = "is a piece of an interval of which another is damaged"
        batch.spoil(rows.filter(pl.col("interval").is_in(bad.implode())), what)
        heads, processors = _without(heads, bad), _without(processors, bad)
        tables = {name: _without(table, bad) for name, table in tables.items()}
    return _cpu_intervals(batch, heads, processors, tables) | batch.finish(
        _partition_intervals(heads, processors), PARTITIONS
    )


def _gathered(batch: RecordBatch) -> pl.DataFrame:
    """One row a record, in their order: the columns of :func:`intervals`, and
    ``interval`` (a number), which is null where a piece still waits.

    When the sections of an interval exceed 32 KB, RMF writes several records. The
    reassembly area of each (SMF70RAO from the start of the product section) says how
    many pieces there are (RBR) and which this is (RSQ). Pieces belong together by
    system and interval token. When the dump has ended, what lacks a piece is not used,
    as its CPU time is not all there; a piece that came before lacks no others.
    """
    rows = intervals(batch).hstack(_reassembly(batch)).with_row_index("row")
    key = pl.when("broken").then(pl.struct("system", "token"))
    piece = pl.struct("owner", "RSQ")
    rows = rows.with_columns(
        owner=pl.when("broken")
        .then(key.rank("dense") - 1 + len(batch))
        .otherwise("row")
        .cast(pl.Int64)
    ).with_columns(
        whole=~pl.col("broken")
        | (pl.col("RSQ").n_unique().over("owner") >= pl.col("RBR")),
        again=pl.col("broken")
        & piece.is_duplicated()
        & (piece.cum_count().over("owner", "RSQ") > 1),
    )
    _wait(batch, rows)
    if rows["again"].any():
        _tell_again(batch, rows)
    kept = pl.col("whole") & ~pl.col("again")
    return rows.with_columns(interval=pl.when(kept).then("owner"))


def _reassembly(batch: RecordBatch) -> pl.DataFrame:
    """``broken``, ``RBR`` and ``RSQ`` of every record, null where it is whole."""
    product = batch.triplets(PRODUCT.at, PRODUCT.name).sections()
    begins = product.number(68, 4)
    room = product.records.length[product.record] - product.start
    room += product.records.start[product.record]
    used = (product.number(74, 2) > 0) & (begins > 0) & (begins + 4 <= room)
    area = product.only(used).moved(begins[used], 4)
    areas = batch.first(REASSEMBLY, among=area)
    return areas.with_columns(broken=pl.col("RBR").is_not_null())


def _wait(batch: RecordBatch, rows: pl.DataFrame) -> None:
    """Carry over the pieces that wait for others; spoil those that wait in vain."""
    ended = batch.again is not None
    known = pl.Series([*batch.spoilt(), *(batch.again or ())], dtype=pl.Int64)
    left = rows.filter(~pl.col("whole") & ~pl.col("position").is_in(known.implode()))
    kept = 0 if ended else _MOST
    lonely = left.head(max(left.height - kept, 0)).to_dicts()
    batch.trouble.spoil(
        [row["position"] for row in lonely],
        lambda nth: remark(
            "lonely_piece",
            f"a broken 70-1 record: piece {lonely[nth]['RSQ']} of "
            f"{lonely[nth]['RBR']} is here, others are missing (byte offset "
            f"{lonely[nth]['position']})",
        ),
        "pieces of broken 70-1 records without the others",
    )
    batch.carry(left["row"].tail(kept))


def _tell_again(batch: RecordBatch, rows: pl.DataFrame) -> None:
    """Pieces that are there twice count once. Equal ones are told of as duplicates are;
    others, as of two systems of one name, are lost."""
    from analysis.ingest.smf.duplicates import hashes  # NumPy, which a start spares

    known = rows.with_columns(hash=pl.Series(hashes(batch.records))).filter("broken")
    others = known.filter(
        "again", pl.col("hash") != pl.col("hash").first().over("owner", "RSQ")
    )
    batch.spoil(others, "is another piece than one of its number that was read before")


def _of_intervals(table: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Sections with ``interval`` and ``nth`` (from 0 within it), in the order of
    intervals and of their pieces."""
    owner = rows.select("interval", sequence=pl.col("RSQ").fill_null(0))
    table = table.hstack(owner[table["record"]])
    if (owner["sequence"] > 0).any():
        table = table.sort("interval", "sequence", maintain_order=True)
    table = table.filter(pl.col("interval").is_not_null())
    nth = pl.int_range(pl.len()).over("interval")
    return table.with_columns(nth=nth).drop("record", "sequence")


def _without(table: pl.DataFrame, intervals: pl.Series) -> pl.DataFrame:
    return table.filter(~pl.col("interval").is_in(intervals.implode()))


def _spoil_contradictory(
    batch: RecordBatch, tables: Frames, heads: pl.DataFrame
) -> None:
    """Spoil intervals without the sections that every one has, and those that have
    partitions but not the own one, or processors of no partition."""
    control, partitions, cpus = (tables[s.name] for s in (CONTROL, PARTITION, CPU))
    of_system = partitions.join(
        heads.select("interval", LPN="partition"), ["interval", "LPN"]
    )
    alone = (
        control.filter(INB.speaks())
        .join(partitions, "interval", how="anti")
        .join(tables[PROCESSOR.name], "interval", how="anti")
    )
    sound = {
        "has no CPU control section": control,
        "has no CPU data section": cpus,
        "has no logical processors of the partition that wrote it, nor says that "
        "there are no partitions": pl.concat(
            one.select("interval")
            for one in (of_system.filter(pl.col("BDN") > 0), alone)
        ),
    }
    for what, known in sound.items():
        batch.spoil(heads.join(known, "interval", how="anti"), what)
    last = (pl.col("CPU_Skip") + pl.col("CPU_Num")).max()
    named = tables[CORE.name].group_by("interval").agg(threads=last)
    there = cpus.group_by("interval").len()
    short = named.join(there, "interval").filter(pl.col("threads") > pl.col("len"))
    batch.spoil(
        heads.join(short, "interval", how="semi"),
        "has a core that names CPU data sections that the record does not have",
    )


def _processors(
    batch: RecordBatch, tables: Frames, heads: pl.DataFrame
) -> pl.DataFrame:
    """Logical processors with the partition they belong to: ``interval``, ``nth``,
    ``partition``, ``own``, ``cpu_type`` (CP where the processor names none) and the
    processor's fields."""
    number = heads.select("interval", number="partition")
    first = pl.col("BDS").fill_null(0)
    every = pl.int_ranges(first, first + pl.col("BDN").fill_null(0))
    spans = (
        tables[PARTITION.name]
        .join(number, on="interval", how="left", maintain_order="left")
        .filter(pl.col("BDN") > 0)
        .select(
            "interval",
            nth=every,
            partition="LPM",
            own=pl.col("LPN") == pl.col("number"),
        )
        .explode("nth")
    )
    there = tables[PROCESSOR.name].with_columns(there=pl.lit(True))
    joined = spans.join(
        there, on=["interval", "nth"], how="left", maintain_order="left"
    )
    missing = joined.filter(pl.col("there").is_null())
    batch.spoil(
        heads.join(missing, "interval", how="semi"),
        "has a partition that names logical processor sections that the record does "
        "not have",
    )
    names = tables[NAME.name].select(
        "interval", CIX=pl.col("nth") + 1, name=pl.col("CIN").replace(_NAMES)
    )
    unnamed = pl.col("CIX").fill_null(0) == 0
    typed = (
        joined.filter("there")
        .join(names, on=["interval", "CIX"], how="left", maintain_order="left")
        .with_columns(cpu_type=pl.when(unnamed).then(pl.lit("CP")).otherwise("name"))
    )
    nameless = typed.filter(pl.col("cpu_type").is_null())
    batch.spoil(
        heads.join(nameless, "interval", how="semi"),
        "has a logical processor of a type whose name it does not have",
    )
    return typed


def _partition_intervals(heads: pl.DataFrame, processors: pl.DataFrame) -> pl.DataFrame:
    """CPU time of each partition of the CPC by CPU type, as the writer saw it."""
    sums = processors.group_by("interval", "partition", "cpu_type", maintain_order=True)
    table = sums.agg(
        own=pl.col("own").any(),
        dispatch_seconds=pl.col("PDT").sum() / 1e6,
        effective_seconds=pl.col("EDT").sum() / 1e6,
        online=pl.col("ONT").sum() / 1e6,
        dedicated=_DEDICATED.any(),
    )
    times = heads.select(
        "interval", "system", "position", "start", "start_local", "seconds", "token"
    )
    return table.join(times, on="interval").with_columns(
        online_cpus=(pl.col("online") / pl.col("seconds")).round(_PLACES)
    )


def _cpu_intervals(
    batch: RecordBatch, heads: pl.DataFrame, processors: pl.DataFrame, tables: Frames
) -> Frames:
    """The writer's own CPU time by CPU type: one row an interval and type."""
    first = tables[CONTROL.name].unique("interval", keep="first", maintain_order=True)
    control = heads.select(
        "interval", "system", "position", "start", "start_local", "seconds", "token",
        "boost", "boost_class", "monitor", "FLA", "MVS",
    ).join(first.drop("nth"), on="interval", how="left")  # fmt: skip
    threads = _threads(tables, control)
    of_partition = processors.filter("own").join(control, on="interval")
    cpus = pl.concat(
        [
            _by_processor(of_partition, threads, tables),
            _without_prsm(of_partition, threads),
        ],
        how="diagonal_relaxed",
    )
    table = cpus.group_by(_CPU, maintain_order=True).agg(
        *_averages(),
        dedicated=pl.col("dedicated").any(),
        wait_completion=pl.col("completed").any(),
        smt=pl.col("smt").any(),
        varied=pl.col("varied").any(),
        basis=pl.col("basis").first(),
    )
    mvs = _mvs_busy(threads, of_partition)
    table = table.join(mvs, on=_CPU, how="left").join(control, on="interval")
    batch.tell_flags(control, [INB])
    batch.tell_flags(control, [FLA], bits=[6])
    batch.tell_flags(threads, [CNF], "CID")
    batch.tell_flags(of_partition, [VPF], "VPA")
    return batch.finish(table)


def _without_prsm(processors: pl.DataFrame, threads: pl.DataFrame) -> pl.DataFrame:
    """CPUs of intervals without partition data: busy is what they did not wait."""
    alone = threads.join(
        processors.select("interval").unique(), on="interval", how="anti"
    )
    return alone.filter(_ONLINE & ~pl.col("varied")).select(
        "interval",
        "seconds",
        "varied",
        "smt",
        cpu_type=pl.col("type_told").fill_null("CP"),
        online=pl.col("seconds"),
        busy=(pl.col("seconds") - pl.col("WAT")).clip(0, pl.col("seconds")),
        dedicated=pl.lit(False),
        completed=pl.lit(False),
        basis=pl.lit("mvs_busy"),
    )


def _averages() -> list[pl.Expr]:
    """LPAR busy and the sums of a CPU type; a CPU varied counts by its online time."""
    weight = pl.when("varied").then(pl.col("online") / pl.col("seconds")).otherwise(1.0)
    known = weight * pl.col("busy").is_not_null()
    share = pl.col("busy") / pl.col("online") * weight
    mean = pl.when(known.sum() > 0).then(share.sum() / known.sum())
    return [
        (100 * mean).alias("busy_pct"),
        pl.when(pl.col("busy").is_not_null().any())
        .then(mean * pl.col("online").sum())
        .alias("busy_seconds"),
        (pl.col("online") / pl.col("seconds"))
        .sum()
        .round(_PLACES)
        .alias("online_cpus"),
        *(
            pl.when(pl.col(time).is_not_null().any())
            .then(pl.col(time).sum())
            .alias(f"{time}_seconds")
            for time in ("dispatch", "effective")
        ),
    ]


def _mvs_busy(threads: pl.DataFrame, processors: pl.DataFrame) -> pl.DataFrame:
    """MVS busy and parked share of a CPU type, over the CPUs not varied."""
    online = processors.select(
        "interval",
        "VPA",
        "cpu_type",
        processor=_ONLINE_TIME,
    )
    table = threads.join(online, on=["interval", "VPA"], how="left").with_columns(
        pl.col("cpu_type").fill_null(pl.col("type_told")),
        online=pl.coalesce("processor", pl.when(_ONLINE).then("seconds")),
        parked=pl.col("PAT").fill_null(0),
    )
    table = table.filter(~pl.col("varied") & (pl.col("online") > 0))
    free = pl.col("online") - pl.col("parked")
    running = free > 1e-6
    busy = ((free - pl.col("WAT")) / free).clip(0, 1)
    weight = free / pl.col("online")
    return (
        table.group_by(_CPU)
        .agg(
            mvs_busy_pct=100
            * (busy * weight).filter(running).sum()
            / weight.filter(running).sum(),
            parked_pct=100 * (pl.col("parked") / pl.col("online")).mean(),
        )
        .with_columns(pl.col("mvs_busy_pct").fill_nan(None))
    )


def _threads(tables: Frames, control: pl.DataFrame) -> pl.DataFrame:
    """CPU data with the address of their logical processor (``VPA``): their own, or
    with SMT that of the core which they are threads of."""
    first, count = pl.col("CPU_Skip"), pl.col("CPU_Num")
    of_core = (
        tables[CORE.name]
        .filter(count > 0)
        .with_columns(nth=pl.int_ranges(first, first + count), smt=pl.lit(True))
        .explode("nth")
        .select("interval", "nth", "smt", VPA="Core_ID")
    )
    data = tables[CPU.name].join(of_core, on=["interval", "nth"], how="left")
    times = control.select("interval", "seconds", "position")
    return data.join(times, on="interval").with_columns(
        pl.col("VPA").fill_null(pl.col("CID")),
        pl.col("smt").fill_null(False),
        varied=CNF.speaks(6),
        type_told=word("TYP", _TYPES),
    )


def _by_processor(
    processors: pl.DataFrame, threads: pl.DataFrame, tables: Frames
) -> pl.DataFrame:
    """Online, busy and dispatch seconds of every own logical processor."""
    waits = threads.group_by("interval", "VPA").agg(
        WAT=pl.col("WAT").sum(), varied=pl.col("varied").any()
    )
    cores = tables[CORE.name].select(
        "interval",
        VPA="Core_ID",
        core=pl.when(~CORE_FLAGS.speaks(0)).then(pl.col("LPAR_Busy") / 1000),
    )
    pair = ["interval", "VPA"]
    table = processors.join(waits, on=pair, how="left").join(cores, on=pair, how="left")
    return (
        table.with_columns(
            online=_ONLINE_TIME,
            dispatch=pl.col("PDT") / 1e6,
            effective=pl.col("EDT") / 1e6,
            dedicated=_DEDICATED,
            completed=_COMPLETION,
            smt=pl.col("core").is_not_null(),
            varied=pl.col("varied").fill_null(False),
            basis=pl.lit("lpar_busy"),
        )
        .filter(pl.col("online") > 0)
        .with_columns(busy=_busy())
    )


def _busy() -> pl.Expr:
    """Busy seconds of a logical processor; null where its wait time is not known, or
    whether its dispatch time has waits in it.

    The wait time of a CPU that was varied is invalid.
    """
    wait = pl.when(~pl.col("varied")).then("WAT")
    busy = (
        pl.when(pl.col("core").is_not_null())
        .then("core")
        .when("dedicated")
        .then(pl.col("online") - wait)
        .when(pl.col("completed") & ~VPF.speaks(1) & ~_HIPERDISPATCH)
        .then(pl.col("dispatch") - wait)
        .when(~VPF.speaks(1) | _HIPERDISPATCH)
        .then("dispatch")
    )
    return busy.clip(0, pl.col("online"))


# SMF70MOD, whose hexadecimal digits are those of the type.
_DIGITS = [pl.col("MOD") // 16**place % 16 * 10**place for place in range(4)]
_MACHINE_TYPE = pl.when(pl.col("MOD") > 0).then(sum(_DIGITS, pl.lit(0)).cast(pl.String))
_KNOWN = ~(_GUEST & (pl.col("basis") == "mvs_busy"))  # as it rests on wait times
_DISPATCH = "dispatch time with LPAR management [s]"
ACTIVITY = RecordType("70-1", table(
    "cpu_interval",
    "CPU utilisation of a system over an interval",
    column("cpu_type", "CP, zIIP, …", S),
    START,
    SECONDS,
    column("online_cpus", "CPUs online, the mean over the interval", F),
    column("busy_pct",
           "busy share of the online CPUs [%]; the column basis says of what", F,
           when=_KNOWN),
    column("busy_seconds", "CPU time that was busy [s]; on Linux without steal", F,
           when=_KNOWN),
    column("busy_seconds_resolution", type=F),
    column("mvs_busy_pct",
           "MVS busy: share of the time that the CPUs were not waiting [%]", F,
           when=~_GUEST),
    column("parked_pct", "share of the time that the CPUs were parked [%]", F),
    column("steal_pct", "part of busy_pct that the hypervisor gave to others [%]", F),
    column("coverage", "accounted clock ticks / (seconds x CPUs x HZ); null where the "
           "basis does not count ticks", F),
    column("basis", "what busy_pct is: mpstat or procstat (100 - idle - iowait), "
           "lpar_busy, …", S),
    column("scope",
           "whose CPU time it is: system, cgroup or process; null: of an LPAR", S),
    column("dispatch_seconds", _DISPATCH, F),
    column("dispatch_seconds_resolution", type=F),
    column("effective_seconds", "dispatch time without LPAR management [s]", F),
    column("normalisation", "factor that makes zIIP time comparable with CP time", F,
           value=pl.when(cpu_type=pl.lit("zIIP")).then(pl.col("NRM") / 256)),
    column("capture_pct",
           "CP seconds of all service classes / busy CP seconds [%]", F),
    column("dedicated", "whether a CPU is dedicated; null where not told", B),
    column("wait_completion",
           "whether a CPU waits with wait completion; null where not told", B),
    column("hiperdispatch", "whether HiperDispatch is active; null where not told", B,
           value=_HIPERDISPATCH),
    column("smt", "whether cores run several threads (SMT); null where not told", B),
    column("varied", "whether a CPU was varied on or off; null where not told", B),
    column("monitor_3", "whether Monitor III wrote the record; null where not told", B,
           value=pl.col("monitor") == 3),
    column("guest", "whether the system is a z/VM guest; null where not told", B,
           value=_GUEST),
    column("boost", "System Recovery Boost that was active, as it is told; null where "
           "none", S),
    column("boost_class", "class of the boost, as it is told; null where none", S),
    column("capacity_adjustment",
           "capacity adjustment of the CPC, where below full [%]",
           value=pl.when(pl.col("CAI").is_between(1, 99)).then("CAI")),
    column("capacity_change",
           "reason of a change of the capacity; null where none", S),
    column("release",
           "release of the system as it tells it, such as ZV030200 or V3R2", S,
           value=pl.col("MVS")),
    column("machine_type", "type of the CPC, such as 9175; null where not told", S,
           value=_MACHINE_TYPE),
    column("run", "run; null where a file serves many runs", S),
), None, family=RMF, read=_read, carries=True, keys=("system",),
    whole=with_capture)  # fmt: skip
PARTITIONS = RecordType("70-1", table(
    "partition_interval",
    "Dispatch time of each partition of a CPC (70-1), as one system saw it: take each "
    "CPC from one system",
    column("partition", "LPAR; PHYSICAL is time of LPAR management of no LPAR", S),
    column("cpu_type", type=S),
    START,
    SECONDS,
    column("online_cpus", type=F),
    column("dispatch_seconds", _DISPATCH, F),
    column("dispatch_seconds_resolution", type=F),
    column("effective_seconds", type=F),
    column("dedicated", "whether its CPUs are dedicated", B),
    column("own", "whether it is the LPAR of the system that wrote the record", B),
), family=RMF)  # fmt: skip
RECORDS = (ACTIVITY, PARTITIONS)
