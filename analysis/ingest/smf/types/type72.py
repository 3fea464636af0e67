"""Type 72 subtype 3, RMF workload activity: CPU seconds of service and report classes.

Layout: the mapping of the record by the author of that of 70-1, offsets of the period
section summed from it (D; past R723CETS to be confirmed by a real record). Formulas:
checked against printed WLMGL reports (V)::

    SU/s = 16,000,000 / R723MADJ
    zIIP s = R723CSUP / (R723MCPU/10000) / (SU/s)              (not normalised)
    zAAP s = R723CIFA / (R723MCPU/10000) / (SU/s)              (not normalised)
    CP s = R723CCPU / (R723MCPU/10000) / (SU/s)        (zIIP, zAAP in it normalised)
         + R723CSRB / (R723MSRB/10000) / (SU/s)
         + (R723CRCT + R723CIIT + R723CHST) / 1e6
         - zIIP s x R723NFFS/256 - zAAP s x R723NFFI/256

Execution velocity is using samples in 100 of using and delay samples, as WLM counts,
and the performance index of a velocity goal is the goal by the velocity: both, and the
bits of a goal and of its unit, are in two public programs and in IBM's description.

The eight-byte fields are hexadecimal floating point. Should a record hold IEEE doubles,
its total of service units tells: that reading is taken in which the parts add up to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.capture import CAPTURE
from analysis.ingest.smf.columns import (
    SECONDS,
    START,
    F,
    Field,
    Frames,
    I,
    Kind,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    flags,
    table,
    word,
)
from analysis.ingest.smf.types.rmf import RMF, intervals

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.trouble import Trouble

CAPTURED = "captured"
"""CP seconds of the service classes by record, which 70-1 is held against."""
_UNITS = {
    "CSRV": 24, "CCPU": 32, "CIOC": 40, "CMSO": 48, "CSRB": 56, "CRCT": 152,
    "CIIT": 160, "CHST": 168, "CSUP": 544, "CSUC": 552, "CIFA": 560, "CIFC": 568,
}  # fmt: skip
"""Service units and times of a class period, of eight bytes, and where they are."""
_FORMATS: tuple[Kind, ...] = ("hfp", "ieee")


def _misfit(form: str) -> pl.Expr:
    """How far the parts of the service units are from their total, as a share."""
    total, *parts = (
        pl.col(f"{name} {form}").fill_null(0)
        for name in ("CSRV", "CCPU", "CIOC", "CMSO", "CSRB")
    )
    whole = pl.sum_horizontal(parts)
    share = (whole - total).abs() / total.abs()  # of zero no number: it tells nothing
    bad = ~share.is_finite() | (total.abs() > 1e30)
    return pl.when(bad).then(float("inf")).otherwise(share)


def _unit(name: str) -> pl.Expr:
    """One of the fields in the format that is the record's; null of no number."""
    hfp, ieee = (pl.col(f"{name} {form}") for form in _FORMATS)
    value = pl.when("is_ieee").then(ieee).otherwise(hfp)
    return pl.when(value.is_finite()).then(value)


MSCF = flags("MSCF", 0, 1, "R723MSCF", "72-3", {
    1: ("workload activity data are not available", "no row of the class", "told"),
    2: ("policy data are not available", "`importance` null", "told"),
})  # fmt: skip
_RATE = 16e6 / pl.col("MADJ")
_CPU, _SRB = (pl.col(name) / 1e4 * _RATE for name in ("MCPU", "MSRB"))
_USABLE = (pl.col("MADJ") > 0) & (pl.col("MCPU") > 0)
_ZIIP, _ZIIP_ON_CP, _ZAAP, _ZAAP_ON_CP = (
    pl.when(_USABLE).then(_unit(name) / _CPU)
    for name in ("CSUP", "CSUC", "CIFA", "CIFC")
)
_FACTOR = pl.col("NFFS") / 256
_ZAAP_FACTOR = pl.when(pl.col("NFFI") > 0).then(pl.col("NFFI") / 256)
_CP = (
    pl.when(_USABLE).then(_unit("CCPU") / _CPU)
    + pl.when(_USABLE & (pl.col("MSRB") > 0)).then(_unit("CSRB") / _SRB)
    + (_unit("CRCT") + _unit("CIIT") + _unit("CHST")) / 1e6
    - (
        _ZIIP.fill_null(0) * _FACTOR.fill_null(1)
        + _ZAAP.fill_null(0) * _ZAAP_FACTOR.fill_null(1)
    )
)
_GOALS = {
    0x80: "percentile", 0x40: "average", 0x20: "velocity", 0x10: "discretionary",
    0x08: "system",
}  # fmt: skip
_UNITS_OF_TIME = {0x80: 1, 0x40: 1_000, 0x20: 60_000, 0x10: 3_600_000}  # ms
_GOAL, _SAMPLES = word("CRGF", _GOALS), pl.col("CTOU") + pl.col("CTOT")
_VELOCITY = pl.when(_SAMPLES > 0).then(100 * pl.col("CTOU") / _SAMPLES)
_OF_TIME = _GOAL.is_in(["percentile", "average"])
_IN_MS = pl.col("CRTF").replace_strict(_UNITS_OF_TIME, default=None)
CONTROL = Layout("workload manager control", "D", (
    col("class", 120, 8, "text", "name of the service or report class"),
    column("class_kind", "service or report", S,
           value=pl.when((pl.col("MSCF") & 0x80) != 0).then(pl.lit("report"))
           .otherwise(pl.lit("service"))),
    col("workload", 80, 8, "text", "workload of the service policy"),
    MSCF,
    *fields(
        ("MCPU", 52, 4), ("MSRB", 64, 4), ("MADJ", 172, 4), ("NFFI", 240, 4),
        ("NFFS", 244, 4),
    ),
), shortest=176, at=36)  # fmt: skip
PERIOD = Layout("class period", "D", (
    col("period", 8, 1, comment="number of the period of the class"),
    col("importance", 18, 2, when=~MSCF.speaks(2),
        comment="importance of the goal, 1 is highest; 0 where there is none"),
    START,
    SECONDS,
    # Where a service coefficient of zero hides them, they are null.
    column("cp_seconds", type=F, value=_CP),
    column("cp_seconds_resolution", type=F),
    column("ziip_seconds", type=F, value=_ZIIP),
    column("ziip_on_cp_seconds", type=F, value=_ZIIP_ON_CP),
    column("normalisation", type=F, value=_FACTOR),
    column("zaap_seconds", type=F, value=_ZAAP),
    column("zaap_on_cp_seconds", type=F, value=_ZAAP_ON_CP),
    column("zaap_normalisation", type=F, value=_ZAAP_FACTOR),
    col("transactions", 184, comment="transactions that ended"),
    column("goal", "goal of the period: percentile or average of the response time, "
           "velocity, discretionary, or system", S, value=_GOAL),
    column("goal_ms", "response time that is the goal [ms]", F,
           value=pl.when(_OF_TIME).then(pl.col("CVAL") * _IN_MS)),
    column("goal_percentile", "percent of transactions that are to be within goal_ms",
           I, value=pl.when(_GOAL == "percentile").then(pl.col("CPCT"))),
    column("goal_velocity_pct", "execution velocity that is the goal [%]", F,
           value=pl.when(_GOAL == "velocity").then(pl.col("CVAL"))),
    column("velocity_pct", "execution velocity: samples that used a resource, in 100 "
           "of those that used one or waited for one [%]", F, value=_VELOCITY),
    column("performance_index", "goal_velocity_pct / velocity_pct: above 1 the goal is "
           "missed", F, value=pl.when((_GOAL == "velocity") & (pl.col("CTOU") > 0))
           .then(pl.col("CVAL") / _VELOCITY)),
    *fields(
        ("CRTF", 9, 1), ("CRGF", 10, 1), ("CVAL", 12, 4), ("CPCT", 16, 2),
        ("CTOT", 228, 4), ("CTOU", 344, 4),
    ),
    *(
        one
        for form in _FORMATS
        for one in (Field(f"{n} {form}", at, 8, form) for n, at in _UNITS.items())
    ),
), shortest=188, at=60)  # fmt: skip


def _read(batch: RecordBatch) -> Frames:
    """A row for each class and period."""
    rows = intervals(batch)
    rows = rows.hstack(batch.first(CONTROL, needed=True))
    zero = pl.any_horizontal(pl.col("MCPU", "MSRB", "MADJ") == 0)
    what = "has a service coefficient of zero, so that no CPU seconds can be told"
    batch.tell(rows.filter(zero), what)
    batch.tell_flags(rows, [MSCF], "class")
    batch.trouble.excuse(rows.filter(MSCF.speaks(1))["position"])
    table = batch.table(PERIOD)
    table = (
        table.hstack(rows[table["record"]])
        .filter(~MSCF.speaks(1))
        .with_columns(is_ieee=_misfit("ieee") < _misfit("hfp"))
    )
    frames = batch.finish(table, flags_told=True)
    service = frames[CLASSES.table.name].filter(class_kind="service")
    frames[CAPTURED] = service.group_by(
        "system", "token", "position", maintain_order=True
    ).agg(pl.col("cp_seconds").sum(), hidden=pl.col("cp_seconds").is_null().any())
    return frames


def with_capture(rows: pl.DataFrame, trouble: Trouble, others: Frames) -> pl.DataFrame:
    """With ``capture_pct``: CP seconds of all service classes by the busy CP seconds
    of the system in the same interval; only where both are known."""
    if CAPTURED not in others:
        return rows
    # A sum's last digits are those of its order, and that is one of batches.
    sums = (
        others[CAPTURED]
        .group_by("system", "token")
        .agg(
            captured=pl.col("cp_seconds").sum().round(9), hidden=pl.col("hidden").any()
        )
    )
    busy = pl.col("busy_seconds")
    share = pl.when((busy > 0) & ~pl.col("hidden")).then(
        100 * pl.col("captured") / busy
    )
    rows = rows.join(sums, on=["system", "token"], how="left", maintain_order="left")
    # A value for each row, also behind a join with one row alone: by a column of one
    # value polars divides in another way, so the last digit would tell of batches.
    rows = (
        pl.DataFrame(rows.get_columns())
        .with_columns(capture_pct=pl.when(cpu_type=pl.lit("CP")).then(share))
        .drop("captured", "hidden")
    )
    known, (low, high) = rows.drop_nulls("capture_pct"), CAPTURE
    odd = known.filter(~pl.col("capture_pct").is_between(low, high)).sort("position")
    for worst in odd.head(1).iter_rows(named=True):
        trouble.tell(
            remark(
                "capture_in_dump",
                f"the capture ratio (72-3 against 70-1) lies outside {low:.0f} to "
                f"{high:.0f}% in {odd.height} of {known.height} intervals, first "
                f"{worst['capture_pct']:.1f}% of {worst['system']}: 72-3 records "
                "may be missing or counted twice",
            ),
            worst["position"],
        )
    return rows


CLASSES = RecordType("72-3", table(
    "class_interval",
    "CPU time of service and report classes (72-3); they overlap, so never add one "
        "kind to the other",
    CONTROL, PERIOD,
    behind=(
            column("response_ms", "mean response time of ended transactions [ms]", F),
        ),
), None, (CONTROL, PERIOD), family=RMF, read=_read, keys=("system",))  # fmt: skip
RECORDS = (CLASSES,)
