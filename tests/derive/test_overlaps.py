"""Which windows of time overlap."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from analysis.derive.overlaps import overlaps

SCHEMA = {"system": pl.String, "start": pl.Float64, "stop": pl.Float64}
TIMES = st.one_of(st.none(), st.integers(0, 20).map(float))
ROWS = st.lists(st.tuples(st.sampled_from(["a", "b", None]), TIMES, TIMES), max_size=12)


@given(first=ROWS, second=ROWS)
def test_pairs_are_those_of_holding_each_against_each(
    first: list[tuple], second: list[tuple]
) -> None:
    first, second = ([w for w in side if _lasts(w)] for side in (first, second))
    expected = [
        (one, other)
        for one, (of, start, stop) in enumerate(first)
        for other, (of_other, begin, end) in enumerate(second)
        if of == of_other and None not in (of, start, stop, begin, end)
        if begin < stop and end > start
    ]

    found = overlaps(_frame(first), _frame(second), ("system",))

    assert found.rows() == expected


def _lasts(window: tuple) -> bool:
    """Nothing ends before it begins; what is unknown may."""
    _, start, stop = window
    return start is None or stop is None or start <= stop


def _frame(rows: list[tuple]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")
