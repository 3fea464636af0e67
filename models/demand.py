"""From measurements to demands: non-negative least squares and calibrated delays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, least_squares, nnls

from analysis.errors import user_error
from models.network import Station, solve

# Beyond this condition number two terms cannot be told apart, only their sum.
CONFOUNDED = 50.0


@dataclass(frozen=True)
class Demand:
    """CPU time of a transaction as a sum of terms, each at least 0.

    ``terms`` are in the unit of the cost for one unit of their feature. ``error`` is
    the root mean square of the relative residuals. ``condition`` is that of the scaled
    features; a confounded demand predicts within its data and must not be taken apart.
    """

    features: tuple[str, ...]
    terms: tuple[float, ...]
    error: float
    condition: float

    @property
    def confounded(self) -> bool:
        """Whether single terms mean nothing, for want of varied measurements."""
        return self.condition > CONFOUNDED

    def cost(self, values: Sequence[float]) -> float:
        """The cost of a transaction with these values of the features."""
        return float(np.dot(self.terms, values))


def estimate(
    features: Sequence[str], rows: Sequence[Sequence[float]], costs: Sequence[float]
) -> Demand:
    """Fit costs as a non-negative combination of features, with equal relative errors.

    ``rows`` holds one value a feature for each cost. A ``UserError`` where there are
    fewer measurements than terms or a cost is not positive.
    """
    matrix, cost = np.asarray(rows, float), np.asarray(costs, float)
    if len(cost) < len(features):
        raise user_error(
            f"{len(cost)} measurements cannot give {len(features)} terms",
            mend="measure more payloads, or fit fewer terms",
        )
    if not (np.isfinite(cost).all() and (cost > 0).all()):
        raise user_error("a cost is not positive", mend="leave such runs out")
    weighted = matrix / cost[:, None]
    terms, _ = nnls(weighted, np.ones_like(cost))
    error = float(np.sqrt(np.mean((weighted @ terms - 1) ** 2)))
    sizes = np.linalg.norm(weighted, axis=0)
    condition = float(np.linalg.cond(weighted / np.where(sizes > 0, sizes, 1)))
    return Demand(tuple(features), tuple(map(float, terms)), error, condition)


def calibrate_delay(rate: float, clients: int, stations: Sequence[Station]) -> float:
    """The delay with which the network gives a measured rate at these demands.

    0 where even without delay the network is slower than what was measured.
    """

    def excess(delay: float) -> float:
        return float(solve(clients, delay, stations)) / rate - 1

    if not rate > 0:
        raise user_error("the measured rate is not positive", mend="leave the run out")
    if excess(0.0) <= 0:
        return 0.0
    return float(brentq(excess, 0.0, clients / rate, xtol=1e-9, rtol=1e-12))


def fit_two(
    clients: ArrayLike, rates: ArrayLike, servers: int
) -> tuple[float, float, float]:
    """CPU demand, delay and error of one multi-server station, from rates alone.

    Returns seconds, seconds and the largest relative residual. Below saturation rates
    say little of the demand: use measured CPU time instead where there is any.
    """
    population, rate = np.asarray(clients, int), np.asarray(rates, float)
    if len(rate) < 2:
        raise user_error("two parameters need two loads", mend="measure another load")
    cycle = float(np.min(population / rate))
    start = np.log([min(servers / rate.max(), cycle / 2), cycle])

    def residuals(logs: np.ndarray) -> np.ndarray:
        demand, delay = np.exp(logs)
        station = [Station(demand, servers)]
        fitted = [float(solve(int(n), delay, station)) for n in population]
        return np.log(np.array(fitted) / rate)

    found = least_squares(residuals, start, xtol=1e-12, ftol=1e-12, diff_step=1e-4)
    demand, delay = map(float, np.exp(found.x))
    return demand, delay, float(np.abs(found.fun).max())
