"""A closed queueing network with stations of many servers: solved, and fitted to rates.

Buzen's convolution (CACM 16(9), 1973) with the load-dependent stations of Reiser and
Kobayashi (IBM J. Res. Dev. 19(3), 1975). It gives what exact mean value analysis gives.
All of its terms are positive, whereas the marginal probabilities of multi-server MVA
come from a difference whose rounding grows with each client near saturation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, least_squares
from scipy.special import gammaln

from analysis.errors import user_error
from models.prediction import Floats


@dataclass(frozen=True)
class Station:
    """A queue: service demand a visit (a scalar, or one for each draw), servers."""

    demand: ArrayLike
    servers: int = 1


def solve(clients: int, delay: ArrayLike, stations: Sequence[Station]) -> Floats:
    """Transactions per unit of time of ``clients`` that circulate without a pause.

    ``delay`` is time spent without queueing, in the unit of the demands. The answer has
    the common shape of ``delay`` and the demands: one number for each draw.
    """
    times = [np.asarray(delay, float), *(np.asarray(s.demand, float) for s in stations)]
    delays, *demands = np.broadcast_arrays(*times)
    shape = delays.shape
    delays, demands = delays.ravel(), [d.ravel() for d in demands]
    scale = _scale(clients, delays, demands, stations)
    weights = _delay_weights(clients, delays / scale)
    for station, demand in zip(stations, demands, strict=True):
        weights = _add(weights, demand / scale, min(station.servers, clients))
    rate: Floats = weights[clients - 1] / weights[clients] / scale
    return rate.reshape(shape)


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

    fit = least_squares(residuals, start, xtol=1e-12, ftol=1e-12, diff_step=1e-4)
    demand, delay = map(float, np.exp(fit.x))
    return demand, delay, float(np.abs(fit.fun).max())


def structural_sigma(utilisation: Floats) -> Floats:
    """Log deviation that the structure of a queueing model leaves, by utilisation.

    2% below 70% of the busiest CPU or adapter, 7% from 85% on, linear between: near
    saturation small errors of a demand move the knee.
    """
    return np.interp(utilisation, [0.70, 0.85], [0.02, 0.07])


def _scale(
    clients: int, delay: Floats, demands: list[Floats], stations: Sequence[Station]
) -> Floats:
    """About the time between two transactions, so that no weight leaves its range."""
    around = (delay + sum(demands)) / clients
    for station, demand in zip(stations, demands, strict=True):
        around = np.maximum(around, demand / station.servers)
    return around


def _delay_weights(clients: int, delay: Floats) -> Floats:
    """Poisson weights of 0, 1 … clients in the delay, one row for each number."""
    n = np.arange(clients + 1.0)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.where(n > 0, n * np.log(delay), 0.0) - delay - gammaln(n + 1)
    weights: Floats = np.exp(log)
    return weights


def _add(weights: Floats, demand: Floats, servers: int) -> Floats:
    """Convolve with one station, whose weights are geometric once all servers work."""
    heads = [np.ones_like(demand)]
    for busy in range(1, servers + 1):
        heads.append(heads[-1] * demand / busy)
    ratio = demand / servers
    if demand.size == 1:
        return _add_one(weights[:, 0], np.ravel(heads), ratio.item())[:, None]
    tail = np.zeros_like(demand)
    added = np.empty_like(weights)
    for n in range(len(weights)):
        total = weights[n].copy()
        for busy in range(1, min(servers, n + 1)):
            total += heads[busy] * weights[n - busy]
        if n >= servers:
            tail = ratio * tail + heads[servers] * weights[n - servers]
            total += tail
        added[n] = total
    return added


def _add_one(weights: Floats, heads: Floats, ratio: float) -> Floats:
    """The same for one draw, with all numbers of clients at once."""
    servers, most = len(heads) - 1, len(weights)
    early: Floats = np.convolve(heads[:servers], weights)[:most]
    fed = (heads[servers] * weights[: most - servers]).tolist()
    late = accumulate(fed, lambda tail, more: ratio * tail + more)
    early[servers:] += np.fromiter(late, float, len(fed))
    return early
