"""Closed network with think time: clients that think, and the engines that they share.

Clients think for a known time, send a request and queue for one of several engines.
From some numbers of clients, measured at one payload, the model tells rate and CPU cost
of others between them, and from how many on the engines are full.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.network import Station, calibrate_delay, solve, structural_sigma
from models.prediction import UNITS, Input, Prediction, lognormal_points, outside

# Log deviation of one more error beside those of few points left out.
_UNTESTED = 0.01
_ROUNDS = 30


@dataclass(frozen=True)
class ThinkingAnchor:
    """One measured point: rate [1/s] and CPU cost of the whole system [µs/tran]."""

    workload: Workload
    rate: float
    cost: float


@dataclass(frozen=True)
class ThinkingModel:
    """Measured points of one configuration and payload, on so many ``engines``.

    ``think`` is the think time [ms], ``sigma`` the log deviation of what was measured.
    Valid between the measured clients; of another payload it says nothing.
    """

    anchors: tuple[ThinkingAnchor, ...]
    engines: int
    think: float
    sigma: float = 0.005
    name: str = "closed network with think time"
    version: str = "1"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The measured span of clients."""
        clients = [anchor.workload.clients for anchor in self.anchors]
        return (Input("clients", "", min(clients), max(clients)),)

    def predict(self, work: Workload, metric: str) -> Prediction:
        """``rate`` or ``cpu_cost`` of a load, or the ``capacity``, which is of its
        payload whatever its clients; the error is that of leaving out one point."""
        self._check(work)
        clients = float(work.clients)
        busiest = 1.0
        if metric == "capacity":
            value = clients = self.capacity()
        else:
            value, busiest = self._value(clients, metric)
        errors = left_out(self, metric)
        error = math.sqrt(float(np.mean(np.square([_UNTESTED, *errors]))))
        structure = 0.0
        if metric == "rate":
            structure = float(structural_sigma(np.array(busiest))) / 2
        sigma = math.hypot(self.sigma, error, structure)
        low, middle, high = lognormal_points(value, sigma)
        if metric == "rate":
            most = self.engines * 1e6 / self.cost(clients)
            high = max(middle, min(high, most))
        marks = outside(self.inputs, {"clients": clients})
        unit = UNITS[metric]
        return Prediction(
            middle, low, high, unit, self.name, self.version, "measured", marks
        )

    def cost(self, clients: float) -> float:
        """CPU cost of a transaction [µs], straight between the measured points."""
        return float(np.interp(clients, self._clients, [a.cost for a in self._ordered]))

    def capacity(self) -> float:
        """Clients from which the engines are full: with one more, all wait longer.

        The knee of the asymptotic bounds: engines × (delay + cost) ÷ cost. See P. J.
        Denning and J. P. Buzen, Computing Surveys 10 (1978), 225-261.
        """
        clients = float(self._clients[-1])
        for _ in range(_ROUNDS):
            cost = self.cost(clients)
            clients = self.engines * (self._delay + cost) / cost
        return clients

    def _value(self, clients: float, metric: str) -> tuple[float, float]:
        """The quantity, and how busy the engines are."""
        cost = self.cost(clients)
        if metric == "cpu_cost":
            return cost, 0.0
        logs = [math.log(a.rate / self._solved(a)) for a in self._ordered]
        off = math.exp(float(np.interp(clients, self._clients, logs)))
        most = self.engines * 1e6 / cost
        solved = float(solve(round(clients), self._delay, self._engines(cost))) * 1e6
        rate = min(solved * off, most)
        return rate, rate / most

    def _solved(self, anchor: ThinkingAnchor) -> float:
        clients, stations = anchor.workload.clients, self._engines(anchor.cost)
        return float(solve(clients, self._delay, stations)) * 1e6

    def _engines(self, cost: float) -> list[Station]:
        return [Station(cost, self.engines)]

    @property
    def _ordered(self) -> list[ThinkingAnchor]:
        return sorted(self.anchors, key=lambda anchor: anchor.workload.clients)

    @property
    def _clients(self) -> list[int]:
        return [anchor.workload.clients for anchor in self._ordered]

    @property
    def _delay(self) -> float:
        """Time without queueing [µs]: thinking, and what few clients see beside it."""
        few = self._ordered[0]
        clients, stations = few.workload.clients, self._engines(few.cost)
        seen = calibrate_delay(few.rate / 1e6, clients, stations)
        return max(seen, self.think * 1e3)

    def _check(self, work: Workload) -> None:
        if not self.anchors:
            raise user_error("nothing was measured", mend="use another rung")
        sizes = {replace(anchor.workload, clients=0) for anchor in self.anchors}
        if sizes != {replace(work, clients=0)}:
            raise user_error(
                f"{work.name} has another payload than what was measured",
                mend="ask for the measured payload",
            )


@lru_cache(maxsize=512)
def left_out(model: ThinkingModel, metric: str) -> tuple[float, ...]:
    """Log errors of the inner points, each predicted from the others; maybe none.

    The capacity errs as the CPU cost does.
    """
    source = "rate" if metric == "rate" else "cpu_cost"
    errors = []
    for anchor in _inner(model.anchors):
        rest = tuple(other for other in model.anchors if other is not anchor)
        value, _ = replace(model, anchors=rest)._value(anchor.workload.clients, source)
        measured = anchor.rate if source == "rate" else anchor.cost
        errors.append(math.log(value / measured))
    return tuple(errors)


def _inner(anchors: Sequence[ThinkingAnchor]) -> list[ThinkingAnchor]:
    clients = [anchor.workload.clients for anchor in anchors]
    return [a for a in anchors if min(clients) < a.workload.clients < max(clients)]
