"""Interpolation: measured points of one configuration to other loads.

Of RR and CRR a closed network is fitted to all points at once: CPU demands to the
measured CPU costs, the time of the adapter and the delay, by payload, to the measured
rates. It is solved for the load asked for; what the fit misses at the points is
interpolated between them. Between points of streams lie straight lines in logarithms.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import least_squares, nnls

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.network import Station, calibrate_delay, solve, structural_sigma
from models.prediction import (
    UNITS,
    Floats,
    Input,
    Prediction,
    lognormal_points,
    measured_spans,
    outside,
)

ROLES = ("client", "server")
KB = 1024
IP_TCP_BYTES = 52  # headers of IPv4 and TCP with time stamps
# Log deviation where no point can be left out. It counts as one more error beside those
# of few points, which are small by luck as easily as by merit.
_UNTESTED = 0.05
_COSTS = ("cpu_cost", "utilisation")
Engines = tuple[int, int]  # CPs of the client's system and of the server's
# Log deviation between two measured points, about which nothing is known.
_BETWEEN = 0.05


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
class Interpolation:
    """A configuration's measured points; ``sigma`` is their log deviation.

    Valid between the measured clients and payloads. With one payload alone another one
    cannot be predicted; with one MTU alone another MTU cannot, so it is no input.
    """

    anchors: tuple[Anchor, ...]
    cps: Engines
    mtu: int | None = None
    sigma: float = 0.01
    name: str = "interpolation"
    version: str = "2"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The measured spans of clients and payload, and up to 16 CPs."""
        clients = [a.workload.clients for a in self.anchors]
        sizes = [payload(a.workload) for a in self.anchors]
        return (*measured_spans(clients, sizes), Input("cps", "CPs", 1, 16))

    def predict(
        self,
        work: Workload,
        metric: str,
        role: str | None = None,
        cps: Engines | None = None,
    ) -> Prediction:
        """``rate``, ``latency``, or ``cpu_cost`` or ``utilisation`` of a role, with
        other CPs if ``cps`` says so; its error is that of leaving out one point."""
        cps = cps or self.cps
        given = {"clients": work.clients, "payload": payload(work), "cps": max(cps)}
        marks = outside(self.inputs, given)
        self._check(work, metric, role)
        value, busiest = self._value(work, metric, role, cps)
        errors = left_out(self, metric, role)
        error = math.sqrt(float(np.mean(np.square([_UNTESTED, *errors]))))
        structure = 0.0  # what a transaction costs does not hang on how busy it is
        if metric != "cpu_cost":
            structure = float(structural_sigma(np.array(busiest)))
        sigma = math.hypot(self.sigma, structure, error)
        low, middle, high = lognormal_points(value, sigma)
        if metric == "utilisation":
            high = min(high, 100.0)
        unit = UNITS[metric]
        return Prediction(
            middle, low, high, unit, self.name, self.version, "measured", marks
        )

    def _value(
        self, work: Workload, metric: str, role: str | None, cps: Engines
    ) -> tuple[float, float]:
        """The quantity, and the utilisation of the busiest station."""
        fitted = fit_network(self.anchors, self.cps, self.mtu)
        rate, busiest = fitted.rate(work, cps)
        if role is None:
            return (rate * 1e6 if metric == "rate" else work.clients / rate), busiest
        cost, engines = fitted.cost(work, role), cps[ROLES.index(role)]
        return (cost if metric == "cpu_cost" else 100 * rate * cost / engines), busiest

    def _check(self, work: Workload, metric: str, role: str | None) -> None:
        shapes = {a.workload.shape for a in self.anchors}
        if shapes != {work.shape} or work.shape == "STR":
            raise user_error(
                f"{work.name} cannot be interpolated from {', '.join(sorted(shapes))}",
                mend="interpolate RR from RR and CRR from CRR",
            )
        if (metric in _COSTS) != (role in ROLES):
            raise user_error(
                f"{metric} of role {role} does not exist",
                mend="cpu_cost and utilisation have the role client or server",
            )


@lru_cache(maxsize=512)
def left_out(model: Interpolation, metric: str, role: str | None) -> tuple[float, ...]:
    """Log errors of the measured points, each predicted from the others; maybe none.

    A point is left out where the others still enclose its clients and its payload.
    Latency and utilisation err as the rate does.
    """
    of_cost = metric == "cpu_cost" and role is not None
    errors = []
    for anchor in model.anchors:
        rest = tuple(a for a in model.anchors if a is not anchor)
        if not rest or not _encloses(rest, anchor.workload):
            continue
        other = Interpolation(rest, model.cps, model.mtu, model.sigma)
        asked = ("cpu_cost", role) if of_cost else ("rate", None)
        value, _ = other._value(anchor.workload, *asked, model.cps)
        measured = anchor.cost(role) if of_cost and role else anchor.rate
        errors.append(math.log(value / measured))
    return tuple(errors)


def payload(work: Workload) -> float:
    """Mean payload [bytes] of the two directions."""
    return (work.request_bytes + work.response_bytes) / 2


def packets(size: float, mtu: int | None) -> float:
    """Packets that a payload needs, as a mean over where it is cut; at least one.

    Not rounded up: adapters and stacks cut and join segments, and a cost that jumps at
    every multiple of the MTU would be an artefact of the model.
    """
    return 1.0 if mtu is None else max(1.0, size / (mtu - IP_TCP_BYTES))


def _encloses(anchors: Sequence[Anchor], work: Workload) -> bool:
    clients = [a.workload.clients for a in anchors]
    sizes = [payload(a.workload) for a in anchors]
    return min(clients) <= work.clients <= max(clients) and min(sizes) <= payload(
        work
    ) <= max(sizes)


@dataclass(frozen=True)
class Line:
    """Clients and logs of measured over fitted rates at one payload, in order."""

    clients: tuple[int, ...]
    logs: tuple[float, ...]


@dataclass(frozen=True)
class Fitted:
    """Parameters at each measured payload [bytes], in order.

    ``demands`` are the terms of a side's CPU cost [µs], one for each of its features,
    ``off`` holds measured over fitted cost: what these miss.
    """

    sizes: tuple[float, ...]
    adapter: tuple[float, ...]
    delay: tuple[float, ...]
    lines: tuple[Line, ...]
    demands: dict[str, Floats]
    off: dict[str, tuple[float, ...]]
    mtu: int | None

    def cost(self, work: Workload, role: str) -> float:
        """CPU cost [µs/tran]; the measured one at a measured payload."""
        fitted = float(np.dot(self.demands[role], features(work, role, self.mtu)))
        return fitted * float(np.interp(payload(work), self.sizes, self.off[role]))

    def rate(self, work: Workload, cps: Engines) -> tuple[float, float]:
        """Rate [1/µs] with some CPs, and the utilisation of the busiest station."""
        size = payload(work)
        adapter, delay = (
            float(np.interp(size, self.sizes, v)) for v in (self.adapter, self.delay)
        )
        stations = network([self.cost(work, role) for role in ROLES], adapter, cps)
        rate = float(solve(work.clients, delay, stations))
        ceiling = min(s.servers / float(np.max(s.demand)) for s in stations if s.demand)
        logs = [float(np.interp(work.clients, n.clients, n.logs)) for n in self.lines]
        off = math.exp(float(np.interp(size, self.sizes, logs)))
        rate = min(rate * off, ceiling)
        return rate, rate / ceiling


@lru_cache(maxsize=512)
def fit_network(
    anchors: tuple[Anchor, ...], cps: Engines, mtu: int | None = None
) -> Fitted:
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


def features(work: Workload, role: str, mtu: int | None) -> tuple[float, float, float]:
    """What a side's CPU time depends on: one, payload [kB], received packets."""
    received = work.response_bytes if role == "client" else work.request_bytes
    return 1.0, payload(work) / KB, packets(received, mtu)


def network(costs: Sequence[float], adapter: float, cps: Engines) -> list[Station]:
    """CPU and adapter of each side; times in µs."""
    pairs = zip(costs, cps, strict=True)
    return [s for cost, n in pairs for s in (Station(cost, n), Station(adapter))]


def estimate_demand(rows: Sequence[Sequence[float]], costs: Sequence[float]) -> Floats:
    """Terms of at least 0 whose combination of the features of each row meets the costs
    [µs/tran] best, with equal relative errors: non-negative least squares.

    A ``UserError`` where there are fewer measurements than terms or a cost is not
    positive.
    """
    matrix, cost = np.asarray(rows, float), np.asarray(costs, float)
    if len(cost) < matrix.shape[1]:
        raise user_error(
            f"{len(cost)} measurements cannot give {matrix.shape[1]} terms",
            mend="measure more payloads, or fit fewer terms",
        )
    if not (np.isfinite(cost).all() and (cost > 0).all()):
        raise user_error("a cost is not positive", mend="leave such runs out")
    terms: Floats = nnls(matrix / cost[:, None], np.ones_like(cost))[0]
    return terms


def _model_rate(anchor: Anchor, adapter: float, delay: float, cps: Engines) -> float:
    stations = network([anchor.client, anchor.server], adapter, cps)
    return float(solve(anchor.workload.clients, delay, stations)) * 1e6


def _adapters_and_delays(
    groups: dict[float, list[Anchor]], cps: Engines
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


def _delay(anchor: Anchor, cps: Engines) -> float:
    stations = network([anchor.client, anchor.server], 0.0, cps)
    return calibrate_delay(anchor.rate / 1e6, anchor.workload.clients, stations)


def _line(group: list[Anchor], adapter: float, delay: float, cps: Engines) -> Line:
    logs: dict[int, list[float]] = defaultdict(list)
    for a in group:
        off = np.log(a.rate / _model_rate(a, adapter, delay, cps))
        logs[a.workload.clients].append(float(off))
    clients = sorted(logs)
    return Line(tuple(clients), tuple(float(np.mean(logs[n])) for n in clients))


def _demand(anchors: Sequence[Anchor], role: str, mtu: int | None) -> Floats:
    """As many terms as there are payloads, the fixed part first; 0 for the others."""
    count = min(3, len({payload(a.workload) for a in anchors}))
    rows = [features(a.workload, role, mtu)[:count] for a in anchors]
    terms = estimate_demand(rows, [a.cost(role) for a in anchors])
    return np.concatenate([terms, np.zeros(3 - count)])


def _off(group: list[Anchor], demand: Floats, role: str, mtu: int | None) -> float:
    fitted = [np.dot(demand, features(a.workload, role, mtu)) for a in group]
    return float(np.mean([a.cost(role) for a in group] / np.array(fitted)))


@dataclass(frozen=True)
class StreamAnchor:
    """One measured STR point: throughput [MB/s], CPU cost [µs/tran] of both sides."""

    workload: Workload
    throughput: float
    sender: float
    receiver: float


@dataclass(frozen=True)
class StreamInterpolation:
    """Measured points of one configuration; ``sigma`` is their log deviation.

    Valid between the measured clients and payloads of streams in the same direction.
    """

    anchors: tuple[StreamAnchor, ...]
    sigma: float = 0.015
    name: str = "stream interpolation"
    version: str = "1"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The measured spans of clients and payload."""
        clients = [a.workload.clients for a in self.anchors]
        return measured_spans(clients, [bulk(a.workload) for a in self.anchors])

    def predict(
        self, work: Workload, metric: str, role: str | None = None
    ) -> Prediction:
        """``throughput``, or ``cpu_cost`` of a role; exact at a measured point but for
        the error of measuring."""
        given = {"clients": work.clients, "payload": bulk(work)}
        marks = outside(self.inputs, given)
        self._check(work, metric, role)
        value = math.exp(self._log(work, role or metric))
        measured = any(_place(a.workload) == _place(work) for a in self.anchors)
        sigma = math.hypot(self.sigma, 0.0 if measured else _BETWEEN)
        low, middle, high = lognormal_points(value, sigma)
        unit = UNITS[metric]
        return Prediction(
            middle, low, high, unit, self.name, self.version, "measured", marks
        )

    def _log(self, work: Workload, name: str) -> float:
        groups: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for anchor in self.anchors:
            value = getattr(anchor, name)
            point = math.log(anchor.workload.clients), math.log(value)
            groups[bulk(anchor.workload)].append(point)
        sizes = sorted(groups)
        lines = [np.array(sorted(groups[size])).T for size in sizes]
        clients = math.log(work.clients)
        logs = [float(np.interp(clients, line[0], line[1])) for line in lines]
        return float(np.interp(math.log(bulk(work)), np.log(sizes), logs))

    def _check(self, work: Workload, metric: str, role: str | None) -> None:
        if (metric == "cpu_cost") != (role is not None):
            raise user_error(
                f"{metric} of role {role} does not exist",
                mend="cpu_cost has the role sender or receiver, throughput none",
            )
        kinds = {(a.workload.shape, away(a.workload)) for a in self.anchors}
        if kinds != {("STR", away(work))} or work.shape != "STR":
            raise user_error(
                f"{work.name} cannot be interpolated from these streams",
                mend="use streams in the same direction",
            )


def bulk(work: Workload) -> int:
    """Bytes of a transaction in the direction that streams."""
    return max(work.request_bytes, work.response_bytes)


def away(work: Workload) -> bool:
    """Whether the client is the sender."""
    return work.request_bytes >= work.response_bytes


def _place(work: Workload) -> tuple[int, int]:
    return work.clients, bulk(work)
