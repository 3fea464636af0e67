"""A network fitted to measured points: demands, adapter time and delay by payload."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import least_squares

from analysis.declared.workload import Workload
from models.demand import Demand, calibrate_delay, estimate
from models.network import Station, solve
from models.path import KB, packets
from models.spread import Floats

ROLES = ("client", "server")


@dataclass(frozen=True)
class Anchor:
    """One measured point: rate [1/s] and CPU cost [µs/tran] of both sides."""

    workload: Workload
    rate: float
    client: float
    server: float

    def cost(self, role: str) -> float:
        """CPU cost of one side [µs/tran]."""
        return self.client if role == "client" else self.server


@dataclass(frozen=True)
class Line:
    """Clients and logs of measured over fitted rates at one payload, in order."""

    clients: tuple[int, ...]
    logs: tuple[float, ...]


@dataclass(frozen=True)
class Fitted:
    """Parameters at each measured payload [bytes], in order.

    ``off`` holds, for each role, measured over fitted cost: what the demands miss.
    """

    sizes: tuple[float, ...]
    adapter: tuple[float, ...]
    delay: tuple[float, ...]
    lines: tuple[Line, ...]
    demands: dict[str, Demand]
    off: dict[str, tuple[float, ...]]
    mtu: int | None

    def cost(self, work: Workload, role: str) -> float:
        """CPU cost [µs/tran]; the measured one at a measured payload."""
        fitted = self.demands[role].cost(features(work, role, self.mtu))
        return fitted * float(np.interp(payload(work), self.sizes, self.off[role]))

    def rate(self, work: Workload, cps: int) -> tuple[float, float]:
        """Rate [1/µs] with some CPs, and the utilisation of the busiest station."""
        size = payload(work)
        adapter, delay = (
            float(np.interp(size, self.sizes, v)) for v in (self.adapter, self.delay)
        )
        costs = [self.cost(work, role) for role in ROLES]
        stations = network(costs, adapter, cps)
        rate = float(solve(work.clients, delay, stations))
        ceiling = min(s.servers / float(np.max(s.demand)) for s in stations if s.demand)
        logs = [float(np.interp(work.clients, n.clients, n.logs)) for n in self.lines]
        off = math.exp(float(np.interp(size, self.sizes, logs)))
        rate = min(rate * off, ceiling)
        return rate, rate / ceiling


@lru_cache(maxsize=512)
def fit_network(anchors: tuple[Anchor, ...], cps: int, mtu: int | None) -> Fitted:
    """Fit CPU demands; adapter time and delay to the rates of all points at once."""
    groups: dict[float, list[Anchor]] = defaultdict(list)
    for anchor in sorted(anchors, key=lambda a: a.workload):
        groups[payload(anchor.workload)].append(anchor)
    sizes = sorted(groups)
    adapters, delays = _adapters_and_delays(groups, cps)
    pairs = zip(sizes, adapters, delays, strict=True)
    lines = [_line(groups[s], adapter, delay, cps) for s, adapter, delay in pairs]
    demands = {role: _demand(anchors, role, mtu) for role in ROLES}
    off = {r: tuple(_off(groups[s], demands[r], r, mtu) for s in sizes) for r in ROLES}
    return Fitted(
        tuple(sizes), tuple(adapters), tuple(delays), tuple(lines), demands, off, mtu
    )


def payload(work: Workload) -> float:
    """Mean payload [bytes] of the two directions."""
    return (work.request_bytes + work.response_bytes) / 2


def features(work: Workload, role: str, mtu: int | None) -> tuple[float, float, float]:
    """What a side's CPU time depends on: one, payload [kB], received packets."""
    received = work.response_bytes if role == "client" else work.request_bytes
    return 1.0, payload(work) / KB, packets(received, mtu)


def network(costs: Sequence[float], adapter: float, cps: int) -> list[Station]:
    """CPU and adapter of each side; times in µs."""
    pairs = [(Station(cost, cps), Station(adapter)) for cost in costs]
    return [station for pair in pairs for station in pair]


def _model_rate(anchor: Anchor, adapter: float, delay: float, cps: int) -> float:
    stations = network([anchor.client, anchor.server], adapter, cps)
    return float(solve(anchor.workload.clients, delay, stations)) * 1e6


def _adapters_and_delays(
    groups: dict[float, list[Anchor]], cps: int
) -> tuple[list[float], list[float]]:
    """Times of the adapter and delays at each payload, in order: straight lines of it.

    Each has a fixed part and, where payloads differ, one for each kB. The adapter's
    time has as many parts as points are left for it, none where clients are the same.
    """
    anchors = [a for size in sorted(groups) for a in groups[size]]
    terms = np.array([[1.0, payload(a.workload) / KB] for a in anchors])
    delays = min(2, len(groups))
    loads = len({a.workload.clients for a in anchors})
    adapters = min(delays, len(anchors) - delays) if loads > 1 else 0

    def residuals(x: Floats) -> Floats:
        adapter = terms[:, :adapters] @ x[:adapters]
        delay = terms[:, :delays] @ x[adapters:]
        rates = [
            _model_rate(*each, cps)
            for each in zip(anchors, adapter, delay, strict=True)
        ]
        return np.log(np.array(rates) / [a.rate for a in anchors])

    fixed = 0.5e6 / max(a.rate for a in anchors)
    least = min(_delay(a, cps) for a in anchors)
    # Parts for each kB start near 0, so that one which no point can tell stays there.
    start = [*(fixed, 0.1)[:adapters], *(least + 1, 0.1)[:delays]]
    x = least_squares(residuals, start, bounds=(0, np.inf), x_scale="jac").x
    at = np.array([[1.0, size / KB] for size in sorted(groups)])
    times = at[:, :adapters] @ x[:adapters], at[:, :delays] @ x[adapters:]
    return times[0].tolist(), times[1].tolist()


def _delay(anchor: Anchor, cps: int) -> float:
    stations = network([anchor.client, anchor.server], 0.0, cps)
    return calibrate_delay(anchor.rate / 1e6, anchor.workload.clients, stations)


def _line(group: list[Anchor], adapter: float, delay: float, cps: int) -> Line:
    logs: dict[int, list[float]] = defaultdict(list)
    for a in group:
        off = np.log(a.rate / _model_rate(a, adapter, delay, cps))
        logs[a.workload.clients].append(float(off))
    clients = sorted(logs)
    return Line(tuple(clients), tuple(float(np.mean(logs[n])) for n in clients))


def _demand(anchors: Sequence[Anchor], role: str, mtu: int | None) -> Demand:
    """As many terms as there are payloads, the fixed part first."""
    count = min(3, len({payload(a.workload) for a in anchors}))
    names = ("fixed", "kB", "packets")
    rows = [features(a.workload, role, mtu)[:count] for a in anchors]
    fit = estimate(names[:count], rows, [a.cost(role) for a in anchors])
    return Demand(names, (*fit.terms, *[0.0] * (3 - count)), fit.error, fit.condition)


def _off(group: list[Anchor], demand: Demand, role: str, mtu: int | None) -> float:
    fitted = [demand.cost(features(a.workload, role, mtu)) for a in group]
    return float(np.mean([a.cost(role) for a in group] / np.array(fitted)))
