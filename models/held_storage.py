"""Storage of sessions as a straight line: what is in use without one, and of each.

Least squares over the measured numbers of sessions. Residuals are told with the line,
since steps of pools and tables are no noise; outside of what was measured the line says
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from analysis.errors import user_error
from models.prediction import UNITS, Input, Prediction

LEAST = 3  # points that a line with residuals needs
_KB = 1000.0  # of a MB


@dataclass(frozen=True)
class StorageLine:
    """Storage [MB] by number of sessions, and the line through it."""

    held: Mapping[int, float]
    name: str = "straight line of storage"
    version: str = "1"

    def __post_init__(self) -> None:
        if len(self.held) < LEAST:
            what = f"a line with residuals needs {LEAST} numbers of sessions"
            raise user_error(what, mend="measure storage with more of them")

    @cached_property
    def _fit(self) -> tuple[float, float]:
        sessions = np.array(list(self.held), dtype=float)
        values = np.array(list(self.held.values()), dtype=float)
        slope, start = np.polyfit(sessions, values, 1)
        return float(slope), float(start)

    @property
    def start(self) -> float:
        """Storage without sessions, as the line has it [MB]."""
        return self._fit[1]

    @property
    def each(self) -> float:
        """Storage of one more session [KB]."""
        return self._fit[0] * _KB

    @property
    def residuals(self) -> dict[int, float]:
        """Measured less fitted storage [MB], by sessions."""
        slope, start = self._fit
        return {n: value - (start + slope * n) for n, value in self.held.items()}

    @property
    def deviation(self) -> float:
        """Standard deviation of the residuals [MB], two degrees being the line's."""
        squares = sum(value**2 for value in self.residuals.values())
        return float((squares / (len(self.held) - 2)) ** 0.5)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The measured span of sessions."""
        return (Input("sessions", "", min(self.held), max(self.held)),)

    def reaches(self, sessions: int) -> bool:
        """Whether so many sessions are within the measured ones."""
        return min(self.held) <= sessions <= max(self.held)

    def predict(self, sessions: int) -> Prediction:
        """Storage of so many sessions, as :meth:`at` tells it."""
        low, value, high = self.at(sessions)
        unit = UNITS["storage"]
        return Prediction(value, low, high, unit, self.name, self.version, "measured")

    def at(self, sessions: int, level: float = 0.9) -> tuple[float, float, float]:
        """Storage of so many sessions [MB], and the range of a new measurement.

        A :class:`UserError` outside of the measured numbers of sessions.
        """
        if not self.reaches(sessions):
            what = f"{sessions:,} sessions are outside of the measured range"
            (span,) = self.inputs
            raise user_error(what, mend=f"ask for {span.low:,} to {span.high:,}")
        slope, start = self._fit
        known = np.array(list(self.held), dtype=float)
        spread = float(((known - known.mean()) ** 2).sum())
        lean = (sessions - float(known.mean())) ** 2 / spread
        wide = self.deviation * float((1 + 1 / len(known) + lean) ** 0.5)
        wide *= float(stdtrit(len(known) - 2, (1 + level) / 2))
        value = start + slope * sessions
        return value - wide, value, value + wide


def left_out(line: StorageLine) -> tuple[float, ...]:
    """Errors of the inner points [%], each predicted from the others."""
    inner = sorted(line.held)[1:-1] if len(line.held) > LEAST else []
    errors = []
    for sessions in inner:
        rest = {n: value for n, value in line.held.items() if n != sessions}
        _, value, _ = StorageLine(rest).at(sessions)
        errors.append((value / line.held[sessions] - 1) * 100)
    return tuple(errors)
