"""Tables that an edition declares: its results by words, over studies and workloads."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.declared.areas import Part
from analysis.declared.base import Declared
from analysis.declared.names import Id, Name, Title

_Some = Field(min_length=1)


class SummaryColumn(Declared):
    """A column: its head, and the metrics of which a row shows the first that it has.

    ``role`` chooses among the roles of a metric that has some.
    """

    head: Title
    metrics: Annotated[tuple[Id, ...], _Some]
    role: Part | None = None


class SummaryRow(Declared):
    """A row: what it is called, and the results of which studies and workloads it sums.

    ``test`` restricts it to one test of its studies.
    """

    words: Title
    studies: Annotated[tuple[Name, ...], _Some]
    workloads: str = "*"
    test: Id | None = None


class SummaryTable(Declared):
    """A table that a text places: lowest, highest and average of each row.

    ``names`` is the head of the column of the rows' words.
    """

    id: Name
    caption: Title
    names: Title = "Work"
    columns: Annotated[tuple[SummaryColumn, ...], _Some]
    rows: Annotated[tuple[SummaryRow, ...], _Some]
