"""The order in which rows of one time are chosen: format, basis, length, file.

A report by the half hour and one by the minute tell of the same time. A run of some
minutes holds whole minutes and no half hour, so of one format and basis the finer ones
come first where they cover the coarser one; where they leave gaps in it, the file does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

BASES = ("dispatch", "lpar_busy")  # of cpu_interval, the more precise first
_FINER = 0.5  # of the length of the coarser one, at most
_COVERED = 0.95  # of its length, at least
_TOLERANCE = 1.0  # seconds; real lengths wobble

Row = dict[str, Any]
Spans = list[tuple[float, float, Row]]


def in_order(
    rows: Sequence[Row], key: tuple[str, ...], rank: Mapping[str, tuple[int, str]]
) -> list[Row]:
    """The rows, what is to be chosen first; ``key`` tells them apart, but for time, and
    ``rank`` has the place of its format and the name of each file by its sha256."""
    groups = defaultdict[tuple[Any, ...], Spans](list)
    for row in rows:
        of = (row[name] for name in key)
        start = datetime.fromisoformat(row["start_utc"]).timestamp()
        group = rank[row["source"]][0], _precision(row), row.get("period"), *of
        groups[group].append((start, row["seconds"] or 0.0, row))
    coarse = {at for spans in groups.values() for at in _told_finer(spans)}

    def place(row: Row) -> tuple[Any, ...]:
        form, file = rank[row["source"]]
        return form, _precision(row), row["_row"] in coarse, file, row["start_utc"]

    return sorted(rows, key=place)


def _precision(row: Row) -> int:
    basis = row.get("basis")
    return BASES.index(basis) if basis in BASES else len(BASES)


def _told_finer(spans: Spans) -> set[int]:
    """The rows that finer ones of other files cover, by their ``_row``."""
    spans.sort(key=lambda span: span[0])
    starts = [start for start, _, _ in spans]
    found = set()
    for start, seconds, row in spans:
        first = bisect_left(starts, start - _TOLERANCE)
        last = bisect_left(starts, start + seconds - _TOLERANCE)
        finer = {  # once, of whichever file
            begin: length
            for begin, length, other in spans[first:last]
            if length <= _FINER * seconds and other["source"] != row["source"]
        }
        if seconds and sum(finer.values()) >= _COVERED * seconds:
            found.add(row["_row"])
    return found
