"""What every decoder of a record type works with, and how sections join records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.layout import Layout
from analysis.ingest.smf.records import Sections
from analysis.ingest.smf.trouble import Trouble

Frames = dict[str, pl.DataFrame]


@dataclass
class Parts:
    """The code page of the texts, where problems go, and what records have told that
    later ones need (``told``)."""

    page: CodePage
    trouble: Trouble
    told: dict[Any, Any] = field(default_factory=dict)


def one_each(
    sections: Sections, layout: Layout, parts: Parts, count: int
) -> pl.DataFrame:
    """The first section of each of ``count`` records: one row a record, null where
    it has none."""
    table = sections.table(layout, parts.page)
    if np.array_equal(sections.record, np.arange(count)):
        return table.drop("record")
    first = table.unique("record", keep="first", maintain_order=True)
    every = pl.DataFrame({"record": pl.int_range(count, eager=True)})
    return every.join(first, on="record", how="left", maintain_order="left").drop(
        "record"
    )
