"""Campaigns of services: file transfer, terminals, web pages, storage, primitives.

Clients load one server, a study a day. The level of each quantity is what the targets
make of a declared value; runs scatter around it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from analysis.declared.base import Declared
from analysis.declared.names import Id, Name
from analysis.declared.targets import RATE, Target
from analysis.declared.vocabulary import Role
from analysis.declared.workload import Workload
from analysis.errors import Issue, raise_if
from synthetic import declaration, session
from synthetic.declaration import Declaration, Job, Machine, Positive
from synthetic.emitters.contract import contract_result, contract_storage
from synthetic.emitters.h2load import h2load_log
from synthetic.emitters.smf import Engine, device_record, space_record
from synthetic.evidence import OFFSET, Minute, dump, dump_file, interval, level_of
from synthetic.noise import source
from synthetic.session import BROKEN_OFF, Part, Scatter, Turn, turns, weekdays
from synthetic.smf.tcpip import Transfer, server_transfer

Noise = Literal["rate", "response", "cpu", "storage"]
RESPONSE, REQUESTS = "response_time", "io_rate"
METRICS = frozenset({"rate", "throughput", RESPONSE, "cpu_cost", "storage", REQUESTS})
_WHOLE = 1e-9
_AREA, _ASKED = "storage of ", f"{REQUESTS} of "
_LOST = 20  # of so many transactions one fails, in a run that fails
_REST = 1.04  # of an LPAR's busy time, what is not of the declared jobs
_IDLE = 0.001  # of each CP
_TCB = 0.4  # of an address space's CPU time
_PROGRAMS = {"TCPIP": "EZBTCPIP", "NET": "ISTINM01"}
_FIRST_DEVICE = 0x0A10
_HOST = "SYNTHETIC.EXAMPLE"


class Volumes(Declared):
    """So many devices of a system, each in use for a share of the time."""

    count: Annotated[int, Field(ge=1, le=99)]
    busy: Annotated[float, Field(gt=0, le=1)]


class Bench(Declared):
    """Where and how the runs of a study are made.

    ``tool`` is the format of their logs, ``program`` what it says of who wrote it.
    ``of_shape`` are the roles of single shapes. ``jobs`` are the address spaces that
    use CPU time, each with its share of that of its system. A run of so many
    ``transfers`` lasts as long as they take, and at most the ``seconds``. Requests for
    data sets, where targets tell their rate, spread evenly over the ``volumes``.
    """

    tool: Literal["contract", "h2load", "storage"]
    program: str = ""
    seconds: Annotated[int, Field(ge=10, le=3600)] = 60
    transfers: Annotated[int, Field(ge=1)] | None = None
    roles: dict[Role, Id] = Field(default_factory=dict)
    of_shape: dict[str, dict[Role, Id]] = Field(default_factory=dict)
    jobs: dict[Job, Positive] = Field(default_factory=dict)
    records: bool = False  # of each transfer, as the FTP server writes them
    volumes: Volumes | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.jobs and abs(sum(self.jobs.values()) - 1) > _WHOLE:
            raise ValueError("the shares of the jobs add up to 1")
        if self.tool == "contract" and not self.program:
            raise ValueError("program: a result by the contract names what made it")
        return self

    def systems(self, shape: str) -> dict[Role, Id]:
        """The system of each role in runs of a shape."""
        return self.of_shape.get(shape, self.roles)


class Making(declaration.Making):
    """All of the file; ``noise`` are coefficients of variation by quantity."""

    noise: dict[Noise, Annotated[float, Field(gt=0, lt=0.2)]]
    outliers: Annotated[float, Field(ge=0, lt=1)] = 0
    machines: dict[Id, Machine]
    studies: dict[Name, Bench]


class ServiceDeclaration(Declaration[Making]):
    """A campaign of services."""

    def machine(self, system: str) -> Machine:
        """The machine that a system is an LPAR of."""
        machines = self.making.machines.values()
        return next(one for one in machines if system in one.systems)

    def mistakes(self) -> Iterator[Issue]:
        """What does not fit together."""
        yield from super().mistakes()
        yield from self._homeless()
        studies = self.making.studies
        for target in self.targets:
            if target.study not in studies:
                what = f"no runs are declared for the study {target.study!r}"
                mend = f"name it under studies in {self.file}"
                yield Issue(what, self.place_of(target), mend)
            elif target.metric == REQUESTS and not studies[target.study].volumes:
                what = f"no volumes are declared for the study {target.study!r}"
                mend = f"declare volumes, count and busy, of the study in {self.file}"
                yield Issue(what, self.place_of(target), mend)

    def _homeless(self) -> Iterator[Issue]:
        """Systems that no machine has, or that campaign.yaml does not know."""
        placed = [s for one in self.making.machines.values() for s in one.systems]
        for study, bench in self.making.studies.items():
            for roles in (bench.roles, *bench.of_shape.values()):
                for system in roles.values():
                    if system not in placed or system not in self.cps:
                        what = f"{system!r} is no system of a machine and campaign.yaml"
                        mend = f"use one of: {', '.join(placed)}"
                        yield Issue(what, self.place("studies", study), mend)


@dataclass(frozen=True)
class Arm(session.Arm):
    """A workload over a configuration in a study, and the level of each quantity of
    :attr:`Target.quantity`: ``rate`` [1/s], ``response_time`` [ms], a role for its CPU
    cost [µs], ``storage of`` an area [MB], and ``io_rate of`` a role [1/s]."""

    level: dict[str, float] = field(default_factory=dict, compare=False)


def levels(declared: ServiceDeclaration) -> dict[str, Arm]:
    """All arms by their keys; a :class:`UserError` lists targets that cannot be met."""
    arms: dict[str, Arm] = {}

    def arm(target: Target, configuration: str) -> Arm:
        made = Arm(target.study, configuration, target.load)
        return arms.setdefault(made.key, made)

    issues = []
    for target in sorted(declared.targets, key=lambda target: target.kind == "change"):
        quantity, value = target.quantity, target.value
        if target.kind == "change":
            base = arm(target, str(target.baseline)).level
            if quantity not in base:
                what = f"the baseline of this target has no value: {target.words}"
                mend = "give its baseline a row of the kind value, before this one"
                issues.append(Issue(what, declared.place_of(target), mend))
                continue
            value = base[quantity] * target.ratio
        elif target.metric == "throughput":
            value = value * 1e6 / _moved(target.load)
        arm(target, target.test).level[quantity] = value
    raise_if(issues)
    raise_if([issue for each in arms.values() for issue in _too_busy(declared, each)])
    return arms


def _too_busy(declared: ServiceDeclaration, arm: Arm) -> Iterator[Issue]:
    """Systems that would be busier than they can be."""
    systems = declared.making.studies[arm.study].systems(arm.workload.shape)
    for role, system in systems.items():
        spent = arm.level.get(role, 0) * arm.level.get(RATE, 0) / 1e6
        if (share := spent / declared.cps[system]) > 1:
            what = f"{arm.words} would make {system} "
            place = declared.place("studies", arm.study)
            mend = "lower the rate or the CPU cost"
            yield Issue(f"{what}{share:.0%} busy", place, mend)


def _moved(load: Workload) -> int:
    """Bytes that a transaction moves the way that counts."""
    return max(load.request_bytes, load.response_bytes)


@dataclass(frozen=True, kw_only=True)
class Run(session.Run):
    """A run: response [ms], CPU cost by role [µs], storage by area [MB] and requests to
    devices by role [1/s]."""

    bench: Bench
    transactions: int
    millis: int
    response: float
    costs: Mapping[str, float]
    storage: Mapping[str, float]
    requests: Mapping[str, float]

    def of_system(self, system: str, by_role: Mapping[str, float]) -> float:
        """What the roles of a system come to."""
        return sum(
            by_role.get(role, 0)
            for role, other in self.systems.items()
            if other == system
        )


def sessions(declared: ServiceDeclaration) -> Iterator[list[Run]]:
    """The runs of each study in the order of time."""
    days, arms = weekdays(declared.making.first), levels(declared).values()
    for study, bench in declared.making.studies.items():
        step = dt.timedelta(seconds=bench.seconds + bench.seconds // 10)
        mine = [arm for arm in arms if arm.study == study]
        order = turns(declared, mine, next(days), step, study)
        scatter = Scatter(order)
        yield [_run(declared, bench, turn, scatter) for turn in order]


def _run(
    declared: ServiceDeclaration, bench: Bench, turn: Turn[Arm], scatter: Scatter
) -> Run:
    """The figures of a run: levels with scatter around an exact median."""
    arm, level = turn.arm, turn.arm.level
    by = {
        name: scatter.factor(
            name, turn, cv, declared.making.outliers if name == "rate" else 0
        )
        for name, cv in declared.making.noise.items()
    }

    def several(prefix: str, noise: Noise) -> dict[str, float]:
        """The quantities of this kind, by what they are of."""
        return {
            name.removeprefix(prefix): value * by[noise]
            for name, value in level.items()
            if name.startswith(prefix)
        }

    rate, response = level.get(RATE, 0.0), level.get(RESPONSE, 0.0)
    if response:
        response *= by["response"]
    elif rate:  # clients never wait
        response = arm.workload.clients / rate * 1e3 * (1 / by["rate"])
    rate *= by["rate"]
    millis, count = bench.seconds * 1000, round(rate * bench.seconds)
    if bench.transfers is not None:
        millis, count = round(bench.transfers / rate * 1000), bench.transfers
    systems = bench.systems(arm.workload.shape)
    return Run(
        arm=arm,
        systems={str(role): system for role, system in systems.items()},
        repetition=turn.repetition,
        failed=turn.failed,
        start=turn.start,
        end=turn.start + dt.timedelta(milliseconds=millis),
        rate=rate,
        bench=bench,
        transactions=count,
        millis=millis,
        response=response,
        costs={str(role): level[role] * by["cpu"] for role in systems if role in level},
        storage=several(_AREA, "storage"),
        requests=several(_ASKED, "rate"),
    )


def make(declared: ServiceDeclaration) -> Iterator[Part]:
    """The files and runs of every study."""
    for runs in sessions(declared):
        part = Part()
        for run in runs:
            name = run.file(
                run.bench.tool, "txt" if run.bench.tool == "h2load" else "csv"
            )
            part.files[name] = _log(run)
            part.rows.append(
                run.row(name, [dump_file(run.arm.study, s) for s in _recorded([run])])
            )
        for system in _recorded(runs):
            there = [run for run in runs if system in run.systems.values()]
            minutes = [_minute(declared, run, system) for run in there]
            part.files[dump_file(runs[0].arm.study, system)] = dump(
                minutes, there[-1].end
            )
        yield part


def _recorded(runs: list[Run]) -> list[str]:
    """The systems whose CPU time is known."""
    return list(
        dict.fromkeys(s for run in runs if run.costs for s in run.systems.values())
    )


def _log(run: Run) -> bytes:
    """What the program that made the load tells of a run."""
    load, failed = run.workload, run.transactions // _LOST if run.failed else 0
    if run.bench.tool == "storage":
        sizes = {area: round(size * 1e6) for area, size in run.storage.items()}
        system = next(iter(run.systems.values()))
        return contract_storage(system, load.name, run.start, sizes, cut=run.failed)
    if run.bench.tool == "h2load":
        return h2load_log(
            run.id, load.clients, run.transactions, failed, run.rate,
            run.response * 1000, load.response_bytes,
        )  # fmt: skip
    return contract_result(
        run.start,
        tool=run.bench.program,
        workload=load.name,
        seconds=run.millis / 1000,
        transactions=run.transactions,
        latency_mean_ms=round(run.response, 4),
        bytes_per_second=run.rate * (load.request_bytes + load.response_bytes),
        errors=failed,
    )


def _minute(declared: ServiceDeclaration, run: Run, system: str) -> Minute:
    """What a system records of one run, which is one interval."""
    seconds, machine, bench = run.millis / 1000, declared.machine(system), run.bench
    share = BROKEN_OFF if run.failed else 1
    used = run.of_system(system, run.costs) * run.transactions / 1e6 * share
    details = declared.campaign.configurations[run.arm.configuration].details
    release = declared.release(run.arm.configuration)
    earlier = "ZV010200" if "V1R2" in str(details.get("Release")) else "OV021000"
    level = level_of(release) if release else earlier
    before: list[bytes] = []
    if bench.records and not run.failed:
        before += _transfers(run, system)
    if bench.volumes and (asked := run.of_system(system, run.requests)):
        before.append(
            device_record(
                interval(system, run.start, run.millis, machine, level),
                *_devices(bench.volumes, asked, seconds, share),
            )
        )
    spaces, counted = [], 0.0
    for job in declared.campaign.cpu.jobs or bench.jobs:
        cpu = used * bench.jobs.get(job, 0.0)
        begun, counted = counted, counted + cpu
        tcb = _counted(begun, begun + cpu * _TCB)
        srb = _counted(begun + cpu * _TCB, counted)
        program = _PROGRAMS.get(job, job)
        spaces.append(
            space_record(system, OFFSET, job, program, run.start, seconds, tcb, srb)
        )
    return Minute(
        system=system,
        start=run.start,
        millis=run.millis,
        machine=machine,
        level=level,
        engines={
            name: _engines(declared.cps[name], used if name == system else 0.0, seconds)
            for name in machine.systems
        },
        before=before,
        after=spaces,
    )


def _counted(begun: float, ended: float) -> float:
    """CPU seconds in hundredths, as records have them: what one is short of, the next
    one has, so that all together are short of half a hundredth at most."""
    return round(round(ended, 2) - round(begun, 2), 2)


def _engines(cps: int, used: float, seconds: float) -> list[Engine]:
    """CPs that are equally busy."""
    return [Engine("CP", min(used * _REST / cps + _IDLE * seconds, seconds))] * cps


def _devices(
    volumes: Volumes, asked: float, seconds: float, share: float
) -> tuple[dict[int, str], int, float]:
    """Volumes by number, the requests to each, and the time [ms] of one, such that all
    take their share of the device's time."""
    requests = max(round(asked * seconds * share / volumes.count), 1)
    each = volumes.busy * share * seconds * 1000 / requests
    names = {_FIRST_DEVICE + n: f"SYNV{n + 1:02}" for n in range(volumes.count)}
    return names, requests, each


def _transfers(run: Run, system: str) -> Iterator[bytes]:
    """Records 119-70 of the last transfer of each client."""
    load, draw = run.workload, source("transfer", run.id)
    seconds = load.clients / run.rate
    for nth in range(load.clients):
        begun = run.end - dt.timedelta(seconds=seconds + draw.random())
        it = Transfer(
            (begun + dt.timedelta(hours=OFFSET)).replace(tzinfo=None),
            _moved(load),
            round(seconds * 100),
            "RETR" if load.shape == "GET" else "STOR",
            f"192.0.2.{10 + nth % 4}",
            sid=system,
        )
        yield server_transfer(it, (_HOST, f"SYNFTP.FILE{nth + 1:02}"))
