"""How the runs of a campaign of a gateway are made: what a transaction costs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from functools import cached_property
from typing import Annotated

from pydantic import Field

from analysis.declared.base import Declared
from analysis.declared.names import Id, Name
from analysis.declared.workload import Workload, parse_workload
from analysis.errors import Issue
from synthetic import declaration
from synthetic.declaration import Declaration
from synthetic.emitters.smf_70 import Family, Model

Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
GATEWAY, REST = "gateway", "rest"


class Cost(Declared):
    """Time of a transaction [ms]: one for each, and one for each kB of its payload."""

    each: NotNegative
    kb: NotNegative = 0

    def of(self, load: Workload) -> float:
        """The time of a transaction of a load."""
        return self.each + self.kb * load.request_bytes / 1024


class Protocol(Declared):
    """What clients of some configurations speak: its CPU time in the gateway, and the
    time that a transaction spends outside, at the client and on the line."""

    configurations: tuple[Id, ...]
    gateway: Cost
    outside: Cost


class Part(Declared):
    """An address space beside the gateway, and the CPU time of a transaction in it."""

    job: str
    program: str
    cpu: Cost


class Zaap(Declared):
    """zAAPs of the systems that have some.

    ``eligible`` is the share of the gateway's CPU time that may run there, ``places``
    how many pieces of work a zAAP serves or holds; further ones run on CPs.
    """

    systems: dict[Id, Annotated[int, Field(ge=1)]]
    eligible: Share
    places: Annotated[int, Field(ge=1)]


class Scatter(Declared):
    """Coefficients of variation of runs: of the rate while CPUs wait and while they are
    full, of CPU time, and of the response time."""

    rate: Positive
    full: Positive
    cpu: Positive
    response: Positive


class Failure(Declared):
    """A run that breaks off, and is made once more."""

    study: Name
    configuration: Id
    workload: str
    repetition: int


class Question(Declared):
    """A study: the system on which its configurations ran, and all their loads."""

    system: Id
    configurations: tuple[Id, ...]
    loads: tuple[str, ...]


class Making(declaration.Making):
    """All of the file; ``think`` [ms] is the time of a client between an answer and its
    next request, ``busiest`` the share of its engines that a system can use."""

    seed: int
    repetitions: Annotated[int, Field(ge=2)]
    first: dt.datetime
    minutes: Annotated[int, Field(ge=1)]
    think: Positive
    busiest: Annotated[float, Field(gt=0, lt=1)]
    noise: Scatter
    failures: tuple[Failure, ...] = ()
    family: Family
    model: Model
    gateway: str
    protocols: dict[Name, Protocol]
    parts: dict[Name, Part]
    rest: Cost
    zaap: Zaap
    studies: dict[Name, Question]


class GatewayDeclaration(Declaration[Making]):
    """A campaign of a gateway."""

    @cached_property
    def protocols(self) -> dict[str, Protocol]:
        """The protocol of each configuration."""
        own = self.making.protocols.values()
        return {id: one for one in own for id in one.configurations}

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
