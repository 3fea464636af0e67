"""A statistic: all that is its own, declared in one file.

The statistics are the modules of ``analysis/statistics/`` with a ``STATISTIC``.
Reviewed text prints their words and numbers: ``statistic("median", "smallest")``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.facts.remark import Remark
from analysis.programs.registry import Registry, declared_as

CONFIDENCE = 0.95  # of all intervals of what was measured
Values: TypeAlias = npt.NDArray[np.float64]


class SampleRuns(NamedTuple):
    """The values of a sample, one a run; the names of the runs, and their starts in
    seconds, none where one is not known."""

    values: Values
    runs: tuple[str, ...]
    started: tuple[float, ...] = ()


@dataclass(frozen=True)
class Statistic:
    """A statistic of the runs of one configuration, or of two.

    ``measure`` computes it, ``interval`` its interval and ``test`` its p-value, where
    it has these. It needs ``smallest`` runs on each side, or has no interval, no
    p-value or, where it has neither of these, no value. ``words`` are what a section
    on the method prints of it: parts of sentences, and numbers that decide something.
    ``warn`` says what readers must know of a sample, and stands with its facts.
    """

    id: str
    smallest: int
    measure: Callable[..., Any]
    words: Mapping[str, str | int | float]
    interval: Callable[..., Any] | None = None
    test: Callable[..., Any] | None = None
    warn: Callable[[SampleRuns], Remark | None] | None = None

    @property
    def printed(self) -> Mapping[str, str | int | float]:
        """The words, and the smallest number of runs."""
        return {"smallest": self.smallest, **self.words}

    def enough(self, *samples: Values) -> bool:
        """Whether each sample has the runs that the statistic needs."""
        return min(map(len, samples)) >= self.smallest


STATISTICS: Registry[Statistic] = Registry(
    "analysis.statistics", "STATISTIC", declared_as("STATISTIC")
)
