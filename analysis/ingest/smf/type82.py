"""Type 82 subtype 20, ICSF: the time that a request to a crypto card took.

ICSF writes one now and then for each card. Layout: the page of this section in z/OS
Cryptographic Services ICSF System Programmer's Guide (S); it follows the header. The
page calls its times EBCDIC, but eight bytes of a time are a clock value (UTC): where
they are none of the day of the record, the record gives no row.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.ingest.smf.header import headers
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.odd import DAY, spoil_odd
from analysis.ingest.smf.parts import Frames, Parts
from analysis.ingest.smf.records import Records, Sections

REQUEST = Layout(
    "crypto processing times",
    "S",
    fields(
        ("TNQ", 4, 8, "stck"),
        ("TDQ", 12, 8, "stck"),
        ("TQU", 28, 4),
        ("TSF", 32, 2, "name"),
        ("TIX", 34, 1),
        ("TSN", 35, 8, "name"),
        ("TDM", 43, 1),
    ),
    shortest=44,
)
_HEADER_END = 24
_WORD = r"^[A-Z0-9]+$"


def read(records: Records, parts: Parts) -> Frames:
    """``crypto_request`` rows: one for each request that was timed."""
    every = np.arange(len(records))
    found = Sections(
        records,
        every,
        records.start + _HEADER_END,
        records.length - _HEADER_END,
        every,
        parts.trouble,
    )
    table = found.table(REQUEST, parts.page)
    rows = headers(records, parts.page).hstack(table)
    spoil_odd(rows, _strange(), "82-20", "has a name or a time that is none", parts)
    return {
        "crypto_request": rows.with_columns(
            start="TNQ",
            end="TDQ",
            card="TIX",
            serial="TSN",
            domain="TDM",
            function="TSF",
            queue_length="TQU",
        )
    }


def _strange() -> pl.Expr:
    """Whether times or names of a row cannot be such; its header's time is local."""
    far = (pl.col("written_local") - pl.col("TDQ")).abs() > 2 * DAY * 1_000_000
    names = ~pl.col("TSN").str.contains(_WORD) | ~pl.col("TSF").str.contains(_WORD)
    untimed = pl.col("TNQ").is_null() | pl.col("TDQ").is_null()
    return untimed | (pl.col("TDQ") < pl.col("TNQ")) | far | names
