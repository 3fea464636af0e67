"""What an author declares of a campaign: ``raw/<campaign>/campaign.yaml``."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator, model_validator

from analysis.declared import Declared, read_declared
from analysis.fact import Origin

Role = Literal[
    "client", "server", "sender", "receiver", "distributor", "target", "router"
]
# Formats with intervals of z/OS, in the order in which one is chosen where several
# tell of the same time.
Evidence = Literal["smf", "rmf_xml", "rmf_text", "mapped_csv", "rmf_json"]
# What of an LPAR its CPU time is taken from.
CpuSource = Literal[
    "cgroup", "procstat", "lpar_busy", "dispatch", "class", "address_space"
]
CPU_SOURCES: dict[CpuSource, str] = {
    "cgroup": "the control group of each side, which counts that side alone",
    "procstat": "/proc/stat of each system, which counts all that runs there",
    "lpar_busy": "LPAR busy of RMF, averaged over the online CPs",
    "dispatch": "dispatch time of the LPAR, as PR/SM counts it",
    "class": "service or report classes of RMF workload activity",
    "address_space": "address spaces of SMF type 30",
}
INTERVAL_SOURCES: tuple[CpuSource, ...] = (
    "lpar_busy", "dispatch", "class", "address_space",
)  # fmt: skip
CAMPAIGN_FILE, RUNS_FILE = "campaign.yaml", "runs.csv"
ROLES: tuple[Role, ...] = get_args(Role)
Details = dict[str, str | int | float]
Share = Annotated[float, Field(ge=0, le=1)]
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]


class Measured(Declared):
    """Who measured, when and how."""

    by: str
    start: dt.date = Field(alias="from")
    end: dt.date = Field(alias="to")
    how: str


class System(Declared):
    """An LPAR or host that took part.

    ``host`` names the machine that it runs on, where CPU files speak of the machine;
    ``hz`` is how many clock ticks /proc/stat counts a second.
    """

    role: Role | None = None
    cps: int = Field(gt=0)
    dedicated: bool = False
    host: Id | None = None
    hz: int = Field(default=100, gt=0)
    description: str = ""


class Configuration(Declared):
    """What is compared. ``details`` are printed as the environment configuration."""

    label: str
    details: Details
    control_of: Id | None = None


class Cpu(Declared):
    """Where CPU time comes from and how much of a run it must cover.

    ``classes`` (all of one ``class_kind``) and ``jobs`` name whose time counts where
    the source is ``class`` or ``address_space``. ``idle`` is how many CPs of that
    source's time a system uses when nothing runs, if that is to be taken off.
    """

    source: CpuSource
    classes: list[str] = Field(default_factory=list)
    class_kind: Literal["service", "report"] = "service"
    jobs: list[str] = Field(default_factory=list)
    minimum_coverage: Share = 0.8
    idle: dict[Id, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)

    @property
    def parts(self) -> tuple[str, ...]:
        """Names whose time counts; none where all of a system counts."""
        return tuple(self.classes or self.jobs)

    @property
    def described(self) -> str:
        """The source in words, with the names whose time counts."""
        kind = {"class": f"{self.class_kind} class", "address_space": "job"}
        if self.source not in kind:
            return CPU_SOURCES[self.source]
        return f"{CPU_SOURCES[self.source]}: {kind[self.source]} " + ", ".join(
            self.parts
        )

    @model_validator(mode="after")
    def _named(self) -> Cpu:
        for source, entry in (("class", "classes"), ("address_space", "jobs")):
            named = getattr(self, entry)
            if self.source == source and not named:
                raise ValueError(f"source {source} needs {entry}: [NAME, …]")
            if self.source != source and named:
                raise ValueError(f"{entry} is only for the source {source}")
            if len(set(named)) < len(named):
                raise ValueError(f"{entry} names one twice, which would count twice")
        return self


class Gates(Declared):
    """Tolerances beyond which the identities flag a run, as a share of one."""

    little: Share = 0.1
    utilisation: Share = 0.1
    idle_before: Share = 0.9


class Campaign(Declared):
    """One body of raw data measured together."""

    title: str
    origin: Origin
    measured: Measured
    zone: str
    dates: Literal["mdy", "dmy", "ymd"] = "mdy"  # of local-only files
    sources: list[Evidence] = Field(default_factory=lambda: list(get_args(Evidence)))
    licence: str = ""
    systems: dict[Id, System]
    configurations: dict[Id, Configuration]
    cpu: Cpu
    gates: Gates = Gates()
    hardware: Details = Field(default_factory=dict)
    software: Details = Field(default_factory=dict)
    files: dict[str, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]]

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"{zone!r} is not a time zone such as UTC") from None
        return zone


def read_campaign(folder: Path) -> Campaign:
    """The declaration of the campaign in ``folder``, checked."""
    return read_declared(folder / CAMPAIGN_FILE, Campaign)
