"""Back-tests: what the models say of numbers that were really published.

Each test hides published numbers, predicts them from others of the same source, and
reports the relative error, predicted over published minus 1. Which numbers it hides is
declared in ``models/params/backtests.yaml``; there is one class for each way to do so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, RootModel

from analysis.declared.base import Declared, read_declared
from analysis.declared.published import Published
from analysis.errors import user_error
from models.generation import FOLDER, GenerationTransfer, spread_of
from models.network import Station, calibrate_delay, fit_two, solve
from models.prediction import Prediction

BACKTESTS_FILE = FOLDER / "backtests.yaml"
Rows = Sequence[Published]


@dataclass(frozen=True)
class BacktestPoint:
    """One hidden number: what was published, what is predicted, and from which rows.

    ``low`` and ``high`` are the 5% and 95% points where the model gives them.
    """

    label: str
    published: float
    predicted: float
    rows: tuple[str, ...]
    low: float | None = None
    high: float | None = None

    @property
    def error(self) -> float:
        """Predicted over published minus 1."""
        return self.predicted / self.published - 1


class _Asked(Declared):
    """What every back-test declares: the model that answers, the question in words."""

    model: str
    question: str


class DelayFromCost(_Asked):
    """The rate of one arm from its CPU cost; the other arm gives the delay."""

    of: Literal["delay from cost"]
    study: str
    known: str
    hidden: str
    cps: int

    def points(self, rows: Rows) -> Iterator[BacktestPoint]:
        """One point: the rate of the hidden arm."""
        base, base_cpu = self._arm(rows, self.known)
        hidden, cpu = self._arm(rows, self.hidden)
        clients = int(base.clients)
        delay = calibrate_delay(base.value / 1e6, clients, self._stations(base_cpu))
        rate = float(solve(clients, delay, self._stations(cpu))) * 1e6
        used = tuple(row.id for row in (base, *base_cpu, *cpu, hidden))
        yield BacktestPoint(f"{self.hidden}, rate", hidden.value, rate, used)

    def _arm(self, rows: Rows, test: str) -> tuple[Published, list[Published]]:
        """The rate of an arm, and the CPU cost of both its sides."""
        of_arm = [r for r in rows if (r.study, r.test) == (self.study, test)]
        roles = ("client", "server")
        costs = [_one(of_arm, role=role, kind="value") for role in roles]
        return _one(of_arm, metric="rate", kind="value"), costs

    def _stations(self, costs: Rows) -> list[Station]:
        return [Station(row.value, self.cps) for row in costs]


class _FittedSeries(_Asked):
    """Rates over clients, one series for each study and arm, from whose loads the
    demand and the delay are fitted."""

    studies: tuple[str, ...]
    cps: int

    def series(self, rows: Rows) -> list[list[Published]]:
        """The series, each in order of clients."""
        rates = [r for r in rows if r.study in self.studies and r.metric == "rate"]
        rates.sort(key=lambda r: int(r.clients))
        ids = sorted({(r.study, r.test) for r in rates}, key=str)
        return [[r for r in rates if (r.study, r.test) == id] for id in ids]

    def point(self, row: Published, fitted: Rows) -> BacktestPoint:
        """The rate of one load from two parameters of the fitted ones."""
        loads = [int(r.clients) for r in fitted]
        demand, delay, _ = fit_two(loads, [r.value for r in fitted], self.cps)
        value = float(solve(int(row.clients), delay, [Station(demand, self.cps)]))
        return BacktestPoint(
            _label(row), row.value, value, (row.id, *(r.id for r in fitted))
        )


class LeftOut(_FittedSeries):
    """Each load from all others of its series."""

    of: Literal["left out"]

    def points(self, rows: Rows) -> Iterator[BacktestPoint]:
        """One point for each load."""
        for series in self.series(rows):
            for row in series:
                yield self.point(row, [r for r in series if r is not row])


class Beyond(_FittedSeries):
    """The loads above a number of clients from those up to it."""

    of: Literal["beyond"]
    clients: int

    def points(self, rows: Rows) -> Iterator[BacktestPoint]:
        """One point for each load above the number."""
        for series in self.series(rows):
            fitted = [r for r in series if int(r.clients) <= self.clients]
            beyond = [r for r in series if int(r.clients) > self.clients]
            yield from (self.point(row, fitted) for row in beyond)


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
            yield BacktestPoint(_label(row), ratio, p.value, (row.id,), p.low, p.high)

    def _error(self, row: Published) -> float:
        return self._predicted(row, 0.0).value / _ratio(row)

    def _predicted(self, row: Published, spread: float) -> Prediction:
        model = GenerationTransfer(self.source, self.target, self.cps, spread)
        return model.predict(row.metric, 1.0, "")


_Kind = Beyond | DelayFromCost | Generations | LeftOut


class _BackTests(RootModel[dict[str, Annotated[_Kind, Field(discriminator="of")]]]):
    pass


@dataclass(frozen=True)
class BackTest:
    """All points of one test and the summary of their errors, as shares of 1."""

    id: str
    model: str
    question: str
    points: tuple[BacktestPoint, ...]

    @property
    def mean_error(self) -> float:
        """Mean of the errors without their signs."""
        return float(np.mean([abs(p.error) for p in self.points]))

    @property
    def worst_error(self) -> float:
        """The error that is farthest from 0, with its sign."""
        return max((p.error for p in self.points), key=abs)

    @property
    def bias(self) -> float:
        """Mean of the errors with their signs."""
        return float(np.mean([p.error for p in self.points]))

    @property
    def coverage(self) -> float | None:
        """Share of the points inside their 90% range; None without ranges."""
        inside = [
            p.low <= p.published <= p.high
            for p in self.points
            if p.low is not None and p.high is not None
        ]
        return sum(inside) / len(inside) if inside else None


def backtests(rows: Iterable[Published]) -> tuple[BackTest, ...]:
    """All back-tests on the published rows, in the order of their declaration."""
    known = tuple(rows)
    return tuple(backtest(id, known) for id in read_backtests())


def backtest(id: str, rows: Sequence[Published]) -> BackTest:
    """One back-test on the published rows by its id; ``KeyError`` for no such test."""
    declared = read_backtests()[id]
    sized = [row for row in rows if row.kind != "direction"]
    points = tuple(declared.points(sized))
    return BackTest(id, declared.model, declared.question, points)


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


def _one(rows: Iterable[Published], **wanted: str) -> Published:
    """The single row with these entries; a ``UserError`` if there is not just one."""
    matching = [r for r in rows if all(getattr(r, k) == v for k, v in wanted.items())]
    if len(matching) != 1:
        raise user_error(
            f"{len(matching)} published rows have {wanted}",
            "data/published.csv",
            mend="a back-test needs exactly one; restore the file",
        )
    return matching[0]
