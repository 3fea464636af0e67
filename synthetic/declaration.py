"""How the runs of a campaign are made: ``synthetic/campaigns/<campaign>.yaml``.

Beside it lies the folder with what is handed on as it stands, campaign.yaml and
README.md; the targets are in ``data/targets``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator

from analysis.declared.base import Declared, check_declared, line_of, load_yaml
from analysis.declared.campaign import Campaign, Role, read_campaign
from analysis.declared.names import Id, Name
from analysis.declared.targets import Target, read_targets
from analysis.declared.workload import parse_workload
from analysis.errors import Issue, Place, raise_if

Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Shape = str


class Machine(Declared):
    """A CPC: its capacity against the reference, what records call it, its LPARs."""

    capacity: Positive
    type: Annotated[str, Field(pattern=r"^\d{4}$")]
    model: str
    systems: tuple[Id, ...]


class Port(Declared):
    """The interface that carries the payload; ``tcp``: as segments of TCP."""

    name: str
    kind: str
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
    """

    configurations: tuple[Id, ...]
    machine: Id = "z17"
    near: Id = "SYNA"
    far: Id = "SYNB"
    mtu: int = 1500
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


class Failure(Declared):
    """A run that fails, and is made once more."""

    study: Name
    configuration: Id
    workload: str
    repetition: int


class Scatter(Declared):
    """Coefficients of variation of a shape."""

    rate: Positive
    cpu: Positive


class Making(Declared):
    """All of the file."""

    seed: int
    repetitions: Annotated[int, Field(ge=2)]
    first: dt.datetime
    busiest: Annotated[float, Field(gt=0, lt=1)]
    noise: dict[Shape, Scatter]
    session: NotNegative
    exact: tuple[Name, ...] = ()
    drift: dict[Name, float] = Field(default_factory=dict)
    outliers: NotNegative = 0
    failures: tuple[Failure, ...] = ()
    machines: dict[Id, Machine]
    paths: dict[Name, Way]
    mixes: dict[Name, Mix] = Field(default_factory=dict)
    netperf: tuple[Name, ...] = ()
    reports: dict[Name, tuple[Id, ...]] = Field(default_factory=dict)
    reports_alone: dict[Name, tuple[Id, ...]] = Field(default_factory=dict)

    @field_validator("paths", mode="before")
    @classmethod
    def _without_patterns(cls, paths: Any) -> Any:
        """What begins with a dot only lends its entries to others."""
        return {k: v for k, v in paths.items() if not str(k).startswith(".")}


@dataclass(frozen=True)
class Declaration:
    """A campaign that can be generated: what is declared of it, wherever it stands."""

    id: str
    folder: Path
    campaign: Campaign
    making: Making
    targets: tuple[Target, ...]
    file: Path
    targets_file: Path
    node: Any

    @cached_property
    def path_names(self) -> dict[str, str]:
        """The path of each configuration."""
        return {c: n for n, p in self.making.paths.items() for c in p.configurations}

    def path(self, configuration: str, mix: Mix | None = None, load: str = "") -> Way:
        """The path of a load over a configuration."""
        own = mix.paths.get(load) if mix else None
        return self.making.paths[own or self.path_names[configuration]]

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
        return self.making.machines[self.path(configuration).machine]

    @cached_property
    def cps(self) -> dict[str, int]:
        """How many CPs each system has."""
        return {id: system.cps for id, system in self.campaign.systems.items()}

    def place(self, *keys: str) -> Place:
        """Where an entry stands."""
        return Place(str(self.file), line_of(self.node, keys))

    def place_of(self, target: Target) -> Place:
        """Where a target stands."""
        return Place(str(self.targets_file), target.line)


def read_declaration(campaign: str, folder: Path, targets: Path) -> Declaration:
    """What is declared of a campaign; a :class:`UserError` lists every mistake."""
    file = folder.with_name(f"{campaign}.yaml")
    data, node = load_yaml(file)
    making = check_declared(data, node, Making, file)
    found = Declaration(
        campaign,
        folder,
        read_campaign(folder),
        making,
        read_targets(targets),
        file,
        targets,
        node,
    )
    raise_if([*_unknown(found), *_without_path(found)])
    return found


def _unknown(of: Declaration) -> Iterator[Issue]:
    """Configurations and systems that campaign.yaml does not declare."""
    declared = of.campaign.configurations
    for target in of.targets:
        for id in filter(None, (target.baseline, target.test)):
            if id not in declared:
                what = f"campaign.yaml declares no configuration {id!r}"
                yield Issue(what, of.place_of(target), "declare it, or mend the name")
    for name, path in of.making.paths.items():
        known: Mapping[str, object] = of.campaign.systems
        for end in (path.near, path.far):
            if end not in known:
                what = f"campaign.yaml declares no system {end!r}"
                yield Issue(what, of.place("paths", name), ", ".join(known))
        if path.machine not in of.making.machines:
            what = f"there is no machine {path.machine!r}"
            yield Issue(what, of.place("paths", name), ", ".join(of.making.machines))
    for name, mix in of.making.mixes.items():
        for load in mix.loads:
            try:
                parse_workload(load)
            except ValueError as error:
                yield Issue(str(error), of.place("mixes", name, "loads", load))


def _without_path(of: Declaration) -> Iterator[Issue]:
    """Configurations with targets that go no path."""
    for target in of.targets:
        if target.test not in of.path_names:
            what = f"no path has the configuration {target.test!r}"
            mend = "name it under the configurations of a path"
            yield Issue(what, of.place_of(target), f"{mend} in {of.file}")
