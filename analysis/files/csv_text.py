"""CSV for people as well as for programs: written, and read again, in one place.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula,
which may run programs. Such a text gets an apostrophe, which spreadsheets take for the
mark of a text; a reader takes it away again. Numbers stay as they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl  # takes long to load, and readers do without it

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
# Where a cell begins, for one program or another: some end cells at semicolons.
_START = r"(?:^|(?<=[;\t\r\n]))"
# White space that programs skip, and the signs in each of their widths.
_FORMULA = (
    r"(?='*[ \u00a0\u2000-\u200b\u3000\ufeff]*[=+@\t\r\uff1d\uff0b\uff0d\uff20-])"
)
_RISKY = re.compile(_START + _FORMULA)
_MADE_SAFE = re.compile(f"{_START}'{_FORMULA}")


def defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; see :func:`as_written`."""
    return cell if _NUMBER.fullmatch(cell) else _RISKY.sub("'", cell)


def as_written(cell: str) -> str:
    """The text that :func:`defused` was given; any other text as it is."""
    return _MADE_SAFE.sub("", cell) if "'" in cell else cell


def csv_text(header: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Rows as CSV with a header; columns that a row lacks are empty."""
    cells = [[row.get(name) for name in header] for row in rows]
    safe = [[defused(c) if isinstance(c, str) else c for c in row] for row in cells]
    return "".join(map(_line, [header, *safe]))


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    """Write a table as CSV with a header."""
    import polars as pl

    safe = [
        column.replace_strict(cells, default=column)
        for column in frame.select(pl.col(pl.String))
        if (cells := _changed(column))
    ]
    frame.with_columns(safe).write_csv(path)


def read_csv(text: str) -> Iterator[dict[str, str]]:
    """The rows of CSV with a header, each cell as it was before it was written."""
    for row in csv.DictReader(io.StringIO(text, newline="")):
        yield {
            name: as_written(cell)
            for name, cell in row.items()
            if name is not None and cell is not None
        }


def _line(cells: Sequence[object]) -> str:
    """One record; with these line ends the module quotes cells that hold either."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerow(cells)
    return stream.getvalue().removesuffix("\r\n") + "\n"


def _changed(column: pl.Series) -> dict[str, str]:
    cells = column.drop_nulls().unique()
    return {cell: safe for cell in cells if (safe := defused(cell)) != cell}
