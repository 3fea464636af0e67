"""Rows of tables with many rows: texts first, then figures column by column.

A channel or device report is hundreds of cells, and a day has thousands of them.
Reading each cell by itself takes longer than parsing the XML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from analysis.ingest.rmf.figures import LARGEST, POWERS
from analysis.ingest.rmf.xml_condensed import TOTALS
from analysis.ingest.tables.catalog import TABLES

Convert = Callable[[pl.Series], pl.Series]  # of texts that are stripped or null
# Name and conversion of each field. The first is the key: a line without it is no row.
Shape = tuple[tuple[str, Convert], ...]
Columns = tuple[
    int, ...
]  # of each field in a line; the attributes are the first column
_SCALES = {letter: 1000.0**power for letter, power in POWERS.items()}


def words(text: pl.Series) -> pl.Series:
    """The texts with their white space collapsed."""
    return text.str.replace_all(r"\s+", " ")


def numbers(text: pl.Series) -> pl.Series:
    """As :func:`analysis.ingest.rmf.figures.number`, of a column."""
    value = text.cast(pl.Float64, strict=False)
    least: Any = value.min()  # its type could be that of any column
    most: Any = value.max()
    # Values out of bounds become null; most columns have none, which is quick.
    within = least is None or (least >= -LARGEST and most <= LARGEST)
    if within and not value.is_nan().any():
        return value
    return value.set(~value.is_between(-LARGEST, LARGEST), None)


def scaled_by(unit: float) -> Convert:
    """Numbers that may end in K, M, G or T (powers of 1000), times ``unit``."""

    def convert(text: pl.Series) -> pl.Series:
        value = numbers(text)
        if value.null_count() > text.null_count():
            value = value.zip_with(value.is_not_null(), _with_letters(text))
        return value * unit

    return convert


def _with_letters(text: pl.Series) -> pl.Series:
    last = text.str.slice(-1).str.to_uppercase()
    scale = last.replace_strict(_SCALES, default=None, return_dtype=pl.Float64)
    return numbers(text.str.replace(".$", "").str.strip_chars()) * scale


def same_as(word: str) -> Convert:
    """Whether the text is this word, in any case."""
    return lambda text: words(text).str.to_lowercase() == word


@dataclass
class Batch:
    """Rows of one table that have the same fields, as lines with tabs between their
    cells, and what they share with all rows of their report."""

    shape: Shape
    lines: list[tuple[Columns, list[str]]] = field(default_factory=list)
    reports: list[dict[str, Any]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, report: dict[str, Any], columns: Columns, lines: list[str]) -> None:
        """Lines of one report, with their fields in these columns."""
        if not self.lines or self.lines[-1][0] != columns:
            self.lines.append((columns, []))
        self.lines[-1][1].extend(lines)
        self.reports.append(report)
        self.counts.append(len(lines))

    def frame(self, table: str) -> pl.DataFrame:
        """The rows with their figures, and all columns of the table: of each line that
        has a key and is none of totals."""
        schema = TABLES[table]
        texts = pl.concat([_texts(columns, lines) for columns, lines in self.lines])
        sums, *fields = texts.get_columns()
        rows = (~sums & fields[0].is_not_null()).arg_true()
        found: dict[str, pl.Series] = {}
        for (name, convert), column in zip(self.shape, fields, strict=True):
            told = convert(column[rows]).alias(name)
            # The column farthest to the right wins where two tell of one figure.
            if name in found:
                told = told.zip_with(told.is_not_null(), found[name])
            found[name] = told
        number = pl.Series([at for at, n in enumerate(self.counts) for _ in range(n)])
        kinds = {name: schema[name] for name in self.reports[0]}
        shared = pl.DataFrame(self.reports, kinds)[number[rows]]
        return shared.hstack(list(found.values())).select(
            (pl.col(c) if c in found or c in shared.columns else pl.lit(None))
            .cast(kind)
            .alias(c)
            for c, kind in schema.items()
        )


def _texts(columns: Columns, lines: list[str]) -> pl.DataFrame:
    """Whether each line is one of totals, and its texts; null where there is none."""
    schema = {f"column_{at + 1}": pl.String for at in range(max(columns) + 1)}
    cells = pl.read_csv(
        "\n".join(lines).encode(),
        has_header=False,
        separator="\t",
        quote_char=None,
        schema=schema,
        columns=[f"column_{at + 1}" for at in sorted({0, *columns})],
        truncate_ragged_lines=True,
        missing_columns="insert",
        extra_columns="ignore",
    )
    stripped = [pl.col(f"column_{at + 1}").str.strip_chars() for at in columns]
    return cells.select(
        pl.col("column_1").str.ends_with(TOTALS).fill_null(False).alias("sums"),
        *(pl.when(c != "").then(c).alias(str(n)) for n, c in enumerate(stripped)),
    )


def in_order(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of the file; one channel path, of which several tables of
    a report tell, becomes one row with the figures of all of them."""
    rows = rows.sort("position", maintain_order=True)
    key = _KEYS.get(table)
    if key is None or not rows.select(key).is_duplicated().any():
        return rows
    first = pl.exclude(key).drop_nulls().first()
    return rows.group_by(key, maintain_order=True).agg(first).select(rows.columns)


_KEYS = {"channel_interval": ["position", "channel"]}
