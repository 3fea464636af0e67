"""Back-tests: what the models say of numbers that were measured or published.

Each test hides numbers, predicts them from others of the same source, and reports the
relative error, predicted over hidden minus 1. Those of published numbers are declared
in ``models/params/backtests.yaml``; there is one class for each way to hide them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, RootModel

from analysis.declared.base import Declared, read_declared
from analysis.declared.published import Published
from analysis.errors import UserError
from models.generation import GenerationTransfer
from models.loads import BetweenLoads
from models.prediction import FOLDER, Prediction, spread_of

BACKTESTS_FILE = FOLDER / "backtests.yaml"
Rows = Sequence[Published]


@dataclass(frozen=True)
class BacktestPoint:
    """One hidden number: what it was, what is predicted with which 90% range, and the
    published rows that it was made from."""

    label: str
    actual: float
    predicted: float
    low: float
    high: float
    rows: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Predicted over actual minus 1."""
        return self.predicted / self.actual - 1

    @property
    def held(self) -> bool:
        """Whether the number lies in its range."""
        return self.low <= self.actual <= self.high


Points = Iterable[
    BacktestPoint | None
]  # None for a number of which the model is silent


class _Asked(Declared):
    """What every back-test declares: the model that answers, the question in words."""

    model: str
    question: str


class LeftOut(_Asked):
    """Each load between others of its series, from all others of it: one metric, by
    clients, a series for each study, arm and role."""

    of: Literal["left out"]
    studies: tuple[str, ...]
    metric: str

    def points(self, rows: Rows) -> Iterator[BacktestPoint | None]:
        """One point for each load between others."""
        series = dict[tuple[str | None, ...], dict[int, Published]]()
        for row in rows:
            if (row.study in self.studies and row.metric == self.metric
                    and row.clients.isdigit()):  # fmt: skip
                id = (row.study, row.test, row.role)
                series.setdefault(id, {})[int(row.clients)] = row
        for loads in series.values():
            for clients in sorted(loads)[1:-1]:
                rest = {n: row.value for n, row in loads.items() if n != clients}
                yield self._point(loads[clients], clients, rest)

    def _point(
        self, row: Published, clients: int, rest: Mapping[int, float]
    ) -> BacktestPoint | None:
        try:
            p = BetweenLoads(self.metric, rest).predict(clients)
        except UserError:
            return None
        return BacktestPoint(_label(row), row.value, p.value, p.low, p.high, (row.id,))


class Generations(_Asked):
    """Changes from one CPC to another from the ratio of CPU capacity alone."""

    of: Literal["generations"]
    studies: tuple[str, ...]
    source: str
    target: str
    cps: int

    def points(self, rows: Rows) -> Iterator[BacktestPoint]:
        """One point for each published change, and for each that is called none.

        Its range has the spread that the changes of the other studies show: those of
        one study resemble each other, and none may widen its own range.
        """
        changes = [row for row in rows if row.study in self.studies]
        errors = {row.id: math.log(self._error(row)) for row in changes}
        for row in changes:
            others = [errors[other.id] for other in changes if other.study != row.study]
            p = self._predicted(row, spread_of(others))
            ratio = _ratio(row)
            yield BacktestPoint(_label(row), ratio, p.value, p.low, p.high, (row.id,))

    def _error(self, row: Published) -> float:
        return self._predicted(row, 0.0).value / _ratio(row)

    def _predicted(self, row: Published, spread: float) -> Prediction:
        model = GenerationTransfer(self.source, self.target, self.cps, spread)
        return model.predict(row.metric, 1.0, "")


_Kind = Generations | LeftOut


class _BackTests(RootModel[dict[str, Annotated[_Kind, Field(discriminator="of")]]]):
    pass


@dataclass(frozen=True)
class BackTest:
    """All points of one test and the summary of their errors, as shares of 1.

    ``data`` is ``measured`` or ``published``; of ``refused`` numbers the model said
    nothing.
    """

    id: str
    data: Literal["measured", "published"]
    model: str
    question: str
    points: tuple[BacktestPoint, ...]
    refused: int = 0

    @property
    def mean_error(self) -> float | None:
        """Mean of the errors without their signs; None without a point."""
        errors = [abs(p.error) for p in self.points]
        return float(np.mean(errors)) if errors else None

    @property
    def worst_error(self) -> float | None:
        """The error that is farthest from 0, with its sign."""
        return max((p.error for p in self.points), key=abs, default=None)

    @property
    def bias(self) -> float | None:
        """Mean of the errors with their signs."""
        errors = [p.error for p in self.points]
        return float(np.mean(errors)) if errors else None

    @property
    def coverage(self) -> float | None:
        """Share of the points inside their 90% range."""
        held = [p.held for p in self.points]
        return sum(held) / len(held) if held else None


def made_of(id: str, data: Literal["measured", "published"], asked: tuple[str, str],
            points: Points) -> BackTest:  # fmt: skip
    """A test with its model and question; None among the points is a refusal."""
    every = tuple(points)
    given = tuple(point for point in every if point is not None)
    return BackTest(id, data, *asked, given, len(every) - len(given))


def backtests(rows: Iterable[Published]) -> tuple[BackTest, ...]:
    """All back-tests on the published rows, in the order of their declaration."""
    known = tuple(rows)
    return tuple(backtest(id, known) for id in read_backtests())


def backtest(id: str, rows: Sequence[Published]) -> BackTest:
    """One back-test on the published rows by its id; ``KeyError`` for no such test."""
    declared = read_backtests()[id]
    sized = [row for row in rows if row.kind != "direction"]
    asked = (declared.model, declared.question)
    return made_of(id, "published", asked, declared.points(sized))


@lru_cache(maxsize=1)
def read_backtests(path: Path = BACKTESTS_FILE) -> dict[str, _Kind]:
    """The declared back-tests by id."""
    return read_declared(path, _BackTests).root


def _ratio(row: Published) -> float:
    """The test over the baseline, of a published change."""
    return 1 + row.value / 100


def _label(row: Published) -> str:
    parts = (row.study, row.test, row.workload, row.variant, row.clients, row.role)
    return ", ".join(str(p) for p in (*parts, row.metric) if p)
