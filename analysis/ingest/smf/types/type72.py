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

Execution velocity is using samples in 100 of using and delay samples, as WLM counts.
The performance index of a velocity goal is the goal by the velocity, of an average goal
the mean response time by the goal, and of a percentile goal the bound, by the goal,
within which so many transactions ended. Velocity, and the bits of a goal and its unit,
are in two public programs and in IBM's description; the distribution of response times
in IBM's page of its section and in SMF Explorer. Its first array is a map, which is
checked. Elapsed times are sums, of 1,024 µs in R723CTET and of 1 µs in R723CTETX; the
latter is used where both agree.

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
_ENDED = pl.when(pl.col("transactions") > 0).then("transactions")
_COARSE, _FINE = pl.col("CTET") * 1024, pl.col("CTETX")  # µs
_AGREES = (_FINE - _COARSE).abs() <= 1024 * pl.col("transactions")
_ELAPSED = pl.when(_AGREES).then(_FINE).otherwise(_COARSE)
_RESPONSE = pl.when(_ELAPSED > 0).then(_ELAPSED / 1e3 / _ENDED)
_MAP = (50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 200, 400)  # % of the midpoint
_BUCKETS = (*(f"to {share}" for share in _MAP), "beyond")
_GOAL_MS = pl.when(_OF_TIME).then(pl.col("CVAL") * _IN_MS)
_IN_ALL = pl.sum_horizontal(_BUCKETS)
_COUNTED = pl.when(_IN_ALL > 0).then(_IN_ALL)


def _share_below(bound: int) -> pl.Expr:
    """Percent of the transactions that ended within this percentage of the midpoint."""
    within = _BUCKETS[: _MAP.index(bound) + 1]
    return 100 * pl.sum_horizontal(within) / _COUNTED


_REACHED = pl.coalesce(
    pl.when(_share_below(bound) >= pl.col("CPCT")).then(bound / 100) for bound in _MAP
)
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
    column("goal_ms", "response time that is the goal [ms]", F, value=_GOAL_MS),
    column("goal_percentile", "percent of transactions that are to be within goal_ms",
           I, value=pl.when(_GOAL == "percentile").then(pl.col("CPCT"))),
    column("goal_velocity_pct", "execution velocity that is the goal [%]", F,
           value=pl.when(_GOAL == "velocity").then(pl.col("CVAL"))),
    column("velocity_pct", "execution velocity: samples that used a resource, in 100 "
           "of those that used one or waited for one [%]", F, value=_VELOCITY),
    column("performance_index", "goal_velocity_pct / velocity_pct, response_ms / "
           "goal_ms, or the bound / goal_ms within which goal_percentile of the "
           "transactions ended: above 1 the goal is missed; null where most of them "
           "took longer than 4 times goal_ms", F,
           value=pl.when((_GOAL == "velocity") & (pl.col("CTOU") > 0))
           .then(pl.col("CVAL") / _VELOCITY)
           .when((_GOAL == "average") & (_GOAL_MS > 0))
           .then(pl.col("response_ms") / _GOAL_MS)
           .when(_GOAL == "percentile").then(pl.col("reached"))),
    column("goal_met_pct", "transactions that ended within goal_ms [%]", F,
           value=pl.when(_OF_TIME).then(pl.col("within"))),
    *fields(
        ("CRTX", 0, 2), ("CRTF", 9, 1), ("CRGF", 10, 1), ("CVAL", 12, 4),
        ("CPCT", 16, 2), ("CTET", 200, 8, "hfp"), ("CTOT", 228, 4), ("CTOU", 344, 4),
        ("RTDM", 608, 4), ("CTETX", 720, 8, "hfp"),
    ),
    *(
        one
        for form in _FORMATS
        for one in (Field(f"{n} {form}", at, 8, form) for n, at in _UNITS.items())
    ),
), shortest=188, at=60)  # fmt: skip
DISTRIBUTION = Layout(
    "response time distribution",
    "D",
    fields(*((name, 4 * nth, 4) for nth, name in enumerate(_BUCKETS))),
    at=68,
)


def _distributions(batch: RecordBatch, periods: pl.DataFrame) -> pl.DataFrame:
    """The transactions of the periods that have a distribution, which ended within
    shares of the midpoint: ``row`` of the period, and one column a share. The first
    array of a record says the shares."""
    size, parts = DISTRIBUTION.size, batch.triplets(DISTRIBUTION.at, DISTRIBUTION.name)
    at, room = batch.every(0), batch.every(0)
    at[parts.row], room[parts.row] = parts.offset, parts.length * parts.count
    record, nth = (periods[name].to_numpy() for name in ("record", "CRTX"))
    has = (nth > 0) & ((nth + 1) * size <= room[record])
    of = batch.records.whole().only(record[has])
    first = at[record[has]]
    arrays, maps = (
        of.moved(by, size).table(DISTRIBUTION, batch.page)
        for by in (first + nth[has] * size, first)
    )
    known = [pl.col(name) == share for name, share in zip(_BUCKETS, _MAP, strict=False)]
    is_known = maps.select(pl.all_horizontal(known)).to_series()
    batch.tell(
        batch.positions(record[has][~is_known.to_numpy()].tolist()),
        "has response times by other shares of the goal than IBM describes: they are "
        "not used",
    )
    rows = pl.Series("row", has.nonzero()[0], dtype=pl.UInt32)
    return arrays.drop("record").insert_column(0, rows).filter(is_known)


def _with_responses(batch: RecordBatch, periods: pl.DataFrame) -> pl.DataFrame:
    """Periods with ``within`` (percent of the transactions that ended within the
    midpoint), ``reached`` (the bound, by the midpoint, within which the percentile of
    the goal ended) and, if any has a distribution, that."""
    told = _distributions(batch, periods)
    if not told.height:
        return periods.with_columns(within=pl.lit(None, F), reached=pl.lit(None, F))
    numbered = periods.with_row_index("row")
    joined = numbered.join(told, on="row", how="left", maintain_order="left")
    return joined.with_columns(within=_share_below(100), reached=_REACHED)


def _read(batch: RecordBatch) -> Frames:
    """A row for each class and period."""
    rows = intervals(batch)
    rows = rows.hstack(batch.first(CONTROL, needed=True))
    zero = pl.any_horizontal(pl.col("MCPU", "MSRB", "MADJ") == 0)
    what = "has a service coefficient of zero, so that no CPU seconds can be told"
    batch.tell(rows.filter(zero), what)
    batch.tell_flags(rows, [MSCF], "class")
    batch.trouble.excuse(rows.filter(MSCF.speaks(1))["position"])
    table = _with_responses(batch, batch.table(PERIOD))
    table = (
        table.hstack(rows[table["record"]])
        .filter(~MSCF.speaks(1))
        .with_columns(is_ieee=_misfit("ieee") < _misfit("hfp"))
        .with_columns(response_ms=_RESPONSE)
    )
    frames = batch.finish(table, flags_told=True)
    if "row" in table.columns:
        responses = _by_bound(table.filter(_IN_ALL > 0))
        frames |= batch.finish(responses, RESPONSES, flags_told=True)
    service = frames[CLASSES.table.name].filter(class_kind="service")
    frames[CAPTURED] = service.group_by(
        "system", "token", "position", maintain_order=True
    ).agg(pl.col("cp_seconds").sum(), hidden=pl.col("cp_seconds").is_null().any())
    return frames


def _by_bound(periods: pl.DataFrame) -> pl.DataFrame:
    """A row for each share of the midpoint within which transactions ended."""
    bounds = dict(zip(_BUCKETS, (*_MAP, None), strict=True))
    some = periods.drop("transactions")
    long = some.unpivot(
        _BUCKETS,
        index=[name for name in some.columns if name not in bounds],
        variable_name="share",
        value_name="transactions",
    )
    return (
        long.filter(pl.col("transactions") > 0)
        .with_columns(pl.col("share").replace_strict(bounds, return_dtype=F))
        .sort("row", "share", nulls_last=True)
    )


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
_MIDPOINT = pl.coalesce(_GOAL_MS, pl.when(pl.col("RTDM") > 0).then("RTDM"))
RESPONSES = RecordType("72-3", table(
    "class_response_interval",
    "Response times of a class period (72-3): transactions that ended within up_to_ms, "
        "but not within that of the row before",
    *(one for one in CONTROL.columns if one.name != "workload"),
    PERIOD.columns[0],
    START,
    SECONDS,
    column("up_to_ms", "longest response time; null: beyond that of the row before "
           "[ms]", F, value=pl.col("share") * _MIDPOINT / 100),
    column("up_to_pct",
           "the same in percent of the goal, or of the mean where the goal is no time",
           F, value=pl.col("share")),
    column("transactions"),
), family=RMF)  # fmt: skip
RECORDS = (CLASSES, RESPONSES)
