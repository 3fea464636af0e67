"""Busy time of each processor and of its threads, out of type 70 records."""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.decode import Frames
from analysis.ingest.smf.type70_layout import (
    BUSY_INVALID,
    CPU_TYPES,
    DEDICATED,
    HIPERDISPATCH,
    VARIED,
    WAIT_CHANGED,
    WAIT_COMPLETION,
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
