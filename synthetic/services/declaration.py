"""How the runs of a campaign of services are made: machines, benches and scatter."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from analysis.declared.base import Declared
from analysis.declared.cpu import Role
from analysis.declared.names import Id, Name
from analysis.declared.targets import Target
from analysis.errors import Issue
from synthetic import declaration
from synthetic.declaration import Declaration

Positive = Annotated[float, Field(gt=0)]
Noise = Literal["rate", "response", "cpu", "storage"]
Scatter = Annotated[float, Field(gt=0, lt=0.2)]
REQUESTS = "io_rate"
_WHOLE = 1e-9


class Machine(Declared):
    """A CPC: what records call it, and its LPARs."""

    type: Annotated[str, Field(pattern=r"^[0-9A-F]{4}$")]
    model: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,16}$")]
    systems: tuple[Id, ...]


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
    jobs: dict[str, Positive] = Field(default_factory=dict)
    records: bool = False  # of each transfer, as the FTP server writes them
    volumes: Volumes | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.jobs and abs(sum(self.jobs.values()) - 1) > _WHOLE:
            raise ValueError("the shares of the jobs add up to 1")
        return self

    def systems(self, shape: str) -> dict[Role, Id]:
        """The system of each role in runs of a shape."""
        return self.of_shape.get(shape, self.roles)


class Failure(Declared):
    """A run that fails, and is made once more."""

    study: Name
    configuration: Id
    workload: str
    repetition: int


class Making(declaration.Making):
    """All of the file; ``noise`` are coefficients of variation by quantity."""

    seed: int
    repetitions: Annotated[int, Field(ge=2)]
    first: dt.datetime
    noise: dict[Noise, Scatter]
    outliers: Annotated[float, Field(ge=0, lt=1)] = 0
    failures: tuple[Failure, ...] = ()
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
        for target in self.targets:
            if target.study not in self.making.studies:
                what = f"no runs are declared for the study {target.study!r}"
                mend = f"name it under studies in {self.file}"
                yield Issue(what, self.place_of(target), mend)
            elif target.metric == REQUESTS and not self._volumes(target):
                what = f"no volumes are declared for the study {target.study!r}"
                mend = f"declare volumes, count and busy, of the study in {self.file}"
                yield Issue(what, self.place_of(target), mend)

    def _volumes(self, target: Target) -> Volumes | None:
        return self.making.studies[target.study].volumes

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
