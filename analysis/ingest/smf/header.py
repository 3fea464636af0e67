"""The standard and the extended SMF record header: what kind of record this is.

Layout: the standard header ends at 18 without subtypes and at 24 with them (flag
X'40'); the extended header (record type byte 126) has the type at 52 and ends at 56.
Sources: z/OS MVS System Management Facilities, "Standard and extended SMF record
headers" (D); the standard one is verified against real dumps (V).
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.columns import NO_SUBTYPE, Layout, fields, local_micros
from analysis.ingest.smf.records import Records

Ints = NDArray[np.int64]

_SUBTYPES, _EXTENDED = 0x40, 126
_FIRST = np.dtype(
    {
        "names": ["flag", "kind", "subtype"],
        "formats": ["u1", "u1", ">u2"],
        "offsets": [4, 5, 22],
        "itemsize": 24,
    }
)
DUMP = (2, 3)  # header and trailer that the dump program adds

_HEADER = Layout(
    "header",
    "V",
    fields(("TME", 6, 4), ("DTE", 10, 4, "date"), ("SID", 14, 4, "text")),
)


def kinds(records: Records) -> tuple[Ints, Ints]:
    """Type and subtype of every record; subtype -1 where it has none."""
    raw = records.items(_FIRST)
    kind = raw["kind"].astype(np.int64)
    has_subtype = (raw["flag"] & _SUBTYPES != 0) & (records.length >= 24)
    subtype = np.where(has_subtype, raw["subtype"].astype(np.int64), NO_SUBTYPE)
    if not (kind == _EXTENDED).any():
        return kind, subtype
    extended = (kind == _EXTENDED) & (records.length >= 56)
    extended &= records.number(24, 2) == 32
    return np.where(extended, records.number(52, 2), kind), subtype


def headers(records: Records, page: CodePage) -> pl.DataFrame:
    """``system``, ``position`` and ``written_local`` (microseconds of local time
    since 1970, when SMF moved the record to its buffer): one row a record."""
    table = records.table(_HEADER, page)
    return table.select(
        system="SID",
        position=pl.Series(records.position),
        written_local=local_micros("DTE", pl.col("TME") / 100),
    )
