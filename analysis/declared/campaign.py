"""What an author declares of a campaign: ``raw/<campaign>/campaign.yaml``.

A campaign whose files a generator makes is declared in ``synthetic/campaigns``; a build
puts it, whole, below ``data/build/raw``.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from analysis.declared.base import Declared, check_declared, line_of, load_yaml
from analysis.declared.mistakes import form
from analysis.declared.names import FOLDER, Id, Zone, find_named
from analysis.declared.snapshots import captured_differences
from analysis.declared.vocabulary import (
    CPU_SOURCES,
    INTERVAL_SOURCES,
    CpuSource,
    Origin,
    PartRole,
    SystemRole,
    SystemSource,
)
from analysis.declared.workload import SHAPES, PayloadUnits, parse_workload
from analysis.errors import user_error
from analysis.files.checksums import RECORD, SUMS_FILE

# Formats with intervals of z/OS, in the order in which one is chosen where several
# tell of the same time.
Evidence = Literal["smf", "rmf_xml", "rmf_text", "mapped_csv", "rmf_json"]
# EBCDIC code pages that the texts of a dump may be in.
CodePageName = Literal[
    "037", "273", "277", "278", "280", "284", "285", "297", "424", "500", "871",
    "875", "1026", "1047", "1140", "1141", "1148",
]  # fmt: skip
CodePage = Annotated[  # 1047 is a number to YAML
    CodePageName,
    BeforeValidator(
        lambda page: str(page) if isinstance(page, int) else page,
        json_schema_input_type=CodePageName | int,
    ),
]
CAMPAIGN_FILE, RUNS_FILE = "campaign.yaml", "runs.csv"
GENERATED = Path("data/build/raw")  # campaigns that a build generates
GENERATORS = Path("synthetic/campaigns")  # what it generates them from
MISSING = (
    "make it from the files there: python -m analysis campaign init {}; where a "
    "generator makes the campaign, run 'make report'"
)
Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(ge=0)]


def _no_switch(value: Any) -> Any:
    """YAML reads on, off, yes and no as true or false, which nobody would print."""
    if isinstance(value, bool):
        words = "on or yes" if value else "off or no"
        raise ValueError(
            f"YAML reads {words} as {str(value).lower()}; write it in quotes"
        )
    return value


Details = dict[str, Annotated[str | int | float, BeforeValidator(_no_switch)]]
_MTU = "MTU"  # the name, in any case, of the setting that has the bytes of a packet


def mtus(details: Mapping[str, str | int | float]) -> tuple[int, ...]:
    """The MTUs that settings print, in bytes: several where streams have their own."""
    values = (value for name, value in details.items() if name.upper() == _MTU)
    return tuple(size for value in values for size in byte_sizes(value))


def byte_sizes(value: str | int | float) -> list[int]:
    """The sizes in a setting such as ``8 kB`` or ``1500 and 9000``, in bytes."""
    sizes = re.findall(r"(\d+)\s*(k)?", str(value), re.IGNORECASE)
    return [int(number) * (1024 if kilo else 1) for number, kilo in sizes]


def _check_mtu(details: Details) -> Details:
    for name, value in details.items():
        if name.upper() == _MTU and not byte_sizes(value):
            raise ValueError(f"{name}: {value!r} has no number of bytes, as 9000")
    return details


Setup = Annotated[Details, AfterValidator(_check_mtu)]  # those of a configuration


class Cpu(Declared):
    """Where CPU time comes from and how much of a run it must cover.

    ``parts`` divide the system that has the role ``parts_of`` in a run. The ``rest`` is
    the whole less these, unless it names its own.
    """

    source: CpuSource
    """What of a system its CPU time is taken from."""
    classes: list[str] = Field(default_factory=list)
    """Names of the WLM classes whose time counts, where the source is class."""
    class_kind: Literal["service", "report"] = "service"
    """Whether these are service or report classes."""
    jobs: list[str] = Field(default_factory=list)
    """Names of the jobs whose time counts, where the source is address_space."""
    minimum_coverage: Share = 0.8
    """How much of a run's time the evidence must cover, 0 to 1."""
    idle: dict[Id, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """How many CPs a system uses in this source when nothing runs, by system; it is
    taken off."""
    parts: dict[PartRole, tuple[str, ...]] = Field(default_factory=dict)
    """Roles of what runs on one system, each with the names of its jobs or classes."""
    parts_from: Literal["address_space", "class"] = "address_space"
    """Whether the parts are named by jobs or by classes."""
    parts_of: SystemRole = "server"
    """Role of the system that has the parts."""

    @property
    def counted(self) -> tuple[str, ...]:
        """Names whose time counts; none where all of a system counts."""
        return tuple(self.classes or self.jobs)

    @property
    def whole(self) -> CpuSource:
        """The source that tells of all of a system that has parts."""
        return "dispatch" if self.source == "dispatch" else "lpar_busy"

    @property
    def described(self) -> str:
        """The source in words, with the names whose time counts."""
        return self._words(self.source, self.counted)

    def described_part(self, role: PartRole) -> str:
        """The source of a part in words: names, or the whole less all other names."""
        if named := self.parts.get(role):
            return self._words(self.parts_from, named)
        others = tuple(name for names in self.parts.values() for name in names)
        less = self._words(self.parts_from, others)
        return f"{CPU_SOURCES[self.whole]}, less {less}"

    def _words(self, source: CpuSource, names: tuple[str, ...]) -> str:
        kind = {"class": f"{self.class_kind} class", "address_space": "job"}
        if source not in kind:
            return CPU_SOURCES[source]
        return f"{CPU_SOURCES[source]}: {kind[source]} {', '.join(names)}"

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

    @model_validator(mode="after")
    def _divided(self) -> Cpu:
        for role, names in self.parts.items():
            if not names:
                raise ValueError(f"the part {role} needs names: {role}: [NAME, …]")
        of_parts = [name for names in self.parts.values() for name in names]
        if twice := sorted({n for n in of_parts if of_parts.count(n) > 1}):
            raise ValueError(
                f"parts names {twice[0]} twice, so they would be more than the whole; "
                "name it in one of them"
            )
        return self


class Measured(Declared):
    """Who measured, when and how."""

    by: str
    """Who measured: a person, a team or a company."""
    start: dt.date = Field(alias="from")
    """First day, as 2026-01-12."""
    end: dt.date = Field(alias="to")
    """Last day."""
    how: str
    """The method, in some sentences: tool, length of a run, order, repetitions."""


class Rates(Declared):
    """What a CP of a system is taken to have and to cost: assumptions, which are
    printed as such wherever something is computed from them."""

    msu_per_cp: float | None = Field(default=None, gt=0)
    """Capacity of one CP, in MSU: millions of service units an hour."""
    eur_per_cp_hour: float | None = Field(default=None, gt=0)
    """Price of an hour of one CP, in euro."""
    usd_per_cp_hour: float | None = Field(default=None, gt=0)
    """The same in US dollars."""


class System(Declared):
    """An LPAR or host that took part."""

    role: SystemRole | None = None
    """What it is in every run; left out where runs.csv tells the roles."""
    cps: int = Field(gt=0)
    """How many CPs, or CPUs, it has online."""
    dedicated: bool = False
    """Whether the CPs are its own."""
    host: Id | None = None
    """The machine that it runs on, where several systems share one, or where files call
    it by another name."""
    clock_ahead: float = 0.0
    """Seconds by which its clock was ahead of that of the logs, negative where behind;
    they are taken off the times that its records tell."""
    hz: int = Field(default=100, gt=0)
    """Clock ticks a second of /proc/stat."""
    cpu: SystemSource | None = None
    """Where its CPU time comes from, if not from the campaign's own source."""
    description: str = ""
    """Shown in the report."""
    assumed: Rates = Rates()
    """Rates by which CPU time becomes MSU and money; none are assumed if left out."""


class ModelSetup(Declared):
    """What tells one configuration from another to the performance models. Other loads
    of one configuration are predicted without it; another CPC needs it."""

    cpc: Id
    """Any id of the machine. Values move from one to another where
    models/params/generations.yaml has the capacity of both."""
    interface: Id
    """Any name of the interface; data of hipersockets and smcd never leave memory."""
    cps: int = Field(gt=0)
    """How many CPs each system has."""
    mtu: int | None = Field(default=None, gt=0)
    """In bytes; left out where the interface has none."""
    handshake: Id | None = None
    """Any name of what secures its connections. A value moves from one CPC to another
    between configurations alone that agree in this and in all else here."""


_SNAPSHOT = form(
    r"^\w[\w.@ ()-]*(/\w[\w.@ ()-]*)*$", "a file below the campaign's folder"
)
Snapshot = Annotated[str, Field(pattern=_SNAPSHOT)]


class Configuration(Declared):
    """What is compared. ``details`` are printed as the environment configuration."""

    label: str
    """How figures, tables and sentences call it."""
    details: Setup = Field(default_factory=dict)
    """Printed as the environment configuration, in this order; write "on" and "off" in
    quotes. One that is named MTU has its bytes, such as 9000 (jumbo frames)."""
    snapshots: dict[Id, Snapshot] = Field(default_factory=dict)
    """What was captured of its systems: files of `Name: value` lines below the
    campaign's folder, by system or role. What differs between configurations is
    printed with the details."""
    control_of: Id | None = None
    """The configuration that this one repeats unchanged, to show the noise."""
    think: float | None = Field(default=None, ge=0)
    """Think time of its clients in ms, where it is not that of the campaign."""
    model: ModelSetup | None = None
    """What performance models must know before a value that nobody measured may be
    predicted."""


class Gates(Declared):
    """Tolerances beyond which the identities flag a run, as a share of one."""

    little: Share = 0.1
    """How far Little's law may be off."""
    utilisation: Share = 0.1
    """How far CPU time may be from utilisation times CPs times seconds."""
    parts: Share = 0.05
    """How far the parts of a system may be from the whole of it."""
    idle_before: Share = 0.9
    """How idle the machine had to be before the run."""


class Campaign(Declared):
    """One body of raw data measured together."""

    title: str
    """One line that names the campaign."""
    origin: Origin
    """How its numbers came to be; shown wherever one of them is."""
    measured: Measured
    """Who measured, when and how."""
    zone: Zone
    """Time zone of files with local times only, such as UTC or America/New_York."""
    dates: Literal["mdy", "dmy", "ymd"] = "mdy"  # of local-only files
    """Order of printed dates in reports of RMF."""
    codepage: CodePage = "1047"
    """EBCDIC code page of the texts in SMF dumps; write "037" in quotes."""
    payload_units: PayloadUnits = "binary"  # of the workloads' names in runs.csv
    """Of the sizes in workloads' names in runs.csv: 1 kB is 1024 bytes, or 1000."""
    sources: list[Evidence] = Field(default_factory=lambda: list(get_args(Evidence)))
    """Which format is chosen where several files tell of the same time of a z/OS
    system, first come first."""
    licence: str = ""
    """Under which licence the files may be passed on."""
    systems: dict[Id, System]
    """Every LPAR or host that took part, by the name that RMF or the host itself has
    for it."""
    configurations: dict[Id, Configuration]
    """What is compared, by a short id."""
    cpu: Cpu
    """Where CPU time comes from."""
    gates: Gates = Gates()
    """When a run is flagged."""
    think: float | None = Field(default=None, ge=0)
    """Time of a client between an answer and its next request, in ms; needed for
    workloads of TN and ECI, unless their configuration has its own."""
    warm_up: Seconds = 0
    """How many seconds at the beginning of a run are left out of its rate and
    throughput, which then come from the intervals of its log."""
    cut_off: Seconds = 0
    """The same at its end."""
    hardware: Details = Field(default_factory=dict)
    """Printed in the report."""
    software: Details = Field(default_factory=dict)
    """Printed in the report; Kernel, benchmarks and the release of z/OS are held
    against the files."""

    def cpu_of(self, system: str) -> Cpu:
        """What is declared of CPU time: of the system itself, else of the campaign."""
        source = self.systems[system].cpu if system in self.systems else None
        if source in (None, self.cpu.source):
            return self.cpu
        none: dict[str, Any] = {"classes": [], "jobs": [], "parts": {}}
        return self.cpu.model_copy(update=none | {"source": source})

    def processor(self, system: str) -> str:
        """What a processor of a system is called: of z/OS a CP, as its source of CPU
        time tells, else a CPU."""
        return "CP" if self.cpu_of(system).source in INTERVAL_SOURCES else "CPU"

    def processors(self, system: str) -> str:
        """How many a system has: ``4 dedicated CPs``, ``1 CPU``."""
        declared, word = self.systems[system], self.processor(system)
        kind = "dedicated " if declared.dedicated else ""
        return f"{declared.cps} {kind}{word}{'' if declared.cps == 1 else 's'}"

    def think_in(self, configuration: str) -> float | None:
        """Think time [ms] of a configuration's clients: its own, else the campaign's;
        None where neither says."""
        declared = self.configurations.get(configuration)
        think = declared.think if declared else None
        return self.think if think is None else think

    def think_of(self, workload: str, configuration: str) -> float:
        """Think time of a workload's clients [ms]; 0 of those that do not think."""
        thinks = SHAPES[parse_workload(workload).shape].thinks
        return (self.think_in(configuration) or 0) * thinks


def read_campaign(folder: Path) -> Campaign:
    """The declaration of the campaign in ``folder``, checked."""
    path = folder / CAMPAIGN_FILE
    campaign = check_campaign(*load_yaml(path, MISSING.format(folder)), path)
    declared = campaign.configurations
    snapshots = {id: one.snapshots for id, one in declared.items()}
    if not (captured := captured_differences(snapshots, folder)):
        return campaign
    told = {
        id: one.model_copy(update={"details": {**captured.get(id, {}), **one.details}})
        for id, one in declared.items()
    }
    return campaign.model_copy(update={"configurations": told})


def campaign_folder(raw: Path, name: str) -> Path:
    """The folder of a campaign: in ``raw/``, else where a build generated it."""
    generated = raw.parent / GENERATED / name
    return generated if generated.is_dir() and not (raw / name).is_dir() else raw / name


def check_campaign(data: Any, node: Any, path: Path) -> Campaign:
    """The data of a ``campaign.yaml`` as a checked declaration."""
    if isinstance(data, dict) and "files" in data:
        what = f"the checksums of the files stand in {SUMS_FILE}, no longer here"
        mend = f"{RECORD.format(folder=path.parent)}, which moves them"
        raise user_error(what, path, line_of(node, ("files",)), mend=mend)
    return check_declared(data, node, Campaign, path)


def find_campaigns(raw: Path) -> list[str]:
    """Names of all campaigns in a folder, sorted; each must be of the pattern."""
    return find_named(raw, CAMPAIGN_FILE, FOLDER)
