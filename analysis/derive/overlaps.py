"""Which windows of time overlap, of many: by sorted ends, not each against each."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

_APART = 10**10  # seconds; more than since 1970, so that groups never meet


def overlaps(
    first: pl.DataFrame, second: pl.DataFrame, by: Sequence[str]
) -> pl.DataFrame:
    """Pairs of rows that are equal in ``by`` and overlap by more than an end: their
    numbers, ``first`` and ``second``, in order.

    Both frames have ``start`` and ``stop`` in seconds; a row without one of these, or
    of ``by``, overlaps nothing. Groups are laid one behind the other, as a join on
    times alone sorts them, and one on ``by`` would hold each against each.
    """
    both = pl.concat([first.select(by), second.select(by)])
    group = both.select(pl.struct(by).rank("dense").cast(pl.Int64) * _APART).to_series()
    times = pl.col("start", "stop").cast(pl.Float64)
    begin = (pl.col("start").floor().cast(pl.Int64) + pl.col("group")).alias("begin")
    end = (pl.col("stop").ceil().cast(pl.Int64) + pl.col("group")).alias("end")
    sides = [
        frame.select(*by, times, group=id, row=pl.int_range(pl.len()))
        .drop_nulls()
        .select("start", "stop", "row", begin, end)
        for frame, id in (
            (first, group[: first.height]),
            (second, group[first.height :]),
        )
    ]
    near = sides[0].join_where(
        sides[1].select(pl.all().name.suffix("_other")),
        pl.col("begin") < pl.col("end_other"),
        pl.col("end") > pl.col("begin_other"),
    )
    return (
        near.filter(
            pl.col("start") < pl.col("stop_other"),
            pl.col("stop") > pl.col("start_other"),
        )
        .select(first="row", second="row_other")
        .sort("first", "second")
    )
