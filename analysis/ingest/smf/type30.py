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

from analysis.ingest.smf.columns import local_micros
from analysis.ingest.smf.decode import Frames, Parts, headers, one_each, tell_flags
from analysis.ingest.smf.records import Ints, Records, spread, triplet
from analysis.ingest.smf.types.cpu import COMPLETION, CPU_USED, JOB, PERFORMANCE
from analysis.ingest.smf.validity import FLAGS, any_of

_TRIPLETS_END = 88  # of those that are read
_CP_TIMES = {"CPT": 1, "CPS": 2, "ICU": 6, "ISB": 5, "IIP": 9, "RCT": 11, "HPT": 10}
"""With the bit of SMF30TFL that says that a time is invalid."""
_INVALID_CP = [FLAGS["SMF30TFL", bit] for bit in _CP_TIMES.values()]
_INVALID = {
    "TIME_ON_ZAAP": FLAGS["SMF30TF2", 0],
    "TIME_ZAAP_ON_CP": FLAGS["SMF30TF2", 3],
    "TIME_ON_ZIIP": FLAGS["SMF30T32", 0],
    "TIME_ZIIP_ON_CP": FLAGS["SMF30T32", 3],
}
_SKIPPED = FLAGS["SMF30STI", 9]
_SECTIONS = (JOB, COMPLETION, CPU_USED, PERFORMANCE)
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
    for layout in _SECTIONS:
        at, name, needed = layout.at, layout.name, layout is JOB
        found = spread(triplet(records, at, name, parts.trouble, end, needed))
        rows = rows.hstack(one_each(found, layout, parts, len(records)))
    rows = rows.with_columns(
        kind=pl.Series(records.number(22, 2)).replace_strict(
            subtypes, return_dtype=pl.String
        )
    ).filter(pl.col("CPT").is_not_null())
    tell_flags(rows, [*_INVALID_CP, *_INVALID.values(), _SKIPPED], parts)
    return _times(rows, subtypes is TOTAL)


def _goes_on(records: Records, end: Ints) -> NDArray[np.bool_]:
    """Which records only go on with the data sets of one that came before: they have
    EXCP sections and no processor section."""
    there = (end >= 104) & (records.number(102, 2) > 0)
    return there & (records.number(62, 2) == 0)


def _times(rows: pl.DataFrame, total: bool) -> pl.DataFrame:
    cp = pl.sum_horizontal(*_CP_TIMES, ignore_nulls=True) / 100
    engines = {
        timer: pl.when(~flag.speaks()).then(pl.col(timer) / 100)
        for timer, flag in _INVALID.items()
    }
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
        cp_seconds=pl.when(~any_of(_INVALID_CP)).then(cp),
        ziip_seconds=engines["TIME_ON_ZIIP"],
        ziip_on_cp_seconds=engines["TIME_ZIIP_ON_CP"],
        normalisation=pl.col("SNF") / 256,
        zaap_seconds=engines["TIME_ON_ZAAP"],
        zaap_on_cp_seconds=engines["TIME_ZAAP_ON_CP"],
        cp_seconds_resolution=pl.lit(0.01),
    )
