"""Tables that an edition declares: its results by words, over studies and workloads."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.declared.base import Declared
from analysis.declared.names import Id, Name, Title
from analysis.declared.parts import Part

_Some = Field(min_length=1)


class SummaryColumn(Declared):
    """A column: its head, and the metrics of which a row shows, of each workload, the
    first that it has.

    ``role`` chooses among the roles of a metric that has some.
    """

    head: Title
    """Head of the column."""
    metrics: Annotated[tuple[Id, ...], _Some]
    """The first of these that a workload of the row has is shown."""
    role: Part | None = None
    """Of which role, where a metric has some."""


class SummaryRow(Declared):
    """A row: what it is called, and the results of which studies and workloads it sums.

    ``test`` restricts it to one test of its studies.
    """

    words: Title
    """What the row is called."""
    studies: Annotated[tuple[Name, ...], _Some]
    """Studies that it sums up."""
    workloads: str = "*"
    """Name or pattern of their workloads, or several between commas; in an average each
    pattern counts alike, however many workloads it has."""
    test: Id | None = None
    """One of their tests; left out, all."""

    @property
    def patterns(self) -> list[str]:
        """Its patterns of workloads."""
        return [pattern.strip() for pattern in self.workloads.split(",")]


class SummaryTable(Declared):
    """A table that a text places: lowest, highest and average of each row.

    ``names`` is the head of the column of the rows' words.
    """

    id: Name
    """Its name, by which a text places it."""
    caption: Title
    """Its caption."""
    names: Title = "Work"
    """Head of the column of the rows' words."""
    columns: Annotated[tuple[SummaryColumn, ...], _Some]
    """Its columns."""
    rows: Annotated[tuple[SummaryRow, ...], _Some]
    """Its rows."""
