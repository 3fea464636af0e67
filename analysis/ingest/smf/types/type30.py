"""Type 30, address spaces: CPU time in intervals (subtypes 2, 3) and totals (4, 5).

Layout: adapya's smfrecordz, its offsets pinned on z/OS 3.1 by another project, and
those of classes and I/O on z/OS 2.5 by a third (D). Boosts: IBM's SMF Explorer has the
bits, and a fourth program the order of the fields, between which one byte is left for
them (S).
Times are 0.01 s. CPT has independent enclaves in it, and zIIP and zAAP work that ran on
a CP, but no time of zIIPs and zAAPs. Subtype 1 has no CPU time and is counted only.
Subtype 6 is of system address spaces without a full start, and has totals since they
began (IBM's page of type 30): its rows are totals, of which each holds those before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.ingest.smf.columns import (
    PLAIN,
    SECONDS,
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
    local_micros,
    table,
    word,
)
from analysis.ingest.smf.types.rmf import with_boosts

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.records import Ints

_TRIPLETS_END = 88  # of those that are read, where a record does not say it
_SUBTYPES = {
    2: "interval",
    3: "last interval",
    4: "step total",
    5: "job end",
    6: "since start",
}
_TIMERS = {
    "CPT": 4, "CPS": 8, "ICU": 12, "ISB": 16, "IIP": 44, "RCT": 48, "HPT": 52,
}  # fmt: skip
"""CPU times on CPs, and where they are."""
_NOT_READ = "nothing: it is not read"
TFL = flags("TFL", 2, 2, "SMF30TFL", "30", {
    0: ("timer flags are used", "nothing: it names no timer"),
    **{
        bit: (f"SMF30{timer} is invalid", "`cp_seconds` null", "degrades")
        for bit, timer in (
            (1, "CPT"), (2, "CPS"), (5, "ISB"), (6, "ICU"), (9, "IIP"), (10, "HPT"),
            (11, "RCT"),
        )
    },
    **{
        bit: (f"SMF30{timer} is invalid", _NOT_READ)
        for bit, timer in (
            (3, "JVU"), (4, "JVA"), (7, "IVU"), (8, "IVA"), (12, "ASR"), (13, "ENC"),
            (14, "DET"), (15, "CEP"),
        )
    },
})  # fmt: skip
_ON_IFA, _ON_ZIIP = (
    flags(name, at, 1, f"SMF30{name}", "30", {
        0: (f"SMF30_TIME_ON_{engine} is invalid", f"`{column}_seconds` null",
            "degrades"),
        3: (f"SMF30_TIME_{engine}_ON_CP is invalid", f"`{column}_on_cp_seconds` null",
            "degrades"),
    })
    for name, at, engine, column in (
        ("TF2", 84, "IFA", "zaap"), ("T32", 85, "zIIP", "ziip"),
    )
)  # fmt: skip
STI = flags("STI", 2, 2, "SMF30STI", "30", {
    9: ("the interval before was skipped", "values stay", "told"),
})  # fmt: skip

JOB = Layout("identification", "D", (
    col("job", 0, 8, "text"),
    START,
    SECONDS,
    column("kind", "what the record is of", S, value=word("subtype", _SUBTYPES)),
    col("step", 16, 8, "text", "name of the step"),
    col("program", 8, 8, "text", "name of the program"),
    col("asid", 184, 2, comment="number of the address space"),
    *fields(
        ("STN", 40, 2), ("SIT", 56, 4), ("STD", 60, 4, "date"), ("ISS", 148, 8, "stck"),
        ("IET", 156, 8, "stck"),
    ),
), shortest=64, at=32)  # fmt: skip
CPU_USED = Layout("processor", "D", (
    column("cp_seconds", "time on CPs, with zIIP work that ran on them [s]", F,
           value=pl.sum_horizontal(*_TIMERS, ignore_nulls=True) / 100,
           when=~TFL.speaks(1, 2, 5, 6, 9, 10, 11)),
    column("cp_seconds_resolution", "step in which the source tells the CPU times of "
           "the row [s]; null where it is negligible or not known", F,
           value=pl.lit(0.01)),
    col("ziip_seconds", 116, per=100, when=~_ON_ZIIP.speaks(0),
        comment="time on zIIPs, not normalised [s]"),
    col("ziip_on_cp_seconds", 128, per=100, when=~_ON_ZIIP.speaks(3),
        comment="part of cp_seconds that could have run on a zIIP [s]"),
    col("zaap_seconds", 88, per=100, when=~_ON_IFA.speaks(0),
        comment="time on zAAPs, not normalised [s]"),
    col("zaap_on_cp_seconds", 100, per=100, when=~_ON_IFA.speaks(3),
        comment="part of cp_seconds that could have run on a zAAP [s]"),
    column("zaap_normalisation", "speed of a zAAP ÷ speed of a CP", F),
    column("boost", type=S),
    column("boost_class", type=S),
    Field("BI", 87, 1),
    TFL, _ON_IFA, _ON_ZIIP,
    *fields(*((name, at, 4) for name, at in _TIMERS.items())),
    *fields(("IST", 36, 4), ("IDT", 40, 4, "date")),
), shortest=56, at=56)  # fmt: skip
COMPLETION = Layout("completion", "D", (STI,), at=48)
PERFORMANCE = Layout("performance", "D", (
    col("normalisation", 136, per=256),
    col("service_class", 44, 8, "text", "name of the service class"),
    col("report_class", 60, 8, "text", "name of the report class; empty without one"),
), at=80)  # fmt: skip
IO = Layout("I/O activity", "D", (
    column("blocks", "blocks transferred (EXCP)", I,
           value=pl.coalesce(pl.col("TEX"), pl.col("TEP"))),
    *fields(("TEP", 4, 4), ("TEX", 64, 8)),
), at=40)  # fmt: skip
_SECTIONS = (JOB, CPU_USED, PERFORMANCE, IO)


def _ends(batch: RecordBatch) -> Ints:
    ends = batch.number(24, 4)
    ends[ends <= 24] = _TRIPLETS_END
    return ends


def _read(batch: RecordBatch) -> Frames:
    """A row a record, but for one that only goes on with the data sets of another that
    came before: that has EXCP sections and no processor section."""
    goes_on = (_ends(batch) >= 104) & (batch.number(102, 2) > 0)
    batch.trouble.excuse(batch.positions(goes_on & (batch.number(62, 2) == 0)))
    rows = batch.headers()
    for section in (*_SECTIONS, COMPLETION):
        rows = rows.hstack(batch.first(section, needed=section is JOB))
    rows = rows.with_columns(subtype=pl.Series(batch.number(22, 2)))
    rows = with_boosts(rows.filter(pl.col("CPT").is_not_null()), "BI", 6)
    return batch.finish(rows)


# An interval begins at a clock value, and at a local time where it has none; a total
# when the step did, and ends when the record was written.
_BEGUN = local_micros("IDT", pl.col("IST") / 100)
_STEP_BEGUN = local_micros("STD", pl.col("SIT") / 100)
_SINCE = (pl.col("written_local") - _BEGUN) / 1e6
INTERVAL = RecordType("30-2, 30-3", table(
    "address_space_interval", "CPU time of address spaces in intervals (30-2, 30-3)",
    *(section.columns for section in _SECTIONS),
),
    None, (*_SECTIONS, COMPLETION),
    times={
        "start": pl.col("ISS"),
        "start_local": _BEGUN,
        "seconds": pl.coalesce((pl.col("IET") - pl.col("ISS")) / 1e6, _SINCE),
    },
    family=Family(PLAIN.head, _ends), read=_read,
)  # fmt: skip
TOTAL = RecordType("30-4, 30-5, 30-6", table(
    "address_space_total",
    "CPU time of steps and jobs that ended (30-4, 30-5): sums of what "
        "address_space_interval has; and of system address spaces since their start "
        "(30-6), where each row holds the ones before it",
    *(section.columns for section in _SECTIONS),
),
    None, INTERVAL.beside,
    times={
        "start": UNKNOWN,
        "start_local": _STEP_BEGUN,
        "seconds": (pl.col("written_local") - _STEP_BEGUN) / 1e6,
    },
    family=INTERVAL.family, read=_read,
)  # fmt: skip
RECORDS = (INTERVAL, TOTAL)
COUNTED = {(30, 1): "the begin of an address space, which has no CPU time"}
