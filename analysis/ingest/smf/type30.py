"""Type 30, address spaces: CPU time in intervals (subtypes 2, 3) and totals (4, 5).

Layout: adapya's smfrecordz, its offsets pinned on z/OS 3.1 by another project (D).
Times are 0.01 s. CPT has independent enclaves in it, and zIIP and zAAP work that ran on
a CP, but no time of zIIPs and zAAPs. Subtype 1 has no CPU time; the values of subtype 6
are in part cumulative: both are counted only.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf.header import headers, local_micros
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Ints, Records
from analysis.ingest.smf.triplets import spread, triplet

IDENTIFICATION = Layout(
    "identification",
    "D",
    fields(
        ("JBN", 0, 8, "text"),
        ("PGM", 8, 8, "text"),
        ("STM", 16, 8, "text"),
        ("STN", 40, 2),
        ("SIT", 56, 4),
        ("STD", 60, 4, "date"),
        ("ISS", 148, 8, "stck"),
        ("IET", 156, 8, "stck"),
        ("ASI", 184, 2),
    ),
    shortest=64,
)
PROCESSOR = Layout(
    "processor",
    "D",
    fields(
        ("TFL", 2, 2),
        ("CPT", 4, 4),
        ("CPS", 8, 4),
        ("ICU", 12, 4),
        ("ISB", 16, 4),
        ("IST", 36, 4),
        ("IDT", 40, 4, "date"),
        ("IIP", 44, 4),
        ("RCT", 48, 4),
        ("HPT", 52, 4),
        ("TIME_ON_ZAAP", 88, 4),
        ("TIME_ZAAP_ON_CP", 100, 4),
        ("TIME_ON_ZIIP", 116, 4),
        ("TIME_ZIIP_ON_CP", 128, 4),
    ),
    shortest=56,
)
PERFORMANCE = Layout("performance", "D", fields(("SNF", 136, 4)))
_TRIPLETS_END = 88  # of those that are read
_CP_TIMES = ("CPT", "CPS", "ICU", "ISB", "IIP", "RCT", "HPT")
_INVALID = 0xF0E0  # bits of SMF30TFL for the times above (C)
INTERVAL = {2: "interval", 3: "last interval"}
TOTAL = {4: "step total", 5: "job end"}


def read_intervals(records: Records, parts: Parts) -> Frames:
    """``address_space_interval`` rows of subtypes 2 and 3."""
    return {"address_space_interval": _read(records, parts, INTERVAL)}


def read_totals(records: Records, parts: Parts) -> Frames:
    """``address_space_total`` rows of subtypes 4 and 5, which sum up intervals."""
    return {"address_space_total": _read(records, parts, TOTAL)}


def _read(records: Records, parts: Parts, subtypes: dict[int, str]) -> pl.DataFrame:
    end = records.number(24, 4)
    end = np.where(end > 24, end, _TRIPLETS_END)
    rows = headers(records, parts.page)
    parts.trouble.excuse(records.position[_goes_on(records, end)].tolist())
    for at, layout in ((32, IDENTIFICATION), (56, PROCESSOR), (80, PERFORMANCE)):
        needed = layout is IDENTIFICATION
        found = spread(triplet(records, at, layout.name, parts.trouble, end, needed))
        rows = rows.hstack(one_each(found, layout, parts, len(records)))
    rows = rows.with_columns(
        kind=pl.Series(records.number(22, 2)).replace_strict(
            subtypes, return_dtype=pl.String
        )
    ).filter(pl.col("CPT").is_not_null())
    return _times(rows, subtypes is TOTAL)


def _goes_on(records: Records, end: Ints) -> NDArray[np.bool_]:
    """Which records only go on with the data sets of one that came before: they have
    EXCP sections and no processor section."""
    there = (end >= 104) & (records.number(102, 2) > 0)
    return there & (records.number(62, 2) == 0)


def _times(rows: pl.DataFrame, total: bool) -> pl.DataFrame:
    cp = pl.sum_horizontal(_CP_TIMES, ignore_nulls=True) / 100
    start_local = local_micros("IDT", pl.col("IST") / 100)
    step_local = local_micros("STD", pl.col("SIT") / 100)
    span = (pl.col("IET") - pl.col("ISS")) / 1e6
    local_span = (pl.col("written_local") - pl.col("start_local")) / 1e6
    return rows.with_columns(
        start=pl.lit(None, pl.Int64) if total else pl.col("ISS"),
        start_local=step_local if total else start_local,
    ).select(
        "system",
        "position",
        "written_local",
        "start",
        "start_local",
        "kind",
        seconds=local_span if total else pl.coalesce(span, local_span),
        job="JBN",
        step="STM",
        program="PGM",
        asid="ASI",
        cp_seconds=pl.when((pl.col("TFL") & _INVALID) == 0).then(cp),
        ziip_seconds=pl.col("TIME_ON_ZIIP") / 100,
        ziip_on_cp_seconds=pl.col("TIME_ZIIP_ON_CP") / 100,
        normalisation=pl.col("SNF") / 256,
        zaap_seconds=pl.col("TIME_ON_ZAAP") / 100,
        zaap_on_cp_seconds=pl.col("TIME_ZAAP_ON_CP") / 100,
    )
