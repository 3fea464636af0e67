"""Arrow arrays as columns, handed over as between strangers.

To take an array of pyarrow, polars first loads pyarrow's functions, of which it uses
none here: a tenth of a second, more than a small dump takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl
import pyarrow as pa


@dataclass(frozen=True)
class _Exported:
    """An array of which only Arrow's C interface is known."""

    array: pa.Array

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self.array.__arrow_c_array__(requested_schema)


def column_of(array: pa.Array) -> pl.Series:
    """The array as a column; its bytes are not copied."""
    return pl.Series(_Exported(array))


def spelled_out(table: pl.DataFrame) -> pl.DataFrame:
    """A table with a value for each row of each column, also behind a join with one row
    alone: by a column of one value polars divides in another way, so the last digit
    would tell how many records were decoded together."""
    return pl.DataFrame(table.get_columns())
