"""RMF types 75 and 78-2: page data sets, and virtual storage by area.

Layouts: z/OS MVS System Management Facilities, "Page data set data section" and
"Virtual storage common storage data section" with its neighbour (S). Of the latter two,
the page that was to be had ends before the usage of areas: their order is that of a
public program, smf2db, and the lengths of all fields add up to those that Pacific
Systems Group tells of the sections, 1,724 and 392 bytes.

The usage of an area is 20 bytes below and 20 bytes above 16 MB: least, when, most,
when, and the sum of all samples. Whether that sum is a short hexadecimal floating point
number or an integer, its mean tells, which lies between the least and the most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.ingest.smf.columns import (
    SECONDS,
    START,
    Bit,
    F,
    Field,
    Frames,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    flags,
    no_name,
    table,
)
from analysis.ingest.smf.types.rmf import RMF, intervals

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.records import Sections

_STAYS = "values stay"
PST = flags("PST", 44, 1, "SMF75PST", "75-1", {
    5: ("the data set is unusable", _STAYS, "told"),
    6: ("the data set was brought online in the interval", _STAYS, "told"),
    7: ("the data set was taken offline in the interval", _STAYS, "told"),
})  # fmt: skip
FL2 = flags("FL2", 45, 1, "SMF75FL2", "75-1", {
    4: ("it is storage-class memory", "`data_set` null"),
})  # fmt: skip
_KINDS = {0x80: "PLPA", 0x40: "common", 0x10: "local"}
_USED = pl.when(pl.col("SAM") > 0).then(100 * pl.col("USE") / pl.col("SAM"))
PAGE_DATA_SET = Layout("page data set", "S", (
    col("data_set", 0, 44, "text", "name of the data set", when=~FL2.speaks(4)),
    column("kind", "PLPA, common or local", S, value=(pl.col("PST") & 0xD0)
           .replace_strict(_KINDS, default=None, return_dtype=pl.String)),
    col("volume", 53, 6, "text"),
    col("device", 51, 2, "hex"),
    START,
    SECONDS,
    col("slots", 64, comment="pages that there is room for"),
    col("slots_used_minimum", 72, comment="least pages in it"),
    col("slots_used_maximum", 68, comment="most pages in it"),
    column("slots_used_mean", "mean number of pages in it", F,
           value=pl.coalesce("LVU", "AVU")),
    col("slots_unusable", 80, comment="pages that cannot be used"),
    column("busy_pct", "samples in which it was in use [%]", F, value=_USED),
    col("requests", 92, comment="requests to it"),
    col("pages", 96, comment="pages that were read or written"),
    PST, FL2, Field("LVU", 116, 8, "hfp"),
    *fields(("AVU", 76, 4), ("USE", 84, 4)),
), shortest=100, at=36)  # fmt: skip
_MORE_THAN_ALL = pl.max_horizontal("slots_used_maximum", "slots_unusable")


def _read_data_sets(batch: RecordBatch) -> Frames:
    """A row a page data set."""
    times = intervals(batch)
    rows = batch.table(PAGE_DATA_SET, needed=True)
    heads = times.select("system", "position", "start", "start_local", "seconds", "SAM")
    return batch.finish(rows.hstack(heads[rows["record"]]))


PAGING = RecordType("75-1", table(
    "page_data_set_interval", "Page data sets (75; one source)", PAGE_DATA_SET,
),
    PAGE_DATA_SET, named="data_set", family=RMF, read=_read_data_sets,
    odd={"has a data set that can be none":
        (pl.col("slots_used_minimum") > pl.col("slots_used_maximum"))
        | (pl.col("slots") < _MORE_THAN_ALL)},
)  # fmt: skip

FLGS = flags("FLGS", 36, 2, "R782FLGS", "78-2", {
    0: ("the job was there when the interval began", _STAYS),
    1: ("the job ended in the interval", _STAYS, "told"),
    2: ("the limit of GETMAIN was changed", _STAYS, "told"),
    3: Bit("data are incorrect, as RMF ended abnormally", "no rows of the job",
           "degrades"),
})  # fmt: skip
_PLACES = {"below 16M": 0, "above 16M": 20}
_IN_COMMON = {
    "SQA": 144, "CSA": 184, "SQA in CSA": 824,
    **{f"CSA key {key}": 224 + 40 * key for key in range(8)}, "CSA key 8-F": 544,
}  # fmt: skip
_IN_PRIVATE = {"LSQA": 152, "user region": 312}
COMMON = Layout("common storage", "S", fields(
    ("CSA below 16M", 20, 4), ("CSA above 16M", 28, 4), ("SQA below 16M", 92, 4),
    ("SQA above 16M", 100, 4),
), shortest=864, at=36)  # fmt: skip
PRIVATE = Layout("private area", "S", (
    *fields(("job", 0, 8, "name"), ("samples", 40, 4)), FLGS,
), shortest=392, at=44)  # fmt: skip
USAGE = Layout("usage", "S", (
    col("minimum_bytes", 0, comment="least in the interval [byte]", type=F),
    col("maximum_bytes", 8, comment="most in the interval [byte]", type=F),
    column("mean_bytes", "mean of the interval [byte]", F, value=pl.col("mean")),
    Field("all", 16, 4),
))  # fmt: skip
_SHORT = (pl.col("all") & 0xFFFFFF) * pl.lit(16.0).pow((pl.col("all") // 2**24) - 70)
_SAMPLES = pl.when(pl.col("samples") > 0).then("samples")


def _mean() -> pl.Expr:
    """The mean of the samples, from a sum of one form or the other; null where neither
    lies between the least and the most, but for what rounding takes off."""
    each = [total / _SAMPLES for total in (_SHORT, pl.col("all"))]
    slack = pl.col("maximum_bytes") * 1e-5
    low, high = pl.col("minimum_bytes") - slack, pl.col("maximum_bytes") + slack
    return pl.coalesce(pl.when(one.is_between(low, high)).then(one) for one in each)


def _usage(
    batch: RecordBatch, sections: Sections, areas: dict[str, int]
) -> pl.DataFrame:
    """``section``, ``area``, ``place`` and the usage of each area of each section."""
    section = pl.int_range(len(sections), eager=True)
    return pl.concat(
        sections.moved(at + more, 20)
        .table(USAGE, batch.page)
        .select(pl.all(), section=section, area=pl.lit(area), place=pl.lit(place))
        for area, at in areas.items()
        for place, more in _PLACES.items()
    )


def _read_storage(batch: RecordBatch) -> Frames:
    """A row for each area of common storage, and of the private storage of jobs."""
    heads = intervals(batch).select(
        "system", "position", "start", "start_local", "seconds", samples="SAM"
    )
    common = batch.sections(COMMON, needed=True)
    sizes = batch.rows(common, COMMON)
    long = sizes.unpivot(
        index="record", variable_name="name", value_name="minimum_bytes"
    )
    fixed = long.with_columns(
        area=pl.col("name").str.head(3) + " size",
        place=pl.col("name").str.slice(4),
        maximum_bytes="minimum_bytes",
        mean=pl.col("minimum_bytes").cast(F),
    )
    used = _usage(batch, common, _IN_COMMON)
    private = batch.sections(PRIVATE)
    jobs = batch.rows(private, PRIVATE)
    named = jobs.hstack(heads[jobs["record"]].drop("samples"))
    batch.tell_flags(named, [FLGS], "job")
    batch.spoil(named.filter(no_name("job")), "has a job whose name is none")
    held = _usage(batch, private, _IN_PRIVATE)
    held = held.hstack(jobs.select("job", "FLGS", "samples")[held["section"]])
    rows = pl.concat(
        [
            used.with_columns(heads["samples"][used["record"]]),
            held.filter(~FLGS.speaks(3)).drop("FLGS"),
        ],
        how="diagonal",
    ).with_columns(mean=_mean())
    rows = pl.concat([rows, fixed.drop("name")], how="diagonal")
    rows = rows.sort("record", maintain_order=True)
    every = rows.drop("samples").hstack(heads[rows["record"]].drop("samples"))
    batch.spoil(
        every.filter(pl.col("minimum_bytes") > pl.col("maximum_bytes")),
        "has an area of which less is in use at most than at least",
    )
    return batch.finish(every, flags_told=True)


STORAGE = RecordType("78-2", table(
    "storage_interval",
    "Virtual storage by area and key, of RMF (78-2; one source) and its reports",
    column("area", "area of storage, or storage key, as the report names it; of 78-2 "
           "SQA, CSA, CSA key 0, SQA in CSA, and of a job LSQA and user region, with "
           "what is allocated", S),
    column("place",
           "below 16M or above 16M, 31-bit or 64-bit; null where none is told", S),
    START,
    SECONDS,
    USAGE,
    column("job", "job that the storage belongs to; null of the system's", S),
), USAGE, family=RMF, read=_read_storage, keys=("system",))  # fmt: skip
RECORDS = (PAGING, STORAGE)
