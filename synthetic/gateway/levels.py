"""The level around which the runs of each load scatter: its targets, else the model's.

The model is a closed network: clients that think, and engines at which they queue.
Erlang's formula gives the wait for one of several engines; where CPUs are full, the
time that is not thinking follows from the rate. A zAAP is a queue with few places, and
work that finds none free runs on a CP.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial

from analysis.declared.targets import Target
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import Issue, raise_if
from synthetic.gateway.declaration import GATEWAY, REST, GatewayDeclaration, Protocol
from synthetic.stations import Class, Station, throughputs

_CROWDED = 20  # times the CPU time of a transaction: so long nobody waits but for CPUs
_NEAR = 0.95  # of its engines busy: above, Erlang's formula knows too many clients
_OFF = 0.04  # a cost that targets move further than this is none of its parameters
_STEPS = 60


@dataclass(frozen=True)
class Level:
    """What a load does: transactions a second, CPU time of one in each part [ms], its
    time in the gateway and outside [ms], and engines of eligible time, all of it and
    what ran on zAAPs. ``full``: all engines are busy."""

    rate: float
    costs: dict[str, float]
    response: float
    outside: float
    eligible: float
    zaap: float
    full: bool

    @property
    def busy(self) -> float:
        """Engines that are busy, zAAPs too."""
        return self.rate * sum(self.costs.values()) / 1000


@dataclass(frozen=True)
class Point:
    """A load of a study over a configuration on a system."""

    study: str
    configuration: str
    load: Workload
    system: str

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"{self.study}/{self.configuration}/{self.load.name}"


def points(of: GatewayDeclaration, study: str) -> list[Point]:
    """All loads of a study, those of one configuration after those of another."""
    asked = of.making.studies[study]
    return [
        Point(study, id, parse_workload(load), asked.system)
        for id in asked.configurations
        for load in asked.loads
    ]


def levels(of: GatewayDeclaration) -> dict[Point, Level]:
    """The level of every load; a :class:`UserError` lists targets that no gateway could
    meet."""
    issues: list[Issue] = []
    found = {}
    for study in of.making.studies:
        for point in points(of, study):
            maker = _Maker(of, point)
            found[point] = maker.level()
            issues += maker.infeasible(found[point])
    raise_if(issues)
    return found


class _Maker:
    """Finds the level of one load."""

    def __init__(self, of: GatewayDeclaration, point: Point) -> None:
        self.of, self.point = of, point
        making, load = of.making, point.load
        self.protocol: Protocol = of.protocols[point.configuration]
        self.cps = of.cps[point.system]
        self.zaaps = of.zaaps(point.system)
        self.engines = self.cps + self.zaaps
        self.declared = {
            GATEWAY: self.protocol.gateway.of(load),
            **{name: part.cpu.of(load) for name, part in making.parts.items()},
            REST: making.rest.of(load),
        }
        self.demand = sum(self.declared.values())
        self.outside = self.protocol.outside.of(load)

    def level(self) -> Level:
        """The level; targets come first."""
        rate = self._target("rate")
        asked = rate.value if rate else self._modelled()
        crowded = self._waiting(asked) > _CROWDED * self.demand
        scale = self._scale(asked, crowded)
        costs = {name: cost * scale for name, cost in self.declared.items()}
        eligible, zaap = 0.0, 0.0
        if self.zaaps:
            eligible = asked * costs[GATEWAY] / 1000 * self.of.making.zaap.eligible
            offload = self._target("offload")
            zaap = offload.value / 100 if offload else self._taken(eligible)
        response = self._waiting(asked)
        if not crowded:
            served = self._served(asked, costs)
            near = asked * self.demand > _NEAR * self.engines * 1000
            response = min(served, response) if near else served
        if told := self._target("response_time"):
            response = told.value
        return Level(asked, costs, response, self.outside, eligible, zaap, crowded)

    def infeasible(self, level: Level) -> Iterator[Issue]:
        """What no gateway could do, with the target that asks for it."""
        point, making = self.point, self.of.making
        named = f"{point.load.name} over {point.configuration}"
        if (rate := self._target("rate")) is None:
            return
        place = self.of.place_of(rate)
        least = making.think + self.outside + self._work
        most = point.load.clients * 1000 / least
        if level.rate > most * (1 + _OFF):
            what = (
                f"{named} would make {level.rate:,.0f}/s, more than the {most:,.0f}/s"
            )
            what += f" of clients that think {making.think:g} ms"
            where = self.of.place("think")
            yield Issue(what, place, f"change the target, or the think time in {where}")
        scale = sum(level.costs.values()) / self.demand
        if scale < 1 - _OFF:
            share = level.rate * self.demand / 1000 / self.engines
            what = f"{named} would make {point.system} {share:.0%} busy, more than "
            what += f"{making.busiest:.1%}"
            mend = f"change the rate, or the costs in {self.of.place('protocols')}"
            yield Issue(what, place, mend)

    @property
    def _work(self) -> float:
        return self.declared[GATEWAY] + sum(
            self.declared[name] for name in self.of.making.parts
        )

    def _target(self, metric: str) -> Target | None:
        """The target of a metric, if there is one."""
        for one in self.of.targets:
            own = (one.study, one.test) == (self.point.study, self.point.configuration)
            if own and one.load == self.point.load and one.metric == metric:
                return one
        return None

    def _waiting(self, rate: float) -> float:
        """Time in the gateway if all that is no thinking is [ms]."""
        cycle = self.point.load.clients * 1000 / rate
        return cycle - self.of.making.think - self.outside

    def _scale(self, rate: float, crowded: bool) -> float:
        """By what the costs differ from their parameters, so that full CPUs are just
        full, and no CPU does more than it can."""
        whole = self.of.making.busiest * self.engines * 1000 / (rate * self.demand)
        near = abs(whole - 1) < _OFF and not self.zaaps
        return whole if (crowded and near) or whole < 1 else 1.0

    def _modelled(self) -> float:
        """The rate of the closed network, or what its engines can do."""
        delay = (self.of.making.think + self.outside) * 1000
        cpu = Station(self.demand * 1000, self.engines)
        one = Class(self.point.load.clients, delay, {"cpu": cpu})
        return min(throughputs([one])[0] * 1e6, self._most())

    def _most(self) -> float:
        """The highest rate at which neither CPs nor zAAPs have more than they can."""
        low, high = 0.0, self.engines * 1000 / self.demand
        for _ in range(_STEPS):
            rate = (low + high) / 2
            gateway = rate * self.declared[GATEWAY] / 1000
            taken = self._taken(gateway * self.of.making.zaap.eligible)
            fits = rate * self.demand / 1000 - taken < self.cps * self.of.making.busiest
            low, high = (rate, high) if fits else (low, rate)
        return low

    def _taken(self, eligible: float) -> float:
        """Engines of eligible work that zAAPs take: a queue with few places."""
        if not self.zaaps:
            return 0.0
        load, places = eligible / self.zaaps, self.of.making.zaap.places
        passed = sum(load**n for n in range(places))
        return self.zaaps * load * passed / (passed + load**places)

    def _served(self, rate: float, costs: dict[str, float]) -> float:
        """CPU time of gateway and CICS, and the wait for an engine [ms]."""
        demand = sum(costs.values())
        wait = _erlang(self.engines, rate * demand / 1000) * demand
        offered = rate * demand / 1000
        own = costs[GATEWAY] + costs.get("cics", 0.0)
        return own + wait / max(self.engines - offered, 0.02 * self.engines)


def _erlang(servers: int, offered: float) -> float:
    """The probability that all servers are busy, after A. K. Erlang (1917)."""
    load = min(offered, servers * 0.999)
    last = load**servers / factorial(servers) * servers / (servers - load)
    return last / (sum(load**n / factorial(n) for n in range(servers)) + last)
