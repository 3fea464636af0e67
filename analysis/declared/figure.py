"""What an author declares of a figure: ``figures`` in a study.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from analysis.declared.base import Declared
from analysis.declared.names import Id, Name
from analysis.declared.parts import Part

Side = Literal["metric", "role", "workload", "configuration"]  # what facts differ in


class Figure(Declared):
    """One figure of a study: the question that it answers and what it draws.

    ``caption`` and ``alt`` replace the ones that are made from the facts. ``tests``
    restricts it to some of the study's tests, ``roles`` to values of some roles; none
    means all. Of a figure of parts, ``limit`` is the most that the whole may be, in its
    unit, and ``potential`` the metric whose part is not one yet. A table has side by
    side what ``columns`` say, and all else that differs as rows, in the order of
    ``rows``; it ``shows`` values or changes, and sums of values in the end as
    ``totals``. One that is not ``numbered`` leaves the numbers to those that are, and
    one ``for_borrowers`` is shown by the editions that borrow the study alone. A set-up
    may be of some ``configurations`` alone.
    """

    id: Name
    """Its name, by which texts refer to it as @fig-STUDY-ID."""
    kind: Name
    """How it is drawn."""
    question: str
    """What a reader learns from it, as a question."""
    metrics: tuple[str, ...]
    """What it draws."""
    workloads: str = "*"
    """Name or pattern of the workloads that it draws."""
    tests: tuple[Id, ...] = ()
    """Some of the study's tests; left out, all."""
    roles: tuple[Part, ...] = ()
    """Values of some roles; left out, all."""
    alt: str = ""
    """Replaces the text for those who cannot see it."""
    caption: str = ""
    """Replaces the caption that is made from the facts."""
    limit: float | None = Field(default=None, gt=0)
    """Of a figure of parts: the most that the whole may be, in its unit."""
    potential: str = ""
    """Of a figure of parts: the metric whose part is not one yet."""
    rows: tuple[Side, ...] = ()
    """Of a table: what differs from row to row, in this order."""
    columns: tuple[Side, ...] = ("workload",)
    """Of a table: what stands side by side."""
    shows: Literal["values", "changes"] = "values"
    """Of a table: values, or changes."""
    totals: bool = False
    """Of a table of values: whether it ends with their sums."""
    numbered: bool = True
    """Whether it has a number of its own."""
    for_borrowers: bool = False
    """Whether it is drawn for editions that borrow its study, and its own omits it."""
    configurations: tuple[Id, ...] = ()
    """Of a set-up: the configurations that have it; left out, all."""

    @model_validator(mode="after")
    def _check_sides(self) -> Figure:
        """Each side of a table is a row or a column."""
        for side in self.rows:
            if side in self.columns:
                raise ValueError(
                    f"the figure {self.id} has {side} in rows and in columns; leave it "
                    "in one of them"
                )
        return self

    def draws_role(self, role: str | None) -> bool:
        """Whether it draws values of a role; those without one always."""
        return not self.roles or role is None or role in self.roles


def part_of(figure: Figure, metric: str) -> Figure:
    """The part of a figure that draws one of its metrics, by an id of its own."""
    id = part_id(figure.id, metric)
    return figure.model_copy(update={"id": id, "metrics": (metric,), "alt": ""})


def part_id(figure: str, metric: str) -> str:
    """The id of a part of a figure."""
    return f"{figure}--{metric}"
