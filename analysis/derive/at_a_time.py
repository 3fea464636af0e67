"""Which windows of time overlap: by sorted starts, not by holding each against each.

A database joins on the campaign and compares times of whatever is left: of 100,000 runs
ten thousand million pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

Ints = npt.NDArray[np.int64]
_AT_ONCE = 5_000_000  # pairs that are looked at together


def overlaps(
    first: pl.DataFrame, second: pl.DataFrame, by: Sequence[str]
) -> pl.DataFrame:
    """Pairs of rows that are equal in ``by`` and overlap by more than an end: their
    numbers, ``first`` and ``second``, in order.

    Both frames have ``start`` and ``stop`` in seconds; a row without one of these, or
    of ``by``, overlaps nothing.
    """
    both = pl.concat([first.select(by), second.select(by)])
    whole = pl.all_horizontal(pl.col(by).is_not_null())
    group = both.select(pl.when(whole).then(pl.struct(by).rank("dense"))).to_series()
    sides = [
        frame.select("start", "stop", group=of, row=pl.int_range(pl.len()))
        .drop_nulls()
        .sort("group", "start", "row")
        .partition_by("group", as_dict=True)
        for frame, of in (
            (first, group[: first.height]),
            (second, group[first.height :]),
        )
    ]
    found = [
        pair
        for key, windows in sides[0].items()
        if key in sides[1]
        for pair in _of_group(windows, sides[1][key])
    ]
    schema = {"first": pl.Int64, "second": pl.Int64}
    frames = [pl.DataFrame({"first": a, "second": b}, schema) for a, b in found]
    return pl.concat([pl.DataFrame(schema=schema), *frames]).sort("first", "second")


def _of_group(first: pl.DataFrame, second: pl.DataFrame) -> Iterator[tuple[Ints, Ints]]:
    """Of each of ``first`` those that begin before it ends, from the first one on
    before which none reaches into it."""
    start, stop = (first[name].to_numpy() for name in ("start", "stop"))
    begins, ends = (second[name].to_numpy() for name in ("start", "stop"))
    low = np.searchsorted(np.maximum.accumulate(ends), start, "right")
    counts = np.maximum(np.searchsorted(begins, stop, "left") - low, 0)
    one, other = first["row"].to_numpy(), second["row"].to_numpy()
    for part in _parts(counts):
        own = counts[part]
        left = np.repeat(np.arange(part.start, part.stop), own)
        within = np.arange(own.sum()) - np.repeat(own.cumsum() - own, own)
        right = np.repeat(low[part], own) + within
        real = ends[right] > start[left]
        yield one[left[real]], other[right[real]]


def _parts(counts: Ints) -> Iterator[slice]:
    """Rows whose pairs are so many together, or one row."""
    total, begin = counts.cumsum(), 0
    while begin < len(counts):
        before = total[begin - 1] if begin else 0
        end = int(np.searchsorted(total, before + _AT_ONCE, "right"))
        end = max(end, begin + 1)
        yield slice(begin, end)
        begin = end
