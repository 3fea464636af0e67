"""How the runs of a campaign of network loads are made: machines, paths and mixes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field, field_validator

from analysis.declared.base import Declared
from analysis.declared.mistakes import form
from analysis.declared.names import Id, Name
from analysis.declared.vocabulary import Role
from analysis.declared.workload import parse_workload
from analysis.errors import Issue
from synthetic import declaration
from synthetic.declaration import RELEASE, Declaration, NotNegative, Positive

Shape = str
METRICS = frozenset({"rate", "latency", "throughput", "cpu_cost", "cpu_cost_ziip"})


class Machine(declaration.Machine):
    """A CPC, with its capacity against the reference; ``others`` are systems that run
    with its LPARs and are none of them."""

    capacity: Positive
    others: tuple[Id, ...] = ()

    @property
    def all_systems(self) -> tuple[str, ...]:
        """Its LPARs, and the others."""
        return (*self.systems, *self.others)


class Port(Declared):
    """The interface that carries the payload; ``tcp``: as segments of TCP."""

    name: Annotated[
        str, Field(pattern=form(r"^[A-Z0-9@#$]{1,16}$", "at most 16 capitals"))
    ]
    kind: Annotated[str, Field(pattern=form(r"^[A-Z0-9]{1,18}$", "such as IPAQENET"))]
    tcp: bool = True
    speed: int = 25_000


class Handling(Declared):
    """What opening a connection costs each side [µs of CPU], and its delay [µs]."""

    client: NotNegative = 0
    server: NotNegative = 0
    delay: NotNegative = 0


class Way(Declared):
    """The parameters of a way between two systems, and who goes it.

    CPU times are of the reference machine: ``fixed_cpu`` [µs] of a transaction,
    ``packet_cpu`` [µs] of a received packet, ``byte_cpu`` [µs/kB]; ``send_cpu`` and
    ``receive_cpu`` [µs/MB] of a stream; ``forward_cpu`` [µs] of a packet that is passed
    on. ``adapter`` [µs] is the adapter's time for a packet, ``delay`` [µs] and
    ``delay_kb`` [µs/kB] are without queueing. ``fabric`` [GB/s] is what streams can
    have, ``window`` their units of 64 kB under way, ``link`` [Gbit/s] the line's rate.
    ``stream_mtu`` is the MTU of streams, if it is another. ``via`` is the Sysplex
    Distributor that is passed; what no TCP carries goes past it.
    """

    configurations: tuple[Id, ...]
    machine: Id = "z17"
    near: Id = "SYNA"
    far: Id = "SYNB"
    via: Id | None = None
    mtu: int = 1500
    stream_mtu: int | None = None
    link: Positive | None = None
    fixed_cpu: NotNegative
    packet_cpu: NotNegative = 0
    byte_cpu: NotNegative
    send_cpu: NotNegative = 0
    receive_cpu: NotNegative = 0
    forward_cpu: NotNegative = 0
    adapter: NotNegative = 0
    delay: Positive
    delay_kb: NotNegative = 0
    fabric: Positive = 100
    window: int = 32
    connect: Handling = Handling()
    port: Port


class Mix(Declared):
    """Loads that run at the same time, and the systems of the roles of each."""

    configurations: tuple[Id, ...]
    loads: dict[str, dict[Role, Id]]
    paths: dict[str, str] = Field(default_factory=dict)  # where not the configuration's


class Scatter(Declared):
    """Coefficients of variation of a shape."""

    rate: Positive
    cpu: Positive


class Counters(Declared):
    """Hardware counters of CPs in the dumps of a study: the speed of the CPs, cycles
    per instruction by configuration, and their coefficient of variation."""

    cycles_per_us: Annotated[int, Field(gt=0)]
    cycles_per_instruction: dict[Id, Positive]
    scatter: NotNegative = 0


class Making(declaration.Making):
    """All of the file."""

    busiest: Annotated[float, Field(gt=0, lt=1)]
    noise: dict[Shape, Scatter]
    session: NotNegative
    exact: tuple[Name, ...] = ()
    drift: dict[Name, float] = Field(default_factory=dict)
    outliers: NotNegative = 0
    machines: dict[Id, Machine]
    ziips: dict[Id, Annotated[int, Field(gt=0)]] = Field(default_factory=dict)
    paths: dict[Name, Way]
    mixes: dict[Name, Mix] = Field(default_factory=dict)
    counters: dict[Name, Counters] = Field(default_factory=dict)
    netperf: tuple[Name, ...] = ()
    reports: dict[Name, tuple[Id, ...]] = Field(default_factory=dict)
    reports_alone: dict[Name, tuple[Id, ...]] = Field(default_factory=dict)

    @field_validator("paths", mode="before")
    @classmethod
    def _without_patterns(cls, paths: Any) -> Any:
        """What begins with a dot only lends its entries to others."""
        return {k: v for k, v in paths.items() if not str(k).startswith(".")}


class NetworkDeclaration(Declaration[Making]):
    """A campaign of network loads."""

    @cached_property
    def path_names(self) -> dict[str, str]:
        """The path of each configuration."""
        return {c: n for n, p in self.making.paths.items() for c in p.configurations}

    def path_name(self, configuration: str, load: str) -> str:
        """The name of the path of a load over a configuration."""
        mix = self.mix_of(configuration)
        of_mix = mix.paths.get(load) if mix else None
        return of_mix or self.path_names[configuration]

    def path(self, configuration: str, load: str) -> Way:
        """The path of a load over a configuration."""
        path = self.making.paths[self.path_name(configuration, load)]
        if path.stream_mtu is None or parse_workload(load).shape != "STR":
            return path
        return path.model_copy(update={"mtu": path.stream_mtu})

    @cached_property
    def mixes(self) -> dict[str, Mix]:
        """The mix of each configuration that has one."""
        return {
            c: mix for mix in self.making.mixes.values() for c in mix.configurations
        }

    def mix_of(self, configuration: str) -> Mix | None:
        """The loads that run together over a configuration, if there are any."""
        return self.mixes.get(configuration)

    def machine(self, configuration: str) -> Machine:
        """The machine of a configuration."""
        return self.making.machines[
            self.making.paths[self.path_names[configuration]].machine
        ]

    def mistakes(self) -> Iterator[Issue]:
        """What does not fit together."""
        yield from super().mistakes()
        yield from _unknown(self)
        yield from _without_path(self)


def _unknown(declared: NetworkDeclaration) -> Iterator[Issue]:
    """Systems, machines and loads that are declared nowhere."""
    for name, path in declared.making.paths.items():
        known: Mapping[str, object] = declared.campaign.systems
        for end in filter(None, (path.near, path.via, path.far)):
            if end not in known:
                what = f"campaign.yaml declares no system {end!r}"
                yield Issue(what, declared.place("paths", name), ", ".join(known))
        if path.machine not in declared.making.machines:
            what = f"there is no machine {path.machine!r}"
            yield Issue(
                what, declared.place("paths", name), ", ".join(declared.making.machines)
            )
    for name, mix in declared.making.mixes.items():
        for load in mix.loads:
            try:
                parse_workload(load)
            except ValueError as error:
                yield Issue(str(error), declared.place("mixes", name, "loads", load))


def _without_path(declared: NetworkDeclaration) -> Iterator[Issue]:
    """Configurations with targets that go no path, or have no release."""
    known = declared.campaign.configurations
    for target in declared.targets:
        place = declared.place_of(target)
        for id in (target.baseline, target.test):
            if id is None or id not in known:
                continue
            if id not in declared.path_names:
                mend = f"name it under the configurations of a path in {declared.file}"
                yield Issue(f"no path has the configuration {id!r}", place, mend)
            elif not declared.release(id):
                mend = f"give it the detail {RELEASE!r} in campaign.yaml"
                yield Issue(f"the configuration {id!r} has no release", place, mend)
