"""Exact solution of a closed queueing network with stations of many servers.

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
from scipy.special import gammaln

from models.spread import Floats


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


def utilisation(rate: Floats, station: Station) -> Floats:
    """Busy share of the servers by the utilisation law: rate × demand ÷ servers."""
    return rate * np.asarray(station.demand, float) / station.servers


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
