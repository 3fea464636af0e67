"""LPAR busy and MVS busy of a system by CPU type, as RMF computes them.

Sources: IBM's definitions of "TIME % LPAR BUSY" and "MVS BUSY", checked against the
averages of 297 printed intervals (V). With ONT online, PDT dispatch, WAT wait and PAT
parked time of a CPU:

- dedicated: (ONT - WAT) / ONT; shared: PDT / ONT; shared with wait completion and no
  HiperDispatch: (PDT - WAT) / ONT; with SMT: the core's LPAR busy time / interval;
- MVS busy: (ONT - PAT - WAT) / (ONT - PAT), none where the CPU was parked throughout;
- LPAR busy of a type is the plain mean over its CPUs, where a CPU that was varied
  counts by its online time; MVS busy is weighted by the time not parked.
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.decode import Frames, Parts, tell_flags
from analysis.ingest.smf.types.cpu import (
    BUSY_INVALID,
    CPU_TYPES,
    DEDICATED,
    DIAG_FAILED,
    HIPERDISPATCH,
    ONLINE,
    OTHER_HYPERVISOR,
    VARIED,
    WAIT_CHANGED,
    WAIT_COMPLETION,
    ZVM_GUEST,
)
from analysis.ingest.smf.validity import any_of

_CPU = ["interval", "cpu_type"]
_PLACES = 6  # of a number of CPUs: their online time is told in microseconds


def partition_intervals(heads: pl.DataFrame, processors: pl.DataFrame) -> pl.DataFrame:
    """CPU time of each partition of the CPC by CPU type, as the writer saw it."""
    sums = processors.group_by("interval", "partition", "cpu_type", maintain_order=True)
    table = sums.agg(
        own=pl.col("own").any(),
        dispatch_seconds=pl.col("PDT").sum() / 1e6,
        effective_seconds=pl.col("EDT").sum() / 1e6,
        online=pl.col("ONT").sum() / 1e6,
        dedicated=(pl.col("BPS") == DEDICATED).any(),
    )
    return table.join(_times(heads), on="interval").with_columns(
        online_cpus=(pl.col("online") / pl.col("seconds")).round(_PLACES)
    )


def cpu_intervals(
    heads: pl.DataFrame, processors: pl.DataFrame, tables: Frames, parts: Parts
) -> pl.DataFrame:
    """The writer's own CPU time by CPU type: one row an interval and type."""
    control = (
        tables["CPU control"].unique("interval", keep="first", maintain_order=True)
    ).drop("nth")
    control = _times(heads).join(control, on="interval", how="left")
    threads = thread_times(tables, control)
    own = processors.filter("own").join(control, on="interval")
    cpus = pl.concat(
        [by_processor(own, threads, tables), _without_prsm(own, threads)],
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
    mvs = _mvs_busy(threads, own)
    table = table.join(mvs, on=_CPU, how="left").join(control, on="interval")
    tell_flags(control, [DIAG_FAILED, OTHER_HYPERVISOR, ZVM_GUEST], parts)
    tell_flags(threads, [VARIED], parts, "CID")
    tell_flags(own, [WAIT_CHANGED], parts, "VPA")
    return table.with_columns(
        normalisation=pl.when(cpu_type=pl.lit("zIIP")).then(pl.col("NRM") / 256),
        machine_type=_machine_type(),
        hiperdispatch=in_hiperdispatch(),
        monitor_3=pl.col("monitor") == 3,
        guest=_guest(),
        capacity_adjustment=pl.when(pl.col("CAI").is_between(1, 99)).then("CAI"),
        busy_pct=pl.when(_guest(), basis="mvs_busy").then(None).otherwise("busy_pct"),
        busy_seconds=pl.when(_guest(), basis="mvs_busy")
        .then(None)
        .otherwise("busy_seconds"),
        mvs_busy_pct=pl.when(~_guest()).then("mvs_busy_pct"),
    )


def _times(heads: pl.DataFrame) -> pl.DataFrame:
    return heads.select(
        "interval",
        "system",
        "position",
        "start",
        "start_local",
        "seconds",
        "token",
        "boost",
        "monitor",
        "FLA",
        release="MVS",
    )


def _machine_type() -> pl.Expr:
    """SMF70MOD, whose hexadecimal digits are those of the type."""
    digits = [pl.col("MOD") // 16**place % 16 * 10**place for place in range(4)]
    return pl.when(pl.col("MOD") > 0).then(sum(digits, pl.lit(0)).cast(pl.String))


def _guest() -> pl.Expr:
    return any_of([OTHER_HYPERVISOR, ZVM_GUEST])


def _without_prsm(own: pl.DataFrame, threads: pl.DataFrame) -> pl.DataFrame:
    """CPUs of intervals without partition data: busy is what they did not wait."""
    alone = threads.join(own.select("interval").unique(), on="interval", how="anti")
    online = (pl.col("CNF") & ONLINE) != 0
    return alone.filter(online & ~pl.col("varied")).select(
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


def _mvs_busy(threads: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """MVS busy and parked share of a CPU type, over the CPUs not varied."""
    online = own.select(
        "interval",
        "VPA",
        "cpu_type",
        processor=pl.when((pl.col("ONT") == 0) & (pl.col("PDT") > 0))
        .then("seconds")
        .otherwise(pl.col("ONT") / 1e6),
    )
    table = threads.join(online, on=["interval", "VPA"], how="left").with_columns(
        pl.col("cpu_type").fill_null(pl.col("type_told")),
        online=pl.coalesce(
            "processor", pl.when((pl.col("CNF") & ONLINE) != 0).then("seconds")
        ),
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


def in_hiperdispatch() -> pl.Expr:
    """Whether an interval's system ran in HiperDispatch mode."""
    return (pl.col("HHF").fill_null(0) & HIPERDISPATCH) != 0


def thread_times(tables: Frames, control: pl.DataFrame) -> pl.DataFrame:
    """CPU data with the address of their logical processor (``VPA``): their own, or
    with SMT that of the core which they are threads of."""
    cores = tables["logical core"]
    count = cores["CPU_Num"].fill_null(0)
    of_core = (
        cores.with_columns(
            nth=pl.int_ranges(
                pl.col("CPU_Skip"), pl.col("CPU_Skip") + pl.col("CPU_Num")
            )
        )
        .filter(count > 0)
        .explode("nth")
        .select("interval", "nth", VPA="Core_ID", smt=pl.lit(True))
    )
    data = tables["CPU data"].join(of_core, on=["interval", "nth"], how="left")
    times = control.select("interval", "seconds", "position")
    return data.join(times, on="interval").with_columns(
        pl.col("VPA").fill_null(pl.col("CID")),
        pl.col("smt").fill_null(False),
        varied=VARIED.speaks(),
        type_told=pl.col("TYP").replace_strict(
            CPU_TYPES, default=None, return_dtype=pl.String
        ),
    )


def by_processor(
    own: pl.DataFrame, threads: pl.DataFrame, tables: Frames
) -> pl.DataFrame:
    """Online, busy and dispatch seconds of every own logical processor."""
    waits = threads.group_by("interval", "VPA").agg(
        WAT=pl.col("WAT").sum(), varied=pl.col("varied").any()
    )
    cores = tables["logical core"].select(
        "interval",
        VPA="Core_ID",
        core=pl.when(~BUSY_INVALID.speaks()).then(pl.col("LPAR_Busy") / 1000),
    )
    pair = ["interval", "VPA"]
    table = own.join(waits, on=pair, how="left").join(cores, on=pair, how="left")
    return (
        table.with_columns(
            online=pl.when((pl.col("ONT") == 0) & (pl.col("PDT") > 0))
            .then("seconds")
            .otherwise(pl.col("ONT") / 1e6),
            dispatch=pl.col("PDT") / 1e6,
            effective=pl.col("EDT") / 1e6,
            dedicated=pl.col("BPS") == DEDICATED,
            completed=(pl.col("VPF") & WAIT_COMPLETION) != 0,
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
        .when(pl.col("completed") & ~WAIT_CHANGED.speaks() & ~in_hiperdispatch())
        .then(pl.col("dispatch") - wait)
        .when(~WAIT_CHANGED.speaks() | in_hiperdispatch())
        .then("dispatch")
    )
    return busy.clip(0, pl.col("online"))
