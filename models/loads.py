"""Straight lines over the clients, between measured loads of one configuration.

What lies on the line is the time of a transaction (clients ÷ rate, and likewise clients
÷ utilisation), the CPU time of a transaction of each client (clients × CPU cost), or
storage. In a closed network the first is flat for few clients and grows in proportion
to many (P. J. Denning and J. P. Buzen, Computing Surveys 10, 1978, 225-261); between
lies a knee, where a line is too slow. The second has a part for each transaction and
one that all clients share, such as waking up. How far lines are off, measured loads
tell that are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from analysis.declared.base import Declared, read_declared
from analysis.errors import user_error
from models.prediction import (
    FOLDER,
    REACH,
    UNITS,
    Prediction,
    lognormal_points,
    spread_of,
)

Series = Mapping[int, float]  # values by the clients of their loads
_FLOWS = ("rate", "throughput", "utilisation")  # grow with the rate
_WIDEST = 2.0  # times the value: what may be half or double is no prediction
_FEW = 2  # errors of its own from which a configuration tells its range


class Reference(Declared):
    """Errors that leaving out measured loads showed, where a configuration has none.

    ``spread`` is the log deviation of ``n`` errors whose mean is ``mean_error`` [%].
    """

    spread: Annotated[float, Field(ge=0)]
    mean_error: Annotated[float, Field(ge=0)]
    n: Annotated[int, Field(gt=0)]


class References(Declared):
    """Errors of times, CPU costs and utilisations between loads whose clients differ at
    most by the factor ``apart``."""

    apart: Annotated[float, Field(gt=1)]
    time: Reference
    cpu_cost: Reference
    utilisation: Reference
    source: str

    def of(self, metric: str) -> Reference:
        """The errors of a metric; those of times for rates and latencies."""
        known = {"cpu_cost": self.cpu_cost, "utilisation": self.utilisation}
        return known.get(metric, self.time)


@dataclass(frozen=True)
class BetweenLoads:
    """A metric by clients, of loads that differ in nothing else; ``others`` are series
    of the same configuration with other payloads, and tell errors alone.

    ``refer`` has the errors of other measured loads, for a configuration with fewer
    than two of its own. ``sigma`` is the log deviation of what was measured.
    """

    metric: str
    series: Series
    others: tuple[Series, ...] = ()
    refer: References | None = None
    sigma: float = 0.0
    name: str = "straight line between loads"
    version: str = "1"

    def predict(self, clients: int) -> Prediction:
        """The metric with so many clients.

        A ``UserError`` with what to measure, where nothing was measured with fewer or
        with more, nothing tells the error, or the value may be half or double.
        """
        value, spread = self._at(clients), self._spread(clients)
        low, middle, high = lognormal_points(value, max(spread, self.sigma))
        unit = UNITS[self.metric]
        if self.metric == "utilisation":
            high = min(high, 100.0)
        return Prediction(middle, low, high, unit, self.name, self.version, "measured")

    @property
    def errors(self) -> tuple[float, ...]:
        """Log errors of loads between others, each left out in turn; maybe none."""
        both = (self.series, *self.others)
        return tuple(error for series in both for error in self._left_out(series))

    def reference(self, clients: int) -> Reference | None:
        """The errors of other measured loads, where they tell the range of a load."""
        below, above = self._around(clients)
        if not self.refer or len(self.errors) >= _FEW:
            return None
        if above > self.refer.apart * below:
            return None
        return self.refer.of(self.metric)

    def _left_out(self, series: Series) -> Iterator[float]:
        for clients in sorted(series)[1:-1]:
            rest = {n: value for n, value in series.items() if n != clients}
            if series[clients] > 0:
                yield math.log(self._line(rest, clients) / series[clients])

    def _at(self, clients: int) -> float:
        if not self.series:
            raise user_error(
                "no load was measured that differs in its clients alone",
                mend="measure one with fewer and one with more clients",
            )
        least, most = min(self.series), max(self.series)
        if not least < clients < most:
            side = "more" if clients >= most else "fewer"
            what = (
                f"{clients:,} clients are outside of the measured {least:,} to {most:,}"
            )
            raise user_error(what, mend=f"measure {clients:,} clients or {side}")
        return self._line(self.series, clients)

    def _spread(self, clients: int) -> float:
        """The log deviation of a load that lies between measured ones."""
        below, above = self._around(clients)
        mend = f"measure another load between {below:,} and {above:,} clients"
        errors, elsewhere = self.errors, self.reference(clients)
        if elsewhere:
            spread = max([elsewhere.spread, *map(abs, errors)])
        elif errors:
            spread = spread_of(errors)
        else:
            what = "fewer than three measured loads tell no error"
            raise user_error(what, mend=mend)
        if REACH * spread > math.log(_WIDEST):
            miss = max(abs(math.expm1(e)) for e in errors or (spread,))
            what = f"lines miss measured loads by up to {miss:.0%}"
            raise user_error(what, mend=mend)
        return spread

    def _around(self, clients: int) -> tuple[int, int]:
        """The nearest measured clients, fewer and more."""
        fewer = max(n for n in self.series if n < clients)
        return fewer, min(n for n in self.series if n > clients)

    def _line(self, series: Series, clients: int) -> float:
        known = sorted(series)
        ys = [self._on_line(n, series[n]) for n in known]
        return self._off_line(clients, float(np.interp(clients, known, ys)))

    def _on_line(self, clients: int, value: float) -> float:
        if self.metric in _FLOWS:
            return clients / value
        return clients * value if self.metric == "cpu_cost" else value

    def _off_line(self, clients: int, y: float) -> float:
        if self.metric in _FLOWS:
            return clients / y
        return y / clients if self.metric == "cpu_cost" else y


def reference_of(errors: Sequence[float]) -> Reference:
    """What log errors of loads that were left out tell of others."""
    mean = float(np.mean([abs(100 * math.expm1(error)) for error in errors]))
    return Reference(spread=spread_of(errors), mean_error=mean, n=len(errors))


@lru_cache(maxsize=1)
def read_references(path: Path = FOLDER / "loads.yaml") -> References:
    """The declared errors of measured loads."""
    return read_declared(path, References)
