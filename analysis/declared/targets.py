"""What a generated campaign is to show: ``data/targets/<campaign>.csv``.

A row is one target: a change in percent of a baseline, or a value in the unit of its
metric. Its ``basis`` says who chose it: the number was *published*, it is *assumed*
where a direction, a rule or that nothing changes was published, or it is *free*.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from analysis.declared.base import Declared, read_rows
from analysis.declared.names import Id, Name
from analysis.declared.vocabulary import Basis, Part
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import Issue, Place

TARGETS = Path("data/targets")
RATE, COST, ZIIP_COST = "rate", "cpu_cost", "cpu_cost_ziip"
# Metrics that follow from the rate of a run.
OF_RATE = ("rate", "latency", "throughput")
_Maybe = BeforeValidator(lambda text: text or None)
_Parts = BeforeValidator(lambda text: tuple(text.split(";")) if text else ())


class Target(Declared):
    """One target. A change has a baseline and is above −100%; a value has none.

    ``published`` are ids of published rows: those that print the number, or that give
    the direction or the rule. ``line`` is that of the file.
    """

    study: Name
    workload: str
    baseline: Annotated[Id | None, _Maybe]
    test: Id
    metric: Id
    role: Annotated[Part | None, _Maybe]
    kind: Literal["change", "value"]
    value: Annotated[float, Field(allow_inf_nan=False)]
    basis: Basis
    published: Annotated[tuple[str, ...], _Parts] = ()
    line: int = Field(default=0, exclude=True)

    @model_validator(mode="after")
    def _complete(self) -> Target:
        parse_workload(self.workload)
        if (self.kind == "change") != (self.baseline is not None):
            raise ValueError("a change has a baseline, and a value has none")
        if self.value <= -100 or (self.kind == "value" and self.value < 0):
            raise ValueError("a change is above -100, and a value not below 0")
        if self.value == 0 and self.kind == "value" and self.quantity == RATE:
            raise ValueError(f"a {self.metric} is above 0")
        if self.metric == COST and self.role is None:
            raise ValueError("cpu_cost has a role")
        if self.metric in OF_RATE and self.role is not None:
            raise ValueError(f"{self.metric} has no role")
        if (self.basis == "free") == bool(self.published):
            raise ValueError("what is not free names the rows that were published")
        return self

    @property
    def load(self) -> Workload:
        """Its workload."""
        return parse_workload(self.workload)

    @property
    def quantity(self) -> str:
        """What it is of: ``rate``, also of latency and throughput, a role for its CPU
        cost, or another metric, with the role if it has one."""
        return quantity_of(self.metric, self.role)

    @property
    def ratio(self) -> float:
        """By how much the quantity of the test is more than that of the baseline."""
        ratio = 1 + self.value / 100
        return 1 / ratio if self.metric == "latency" else ratio

    @property
    def words(self) -> str:
        """``latency of RR1(1kB) over osh against osd: -58%``."""
        of = f"{self.metric} of {self.role}" if self.role else self.metric
        against = f" against {self.baseline}" if self.baseline else ""
        value = f"{self.value:+g}%" if self.baseline else f"{self.value:g}"
        return f"{of} of {self.workload} over {self.test}{against}: {value}"


def quantity_of(metric: str, role: str | None) -> str:
    """The quantity of a target's metric: see :attr:`Target.quantity`."""
    if metric in OF_RATE:
        return RATE
    if metric == COST:
        return role or COST
    return f"{metric} of {role}" if role else metric


def read_targets(path: Path) -> tuple[Target, ...]:
    """All targets in file order; a :class:`UserError` lists every mistake."""

    def repeated(rows: list[tuple[int, Target]]) -> list[Issue]:
        first: dict[tuple[object, ...], int] = {}
        issues = []
        for line, row in rows:
            key = (row.study, row.workload, row.baseline, row.test, row.quantity)
            if (before := first.setdefault(key, line)) != line:
                what = f"the same target as in line {before}: {row.words}"
                issues.append(Issue(what, Place(str(path), line), "remove one"))
        return issues

    create = "create it: each row a change or a value, with its basis"
    rows = read_rows(path, Target, repeated, create)
    return tuple(row.model_copy(update={"line": line}) for line, row in rows)
