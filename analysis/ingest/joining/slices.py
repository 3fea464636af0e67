"""Tables of more rows than memory should hold, sorted slice by slice.

Rows are sorted in runs, which lie in files. Cuts through all runs at the same keys make
slices of about the same number of rows, each of which is to be sorted as a whole: one
behind the other they are the sorted table. Rows that have their key in common are in
one slice, so what is told of them together can be told slice by slice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl

from analysis.files.mapped import give_back, mapped_frame

ROWS = 1 << 18  # of a run, and about those of a slice
Key = tuple[tuple[bool, Any], ...]


def sorted_runs(rows: Iterable[pl.DataFrame], folder: Path) -> list[pl.DataFrame]:
    """Runs, each sorted already, as frames over files in a folder."""
    runs: list[pl.DataFrame] = []
    for run in rows:
        path = folder / f"{len(runs)}.arrow"
        run.write_ipc(path, compression="uncompressed")
        runs.append(mapped_frame(path))
        give_back()
    return runs


def are_sorted(rows: pl.DataFrame, key: Sequence[str]) -> bool:
    """Whether rows are in the order of their keys."""
    alike = pl.Series([True]).new_from_index(0, max(rows.height - 1, 0))
    for name in key:
        before, after = rows[name][:-1], rows[name][1:]
        wrong = (before > after).fill_null(before.is_null() & after.is_not_null())
        if (wrong & alike).any():
            return False
        alike &= before.eq_missing(after)
        if not alike.any():
            break
    return True


def slices(
    runs: Sequence[pl.DataFrame], key: Sequence[str], most: int = ROWS
) -> Iterator[list[pl.DataFrame]]:
    """The rows of each run, of all together about ``most`` at a time. ``key`` are the
    first columns or some of them, of texts and whole numbers."""
    keys = [run.select(key) for run in runs]
    cuts = _cuts(keys, most)
    found = [_places(of, cuts) for of in keys]
    for bounds in zip(*(pairwise(places) for places in found), strict=True):
        yield [run[begin:end] for run, (begin, end) in zip(runs, bounds, strict=True)]
        give_back()


def _cuts(keys: Sequence[pl.DataFrame], most: int) -> list[Key]:
    """Keys between which there are about ``most`` rows. Of each run so many are looked
    at that slices differ by a quarter of that."""
    step = max(most // (4 * len(keys)), 1)
    seen = pl.concat([_some(of, step) for of in keys])
    chosen = seen.sort(seen.columns, nulls_last=True).gather_every(max(most // step, 1))
    return sorted({_key(row) for row in chosen[1:].iter_rows()})


def _some(keys: pl.DataFrame, step: int) -> pl.DataFrame:
    some = keys.gather_every(step)
    give_back()
    return some


def _places(keys: pl.DataFrame, cuts: Sequence[Key]) -> list[int]:
    """Where the slices of a run begin and end."""
    every = range(keys.height)
    found = [bisect_left(every, of, key=lambda n: _key(keys.row(n))) for of in cuts]
    give_back()
    return [0, *found, keys.height]


def _key(row: tuple[Any, ...]) -> Key:
    """What sorts as polars does: nulls last."""
    return tuple((value is None, value) for value in row)
