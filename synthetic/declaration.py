"""What is declared of a campaign that can be generated, whatever generates it.

``synthetic/campaigns/<campaign>.yaml`` says how its runs are made, and by which
generator. Beside it lies the folder with what is handed on as it stands, campaign.yaml
and README.md; the targets are in ``data/targets``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, Field

from analysis.declared.base import Declared, line_of
from analysis.declared.campaign import Campaign
from analysis.declared.mistakes import form
from analysis.declared.names import Id, Name
from analysis.declared.targets import Target
from analysis.declared.workload import parse_workload
from analysis.errors import Issue, Place

RELEASE = "z/OS release"  # the detail of a configuration that names it
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
System = Annotated[
    str,
    Field(pattern=form(r"^[A-Z@#$][A-Z0-9@#$]{0,3}$", "a name of at most 4 capitals")),
]
Job = Annotated[
    str,
    Field(pattern=form(r"^[A-Z@#$][A-Z0-9@#$]{0,7}$", "a name of at most 8 capitals")),
]
Family = Annotated[str, Field(pattern=form(r"^[0-9A-F]{4}$", "four hex digits"))]
Model = Annotated[
    str, Field(pattern=form(r"^[A-Z0-9]{1,16}$", "at most 16 capitals and digits"))
]


class Machine(Declared):
    """A CPC: what records call it, and its LPARs."""

    type: Family
    model: Model
    systems: tuple[System, ...]


class Failure(Declared):
    """A run that fails, and is made once more."""

    study: Name
    configuration: Id
    workload: Annotated[str, AfterValidator(lambda name: parse_workload(name).name)]
    repetition: int


class Making(Declared):
    """How runs are made; each generator adds what it needs to know."""

    generator: Id
    repetitions: Annotated[int, Field(ge=2)]
    first: dt.datetime
    failures: tuple[Failure, ...] = ()


Made = TypeVar("Made", bound=Making)


@dataclass(frozen=True)
class Declaration(Generic[Made]):
    """A campaign that can be generated: what is declared of it, wherever it stands."""

    id: str
    folder: Path
    campaign: Campaign
    making: Made
    targets: tuple[Target, ...]
    file: Path
    targets_file: Path
    node: Any

    @cached_property
    def cps(self) -> dict[str, int]:
        """How many CPs each system has."""
        return {id: system.cps for id, system in self.campaign.systems.items()}

    @cached_property
    def failing(self) -> dict[str, int]:
        """The repetition that fails, by the key of its arm."""
        return {
            f"{f.study}/{f.configuration}/{f.workload}": f.repetition
            for f in self.making.failures
        }

    def release(self, configuration: str) -> str:
        """The release of z/OS of a configuration, empty where none is declared."""
        details = self.campaign.configurations[configuration].details
        return str(details.get(RELEASE, ""))

    def place(self, *keys: str) -> Place:
        """Where an entry stands."""
        return Place(str(self.file), line_of(self.node, keys))

    def place_of(self, target: Target) -> Place:
        """Where a target stands."""
        return Place(str(self.targets_file), target.line)

    def mistakes(self) -> Iterator[Issue]:
        """What does not fit together; of targets, what campaign.yaml does not know."""
        declared = self.campaign.configurations
        for target in self.targets:
            for id in filter(None, (target.baseline, target.test)):
                if id not in declared:
                    what = f"campaign.yaml declares no configuration {id!r}"
                    mend = "declare it, or mend the name"
                    yield Issue(what, self.place_of(target), mend)
