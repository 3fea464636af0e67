"""Back-tests: what the models say of numbers that were really published.

Each test hides published numbers, predicts them from others of the same source, and
reports the relative error, predicted over published minus 1. Which numbers it hides is
declared in ``models/params/backtests.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field, RootModel

from analysis.declared.base import read_declared
from analysis.declared.published import Published
from models.backtest_kinds import (
    BacktestPoint,
    Beyond,
    DelayFromCost,
    Generations,
    LeftOut,
    RateFromTime,
    RuleOfThree,
    ThroughputFromCost,
)
from models.parameters import FOLDER

BACKTESTS_FILE = FOLDER / "backtests.yaml"
_Kind = (
    Beyond
    | DelayFromCost
    | Generations
    | LeftOut
    | RateFromTime
    | RuleOfThree
    | ThroughputFromCost
)


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
