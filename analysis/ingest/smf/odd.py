"""What records of a layout with one source must have, before their rows are used.

A layout that nothing else confirms may be that of another release. What it finds then
are names that are none, counts with fractions and times that cannot be; such a record
gives no row, and its byte offset is told.
"""

from __future__ import annotations

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.parts import Parts
from analysis.ingest.smf.records import Ints, Records

DAY = 86_400  # seconds: no interval is longer
_NAME = r"^[A-Z0-9@#$_.*?-]*$"


def spoil_odd(
    rows: pl.DataFrame, odd: pl.Expr, of: str, what: str, parts: Parts
) -> None:
    """Spoil the records of the rows (``position``) of which ``odd`` is true."""
    where = rows.filter(odd.fill_null(False))["position"].unique(maintain_order=True)
    places = where.to_list()
    parts.trouble.spoil(
        places,
        lambda nth: remark("odd_record", of=of, where=places[nth], what=what),
        f"{of} records, each of which {what}",
    )


def pass_over(records: Records, index: Ints, of: str, what: str, parts: Parts) -> None:
    """Tell of sound records that rightly give no row."""
    places = records.position[index].tolist()
    parts.trouble.excuse(places)
    parts.trouble.tell_each(
        places,
        lambda nth: remark("odd_record", of=of, where=places[nth], what=what),
        f"{of} records, each of which {what}",
    )


def no_name(column: str) -> pl.Expr:
    """Whether a text cannot be the name of a job, a user or a resource."""
    return ~pl.col(column).str.contains(_NAME)


def no_interval(column: str) -> pl.Expr:
    """Whether a number of seconds cannot be the length of an interval."""
    return ~pl.col(column).is_between(0, DAY, closed="right")


def broken_count(*columns: str) -> pl.Expr:
    """Whether one of the floating point counts is no whole number."""
    each = [pl.col(column) for column in columns]
    return pl.any_horizontal((one - one.round()).abs() > 1e-6 for one in each)
