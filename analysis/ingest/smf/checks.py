"""Checks over a whole dump: gaps, the capture ratio; what is said of duplicates."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.capture import CAPTURE
from analysis.ingest.smf.arrow import spelled_out
from analysis.ingest.smf.clocks import utc_text
from analysis.ingest.smf.trouble import Trouble

Ints = NDArray[np.int64]
_TOLERANCE = 1_000_000  # microseconds: real intervals wobble by some milliseconds


def tell_duplicates(again: Ints, trouble: Trouble) -> None:
    """Say how many records were dropped, and where the first of them is."""
    if len(again):
        trouble.tell(
            remark("duplicates", count=len(again), first=again[0]),
            int(again[0]),
        )


def tell_gaps(rows: pl.DataFrame, what: str, key: list[str], trouble: Trouble) -> None:
    """Report holes between one row's end and the next one's ``start``, by ``key``."""
    ends = pl.col("start") + (pl.col("seconds") * 1e6).round().cast(pl.Int64)
    table = (
        rows.drop_nulls(["start", "seconds"])
        .unique([*key, "start"], keep="first")
        .sort([*key, "start"])
        .with_columns(end=ends.cum_max().over(key))
        .with_columns(before=pl.col("end").shift(1).over(key))
        .with_columns(hole=pl.col("start") - pl.col("before"))
        .filter(pl.col("hole") > _TOLERANCE)
        .sort("position")
    )
    table = table.with_columns(
        since=utc_text(pl.col("before")), until=utc_text(pl.col("start"))
    )
    for row in table.head(trouble.limit).iter_rows(named=True):
        of = " ".join(str(row[name]) for name in key)
        trouble.tell(
            remark(
                "gap",
                f"gap in {what} of {of}: none from {row['since'][:19]} to "
                f"{row['until'][:19]} UTC ({row['hole'] / 1000000.0:.0f} s)",
            ),
            row["position"],
        )
    if table.height > trouble.limit:
        trouble.tell(
            remark("more_gaps", f"{table.height - trouble.limit} more gaps in {what}")
        )


def tell_missing(
    rows: pl.DataFrame,
    others: pl.DataFrame,
    what: str,
    key: list[str],
    trouble: Trouble,
) -> None:
    """Report intervals that ``others`` tell of and ``rows`` do not, by ``key``, though
    both are written together."""
    mine = rows.select(*key, "start", found="start").sort("start")
    alone = (
        others.drop_nulls("start")
        .join(mine, on=key, how="semi")
        .sort("start")
        .join_asof(
            mine,
            on="start",
            by=key,
            strategy="nearest",
            tolerance=_TOLERANCE,
            check_sortedness=False,
        )
        .filter(pl.col("found").is_null())
        .with_columns(since=utc_text(pl.col("start")))
    )
    for row in alone.head(trouble.limit).iter_rows(named=True):
        of = " ".join(str(row[name]) for name in key)
        told = remark(
            "interval_missing",
            f"{what} of {of} have none from {row['since'][:19]} UTC, of which "
            "other records tell",
        )
        trouble.tell(told, row["position"])


def with_capture(
    cpu: pl.DataFrame, captured: pl.DataFrame, trouble: Trouble
) -> pl.DataFrame:
    """With ``capture_pct``: CP seconds of all service classes by the busy CP seconds
    of the system in the same interval; only where both are known."""
    # A sum's last digits are those of its order, and that is one of batches.
    sums = captured.group_by("system", "token").agg(
        captured=pl.col("cp_seconds").sum().round(9), hidden=pl.col("hidden").any()
    )
    busy = pl.col("busy_seconds")
    share = pl.when((busy > 0) & ~pl.col("hidden")).then(
        100 * pl.col("captured") / busy
    )
    rows = cpu.join(sums, on=["system", "token"], how="left", maintain_order="left")
    rows = (
        spelled_out(rows)
        .with_columns(capture_pct=pl.when(cpu_type=pl.lit("CP")).then(share))
        .drop("captured", "hidden")
    )
    _tell_capture(rows.drop_nulls("capture_pct"), trouble)
    return rows


def _tell_capture(rows: pl.DataFrame, trouble: Trouble) -> None:
    low, high = CAPTURE
    odd = rows.filter(~pl.col("capture_pct").is_between(low, high)).sort("position")
    if not odd.height:
        return
    worst = odd.row(0, named=True)
    trouble.tell(
        remark(
            "capture_in_dump",
            f"the capture ratio (72-3 against 70-1) lies outside {low:.0f} to "
            f"{high:.0f}% in {odd.height} of {rows.height} intervals, first "
            f"{worst['capture_pct']:.1f}% of {worst['system']}: 72-3 records "
            "may be missing or counted twice",
        ),
        worst["position"],
    )
