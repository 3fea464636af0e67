"""Campaigns of a transaction gateway on z/OS: clients that call CICS through it.

The level around which the runs of a load scatter is its target's, else the model's: a
closed network of clients that think, and engines at which they queue. Erlang's formula
gives the wait for one of several engines; where CPUs are full, the time that is not
thinking follows from the rate. A zAAP is a queue with few places, and work that finds
none free runs on a CP.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import Annotated

from pydantic import Field

from analysis.declared.base import Declared
from analysis.declared.names import Id, Name
from analysis.declared.targets import Target
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import Issue, raise_if
from synthetic import declaration, session
from synthetic.declaration import (
    Declaration,
    Family,
    Job,
    Machine,
    Model,
    NotNegative,
    Positive,
    System,
)
from synthetic.emitters.contract import contract_result
from synthetic.emitters.ctg_statistics import ctg_statistics
from synthetic.emitters.smf import ClassTime, Engine, space_record
from synthetic.evidence import OFFSET, Minute, dump, dump_file, report, report_file
from synthetic.noise import source
from synthetic.session import BROKEN_OFF, Part, Scatter, Turn, turns, weekdays
from synthetic.stations import Class, Station, throughputs

METRICS = frozenset({"rate", "offload", "response_time"})
Share = Annotated[float, Field(ge=0, le=1)]
GATEWAY, REST = "gateway", "rest"
_CROWDED = 20  # times the CPU time of a transaction: so long nobody waits but for CPUs
_NEAR = 0.95  # of its engines busy: above, Erlang's formula knows too many clients
_OFF = 0.04  # a cost that targets move further than this is none of its parameters
_STEPS = 60
_MILLIS = 60_000
_MOST = 0.9985  # of an engine's time can be measured as busy
_LEVEL = "ZV020100"
_ERRORS = 0.05  # of its calls, where a run broke off
_TILT = (1.0, -0.4, -0.6)  # engines of a kind are not equally busy
_LEAN = 0.02
_CAPTURED = 0.8  # of what no part has used is found in a service class
_SRB = {"TCPIP": 0.7}  # share of its CPU time in SRBs


class Cost(Declared):
    """Time of a transaction [ms]: one for each, and one for each kB of its payload."""

    each: NotNegative
    kb: NotNegative = 0

    def time(self, load: Workload) -> float:
        """The time of a transaction of a load."""
        return self.each + self.kb * load.request_bytes / 1024


class Protocol(Declared):
    """What clients of some configurations speak: its CPU time in the gateway, and the
    time that a transaction spends outside, at the client and on the line."""

    configurations: tuple[Id, ...]
    gateway: Cost
    outside: Cost


class Space(Declared):
    """An address space beside the gateway, and the CPU time of a transaction in it."""

    job: Job
    program: Job
    cpu: Cost


class Zaap(Declared):
    """zAAPs of the systems that have some.

    ``eligible`` is the share of the gateway's CPU time that may run there, ``places``
    how many pieces of work a zAAP serves or holds; further ones run on CPs.
    """

    systems: dict[Id, Annotated[int, Field(ge=1)]]
    eligible: Share
    places: Annotated[int, Field(ge=1)]


class Noise(Declared):
    """Coefficients of variation of runs: of the rate while CPUs wait and while they are
    full, of CPU time, and of the response time."""

    rate: Positive
    full: Positive
    cpu: Positive
    response: Positive


class Question(Declared):
    """A study: the system on which its configurations ran, and all their loads."""

    system: System
    configurations: tuple[Id, ...]
    loads: tuple[str, ...]


class Making(declaration.Making):
    """All of the file; ``think`` [ms] is the time of a client between an answer and its
    next request, ``busiest`` the share of its engines that a system can use."""

    minutes: Annotated[int, Field(ge=1)]
    think: Positive
    busiest: Annotated[float, Field(gt=0, lt=1)]
    noise: Noise
    family: Family
    model: Model
    gateway: Job
    protocols: dict[Name, Protocol]
    parts: dict[Name, Space]
    rest: Cost
    zaap: Zaap
    studies: dict[Name, Question]


class GatewayDeclaration(Declaration[Making]):
    """A campaign of a gateway."""

    @cached_property
    def protocols(self) -> dict[str, Protocol]:
        """The protocol of each configuration."""
        protocols = self.making.protocols.values()
        return {id: one for one in protocols for id in one.configurations}

    def zaaps(self, system: str) -> int:
        """How many zAAPs a system has."""
        return self.making.zaap.systems.get(system, 0)

    def mistakes(self) -> Iterator[Issue]:
        """What does not fit together."""
        yield from super().mistakes()
        for name, study in self.making.studies.items():
            place = self.place("studies", name)
            if study.system not in self.campaign.systems:
                what = f"campaign.yaml declares no system {study.system!r}"
                yield Issue(what, place, ", ".join(self.campaign.systems))
            for id in study.configurations:
                if id not in self.campaign.configurations:
                    what = f"campaign.yaml declares no configuration {id!r}"
                    yield Issue(what, place, "declare it, or mend the name")
                elif id not in self.protocols:
                    mend = "name it under the configurations of one"
                    yield Issue(f"no protocol has {id!r}", place, mend)
            for load in study.loads:
                yield from self._no_load(name, load)
        yield from self._unasked()

    def _no_load(self, study: str, load: str) -> Iterator[Issue]:
        place = self.place("studies", study, "loads")
        try:
            shape = parse_workload(load).shape
        except ValueError as error:
            yield Issue(str(error), place)
        else:
            if shape != "ECI":
                yield Issue(f"{load} is no load of a gateway", place, "write ECI…")

    def _unasked(self) -> Iterator[Issue]:
        """Targets of what never ran."""
        for target in self.targets:
            study = self.making.studies.get(target.study)
            ran = study and (target.test in study.configurations)
            if not (study and ran and target.workload in study.loads):
                what = f"no run is declared of {target.words}"
                mend = f"name it under the studies of {self.file}"
                yield Issue(what, self.place_of(target), mend)


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
class Arm(session.Arm):
    """A load of a study over a configuration on a system."""

    system: str


def levels(declared: GatewayDeclaration) -> dict[Arm, Level]:
    """The level of every load; a :class:`UserError` lists targets that no gateway could
    meet."""
    issues: list[Issue] = []
    made = {}
    for study, asked in declared.making.studies.items():
        for id in asked.configurations:
            for load in asked.loads:
                arm = Arm(study, id, parse_workload(load), asked.system)
                model = _Model(declared, arm)
                made[arm] = model.level()
                issues += model.infeasible(made[arm])
    raise_if(issues)
    return made


class _Model:
    """Finds the level of one load."""

    def __init__(self, declared: GatewayDeclaration, arm: Arm) -> None:
        self.declared, self.arm = declared, arm
        making, load = declared.making, arm.workload
        self.protocol: Protocol = declared.protocols[arm.configuration]
        self.cps = declared.cps[arm.system]
        self.zaaps = declared.zaaps(arm.system)
        self.engines = self.cps + self.zaaps
        self.parameters = {
            GATEWAY: self.protocol.gateway.time(load),
            **{name: part.cpu.time(load) for name, part in making.parts.items()},
            REST: making.rest.time(load),
        }
        self.demand = sum(self.parameters.values())
        self.outside = self.protocol.outside.time(load)

    def level(self) -> Level:
        """The level; targets come first."""
        rate = self._target("rate")
        asked = rate.value if rate else self._modelled()
        crowded = self._waiting(asked) > _CROWDED * self.demand
        scale = self._scale(asked, crowded)
        costs = {name: cost * scale for name, cost in self.parameters.items()}
        eligible, zaap = 0.0, 0.0
        if self.zaaps:
            eligible = (
                asked * costs[GATEWAY] / 1000 * self.declared.making.zaap.eligible
            )
            offload = self._target("offload")
            zaap = offload.value / 100 if offload else self._taken(eligible)
        response = self._waiting(asked)
        if not crowded:
            served = self._served(asked, costs)
            near = asked * self.demand > _NEAR * self.engines * 1000
            response = min(served, response) if near else served
        if target := self._target("response_time"):
            response = target.value
        return Level(asked, costs, response, self.outside, eligible, zaap, crowded)

    def infeasible(self, level: Level) -> Iterator[Issue]:
        """What no gateway could do, with the target that asks for it."""
        arm, making = self.arm, self.declared.making
        if (rate := self._target("rate")) is None:
            return
        place = self.declared.place_of(rate)
        least = making.think + self.outside + self._work
        most = arm.workload.clients * 1000 / least
        if level.rate > most * (1 + _OFF):
            what = f"{arm.words} would make {level.rate:,.0f}/s, more than the "
            what += f"{most:,.0f}/s of clients that think {making.think:g} ms"
            where = self.declared.place("think")
            yield Issue(what, place, f"change the target, or the think time in {where}")
        scale = sum(level.costs.values()) / self.demand
        if scale < 1 - _OFF:
            share = level.rate * self.demand / 1000 / self.engines
            what = f"{arm.words} would make {arm.system} {share:.0%} busy, more than "
            what += f"{making.busiest:.1%}"
            mend = (
                f"change the rate, or the costs in {self.declared.place('protocols')}"
            )
            yield Issue(what, place, mend)

    @property
    def _work(self) -> float:
        return self.parameters[GATEWAY] + sum(
            self.parameters[name] for name in self.declared.making.parts
        )

    def _target(self, metric: str) -> Target | None:
        """The target of a metric, if there is one."""
        for one in self.declared.targets:
            arm = Arm(one.study, one.test, one.load, self.arm.system)
            if arm == self.arm and one.metric == metric:
                return one
        return None

    def _waiting(self, rate: float) -> float:
        """Time in the gateway if all that is no thinking is [ms]."""
        cycle = self.arm.workload.clients * 1000 / rate
        return cycle - self.declared.making.think - self.outside

    def _scale(self, rate: float, crowded: bool) -> float:
        """By what the costs differ from their parameters, so that full CPUs are just
        full, and no CPU does more than it can."""
        whole = (
            self.declared.making.busiest * self.engines * 1000 / (rate * self.demand)
        )
        near = abs(whole - 1) < _OFF and not self.zaaps
        return whole if (crowded and near) or whole < 1 else 1.0

    def _modelled(self) -> float:
        """The rate of the closed network, or what its engines can do."""
        delay = (self.declared.making.think + self.outside) * 1000
        cpu = Station(self.demand * 1000, self.engines)
        one = Class(self.arm.workload.clients, delay, {"cpu": cpu})
        return min(throughputs([one])[0] * 1e6, self._most())

    def _most(self) -> float:
        """The highest rate at which neither CPs nor zAAPs have more than they can."""
        low, high = 0.0, self.engines * 1000 / self.demand
        for _ in range(_STEPS):
            rate = (low + high) / 2
            gateway = rate * self.parameters[GATEWAY] / 1000
            taken = self._taken(gateway * self.declared.making.zaap.eligible)
            fits = (
                rate * self.demand / 1000 - taken
                < self.cps * self.declared.making.busiest
            )
            low, high = (rate, high) if fits else (low, rate)
        return low

    def _taken(self, eligible: float) -> float:
        """Engines of eligible work that zAAPs take: a queue with few places."""
        if not self.zaaps:
            return 0.0
        load, places = eligible / self.zaaps, self.declared.making.zaap.places
        passed = sum(load**n for n in range(places))
        return self.zaaps * load * passed / (passed + load**places)

    def _served(self, rate: float, costs: dict[str, float]) -> float:
        """CPU time of gateway and CICS, and the wait for an engine [ms]."""
        demand = sum(costs.values())
        wait = _erlang(self.engines, rate * demand / 1000) * demand
        offered = rate * demand / 1000
        alone = costs[GATEWAY] + costs.get("cics", 0.0)
        return alone + wait / max(self.engines - offered, 0.02 * self.engines)


def _erlang(servers: int, offered: float) -> float:
    """The probability that all servers are busy, after A. K. Erlang (1917)."""
    load = min(offered, servers * 0.999)
    last = load**servers / factorial(servers) * servers / (servers - load)
    return last / (sum(load**n / factorial(n) for n in range(servers)) + last)


@dataclass(frozen=True, kw_only=True)
class Run(session.Run):
    """One minute of a load: mean times in the gateway and outside [ms], and seconds of
    CPU time: of each part, of the gateway on zAAPs, and eligible for them. The interval
    of RMF begins ``late`` before the run and has ``millis``."""

    late: dt.timedelta
    millis: int
    response: float
    outside: float
    used: Mapping[str, float]
    zaap: float
    eligible: float

    @property
    def system(self) -> str:
        """Where the gateway is."""
        return self.systems["server"]

    @property
    def transactions(self) -> int:
        """Transactions that ended in it."""
        return round(self.rate * self.seconds)

    @property
    def busy(self) -> tuple[float, float]:
        """Seconds in which its CPs and its zAAPs were busy."""
        return sum(self.used.values()) - self.zaap, self.zaap

    @property
    def gateway(self) -> tuple[float, float, float]:
        """Seconds of the gateway on CPs, of these eligible for zAAPs, and on zAAPs."""
        return self.used[GATEWAY] - self.zaap, self.eligible - self.zaap, self.zaap


def sessions(
    declared: GatewayDeclaration, levels: Mapping[Arm, Level]
) -> Iterator[list[Run]]:
    """The runs of each study in the order of time, a study a weekday."""
    days, step = (
        weekdays(declared.making.first),
        dt.timedelta(minutes=declared.making.minutes),
    )
    for study in declared.making.studies:
        arms = [arm for arm in levels if arm.study == study]
        order = turns(declared, arms, next(days), step, study)
        scatter = Scatter(order)
        yield [_run(declared, turn, levels[turn.arm], scatter) for turn in order]


def _run(
    declared: GatewayDeclaration, turn: Turn[Arm], level: Level, scatter: Scatter
) -> Run:
    arm, noise = turn.arm, declared.making.noise
    cv = {
        "rate": noise.full if level.full else noise.rate,
        "cpu": noise.cpu / 10 if level.full else noise.cpu,
        "response": noise.response,
        "zaap": noise.cpu,
    }
    by = {
        name: 1.0 if turn.failed else scatter.factor(name, turn, each)
        for name, each in cv.items()
    }
    draw = source("clock", arm.study, turn.start)
    late = dt.timedelta(milliseconds=draw.randint(2, 9))
    length = dt.timedelta(milliseconds=_MILLIS + draw.randint(-3, 3))
    millis = _MILLIS + draw.randint(-2, 2)
    seconds, broken = millis / 1000, BROKEN_OFF if turn.failed else 1
    rate = level.rate * by["rate"]
    spent = rate * seconds / 1000 * by["cpu"] / (by["rate"] if level.full else 1)
    spent *= broken
    used = {name: cost * spent for name, cost in level.costs.items()}
    eligible = level.eligible / level.rate * 1000 * spent if level.eligible else 0.0
    zaap = min(level.zaap * seconds * by["zaap"], eligible)
    zaap = min(zaap, declared.zaaps(arm.system) * seconds * _MOST)
    over = (sum(used.values()) - zaap) / (declared.cps[arm.system] * seconds * _MOST)
    if over > 1:
        used = {name: one / over for name, one in used.items()}
        eligible = max(eligible / over, zaap)
    return Run(
        arm=arm,
        systems={"server": arm.system},
        repetition=turn.repetition,
        failed=turn.failed,
        start=turn.start + late,
        end=turn.start + late + length,
        rate=rate * broken,
        late=late,
        millis=millis,
        response=level.response * by["response"],
        outside=level.outside,
        used=used,
        zaap=zaap,
        eligible=eligible,
    )


def make(declared: GatewayDeclaration) -> Iterator[Part]:
    """The files and runs of every study."""
    for runs in sessions(declared, levels(declared)):
        part, system = Part(), runs[0].system
        study = runs[0].arm.study
        smf, rmf = dump_file(study, system), report_file(study, system)
        minutes = [_minute(declared, run) for run in runs]
        part.files[smf] = dump(minutes, runs[-1].start - runs[-1].late)
        recorded = [smf]
        if declared.zaaps(system):
            part.files[rmf] = report(minutes)
            recorded.append(rmf)
        for run in runs:
            log, counts = run.file("driver", "csv"), run.file("gateway", "csv")
            part.files[log], part.files[counts] = _driver_log(run), _statistics(run)
            part.rows.append(run.row(log, [*recorded, f"{system}={counts}"]))
        yield part


def _driver_log(run: Run) -> bytes:
    """The clients' own result, by the benchmark contract, without their thinking."""
    return contract_result(
        run.start,
        tool="synthetic-eci-driver",
        workload=run.workload.name,
        seconds=run.seconds,
        transactions=run.transactions,
        latency_mean_ms=round(run.response + run.outside, 3),
        errors=round(run.transactions * _ERRORS) if run.failed else 0,
    )


def _statistics(run: Run) -> bytes:
    """The gateway's statistics of the run, which were reset at its begin."""
    load, count = run.workload, run.transactions
    return ctg_statistics(
        "SYNCTG", run.start, round(run.seconds), count, round(run.response),
        count * load.request_bytes, count * load.response_bytes, OFFSET,
    )  # fmt: skip


def _minute(declared: GatewayDeclaration, run: Run) -> Minute:
    """What RMF and SMF tell of one run; gateway and CICS are in the same class."""
    making, used, seconds = declared.making, run.used, run.millis / 1000
    on_cps, waited, zaap = run.gateway
    java = {"zaap_seconds": zaap, "zaap_on_cp_seconds": waited}
    counts = {"CP": declared.cps[run.system], "zAAP": declared.zaaps(run.system)}
    engines = [
        Engine(kind, each)
        for (kind, count), busy in zip(counts.items(), run.busy, strict=True)
        for each in _split(busy, count, seconds)
    ]

    def space(job: str, program: str, used: float, **more: float) -> bytes:
        srb = _SRB.get(job, 0.02)
        return space_record(
            run.system, OFFSET, job, program, run.start - run.late, seconds,
            used * (1 - srb), used * srb, ziip_factor=1.0, **more,
        )  # fmt: skip

    return Minute(
        system=run.system,
        start=run.start - run.late,
        millis=run.millis,
        machine=Machine(type=making.family, model=making.model, systems=(run.system,)),
        level=_LEVEL,
        engines={run.system: engines},
        classes=[
            ClassTime(
                "STC", on_cps + used["cics"], 0.95, **(java if counts["zAAP"] else {})
            ),
            ClassTime("SYSSTC", used["tcpip"], 1 - _SRB["TCPIP"]),
            ClassTime("SYSTEM", used[REST] * _CAPTURED, 0.5),
        ],
        after=[
            space(making.gateway, "CTGBATCH", on_cps, **java),
            *(
                space(part.job, part.program, used[name])
                for name, part in making.parts.items()
            ),
        ],
    )


def _split(busy: float, count: int, seconds: float) -> list[float]:
    """Busy seconds of each of some engines, which are all together ``busy``."""
    if not count:
        return []
    each = busy / count
    lean = min(_LEAN * each, seconds - each) if count > 1 else 0.0
    tilt = _TILT if count > 2 else (1.0, -1.0)
    return [each + lean * tilt[nth] for nth in range(count)]
